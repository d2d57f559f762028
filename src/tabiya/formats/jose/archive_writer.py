"""A ``.jose`` archive being written: tables of MyISAM in a tar compressed with gzip.

Descriptions and headers of the tables were created by a MariaDB server from ``templates/tables.sql``; counts and sizes
are filled in.
"""

from __future__ import annotations

import io
import tempfile
import weakref
from importlib import resources
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from tabiya.files.file_errors import errors_of
from tabiya.files.targets import open_target
from tabiya.formats.jose import JOSE
from tabiya.formats.jose.batch_to_rows import rows_of_batch
from tabiya.formats.jose.characters import collection_name
from tabiya.formats.jose.container import TABLES, close_scratch, scratch_file, write_archive
from tabiya.formats.jose.myisam import Table, pack_block, patch_header
from tabiya.formats.jose.row import DEFAULT_COLLECTION, TRASH, Row
from tabiya.formats.loss_counting import fit
from tabiya.formats.writer import Encoded, Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tabiya.formats.format import Place
    from tabiya.game import GameBatch, RecordKind

_FIRST_ID: Final = 1001
_COMPLETE: Final = 8
_SYSTEM: Final = 16
_TRASH_NAME: Final = b"collection.trash"
_UNKNOWN: Final = b"-"
_TINY: Final = 0x7F
"""Attributes of a game are one signed byte in archives."""
_META: Final = (
    (b"SCHEMA_VERSION", b"META", None, 1001, None),
    (b"TABLE_VERSION", b"META", b"MetaInfo", 101, None),
    (b"SCHEMA_VERSION", b"IO", None, 1003, None),
)


class _TableFile:
    """A table being built."""

    def __init__(self, name: str) -> None:
        folder = resources.files("tabiya.formats.jose") / "templates"
        self.name = name
        self.description = (folder / f"{name}.frm").read_bytes()
        self._index = (folder / f"{name}.MYI").read_bytes()
        self._table = Table.of(name, self._index, b"")
        self._data = scratch_file()
        weakref.finalize(self, close_scratch, self._data)
        self._rows = 0
        self._size = 0

    def add(self, values: Sequence[Any]) -> None:
        """Append a row."""
        block = pack_block(self._table.pack(values))
        self._data.write(block)
        self._rows += 1
        self._size += len(block)

    def members(self) -> Iterator[tuple[str, int, IO[bytes]]]:
        """Yield the three files: name, size and content."""
        index = patch_header(self._index, self._rows, self._size)
        with errors_of(tempfile.gettempdir()):
            self._data.seek(0)  # writes what is still in memory to disk
        yield f"{self.name}.frm", len(self.description), io.BytesIO(self.description)
        yield f"{self.name}.MYI", len(index), io.BytesIO(index)
        yield f"{self.name}.MYD", self._size, self._data


class _NameTable:
    """A table of names; 0 is the unknown one, which jose requires."""

    def __init__(self, file: _TableFile, row: Callable[[int, bytes], tuple[Any, ...]]) -> None:
        self._file = file
        self._row = row
        self._ids: dict[bytes, int] = {}
        file.add(row(0, _UNKNOWN))

    def id_of(self, name: bytes | None) -> int:
        """Return the id of a name, which is added if it is new."""
        if name is None:
            return 0
        number = self._ids.get(name)
        if number is None:
            number = self._ids[name] = _FIRST_ID + len(self._ids)
            self._file.add(self._row(number, name))
        return number


class ArchiveWriter(Writer):
    """Writes an archive with one collection, and the trash for games that are marked as deleted."""

    def __init__(
        self,
        place: Place,
        *,
        overwrite: bool = False,
        strict: bool = False,
        collection: str | None = None,
    ) -> None:
        super().__init__(place if isinstance(place, Path) else None, JOSE, strict=strict)
        self._collection = collection_name(collection or DEFAULT_COLLECTION)
        self._target = open_target(place, overwrite=overwrite, hold=strict)
        self._files = {name: _TableFile(name) for name in TABLES}
        plain: Callable[[int, bytes], tuple[Any, ...]] = lambda number, name: (number, name)  # noqa: E731
        self._players = _NameTable(self._files["IO_Player"], plain)
        self._events = _NameTable(self._files["IO_Event"], plain)
        self._sites = _NameTable(self._files["IO_Site"], plain)
        self._openings = _NameTable(self._files["IO_Opening"], lambda number, name: (number, 0, None, _UNKNOWN, name))
        self._counts = {False: 0, True: 0}

    def _encode(self, batch: GameBatch, *, before: RecordKind | None) -> Encoded:  # noqa: ARG002 - rows are independent
        fitting, losses = fit(batch, self._keeps)
        rows, more = rows_of_batch(fitting)
        return Encoded(rows, len(rows), losses + more)

    def _put(self, content: list[Row]) -> None:
        with errors_of(tempfile.gettempdir()):
            for row in content:
                self._add(row)

    def _add(self, row: Row) -> None:
        deleted = bool(row.deleted)
        self._counts[deleted] += 1
        self._files["IO_Game"].add(
            (
                *(TRASH if deleted else _FIRST_ID, self._counts[deleted], row.attributes & _TINY, row.ply_count),
                *(row.result, self._players.id_of(row.white), self._players.id_of(row.black)),
                *(row.white_elo, row.black_elo, self._events.id_of(row.event), self._sites.id_of(row.site)),
                *(_packed_day(row.game_date), _packed_day(row.event_date), row.date_flags),
                *(self._openings.id_of(row.opening), row.eco, self._players.id_of(row.annotator)),
                *(row.white_title, row.black_title, row.round, row.board, row.fen, row.info, row.codes, row.comments),
                *(None, None, row.evaluations),
            )
        )

    def _commit(self) -> None:
        collections = self._files["IO_Collection"]
        collections.add((_FIRST_ID, 0, self._collection, _COMPLETE, None, self._counts[False]))
        if self._counts[True]:
            collections.add((TRASH, 0, _TRASH_NAME, _SYSTEM, None, self._counts[True]))
        for row in _META:
            self._files["MetaInfo"].add(row)
        write_archive(self._target.stream, (each for file in self._files.values() for each in file.members()))
        self._target.commit()

    def _discard(self) -> None:
        self._target.discard()


def _packed_day(day: int | None) -> int | None:
    return None if day is None else day // 10000 << 9 | day // 100 % 100 << 5 | day % 100
