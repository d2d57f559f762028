"""Preparation against a player: the moves of the player in each line of a repertoire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tabiya.chess import Color, Move, Position
from tabiya.errors import UsageError
from tabiya.formats.open_and_create import opened
from tabiya.game.record import RecordKind
from tabiya.openings import opening_at
from tabiya.positions.searchable import IndexRows, VariationRows
from tabiya.search.game_conditions import NO_TEST
from tabiya.search.parts import Part, PositionQuery
from tabiya.search.player_view import player_games
from tabiya.search.position_keys import keys_of
from tabiya.search.tally import Counts, Statistics, Tally, counts_of, tally_rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabiya.formats.database import Database
    from tabiya.formats.open_and_create import Location
    from tabiya.formats.progress import Watcher
    from tabiya.game import Game, Node
    from tabiya.openings import Opening

_COLORS = {"white": Color.WHITE, "black": Color.BLACK}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply(Counts):
    """A move that the opponent played in a position of the repertoire."""

    san: str
    answers: tuple[str, ...]
    """The replies of the repertoire; empty if it ends there."""
    covered: bool
    """Whether the repertoire contains this move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossroads(Counts):
    """A position of the repertoire that the opponent has reached, with the opponent to move."""

    moves: tuple[str, ...]
    """The first line of the repertoire that leads to it."""
    opening: Opening | None
    ends: bool
    """Whether the line ends here: the repertoire has no move of the opponent."""
    replies: tuple[Reply, ...]
    """Most frequent first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """A repertoire compared with the games of an opponent."""

    names: tuple[str, ...]
    """The spellings of the opponent's name in the database."""
    color: str
    """The colour of the repertoire: ``white`` or ``black``."""
    games: int
    """Number of games of the opponent with the other colour."""
    positions: int
    """Number of positions of the repertoire with the opponent to move."""
    lines: tuple[Crossroads, ...]
    """Those of them that the opponent has reached, in the order of the repertoire."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything for JSON."""
        return {
            "names": list(self.names),
            "color": self.color,
            "games": self.games,
            "positions": self.positions,
            "lines": [_line(line) for line in self.lines],
        }


def _line(line: Crossroads) -> dict[str, Any]:
    replies = [
        {**_results(each), "san": each.san, "covered": each.covered, "answers": list(each.answers)}
        for each in line.replies
    ]
    opening = None if line.opening is None else {"eco": line.opening.eco, "name": line.opening.name}
    return {"moves": list(line.moves), "opening": opening, "ends": line.ends, **_results(line), "replies": replies}


def _results(counts: Counts) -> dict[str, Any]:
    return {name: getattr(counts, name) for name in ("games", "white", "draws", "black", "performance")}


def prepare(
    source: Location | Database,
    name: str,
    repertoire: Location | Database,
    *,
    color: str | None = None,
    threads: int = 1,
    progress: Watcher = None,
    **conditions: Any,
) -> Preparation:
    """Return the moves of an opponent in each line of a repertoire.

    Args:
        source: the games: what ``tabiya.open`` takes, or an open database, which stays open.
        name: the opponent, matched as by ``RecordFilter``.
        repertoire: games whose main lines and variations are the repertoire, of one colour.
        color: the colour of the repertoire, ``white`` or ``black``. By default the side that mostly has a single
            move where the other side has several.
        threads: number of threads that read a database without an index.
        progress: called after every batch that was read, if there is no index.
        conditions: which games count, as for ``GameConditions``.

    Raises:
        UsageError: the database has no such player, the repertoire is empty, or its colour is unclear.
    """
    if color is not None and color not in _COLORS:
        raise UsageError(f"the colour of a repertoire is white or black, not {color!r}")
    with opened(repertoire) as database:
        tree = _Repertoire(game for game in database if game.kind is RecordKind.GAME)
        own = tree.color() if color is None else _COLORS[color]
        if own is None:
            reason = "it is empty" if not tree.moves else "both sides have equally many alternatives: give the colour"
            raise UsageError(f"the colour of the repertoire is unclear: {reason}", path=database.path)
    games = player_games(source, name, threads=threads, progress=progress, **conditions)
    other = Color(1 - own)
    part = _indexed(games.parts[other], max((len(line) for line in tree.lines.values()), default=0))
    keys = [key for key, position in tree.positions.items() if position.turn is other]
    found = (_crossroads(part, tree, key) for key in keys)
    return Preparation(
        names=games.names,
        color=own.name.lower(),
        games=len(games.rows[other]),
        positions=len(keys),
        lines=tuple(line for line in found if line is not None),
    )


