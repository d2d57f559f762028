"""A change of the files of one base, and of its media folders."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from tabiya.errors import UsageError
from tabiya.files.transaction import Transaction
from tabiya.formats.cbh.files.base_files import MEDIA_FOLDERS, UNREAD, companion, files_of, folders_of
from tabiya.formats.cbh.files.opening import files_of_base


def remarks_on(*, gone: Iterable[str] = (), kept: Iterable[str] = (), replaced: Iterable[str] = ()) -> tuple[str, ...]:
    """Return sentences about the files of a base that a change removes or keeps, and folders that it replaces."""
    said = (
        ("file", sorted(gone), "removed as outdated"),
        ("file", sorted(kept), "kept unread, perhaps outdated now"),
        ("folder", sorted(replaced), "replaced"),
    )
    return tuple(
        f"{len(names)} {noun}{'s' if len(names) > 1 else ''} {what}: {', '.join(names)}"
        for noun, names, what in said
        if names
    )


class BaseTransaction(Transaction):
    """A change of one base: the keys of its files and folders are their suffixes."""

    def __init__(self, main: Path, *, overwrite: bool = True) -> None:
        super().__init__(files_of_base(main), overwrite=overwrite)
        self.main = main
        self._present: dict[str, Path] = {}

    def _final(self, key: str) -> Path:
        final = self._present.get(key) or companion(self.main, key)
        if key in MEDIA_FOLDERS and final.exists() and not final.is_dir():
            raise UsageError("cannot be replaced: it is not a folder", path=final)
        return final

    def replace(self, *, outdated: Iterable[str] = (), unread: Collection[str] = UNREAD) -> tuple[str, ...]:
        """Commit. Files that are ``outdated``, because they belong to the former base, are removed.

        Those that tabiya cannot read (``unread``) are kept. Returns sentences about what was removed, kept or replaced.
        """
        with self:
            folder, stem = self.main.parent, self.main.stem
            self._present = present = files_of(folder, stem) | folders_of(folder, stem)
            old = {suffix: present[suffix].name for suffix in outdated if suffix in present.keys() - self.opened}
            gone = [name for suffix, name in old.items() if suffix not in unread]
            kept = [name for suffix, name in old.items() if suffix in unread]
            replaced = [folder.name for folder in map(self._final, self.folders) if folder.exists()]
            self.commit(gone=gone)
            return remarks_on(gone=gone, kept=kept, replaced=replaced)
