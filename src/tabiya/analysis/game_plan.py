"""Which positions of a game an engine has to analyse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tabiya.analysis.findings import position_name
from tabiya.errors import FormatError, UsageError
from tabiya.evaluations.judging import LICHESS, Thresholds
from tabiya.game.record import RecordKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabiya.chess import Move, Position
    from tabiya.game import Game, Node

_MOST_LINES = 20
_MOST_PLIES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """What an analysis writes into games. What they contain already is kept, unless ``redo`` is set."""

    from_ply: int = 1
    """The first ply to evaluate; 1 is the first move of a game."""
    symbols: bool = True
    """Mark inaccuracies, mistakes and blunders with ?!, ? and ??."""
    variations: bool = True
    """Add the better lines to such moves."""
    line_plies: int = 10
    """Length of these lines."""
    lines: int = 1
    """How many of them; more than one takes the engine longer."""
    profile: bool | None = None
    """Add ChessBase's evaluation profile; None if the target is a ChessBase database."""
    redo: bool = False
    """Replace evaluations and these symbols where they exist."""
    thresholds: Thresholds = LICHESS
    """Points of win chances that a move must lose to be marked."""

    def __post_init__(self) -> None:
        for name, most in (("from_ply", _MOST_PLIES), ("line_plies", _MOST_PLIES), ("lines", _MOST_LINES)):
            value = getattr(self, name)
            if type(value) is not int or not 1 <= value <= most:
                raise UsageError(f"{name} must be a number from 1 to {most}, not {value!r}")


class Known(NamedTuple):
    """What is known of openings."""

    contains: Callable[[Position, Move, Position], bool]
    """Whether a move from one position to another is known."""


class Plan(NamedTuple):
    """The main line of a game, and what to analyse in it."""

    nodes: list[Node]
    """The root, then each move."""
    positions: list[Position]
    """After each node."""
    first: int
    """The first ply to evaluate."""
    needed: dict[int, str]
    """Names of the positions that need an engine, by ply."""

    @property
    def is_position(self) -> bool:
        """Whether this is a position without moves, which is to be analysed itself."""
        return 0 in self.needed and len(self.nodes) == 1

    @property
    def is_empty(self) -> bool:
        """Whether there is no move to evaluate."""
        return self.first >= len(self.nodes)


def plan_game(game: Game, notation: Notation, known: Known | None = None) -> Plan | None:
    """Return the plan for a game; None if it is a text, or cannot be played to its end."""
    if game.kind is not RecordKind.GAME:
        return None
    nodes = [game.root, *game.mainline()]
    try:
        positions = _positions(game, nodes)
    except FormatError:
        return None
    first = max(notation.from_ply, _end_of_opening(nodes, positions, known))
    return Plan(nodes, positions, first, _needed(nodes, positions, first, redo=notation.redo))


def _positions(game: Game, nodes: list[Node]) -> list[Position]:
    position = game.start_position
    positions = [position]
    for node in nodes[1:]:
        position = position.play(node._move)
        positions.append(position)
    return positions


def _end_of_opening(nodes: list[Node], positions: list[Position], known: Known | None) -> int:
    """Return the first ply that is not known."""
    if known is None:
        return 1
    for ply in range(1, len(nodes)):
        if not known.contains(positions[ply - 1], nodes[ply]._move, positions[ply]):
            return ply
    return len(nodes)


def _needed(nodes: list[Node], positions: list[Position], first: int, *, redo: bool) -> dict[int, str]:
    """Return the positions after moves without an evaluation, and those before them, for better lines.

    A position in which the game is over needs no evaluation.
    """
    plies = set[int]()
    root = nodes[0]
    if len(nodes) == 1 and root.game.start is not None and (redo or root.eval is None) and positions[0].legal_moves():
        plies.add(0)
    for ply in range(first, len(nodes)):
        if (redo or nodes[ply].eval is None) and positions[ply].legal_moves():
            plies |= {ply - 1, ply}
    return {ply: position_name(positions[ply]) for ply in sorted(plies)}
