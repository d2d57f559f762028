"""An archive being written: a base in a temporary folder next to it, packed at the end."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Final

from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.temporary import TemporaryFolder
from tabiya.files.transaction import refuse_existing
from tabiya.formats.cbh.archive.format import CBV
from tabiya.formats.cbh.archive.packing import check_password, encode_name, pack
from tabiya.formats.cbh.files.base_files import MAIN
from tabiya.formats.cbh.writer import CbhWriter

if TYPE_CHECKING:
    from pathlib import Path

_LONGEST_SUFFIX: Final = ".flags"
_MODIFIED: Final = datetime(1980, 1, 1)
"""The files have no meaningful time of their own, and the same games must give the same archive."""


class CbvWriter(CbhWriter):
    """Write a ChessBase database into an archive, encrypted if there is a password.

    Other options are those of a base; archives cannot be appended to. The archive appears when it is complete.
    """

    def __init__(
        self,
        place: Path,
        *,
        overwrite: bool = False,
        strict: bool = False,
        append: bool = False,
        encoding: str | None = None,
        title: str | None = None,
        password: str | None = None,
    ) -> None:
        if append:
            raise UsageError(
                "an archive cannot be appended to; unpack it with tabiya extract, append to the base and pack it again",
                path=place,
            )
        check_password(place, password)
        encode_name(f"{place.stem}{_LONGEST_SUFFIX}")
        with errors_of(place):
            refuse_existing(place, overwrite=overwrite)
            self._folder = TemporaryFolder(place.resolve().parent)
        try:
            main = self._folder.path / f"{place.stem}{MAIN}"
            super().__init__(main, strict=strict, encoding=encoding, title=title)
        except BaseException:
            self._folder.remove()
            raise
        self._path, self._format = place, CBV
        self._main, self._archive = main, place
        self._replaces = overwrite
        self._password = password

    def _commit(self) -> None:
        super()._commit()
        pack(self._main, self._archive, overwrite=self._replaces, password=self._password, modified=_MODIFIED)
        self._folder.remove()

    def _discard(self) -> None:
        try:
            super()._discard()
        finally:
            self._folder.remove()
