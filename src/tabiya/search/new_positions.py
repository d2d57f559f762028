"""Novelties: for each game the first position that no earlier game of a collection reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.errors import FormatError
from tabiya.formats.open_and_create import opened
from tabiya.formats.progress import Progress
from tabiya.game.record import RecordKind
from tabiya.game.tag_values import parse_date
from tabiya.positions.name_table import NO_NAME
from tabiya.search.parts import part_of_batch, part_of_segment, query_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from tabiya.chess import Position
    from tabiya.formats import Database
    from tabiya.formats.open_and_create import Locations
    from tabiya.formats.progress import Watcher
    from tabiya.game import Game, Node
    from tabiya.game.annotations import Evaluation
    from tabiya.search.parts import Part

_USUAL_PLY: Final = 24
"""Where the search for the first new position begins."""
_A_YEAR: Final = 10_000
_COMPARED: Final = 1000
"""Number of earlier games whose moves are compared."""


@dataclass(frozen=True, slots=True)
class Predecessor:
    """An earlier game that reached the position before a novelty."""

    number: int
    """Its number in the collection, from 1."""
    white: str | None
    black: str | None
    year: int | None


@dataclass(frozen=True, slots=True)
class Novelty:
    """The first new position of a game."""

    game: Game
    node: Node | None
    """The move that leads to it; None if all positions of the game occurred before."""
    predecessors: int
    """Number of earlier games that reached the position before it; or the last position if none is new."""
    latest: Predecessor | None
    """The latest of them."""
    evaluation: Evaluation | None = None
    """What ``opinion`` returned about the new position."""

    @property
    def move(self) -> str | None:
        """The new move with its number: ``12...Nd5``."""
        node = self.node
        return None if node is None else f"{node.move_number}{'...' if node.color else '.'}{node.san}"

    def to_dict(self) -> dict[str, Any]:
        """Return the novelty for JSON."""
        tags, node, latest = self.game.tags, self.node, self.latest
        return {
            "number": self.game.number,
            **{name: tags.get(name.capitalize()) for name in ("white", "black", "date", "result")},
            "move": self.move,
            "ply": None if node is None else node.ply - 1,
            "fen": None if node is None else node.position.fen(),
            "predecessors": self.predecessors,
            "latest": None
            if latest is None
            else {"number": latest.number, "white": latest.white, "black": latest.black, "year": latest.year},
            "evaluation": None if self.evaluation is None else self.evaluation.format(),
        }


def novelties(
    source: Locations | Database,
    collection: Locations | Database,
    *,
    opinion: Callable[[Position], Evaluation | None] | None = None,
    threads: int = 1,
    progress: Watcher = None,
    **conditions: Any,
) -> Iterator[Novelty]:
    """Yield for each game the first position that no earlier game of a collection reached, by any order of moves.

    A game of the collection is earlier if its date is. Missing parts of a date count as 0, so a game without a date is
    earlier than all others, and a game of ``source`` without a date is later than all games of the collection; a game
    of the same two players then counts as the same game.

    Args:
        source: the games: what ``tabiya.open`` takes, or an open database, which remains open.
        collection: the earlier games. A library finds them with its index; the moves of other databases are read into
            memory, and played for every game.
        opinion: a function that evaluates the new positions, such as one that calls an engine.
        threads: number of threads that read.
        progress: called after every game.
        conditions: those of ``RecordFilter``, to select games of ``source``.
    """
    with opened(source) as games, opened(collection) as earlier:
        chosen = games.filter(**conditions) if conditions else games
        parts = _parts(earlier, threads)
        for done, game in enumerate(chosen, start=1):
            if game.kind is RecordKind.GAME:
                found = _novelty(game, parts, opinion)
                if found is not None:
                    yield found
            if progress is not None:
                progress(Progress(done, chosen.progress))


def _parts(database: Database, threads: int) -> list[Part]:
    searchable = database.searchable()
    if searchable is None:
        return [part_of_batch(batch) for batch in database.batches(threads=threads)]
    return [part_of_segment(segment, searchable.names) for segment in searchable.segments]


def _novelty(game: Game, parts: list[Part], opinion: Callable[[Position], Evaluation | None] | None) -> Novelty | None:
    """Return the novelty of a game; None if its moves are not legal."""
    nodes = [game.root, *game.mainline()]
    try:
        nodes[-1].position  # noqa: B018 - all moves are played
    except FormatError:
        return None
    earlier = _EarlierGames(game, nodes, parts)
    ply = earlier.first_new()
    before = earlier.at(ply - 1)
    node = nodes[ply] if ply < len(nodes) else None
    evaluation = None if node is None or opinion is None else opinion(node.position)
    return Novelty(game, node, sum(len(rows) for _, rows, _ in before), _latest(before), evaluation)


class _EarlierGames:
    """The earlier games that reached the positions of a game."""

    def __init__(self, game: Game, nodes: list[Node], parts: list[Part]) -> None:
        self._nodes = nodes
        self._parts = parts
        self._start = game.start
        self._date = _number_of(game.tags.get("Date"))
        self._players = tuple(game.tags.get(name) for name in ("White", "Black"))
        self._known: dict[int, list[tuple[Part, NDArray[np.int64], NDArray[np.int16]]]] = {}

    def first_new(self) -> int:
        """Return the ply of the first position that no earlier game reached; one more than the last if all are known.

        The bisection assumes that nothing known follows something new. An earlier game with the same moves proves it
        for all positions before; where there is only a transposition, the position before it is examined, too.
        """
        known, new = 0, len(self._nodes)
        middle = min(_USUAL_PLY, new - 1)
        while new - known > 1:
            if self.at(middle):
                known = middle
            else:
                new = middle
            middle = (known + new) // 2
        ply = new - 1
        while ply > 0:
            found = self.at(ply)
            if not found:
                new = ply
            elif self._same_moves(found, ply):
                break
            ply -= 1
        return max(new, 1)

    def at(self, ply: int) -> list[tuple[Part, NDArray[np.int64], NDArray[np.int16]]]:
        """Return the earlier games that reached a position: rows of parts, and the plies."""
        if ply not in self._known:
            position = self._nodes[ply].position
            query = query_of(position)
            found = ((part, *self._earlier(part, *part.find(query))) for part in self._parts)
            self._known[ply] = [each for each in found if len(each[1])]
        return self._known[ply]

    def _earlier(self, part: Part, found: Any, base: int) -> tuple[NDArray[np.int64], NDArray[np.int16]]:
        rows = found.games.astype(np.int64) - base
        visible = np.ones(len(rows), np.bool_) if not len(part.allowed) else part.allowed[rows] != 0
        facts = part.facts[rows]
        dates = facts["date"].astype(np.int64)
        earlier = visible & (dates < self._date if self._date else True)
        doubtful = dates < _A_YEAR if self._date else np.ones(len(rows), np.bool_)
        if doubtful.any():
            white, black = (NO_NAME if name is None else part.names.id_of(name) for name in self._players)
            earlier &= ~(doubtful & (facts["white"] == white) & (facts["black"] == black))
        return rows[earlier], found.plies[earlier]

    def _same_moves(self, found: list[tuple[Part, NDArray[np.int64], NDArray[np.int16]]], ply: int) -> bool:
        own = np.array([node.move for node in self._nodes[1 : ply + 1]], np.uint16)
        for part, rows, plies in found:
            for row in rows[plies == ply][:_COMPARED].tolist():
                begin = part.lines.ends[row]
                start = part.lines.starts[row].as_py() or None
                if start == self._start and np.array_equal(part.lines.moves[begin : begin + ply], own):
                    return True
        return False


def _number_of(text: str | None) -> int:
    """Return a date as yyyymmdd with 0 for missing parts, as facts contain it."""
    date = parse_date(text) if text else None
    return 0 if date is None or not date.year else _A_YEAR * date.year + 100 * (date.month or 0) + (date.day or 0)


def _latest(found: list[tuple[Part, NDArray[np.int64], NDArray[np.int16]]]) -> Predecessor | None:
    best: tuple[int, Part, int] | None = None
    for part, rows, _ in found:
        dates = part.facts["date"][rows]
        place = int(np.argmax(dates))
        if best is None or int(dates[place]) > best[0]:
            best = int(dates[place]), part, int(rows[place])
    if best is None:
        return None
    date, part, row = best
    white, black = (part.names.name_of(int(part.facts[side][row])) for side in ("white", "black"))
    return Predecessor(part.number(row), white, black, date // _A_YEAR or None)
