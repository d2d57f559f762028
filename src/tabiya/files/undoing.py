"""Takes back the renames of a journal after an error."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from tabiya.files.shared_files import replace
from tabiya.files.temporary import fresh_name

if TYPE_CHECKING:
    from pathlib import Path

    from tabiya.files.recovery import Journal


class Undoing:
    """Keeps a second name of every file that a change replaces, until it is complete.

    The second names are hard links, so that the files themselves do not change. Where the file system has none, a
    change that has begun to rename files is not taken back, but finished later. If the process is killed while it takes
    a change back, the change is finished, too: for this all new files keep their temporary names.
    """

    def __init__(self, folder: Path, journal: Journal, mark: str) -> None:
        self._folder = folder
        self._journal = journal
        self._replaced: dict[str, Path] = {}
        for _, new in journal.new:
            kept = fresh_name(folder, mark)
            try:
                kept.hardlink_to(folder / new)
            except FileNotFoundError:  # it replaces nothing
                continue
            except OSError:  # the file system has no hard links
                pass
            self._replaced[new] = kept
        finals = [folder / new for _, new in journal.new if "/" in new]
        self._made = {above for final in finals for above in final.parents if not above.exists()}
        self.is_done = False
        """Whether all files are the old ones."""

    def undo(self) -> None:
        """Undo all steps, unless one of them cannot be undone."""
        folder, journal = self._folder, self._journal
        performed = [(old, new) for old, new in journal.new if not (folder / old).exists()]
        if not all((folder / name).exists() for name in journal.gone):
            return
        if not all(self._replaced[new].exists() for _, new in performed if new in self._replaced):
            return
        for old, new in reversed(performed):
            if new in self._replaced:
                (folder / old).hardlink_to(folder / new)
                replace(self._replaced[new], folder / new)
            else:
                replace(folder / new, folder / old)
        for old, new, aside in reversed(journal.folders):
            if not (folder / old).exists():
                replace(folder / new, folder / old)
            if (folder / aside).exists():
                replace(folder / aside, folder / new)
        for made in sorted(self._made, reverse=True):
            if made.exists():
                made.rmdir()
        self.is_done = True

    def close(self) -> None:
        """Remove the second names."""
        for kept in self._replaced.values():
            with suppress(OSError):
                kept.unlink(missing_ok=True)
