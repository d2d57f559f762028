"""The names of journals of changes: every format detection looks for one, so this must be fast."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

JOURNAL: Final = ".tabiya-journal"


def journal_of(folder: Path, name: str) -> Path:
    """Return the journal of the files with this name, or of a whole folder; it exists until a change is done."""
    return folder / (f".{name}{JOURNAL}" if name else JOURNAL)


def has_journals(folder: Path) -> bool:
    """Return whether a folder contains a journal of any files."""
    with os.scandir(folder) as entries:
        return any(entry.name.endswith(JOURNAL) for entry in entries)