class _Repertoire:
    """The positions of some games, variations included, and the moves played in each."""

    def __init__(self, games: Iterable[Game]) -> None:
        self.positions: dict[int, Position] = {}
        self.lines: dict[int, tuple[str, ...]] = {}
        """The first line that leads to each position."""
        self.moves: dict[int, dict[int, str]] = {}
        """By position: the moves played in it."""
        for game in games:
            self._add(game)

    def _add(self, game: Game) -> None:
        waiting: list[tuple[Node, Position, tuple[str, ...]]] = [(game.root, game.root.position, ())]
        while waiting:
            node, position, line = waiting.pop()
            self.positions.setdefault(position.key, position)
            self.lines.setdefault(position.key, line)
            # The main line comes first, so it is pushed onto the stack last.
            for child in reversed(node.children):
                move = child.move
                if move is None or not position.is_legal(move):
                    continue
                san = position.san(move)
                self.moves.setdefault(position.key, {})[int(move)] = san
                waiting.append((child, position.play(move), (*line, san)))

    def color(self) -> Color | None:
        """Return the colour of the repertoire: the side with fewer alternatives; None if it is unclear."""
        spare = [0, 0]
        for key, moves in self.moves.items():
            spare[self.positions[key].turn] += len(moves) - 1
        return None if spare[0] == spare[1] else Color.WHITE if spare[0] < spare[1] else Color.BLACK


def _indexed(part: Part, plies: int) -> Part:
    """Return games with their own index in memory: a repertoire looks up many positions in few games."""
    part.segment = _Index(part, plies)
    part.numbers = None
    return part


class _Index:
    """The positions of some games, with the interface of a segment of a library."""

    first = 0
    numbers = hidden = None
    has_positions = True
    has_variations = has_chess960 = False

    def __init__(self, part: Part, plies: int) -> None:
        self.facts, self.lines = part.facts, part.lines
        self.cut_rows = np.empty(0, np.int64)
        self._keys, self._rows = part.rows(plies)

    def find(self, key: int, *, plies: bool = True) -> IndexRows:  # noqa: ARG002 - already read
        signed = key - (key >> 63 << 64)
        begin, end = (int(np.searchsorted(self._keys, signed, side)) for side in ("left", "right"))
        return IndexRows(*(column[begin:end] for column in self._rows))  # type: ignore[arg-type]  # three columns

    def find_variations(self, key: int) -> VariationRows:
        raise NotImplementedError(key)

    def forget_pages(self) -> None:
        """Do nothing: these games are not mapped."""


def _crossroads(part: Part, tree: _Repertoire, key: int) -> Crossroads | None:
    """Return the moves played in a position; None if no game reached it."""
    position = tree.positions[key]
    tally = Tally(best=0, latest=0)
    tally.add(tally_rows(part, PositionQuery(position, keys_of(position), plies=False), NO_TEST, best=0, latest=0))
    rows = tally.statistics()
    if not rows:
        return None
    played = [_reply(tree, position, row) for row in rows if row[0] > 0]
    return Crossroads(
        **counts_of(rows, position.turn),
        moves=tree.lines[key],
        opening=opening_at(key),
        ends=key not in tree.moves,
        replies=tuple(sorted(played, key=lambda each: (-each.games, each.san))),
    )


def _reply(tree: _Repertoire, position: Position, row: Statistics) -> Reply:
    move = Move(row[0])
    after = position.play(move)
    return Reply(
        **counts_of([row], position.turn),
        san=position.san(move),
        covered=after.key in tree.positions,
        answers=tuple(tree.moves.get(after.key, {}).values()),
    )
