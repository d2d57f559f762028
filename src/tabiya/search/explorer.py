"""The opening explorer: the moves played in a position, by whom, and with which results.

A library is queried through its index; any other database is read once, and its games are played as long as the
position can still arise. The results are the same.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from tabiya.chess import Move, Position
from tabiya.errors import UsageError
from tabiya.files.parallel import ordered_map
from tabiya.formats.database import HEADER_SCHEMA
from tabiya.formats.open_and_create import opened
from tabiya.formats.progress import watched_batches
from tabiya.game import GameBatch
from tabiya.game.where import mask_of
from tabiya.openings import opening_at
from tabiya.search.explorer_results import Exploration, MoveOrder, PlayedMove
from tabiya.search.game_conditions import GameConditions
from tabiya.search.parts import part_of_batch, part_of_segment, query_of
from tabiya.search.tally import PartTally, Statistics, Tally, counts_of, games_of, tally_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from tabiya.chess import Color
    from tabiya.formats.database import Database
    from tabiya.formats.open_and_create import Location
    from tabiya.formats.progress import Watcher
    from tabiya.game.where import Where
    from tabiya.openings import Opening
    from tabiya.positions.searchable import Searchable
    from tabiya.search.game_conditions import GameTest
    from tabiya.search.parts import Part, PositionQuery

_START = Position()
_MOST_GAMES = 1000


def explore(
    source: Location | Database,
    moves: str | Iterable[str] = (),
    *,
    fen: str | Position | None = None,
    most_moves: int | None = None,
    top_games: int = 4,
    recent_games: int = 4,
    move_orders: int = 0,
    any_castling: bool = False,
    chess960: bool = False,
    color: Color | None = None,
    threads: int = 1,
    progress: Watcher = None,
    **conditions: Any,
) -> Exploration:
    """Return the moves played in a position with results, ratings and years, and the best and the latest games.

    Counts games that reach the position in their main lines, by any move order, each game once.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which stays open.
        moves: the moves that lead to the position, as ``parse_san`` reads them, in one text or several.
        fen: the position from which they are played; the usual start position by default.
        most_moves: maximum number of moves to return, most frequent first; all of them by default.
        top_games: number of games with the highest ratings to return.
        recent_games: number of latest games to return.
        move_orders: number of move orders to return by which the position was reached.
        any_castling: the same position with other castling rights counts, too.
        chess960: games of Chess960 count, too, and castling rights in ``fen`` are those of Chess960.
        color: the side whose opponents and performance are returned; the side to move by default.
        threads: number of threads that read a database without an index.
        progress: called after every batch that was read, if there is no index.
        conditions: which games count, as for ``GameConditions``: ``player="carlsen"``, ``min_elo=2500`` and so on.

    Raises:
        FormatError: the position or a move is invalid.
        UsageError: a condition is invalid.
    """
    for number in (top_games, recent_games, move_orders):
        if not 0 <= number <= _MOST_GAMES:
            raise UsageError(f"the number of games to list must be from 0 to {_MOST_GAMES:,}, not {number:,}")
    position, opening = line_to(moves, fen, chess960=chess960)
    game_conditions = GameConditions(**conditions)
    position_query = query_of(
        position, any_rights=any_castling, chess960=chess960, plies=bool(move_orders), color=color
    )
    count = partial(
        tally_rows, position_query=position_query, best=top_games, latest=recent_games, listed=bool(move_orders)
    )
    tally, orders = Tally(best=top_games, latest=recent_games), _Orders(move_orders)
    with opened(source) as database:
        for part, piece in _pieces(database, game_conditions, count, threads, progress):
            tally.add(piece)
            orders.add(part, piece)
        return _answer(position_query, opening, tally, orders, most_moves)


def line_to(
    moves: str | Iterable[str], fen: str | Position | None, *, chess960: bool = False
) -> tuple[Position, Opening | None]:
    """Return the position that moves lead to, and the last opening name on the way.

    The text may contain move numbers, ``1.e4 c5 2. Nf3``.
    """
    position = _START
    if fen is not None:
        position = fen if isinstance(fen, Position) else Position.from_fen(fen, chess960=chess960)
    opening = opening_at(position.key)
    texts = moves.split() if isinstance(moves, str) else [word for text in moves for word in text.split()]
    for text in texts:
        san = text.lstrip("0123456789.") if text[:1] in "123456789" else text.lstrip(".")
        if san:
            position = position.play(san)
            opening = opening_at(position.key) or opening
    return position, opening


def _pieces(
    database: Database, game_conditions: GameConditions, count: Any, threads: int, progress: Watcher
) -> Iterable[tuple[Part, PartTally]]:
    """Query every segment of a library, or read all records in several threads."""
    searchable = database.searchable()
    if searchable is not None:
        pieces = _tally_segments(database, searchable, game_conditions.by_facts(searchable.names), count, threads)
        if any(piece.unsure for _, piece in pieces):
            pieces = _tally_segments(
                database, searchable, game_conditions.with_codes_of_records(searchable.names), count, threads
            )
        return pieces
    test, header_filters = game_conditions.by_records()

    def look(batch: GameBatch) -> tuple[Part, PartTally]:
        part = part_of_batch(batch, header_filters)
        return part, count(part, test=test)

    return ordered_map(look, watched_batches(database, threads, progress), threads)


def _tally_segments(
    database: Database, searchable: Searchable, game_conditions: tuple[GameTest, list[Where]], count: Any, threads: int
) -> list[tuple[Part, PartTally]]:
    test, header_filters = game_conditions
    mask = header_mask(database, header_filters, threads) if header_filters else None
    parts = [part_of_segment(segment, searchable.names, mask) for segment in searchable.segments]
    return [(part, count(part, test=test)) for part in parts]


def header_mask(database: Database, header_filters: Sequence[Where], threads: int) -> NDArray[np.bool_]:
    """Return which records of a database meet all conditions; moves and the like are read only if needed."""
    headers = GameBatch.empty().record_batch.select(HEADER_SCHEMA.names)
    try:
        for where in header_filters:
            mask_of(headers, where)
        records = database.headers(threads=threads)
    except UsageError:
        records = (batch.record_batch for batch in database.batches(threads=threads))
    masks = [np.logical_and.reduce([mask_of(each, where) for where in header_filters]) for each in records]
    return np.concatenate(masks) if masks else np.empty(0, np.bool_)


class _Orders:
    """Counts the move orders by which games reached the position."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._games: dict[int, int] = {}
        self._lines: dict[int, tuple[str | None, list[int]]] = {}

    def add(self, part: Part, piece: PartTally) -> None:
        if not self._most or not len(piece.counted):
            return
        hashes = part.beginnings(piece.counted, piece.plies)
        ways, first, games = np.unique(hashes, return_index=True, return_counts=True)
        for way, place, number in zip(ways.tolist(), first.tolist(), games.tolist(), strict=True):
            self._games[way] = self._games.get(way, 0) + number
            if way not in self._lines:
                record, plies = int(piece.counted[place]), int(piece.plies[place])
                begin = int(part.lines.ends[record])
                moves = part.lines.moves[begin : begin + plies].tolist()
                self._lines[way] = part.lines.starts[record].as_py(), moves

    def most_frequent(self) -> tuple[MoveOrder, ...]:
        ways = sorted(self._games, key=lambda way: (-self._games[way], self._lines[way][1]))[: self._most]
        return tuple(MoveOrder(moves=_sans(*self._lines[way]), games=self._games[way]) for way in ways)


