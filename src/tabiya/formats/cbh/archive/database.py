"""A base inside an archive, open for reading: unpacked into a temporary folder that exists as long as the database."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabiya.errors import TabiyaError, UnsupportedError
from tabiya.files.file_errors import errors_of
from tabiya.formats import open_and_create
from tabiya.formats.cbh.archive.cbv import Archive
from tabiya.formats.cbh.archive.extracting import salvage
from tabiya.formats.cbh.archive.format import CBV
from tabiya.formats.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from tabiya.game import GameBatch
    from tabiya.game.record import Problem

_MAIN = (".cbh", ".2cbh")


class CbvDatabase(Database):
    """The base of an archive. It has the additional attributes of that base (players, tournaments ...) too.

    Damaged files are read up to the damage; ``problems`` lists them.
    """

    def __init__(self, path: Path, *, password: str | None = None, encoding: str | None = None) -> None:
        super().__init__(path, CBV)
        with errors_of(path):
            folder = Path(tempfile.mkdtemp(prefix="tabiya-"))
        self._remove = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        try:
            with Archive(path, password=password) as archive:
                main = _main_file(archive)
                self._problems = tuple(salvage(archive, folder))
                self._details = {"files in the archive": len(archive.members), "bytes unpacked": archive.size}
            options: dict[str, Any] = {} if encoding is None else {"encoding": encoding}
            try:
                self._base = open_and_create.open(folder / main, **options)
            except TabiyaError as error:
                raise type(error)(f"{main} in the archive {error.message}", path=path, offset=error.offset) from error
        except BaseException:
            self._remove()
            raise

    @property
    def base(self) -> Database:
        """The base itself, with paths into the temporary folder."""
        return self._base

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Problems of the archive, then of its base."""
        return (*self._problems, *self._base.problems)

    @property
    def progress(self) -> float | None:
        """Progress of the base."""
        return self._base.progress

    def details(self) -> dict[str, str | int | float]:
        """Return facts about the archive, then those of its base."""
        return {**self._details, **self._base.details()}

    def _count(self) -> int:
        return len(self._base)

    def _read(self, start: int, stop: int) -> GameBatch:
        return self._base.read(start, stop)

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        return self._base.batches(threads=threads)

    def _headers(self, threads: int) -> Iterator[pa.RecordBatch]:
        return self._base.headers(threads=threads)

    def _close(self) -> None:
        try:
            self._base.close()
        finally:
            self._remove()

    def __getattr__(self, name: str) -> Any:
        base = self.__dict__.get("_base")
        if base is None or name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
        return getattr(base, name)


def _main_file(archive: Archive) -> str:
    """Return the name of the one base in an archive."""
    found = [member.name for member in archive.members if member.name.lower().endswith(_MAIN)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UnsupportedError("holds no ChessBase database; use tabiya extract to unpack its files", path=archive.path)
    raise UnsupportedError(
        f"holds {len(found)} databases; unpack them with tabiya extract and open one of them", path=archive.path
    )
