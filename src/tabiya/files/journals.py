"""The name of the journal of a change: every format detection looks for one, so this must be fast."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

JOURNAL: Final = ".tabiya-journal"


def journal_of(folder: Path, name: str) -> Path:
    """Return the journal of the files with this name; it exists while a change is decided but not finished."""
    return folder / f".{name}{JOURNAL}"