def _sans(start: str | None, moves: list[int]) -> tuple[str, ...]:
    position, sans = Position.from_fen(start, chess960=True) if start else _START, []
    for move in moves:
        sans.append(position.san(move))
        position = position.play(Move(move))
    return tuple(sans)


def _answer(
    query: PositionQuery, opening: Opening | None, tally: Tally, orders: _Orders, most_moves: int | None
) -> Exploration:
    position = query.position
    rows = sorted(tally.statistics(), key=lambda row: (-games_of(row), row[0]))
    known = [row for row in rows if _is_played(position, row[0])]
    moves = [_played(query, tally, row) for row in known[:most_moves]]
    return Exploration(
        **counts_of(rows, query.side),
        position=position,
        opening=opening,
        ended=sum(games_of(row) for row in rows if row[0] == -1),
        moves=tuple(moves),
        top_games=tuple(tally.best),
        recent_games=tuple(tally.latest),
        move_orders=orders.most_frequent(),
    )


def _is_played(position: Position, token: int) -> bool:
    """Return whether the token is a legal move, not the end of games or damage in an index."""
    return token == 0 or (token > 0 and position.is_legal(token))


def _played(query: PositionQuery, tally: Tally, row: Statistics) -> PlayedMove:
    """Return a move with its statistics."""
    position = query.position
    move = Move(row[0])
    return PlayedMove(
        **counts_of([row], query.side),
        move=move,
        uci=position.uci(move),
        san=position.san(move),
        opening=opening_at(position.play(move).key),
        game=tally.single(move) if games_of(row) == 1 else None,
    )
