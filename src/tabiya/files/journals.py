"""The name of the journal of a change: every sniff of a file looks for one, and must be cheap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["JOURNAL", "journal_of"]

JOURNAL: Final = ".tabiya-journal"


def journal_of(folder: Path, name: str) -> Path:
    """Return the file that exists while a change of files with this name is decided, but not finished."""
    return folder / f".{name}{JOURNAL}"
