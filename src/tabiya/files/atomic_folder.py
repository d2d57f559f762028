"""Several files that appear in a folder together: all of them once all are complete, or none."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Final, TypeAlias

from tabiya.errors import UsageError
from tabiya.files.atomic import flush_folder, flush_tree
from tabiya.files.file_errors import errors_of
from tabiya.files.temporary import TemporaryFolder

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType
    from typing import Self

Parts: TypeAlias = tuple[str, ...]
"""Folder names, followed by a file name."""

_FORBIDDEN: Final = frozenset('<>:"|?*') | {chr(code) for code in (*range(32), 127)}
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10)}
)
"""Names that Windows reserves for devices, with any suffix."""


def safe_parts(name: str) -> Parts | None:
    """Return the folders and the file of a relative path found in a file; None if it may lead outside."""
    parts = tuple(name.replace("\\", "/").split("/"))
    for part in parts:
        if not part.strip(" .") or part != part.rstrip(" .") or _FORBIDDEN & set(part):
            return None  # empty, "..", drives and streams; Windows drops blanks and dots at the end
        if part.partition(".")[0].strip().lower() in _DEVICES:
            return None
    return parts


class AtomicFolder:
    """Files are written under a temporary name on the same disk; ``commit`` moves them into the folder.

    As a context manager it discards what was not committed. The folder is created if necessary and may contain other
    files. Links in it are not followed. If a file cannot be moved, the files moved before it are moved back.
    """

    def __init__(self, folder: Path, *, overwrite: bool = False) -> None:
        self.folder = folder
        self._overwrite = overwrite
        self._places: list[Parts] = []
        self._gone: list[Parts] = []
        with errors_of(folder):
            if folder.exists() and not folder.is_dir():
                raise UsageError("is not a folder", path=folder)
            home = folder if folder.exists() else folder.parent
            self._staging = TemporaryFolder(home)
            self._new = self._staging.path / "new"
            self._old = self._staging.path / "old"
            self._new.mkdir()

    def place(self, parts: Parts) -> Path:
        """Return the path to write a file to; its folder exists.

        Raises:
            UsageError: An existing file or folder is in the way.
        """
        with errors_of(self.folder):
            self._refuse_obstacles(parts)
            path = self._new.joinpath(*parts)
            path.parent.mkdir(parents=True, exist_ok=True)
        self._places.append(parts)
        return path

    def place_all(self) -> None:
        """Add all written files to the commit, including files written beside or below ``place``."""
        files = (path for path in self._new.rglob("*") if not path.is_dir())
        self._places = sorted(path.relative_to(self._new).parts for path in files)

    def final_name(self, path: str) -> str:
        """Return the final path in the folder for a temporary path."""
        return path.replace(str(self._new), str(self.folder))

    def remove(self, parts: Parts) -> None:
        """Remove a file from the folder when the new files are moved in."""
        self._gone.append(parts)

    def _refuse_obstacles(self, parts: Parts) -> None:
        for length in range(1, len(parts)):
            path = self.folder.joinpath(*parts[:length])
            if path.is_symlink() or (path.exists() and not path.is_dir()):
                raise UsageError("cannot be replaced: it is not a folder", path=path)
        path = self.folder.joinpath(*parts)
        if path.is_symlink() or path.is_dir():
            raise UsageError("cannot be replaced: it is not a file", path=path)
        if path.exists() and not self._overwrite:
            raise UsageError("already exists; overwrite=True replaces it", path=path)

    def commit(self) -> list[Path]:
        """Flush everything to disk, move it into the folder and return the files."""
        with errors_of(self.folder):
            flush_tree(self._new)
            if self.folder.exists():
                self._move_in()
                touched = {
                    self.folder.joinpath(*parts[:length]) for parts in self._places for length in range(len(parts))
                }
                for folder in sorted(touched):
                    flush_folder(folder)
            else:
                self._new.rename(self.folder)
                flush_folder(self.folder.parent)
        self.discard()
        return [self.folder.joinpath(*parts) for parts in self._places]

    def _move_in(self) -> None:
        moved: list[tuple[Path, Path]] = []
        made: list[Path] = []
        try:
            for parts in self._gone:
                moved += [self._put_aside(parts)]  # one by one: on an error, the files moved so far are moved back
            for parts in self._places:
                self._refuse_obstacles(parts)
                path = self.folder.joinpath(*parts)
                for length in range(1, len(parts)):
                    folder = self.folder.joinpath(*parts[:length])
                    if not folder.exists():
                        folder.mkdir()
                        made.append(folder)
                if path.exists():
                    moved.append(self._put_aside(parts))
                moved.append((self._new.joinpath(*parts).replace(path), self._new.joinpath(*parts)))
        except BaseException:
            for source, target in reversed(moved):
                source.replace(target)
            for folder in reversed(made):
                shutil.rmtree(folder, ignore_errors=True)
            raise

    def _put_aside(self, parts: Parts) -> tuple[Path, Path]:
        """Move a file of the folder aside; return its temporary and its original path."""
        path, kept = self.folder.joinpath(*parts), self._old.joinpath(*parts)
        kept.parent.mkdir(parents=True, exist_ok=True)
        return path.replace(kept), path

    def discard(self) -> None:
        """Remove what was not committed."""
        self._staging.remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()
