"""The files of a database that has several: in one folder, with one stem, with suffixes in any case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.errors import UsageError
from tabiya.files.file_bytes import FileBytes
from tabiya.files.safe_names import folded

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from pathlib import Path


def companions(folder: Path, stem: str, suffixes: Container[str], *, folders: bool = False) -> dict[str, Path]:
    """Return files by suffix in lower case; an exact stem takes precedence over one in another case.

    With ``folders``, these are folders with such names instead.
    """
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir(), key=lambda path: (path.stem != stem, path.name)):
        suffix = path.suffix.lower()
        if suffix in suffixes and folded(path.stem) == folded(stem) and (path.is_dir() if folders else path.is_file()):
            found.setdefault(suffix, path)
    return found


def main_files_in(folder: Path, suffixes: Container[str]) -> list[Path]:
    """Return the files in a folder that have one of these suffixes."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in suffixes and path.is_file())


def only_main_file(folder: Path, suffixes: Container[str]) -> Path | None:
    """Return the only file in a folder that has one of these suffixes; None if there is none.

    Raises:
        UsageError: There are several.
    """
    found = main_files_in(folder, suffixes)
    if len(found) > 1:
        names = ", ".join(path.name for path in found[:10])
        raise UsageError(f"the folder holds several databases, choose one: {names}", path=folder)
    return found[0] if found else None


class CompanionFiles:
    """The files of one database, open for reading: some at once, others when they are accessed.

    A later writer does not change what is visible in an open file.
    """

    def __init__(self, main: Path, paths: dict[str, Path], at_once: Iterable[str]) -> None:
        """``at_once`` are the suffixes of the files to open, in this order."""
        self.main = main
        self.paths = paths
        self._closed = False
        self._opened: dict[str, FileBytes | bytes] = {}
        for suffix in at_once:
            self._open(suffix)

    def __contains__(self, suffix: str) -> bool:
        return suffix in self.paths

    def all(self) -> tuple[Path, ...]:
        """Return the paths of all files, the main one first."""
        return (self.main, *sorted(path for path in self.paths.values() if path != self.main))

    def data(self, suffix: str) -> FileBytes | bytes:
        """Return the bytes of a file, read in pieces on access; empty if it is missing."""
        if self._closed:
            raise UsageError("the database is closed", path=self.main)
        if suffix not in self._opened:
            self._open(suffix)
        return self._opened[suffix]

    def _open(self, suffix: str) -> None:
        path = self.paths.get(suffix)
        self._opened[suffix] = b"" if path is None else FileBytes(path)

    def close(self) -> None:
        """Close the files."""
        for data in self._opened.values():
            if isinstance(data, FileBytes):
                data.close()
        self._opened.clear()
        self._closed = True
