"""A folder of MyISAM tables: the folder of a jose database on a server, or the contents of an archive."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.errors import CorruptError
from tabiya.formats.jose.archive import ArchiveDatabase
from tabiya.formats.jose.characters import decode_characters
from tabiya.formats.jose.container import copy_folder, folder_of
from tabiya.formats.jose.myisam import Table, column_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.formats.format import Place

_COLUMNS: Final = {
    "Player": ("Id", "Name", "Soundex"),
    "Event": ("Id", "Name", "Soundex"),
    "Site": ("Id", "Name", "Soundex"),
    "Opening": ("Id", "HashKey", "Ply", "ECO", "Name", "Soundex"),
    "Collection": ("Id", "PId", "OPId", "Name", "Path", "Attributes", "SourceURL", "LastModified", "GameCount"),
    "Game": (
        *("Id", "CId", "Idx", "Attributes", "OCId", "OIdx", "PlyCount", "Result", "WhiteId", "BlackId", "WhiteELO"),
        *("BlackELO", "EventId", "SiteId", "GameDate", "EventDate", "DateFlags", "OpeningId", "ECO", "AnnotatorId"),
    ),
    "MoreGame": (
        *("GId", "WhiteTitle", "BlackTitle", "Round", "Board", "FEN", "Info", "Bin", "Comments", "PosMain", "PosVar"),
        "Eval",
    ),
}
"""Columns in the order of jose 1.5, for tables without a ``.frm``. The order depends on the version, so a ``.frm``
takes precedence."""
_OPTIONAL: Final = frozenset({"Soundex", "HashKey", "Ply", "OPId", "PosMain", "PosVar", "Eval", "LastModified"})
_TEXTS: Final = frozenset(
    {"Name", "Path", "ECO", "WhiteTitle", "BlackTitle", "Round", "Board", "FEN", "Info", "Bin", "Comments", "Eval"}
)
_LAST: Final = np.iinfo(np.int64).max


class _NamedTable:
    """A table whose columns have names."""

    def __init__(self, table: Table, description: bytes) -> None:
        self.table = table
        known = _COLUMNS[table.name]
        count = len(table.columns)
        self._names = column_names(description, count) or (known if count == len(known) else ())
        missing = [name for name in known if name not in self._names and name not in _OPTIONAL]
        if missing:
            raise CorruptError(f"the table {table.name} is not one of jose: it has no column {missing[0]}")

    def row(self, place: int) -> dict[str, Any]:
        """Return the row that begins here; in fixed rows, numbers are stored as bytes, and texts are padded."""
        row = dict(zip(self._names, self.table.row(place), strict=True))
        for name, value in row.items():
            if isinstance(value, bytes):
                if name not in _TEXTS:
                    row[name] = int.from_bytes(value, "little", signed=len(value) != 3)
                elif name == "ECO":
                    row[name] = value.rstrip(b" ")
        return row


class FolderDatabase(ArchiveDatabase):
    """The games in a folder of tables: of a database by their ids, as from the server; else as in an archive."""

    def _unpack(self, place: Place) -> dict[str, IO[bytes]]:
        assert isinstance(place, Path)
        return copy_folder(place, self._stack)

    @property
    def files(self) -> tuple[Path, ...]:
        """The tables found."""
        folder = self._path
        return () if folder is None else tuple(folder / name for name in self._found if (folder / name).exists())

    def _open_tables(self, files: dict[str, IO[bytes]], collection: str | None) -> None:
        self._found = tuple(files)
        self._more: _NamedTable | None = None
        if "Game.MYD" not in files:
            super()._open_tables(files, collection)
            return
        self._head = self._named("Game", files)
        self._games = self._head.table
        self._more = self._named("MoreGame", files)
        self._names = {
            name: {row["Id"]: row["Name"] for row in self._rows(self._named(name, files))}
            for name in ("Player", "Event", "Site", "Opening")
        }
        selected = None
        if collection is not None:
            found = list(self._rows(self._named("Collection", files)))
            paths = tuple(row["Path"] for row in found if decode_characters(row["Name"]) == collection and row["Path"])
            selected = {row["Id"] for row in found if paths and (row["Path"] or b"").startswith(paths)}
        self._ids, self._bodies, broken_off = _keys(self._more)
        self._find_games(selected, collection)
        self._broken_off = self._broken_off or broken_off
        # In the order of the server. Invalid rows have no id, and come last.
        ids = np.array([self._id_of(int(place)) for place in self._places], np.int64)
        self._places = self._places[np.argsort(ids, kind="stable")][np.count_nonzero(ids <= 0) :]

    def _named(self, name: str, files: dict[str, IO[bytes]]) -> _NamedTable:
        description = files.get(f"{name}.frm")
        if description is not None:
            description.seek(0)
        return _NamedTable(self._table(name, files), b"" if description is None else description.read())

    @staticmethod
    def _rows(table: _NamedTable) -> list[dict[str, Any]]:
        return [table.row(place) for place in table.table.places()]

    def _id_of(self, place: int) -> int:
        try:
            return int(self._head.row(place)["Id"])
        except CorruptError:
            return _LAST

    def _values(self, place: int) -> dict[str, Any]:
        if self._more is None:
            return super()._values(place)
        row = self._head.row(place)
        at = int(np.searchsorted(self._ids, row["Id"]))
        if at == len(self._ids) or self._ids[at] != row["Id"]:
            raise CorruptError("the moves of a game are missing", offset=place)
        return {**dict.fromkeys(_COLUMNS["MoreGame"]), **self._more.row(int(self._bodies[at])), **row}


def open_tables(place: Place, /, *, collection: str | None = None, shift_dates: bool = False) -> ArchiveDatabase:
    """Open a folder of tables, given by itself or by one of them, or an archive."""
    folder = folder_of(place) if isinstance(place, Path) else None
    if folder is not None:
        return FolderDatabase(folder, collection=collection, shift_dates=shift_dates)
    return ArchiveDatabase(place, collection=collection, shift_dates=shift_dates)


def _keys(table: _NamedTable) -> tuple[NDArray[np.int64], NDArray[np.int64], CorruptError | None]:
    """Return the ids of all games in order, where their rows begin, and the error that ended them early."""
    ids, places = [], []
    broken_off = None
    try:
        for place in table.table.places():
            try:
                number = table.row(place)["GId"]
            except CorruptError:
                continue  # its game will lack it
            ids.append(number)
            places.append(place)
    except CorruptError as error:
        broken_off = error
    order = np.argsort(np.array(ids, np.int64), kind="stable")
    return np.array(ids, np.int64)[order], np.array(places, np.int64)[order], broken_off
