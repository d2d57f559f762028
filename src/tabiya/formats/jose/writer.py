"""Write games to jose's database.

The tables are MyISAM, without transactions. So the order matters: names first, then MoreGame, then Game, whose row
makes a game visible, then GameCount. Whenever the connection is lost, only whole games are stored. A collection is
marked as complete at the very end; writing again into an incomplete one continues where it broke off.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from tabiya.errors import TabiyaError, UsageError
from tabiya.formats.jose import JOSE
from tabiya.formats.jose.batch_to_rows import MOST_BYTES, rows_of_batch
from tabiya.formats.jose.characters import collection_name, parameter_of
from tabiya.formats.jose.row import DEFAULT_COLLECTION, TRASH, Row
from tabiya.formats.jose.server import Server
from tabiya.formats.loss_counting import fit
from tabiya.formats.writer import Encoded, Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tabiya.formats.jose.server import Password
    from tabiya.formats.url import Url
    from tabiya.game import GameBatch, RecordKind

_FIRST_ID: Final = 1000
"""jose's own rows have lower ids."""
_COMPLETE: Final = 8
_LOOKED_UP: Final = 500
_UNKNOWN: Final = 0
_STATEMENT_HEAD: Final = 8192
_PATIENCE_SECONDS: Final = 5
"""How long a server may take to detect that the connection of an earlier import is lost."""
_NAMED: Final = (
    ("white", "Player"),
    ("black", "Player"),
    ("event", "Event"),
    ("site", "Site"),
    ("opening", "Opening"),
    ("annotator", "Player"),
)
_MORE: Final = ("GId", "WhiteTitle", "BlackTitle", "Round", "Board", "FEN", "Info", "Bin", "Comments")
_GAME: Final = (
    *("Id", "CId", "Idx", "OCId", "OIdx", "Attributes", "PlyCount", "Result", "WhiteELO", "BlackELO"),
    *(
        "GameDate",
        "EventDate",
        "DateFlags",
        "ECO",
        "WhiteId",
        "BlackId",
        "EventId",
        "SiteId",
        "OpeningId",
        "AnnotatorId",
    ),
)


def _insert(table: str, columns: Iterable[str]) -> str:
    names = list(columns)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(['%s'] * len(names))})"


