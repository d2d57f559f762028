"""A ``.jose`` archive open for reading: MyISAM tables in a tar or zip."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.errors import CorruptError, UsageError
from tabiya.files.file_bytes import NearbyBytes
from tabiya.files.parallel import ordered_map
from tabiya.formats.database import Database
from tabiya.formats.jose import JOSE
from tabiya.formats.jose.characters import decode_characters
from tabiya.formats.jose.container import DAMAGE, unpack
from tabiya.formats.jose.database import date_problems
from tabiya.formats.jose.myisam import Table
from tabiya.formats.jose.row import TRASH, Row
from tabiya.formats.jose.rows_to_batch import batch_of_rows
from tabiya.formats.row_changes import change_rows
from tabiya.game.record import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabiya.formats.format import Place
    from tabiya.game import GameBatch

GAME_COLUMNS: Final = (
    *("CId", "Idx", "Attributes", "PlyCount", "Result", "WhiteId", "BlackId", "WhiteELO", "BlackELO", "EventId"),
    *("SiteId", "GameDate", "EventDate", "DateFlags", "OpeningId", "ECO", "AnnotatorId", "WhiteTitle", "BlackTitle"),
    *("Round", "Board", "FEN", "Info", "Bin", "Comments", "PosMain", "PosVar", "Eval"),
)
"""Columns of IO_Game; Eval since jose 1.5."""
_SHAPES: Final = {
    "IO_Game": "iibibiiiiiiddhiti" + 11 * "t",
    **dict.fromkeys(("IO_Player", "IO_Event", "IO_Site"), "it"),
    "IO_Opening": "iqitt",
    "IO_Collection": "iitbti",
}
"""The kinds of columns in order, see ``Table.shape``."""
_WITHOUT_EVAL: Final = len(GAME_COLUMNS) - 1
_NULLABLE: Final = frozenset({"WhiteELO", "BlackELO", "GameDate", "EventDate", "AnnotatorId"})
_NEVER_NULL: Final = tuple(
    name for name, kind in zip(GAME_COLUMNS, _SHAPES["IO_Game"], strict=True) if kind != "t" and name not in _NULLABLE
)
_PAGE: Final = 4096
_LOOKED_AT: Final = 20000
_BROKEN_OFF: Final = 167
_UNREADABLE_ROW: Final = 169
_NO_DAY: Final = 0x10


class ArchiveDatabase(Database):
    """The games of an archive in the order of its table; optionally those of one collection.

    ``shift_dates`` adds a day to all dates: some old archives have lost one, as ``problems`` reports.
    """

    _damage = DAMAGE

    def __init__(self, place: Place, *, collection: str | None = None, shift_dates: bool = False) -> None:
        super().__init__(place if isinstance(place, Path) else None, JOSE)
        self._shift = shift_dates
        self._stack = ExitStack()
        try:
            self._open_tables(self._unpack(place), collection)
        except DAMAGE as error:
            self._stack.close()
            raise CorruptError(f"damaged: {error}", path=self._path) from error
        except BaseException:
            self._stack.close()
            raise

    def _unpack(self, place: Place) -> dict[str, IO[bytes]]:
        if not isinstance(place, Path):
            return unpack(place, self._stack)
        with place.open("rb") as stream:
            return unpack(stream, self._stack)

    def _open_tables(self, files: dict[str, IO[bytes]], collection: str | None) -> None:
        self._games = self._known_table("IO_Game", files)
        self._names = {name: self._read_names(f"IO_{name}", files) for name in ("Player", "Event", "Site", "Opening")}
        collections = self._read_names("IO_Collection", files, column=2) if "IO_Collection.MYD" in files else {}
        selected = None
        if collection is not None:
            selected = {number for number, name in collections.items() if decode_characters(name) == collection}
        self._find_games(selected, collection)

    def _find_games(self, selected: set[int] | None, collection: str | None) -> None:
        """Find the games: all of them, or those in the wanted collections."""
        if selected is not None and not selected:
            raise UsageError(f"there is no collection {collection!r}", path=self._path)
        places = []
        self._broken_off: CorruptError | None = None
        try:
            for place in self._games.places():
                places.append(place)  # noqa: PERF402 - what comes before damage is kept
        except CorruptError as error:
            self._broken_off = error
        if self._broken_off and not places:
            raise self._broken_off
        if selected is not None:
            places = [place for place in places if self._collection_of(place) in selected]
        self._places = np.array(places, np.int64)

    def _table(self, name: str, files: dict[str, IO[bytes]]) -> Table:
        missing = [f"{name}{suffix}" for suffix in (".MYI", ".MYD") if f"{name}{suffix}" not in files]
        if missing:
            raise CorruptError(f"this is not a jose database: {missing[0]} is missing", path=self._path)
        index, data = files[f"{name}.MYI"], files[f"{name}.MYD"]
        index.seek(0)
        data.flush()
        stored = NearbyBytes(Path(f"{name}.MYD"), data.fileno())
        self._stack.callback(stored.close)
        return Table.of(name, index.read(65536), stored)

    def _known_table(self, name: str, files: dict[str, IO[bytes]]) -> Table:
        """Return a table after checking that its columns are those of archives, in their order."""
        table = self._table(name, files)
        shapes = {_SHAPES[name], _SHAPES["IO_Game"][:_WITHOUT_EVAL] if name == "IO_Game" else ""}
        if table.shape not in shapes:
            raise CorruptError(
                f"the {len(table.columns)} columns of table {name} do not match those of jose", path=self._path
            )
        return table

    def _read_names(self, name: str, files: dict[str, IO[bytes]], column: int = -1) -> dict[int, bytes]:
        table = self._known_table(name, files)
        rows = (table.row(place) for place in table.places())
        return {row[0]: row[column] for row in rows if row[0] is not None and row[column] is not None}

    def _collection_of(self, place: int) -> Any:
        try:
            return self._values(place)["CId"]
        except CorruptError:
            return None

    # Rows.

    def _values(self, place: int) -> dict[str, Any]:
        """Return the columns, by name, of the game whose row begins here."""
        return dict(zip(GAME_COLUMNS, self._games.row(place), strict=False))

    def _row(self, place: int) -> Row | None:
        """Return the row that begins here; None if it is invalid."""
        try:
            values = self._values(place)
        except CorruptError:
            return None
        if any(values[name] is None for name in _NEVER_NULL):
            return None
        return Row(
            white=self._names["Player"].get(values["WhiteId"]),
            black=self._names["Player"].get(values["BlackId"]),
            event=self._names["Event"].get(values["EventId"]),
            site=self._names["Site"].get(values["SiteId"]),
            opening=self._names["Opening"].get(values["OpeningId"]),
            annotator=self._names["Player"].get(values["AnnotatorId"]),
            attributes=values["Attributes"],
            ply_count=values["PlyCount"],
            result=values["Result"],
            white_elo=values["WhiteELO"],
            black_elo=values["BlackELO"],
            game_date=_day(values["GameDate"]),
            event_date=_day(values["EventDate"]),
            date_flags=values["DateFlags"],
            eco=values["ECO"],
            white_title=values["WhiteTitle"],
            black_title=values["BlackTitle"],
            round=values["Round"],
            board=values["Board"],
            fen=values["FEN"],
            info=values["Info"],
            codes=values["Bin"],
            comments=values["Comments"],
            evaluations=values.get("Eval"),
            deleted=values["CId"] == TRASH,
        )

    def _decode(self, span: tuple[int, Sequence[int]]) -> GameBatch:
        first, places = span
        rows = [self._row(int(place)) for place in places]
        batch = batch_of_rows([row or Row() for row in rows], first_number=first, shift_dates=self._shift)

        def note(row: dict[str, Any], index: int) -> None:
            row["problems"] = [{"code": _UNREADABLE_ROW, "offset": int(places[index]), "text": ""}]
            row["extras"] = []

        return change_rows(batch, [index for index, row in enumerate(rows) if row is None], note)

    def _spans(self) -> Iterator[tuple[int, Sequence[int]]]:
        for begin in range(0, len(self._places), _PAGE):
            yield begin + 1, self._places[begin : begin + _PAGE].tolist()

    # Implementation of the base class.

    def _count(self) -> int:
        return len(self._places)

    def _read(self, start: int, stop: int) -> GameBatch:
        return self._decode((start + 1, self._places[start:stop].tolist()))

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        return ordered_map(self._decode, self._spans(), threads)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Truncation of the table, and dates that appear to be a day early."""
        self._check_open()
        broken = self._broken_off
        found = () if broken is None else (Problem(_BROKEN_OFF, broken.offset, broken.message),)
        return found if self._shift else found + date_problems(self._unknown_days())

    def _unknown_days(self) -> list[int]:
        rows = (self._row(int(place)) for place in islice(self._places, _LOOKED_AT))
        return [row.game_date for row in rows if row is not None and row.game_date and row.date_flags & _NO_DAY]

    def _close(self) -> None:
        self._stack.close()


def _day(packed: int | None) -> int | None:
    """Return the number of a day such as 20011231; MySQL packs year, month and day into bits."""
    if not packed:
        return None
    return (packed >> 9) * 10000 + (packed >> 5 & 15) * 100 + (packed & 31)
