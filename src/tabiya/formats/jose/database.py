"""jose's database on its server, open for reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from tabiya.errors import UsageError
from tabiya.files.parallel import ordered_map
from tabiya.formats.database import Database
from tabiya.formats.jose import JOSE
from tabiya.formats.jose.characters import encode_characters, parameter_of
from tabiya.formats.jose.dates import is_last_of_month
from tabiya.formats.jose.row import TRASH
from tabiya.formats.jose.rows_to_batch import batch_of_rows
from tabiya.formats.jose.server import Server
from tabiya.game.record import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.formats.jose.server import Password
    from tabiya.formats.url import Url
    from tabiya.game import GameBatch

SHIFTED_DATES: Final = 165
_PAGE: Final = 4096
"""Number of games fetched at a time."""

_NAMES: Final = (
    ("White", "Player", "WhiteId"),
    ("Black", "Player", "BlackId"),
    ("Event", "Event", "EventId"),
    ("Site", "Site", "SiteId"),
    ("Opening", "Opening", "OpeningId"),
    ("Annotator", "Player", "AnnotatorId"),
)
_GAME: Final = ("Attributes", "PlyCount", "Result", "WhiteELO", "BlackELO", "GameDate", "EventDate", "DateFlags", "ECO")
_MORE: Final = ("WhiteTitle", "BlackTitle", "Round", "Board", "FEN", "Info", "Bin", "Comments", "Eval")
_TEXTS: Final = frozenset({"ECO", "WhiteTitle", "BlackTitle", "Round", "Board", "FEN", "Info", "Comments"})
_DATES: Final = frozenset({"GameDate", "EventDate"})


def _select(*, evaluations: bool) -> str:
    """Return the statement for rows; texts as bytes, because MySQL lacks jose's characters beyond U+FFFF.

    Rows come by the primary key, page by page: nothing is sorted, and no cursor waits for a slow reader.
    """

    def column(table: str, name: str) -> str:
        if name in _TEXTS:
            return f"CAST({table}.{name} AS BINARY)"
        return f"{table}.{name}+0" if name in _DATES else f"{table}.{name}"

    names = ", ".join(f"CAST(n{i}.Name AS BINARY)" for i in range(len(_NAMES)))
    game = ", ".join(column("g", name) for name in _GAME)
    more = ", ".join("NULL" if name == "Eval" and not evaluations else column("m", name) for name in _MORE)
    joins = " ".join(f"LEFT JOIN {table} n{i} ON n{i}.Id = g.{key}" for i, (_, table, key) in enumerate(_NAMES))
    return (
        f"SELECT STRAIGHT_JOIN g.Id, {names}, {game}, {more}, g.CId = {TRASH} FROM Game g FORCE INDEX (PRIMARY) "
        f"LEFT JOIN MoreGame m ON m.GId = g.Id {joins} WHERE g.Id > %s{{where}} ORDER BY g.Id LIMIT %s"
    )


class ServedDatabase(Database):
    """The games of a jose database, by their ids; optionally of one collection, named here or in the URL.

    ``shift_dates`` adds a day to all dates, for databases made from archives that have lost one.
    """

    def __init__(
        self,
        url: Url,
        *,
        collection: str | None = None,
        shift_dates: bool = False,
        password: Password = None,
    ) -> None:
        super().__init__(None, JOSE)
        self._url = url
        self._server = Server(url, password=password)
        try:
            self._server.check_tables()
            self._shift = shift_dates
            self._select = _select(evaluations="Eval" in self._server.columns("MoreGame"))
            self._where, self._values = self._choice(
                url.options.get("collection") if collection is None else collection
            )
        except BaseException:
            self._server.close()
            raise
        self._total: int | None = None
        self._seen = 0

    def _choice(self, collection: str | None) -> tuple[str, tuple[int, ...]]:
        """Return a condition for the games of a collection and of its subcollections."""
        if collection is None:
            return "", ()
        path = self._server.rows(
            "SELECT Id, Path FROM Collection WHERE Name = %s ORDER BY Id LIMIT 1",
            (parameter_of(encode_characters(collection)),),
        )
        if not path:
            raise UsageError(f"there is no collection {collection!r}", path=str(self._url))
        inside = self._server.rows(
            "SELECT Id FROM Collection WHERE Id = %s OR LEFT(Path, CHAR_LENGTH(%s)) = %s",
            (path[0][0], path[0][1], path[0][1]),
        )
        ids = tuple(int(number) for (number,) in inside)
        return f" AND g.CId IN ({', '.join(['%s'] * len(ids))})", ids

    @property
    def name(self) -> str:
        """The URL, without a password."""
        return str(self._url)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Dates that appear to be a day early."""
        self._check_open()
        return date_problems(self._unknown_days()) if not self._shift else ()

    def _unknown_days(self) -> list[int]:
        condition = f"g.DateFlags & 16 AND g.GameDate IS NOT NULL{self._where}"
        rows = self._server.rows(f"SELECT g.GameDate+0 FROM Game g WHERE {condition} LIMIT 1000", self._values)
        return [int(day) for (day,) in rows if day]

    @property
    def progress(self) -> float | None:
        """Fraction of the games that have been read."""
        return min(1.0, self._seen / self._total) if self._total else None

    def _count(self) -> int:
        count = self._server.value(f"SELECT COUNT(*) FROM Game g WHERE g.Id > 0{self._where}", self._values)
        return int(count)

    def _rows(self, after: int, limit: int) -> list[tuple[Any, ...]]:
        statement = self._select.format(where=self._where)
        return self._server.rows(statement, (after, *self._values, limit))

    def _pages(self) -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
        """Yield the number of the first game, and the rows, of every page."""
        self._total = self._count()
        after, number = 0, 1
        while page := self._rows(after, _PAGE):
            yield number, page
            number += len(page)
            after = page[-1][0]
            self._seen = number - 1

    def _decode(self, page: tuple[int, list[tuple[Any, ...]]]) -> GameBatch:
        number, rows = page
        return batch_of_rows([row[1:] for row in rows], first_number=number, shift_dates=self._shift)

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        return ordered_map(self._decode, self._pages(), threads)

    def _read(self, start: int, stop: int) -> GameBatch:
        if start >= stop:
            return self._decode((1, []))
        before = 0
        if start:
            statement = f"SELECT g.Id FROM Game g WHERE g.Id > 0{self._where} ORDER BY g.Id LIMIT 1 OFFSET %s"
            before = self._server.value(statement, (*self._values, start - 1)) or 0
        return self._decode((start + 1, self._rows(before, stop - start)))

    def _close(self) -> None:
        self._server.close()


def date_problems(days: list[int]) -> tuple[Problem, ...]:
    """Return the problem of dates that are a day early: unknown days are then the last of a month, not the first."""
    if not days or not all(map(is_last_of_month, days)):
        return ()
    return (Problem(SHIFTED_DATES, None, ""),)