class ServedWriter(Writer):
    """Writes games into a collection of a jose database.

    The database must exist with its tables, unless ``create`` is set to create what is missing; a discarded writer
    removes what it created.

    The collection is created, or completed if an earlier import into it broke off. ``overwrite`` replaces a complete
    one, once all new games are stored. Discarding removes what was written; if that fails because the connection is
    lost, writing the same games again completes the collection.
    """

    def __init__(
        self,
        url: Url,
        *,
        overwrite: bool = False,
        strict: bool = False,
        collection: str | None = None,
        create: bool = False,
        password: Password = None,
    ) -> None:
        super().__init__(None, JOSE, strict=strict)
        self._url = url
        self._server = Server(url, password=password, create=create)
        self._take_back: Callable[[], None] = lambda: None
        try:
            if create:
                self._take_back = self._server.create_tables()
            self._server.check_tables()
            self._evaluations = "Eval" in self._server.columns("MoreGame")
            # A statement with a game in it must fit into a packet, and escaped bytes take two.
            packet = int(self._server.value("SELECT @@max_allowed_packet"))
            self._most_bytes = min(MOST_BYTES, (packet - _STATEMENT_HEAD) // 2)
            self._lock()
            self._names = _Names(self._server)
            self._open_collection(
                collection or url.options.get("collection") or DEFAULT_COLLECTION, overwrite=overwrite
            )
        except BaseException:
            with suppress(TabiyaError):
                self._take_back()
            self._server.close()
            raise

    def _lock(self) -> None:
        """Lock out other imports: they would assign the same ids, and remove our rows of MoreGame as leftovers."""
        lock = "SELECT GET_LOCK(CONCAT('tabiya.', SHA1(DATABASE())), %s)"
        if self._server.value(lock, (_PATIENCE_SECONDS,)) != 1:
            raise UsageError(
                "another import into this database is running; wait until it has finished", path=str(self._url)
            )

    def _open_collection(self, name: str, *, overwrite: bool) -> None:
        server = self._server
        stored = parameter_of(collection_name(name))
        found = server.rows(
            "SELECT Id, Attributes FROM Collection WHERE Name = %s AND PId IS NULL AND Id > 3 ORDER BY Id", (stored,)
        )
        complete = [number for number, attributes in found if attributes & _COMPLETE]
        if complete and not overwrite:
            raise UsageError(
                f"the collection {name!r} already exists; overwrite=True replaces it",
                path=str(self._url),
            )
        self._replaced = complete
        broken_off = [number for number, attributes in found if not attributes & _COMPLETE]
        server.run("DELETE m FROM MoreGame m LEFT JOIN Game g ON g.Id = m.GId WHERE g.Id IS NULL")
        self._present = 0
        if broken_off:
            self._id = int(broken_off[0])
            self._present = int(server.value(f"SELECT COUNT(*) FROM Game WHERE {_OURS}", (self._id, self._id)))
        else:
            self._id = _next_id(server, "Collection")
            server.run(
                "INSERT INTO Collection (Id, PId, OPId, Name, Path, Attributes, SourceURL, LastModified, GameCount) "
                "VALUES (%s, NULL, NULL, %s, %s, 0, NULL, NOW(), 0)",
                (self._id, stored, f"/{self._id}/"),
            )
        self._index = 0
        game = server.value("SELECT MAX(Id) FROM Game") or 0
        more = server.value("SELECT MAX(GId) FROM MoreGame") or 0
        self._first_game = self._next_game = max(game, more, _FIRST_ID) + 1

    # Implementation of the base class.

    def _encode(self, batch: GameBatch, *, before: RecordKind | None) -> Encoded:  # noqa: ARG002 - rows are independent
        fitting, losses = fit(batch, self._keeps)
        rows, more = rows_of_batch(fitting, evaluations=self._evaluations, any_bytes=False, most_bytes=self._most_bytes)
        return Encoded(rows, len(rows), losses + more)

    def _put(self, content: list[Row]) -> None:
        rows = self._missing(content)
        if not rows:
            return
        ids = [self._names.ids(table, [getattr(row, field) for row in rows]) for field, table in _NAMED]
        games, more = [], []
        for i, row in enumerate(rows):
            self._index += 1
            place = (TRASH, self._index, self._id, self._index) if row.deleted else (self._id, self._index, None, None)
            games.append(
                (
                    *(self._next_game, *place, row.attributes, row.ply_count, row.result, row.white_elo, row.black_elo),
                    *(_date(row.game_date), _date(row.event_date), row.date_flags, parameter_of(row.eco)),
                    *(each[i] for each in ids),
                )
            )
            texts = (row.white_title, row.black_title, row.round, row.board, row.fen, row.info)
            values = (self._next_game, *map(parameter_of, texts), row.codes, row.comments)
            more.append((*values, row.evaluations) if self._evaluations else values)
            self._next_game += 1
        self._server.run_many(_insert("MoreGame", (*_MORE, "Eval") if self._evaluations else _MORE), more)
        self._server.run_many(_insert("Game", _GAME), games)
        self._server.run(
            "UPDATE Collection SET GameCount = %s, LastModified = NOW() WHERE Id = %s", (self._index, self._id)
        )

    def _missing(self, rows: list[Row]) -> list[Row]:
        """Return the rows that are not yet stored. The last stored one must be equal, or these are other games."""
        here = max(0, min(len(rows), self._present - self._index))
        self._index += here
        if here and self._index == self._present:
            last = self._server.value(
                f"SELECT m.Bin FROM Game g JOIN MoreGame m ON m.GId = g.Id WHERE {_OURS} ORDER BY g.Id DESC LIMIT 1",
                (self._id, self._id),
            )
            if last != rows[here - 1].codes:
                raise UsageError(
                    "the collection holds an interrupted import of other games; "
                    "remove it in jose, or choose another name",
                    path=str(self._url),
                )
        return rows[here:]

    def _commit(self) -> None:
        server = self._server
        if self._index < self._present:
            raise UsageError(
                "the collection holds more games than the source; nothing was changed", path=str(self._url)
            )
        count = server.value("SELECT COUNT(*) FROM Game WHERE CId = %s", (self._id,))  # without those in the trash
        server.run("UPDATE Collection SET Attributes = %s, GameCount = %s WHERE Id = %s", (_COMPLETE, count, self._id))
        for old in self._replaced:
            _remove(server, old)
        server.close()

    def _discard(self) -> None:
        server = self._server
        try:
            if self._present:
                server.run(f"DELETE FROM Game WHERE Id >= %s AND {_OURS}", (self._first_game, self._id, self._id))
                server.run("DELETE FROM MoreGame WHERE GId >= %s AND GId < %s", (self._first_game, self._next_game))
            else:
                _remove(server, self._id)
            self._take_back()
        except TabiyaError:
            return  # the connection is lost: whole games are stored, and writing them again completes the collection
        finally:
            server.close()

    def __repr__(self) -> str:
        return f"<{self._format.name} writer {self._url}: {self._written} records, {self._state.value}>"


_OURS: Final = f"(CId = %s OR CId = {TRASH} AND OCId = %s)"
"""The games of a collection, including those in the trash."""


def _remove(server: Server, collection: int) -> None:
    """Remove a collection with its games. A game is removed once its row in Game is."""
    ids = [number for (number,) in server.rows(f"SELECT Id FROM Game WHERE {_OURS}", (collection, collection))]
    server.run(f"DELETE FROM Game WHERE {_OURS}", (collection, collection))
    for begin in range(0, len(ids), _LOOKED_UP):
        part = ids[begin : begin + _LOOKED_UP]
        server.run(f"DELETE FROM MoreGame WHERE GId IN ({', '.join(['%s'] * len(part))})", part)
    server.run("DELETE FROM Collection WHERE Id = %s", (collection,))


class _Names:
    """The ids of names, looked up or assigned. Names that differ only in case or accents are different here."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._known: dict[str, dict[bytes, int]] = {}
        self._next: dict[str, int] = {}

    def ids(self, table: str, names: list[bytes | None]) -> list[int]:
        """Return the ids of some names; new ones are added."""
        known = self._known.setdefault(table, {})
        missing = list(dict.fromkeys(name for name in names if name is not None and name not in known))
        for begin in range(0, len(missing), _LOOKED_UP):
            part = missing[begin : begin + _LOOKED_UP]
            rows = self._server.rows(
                f"SELECT CAST(Name AS BINARY), Id FROM {table} WHERE Name IN ({', '.join(['%s'] * len(part))})",
                [parameter_of(name) for name in part],
            )
            for name, number in sorted(rows, key=lambda row: -int(row[1])):
                known[bytes(name)] = int(number)
        new = [name for name in missing if name not in known]
        if new:
            first = self._next.get(table) or _next_id(self._server, table)
            self._next[table] = first + len(new)
            known.update(zip(new, range(first, first + len(new)), strict=True))
            self._server.run_many(_insert(table, ("Id", "Name")), [(known[name], parameter_of(name)) for name in new])
        return [_UNKNOWN if name is None else known[name] for name in names]


def _next_id(server: Server, table: str) -> int:
    return max(int(server.value(f"SELECT MAX(Id) FROM {table}") or 0), _FIRST_ID) + 1


def _date(day: int | None) -> str | None:
    return None if day is None else f"{day // 10000:04}-{day // 100 % 100:02}-{day % 100:02}"
