"""Results of engines: lines with evaluations from White's point of view, and legal moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from tabiya.chess import Color, Move
from tabiya.errors import FormatError
from tabiya.game.annotations import Evaluation

if TYPE_CHECKING:
    from tabiya.analysis.uci import Info
    from tabiya.chess import Position

Bound = Literal["", "lower", "upper"]

_MOST_CENTIPAWNS: Final = 32_000
"""An evaluation has 16 bits."""
_LONGEST_MATE: Final = 1000
_DEEPEST: Final = 1000
_MATE: Final = 1
_OTHER: Final[dict[str, Bound]] = {"lower": "upper", "upper": "lower", "": ""}


class WinDrawLoss(NamedTuple):
    """Expected results of a thousand games, from White's point of view."""

    win: int
    draw: int
    loss: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line that an engine considers, with its evaluation. Texts of moves follow from the position."""

    position: Position
    """The position before the first move."""
    evaluation: Evaluation
    """From White's point of view, with the depth."""
    moves: tuple[Move, ...]
    rank: int = 1
    """1 for the best line."""
    bound: Bound = ""
    """``lower`` if White's evaluation is at least this, ``upper`` if it is at most this; empty if it is exact."""
    wdl: WinDrawLoss | None = None
    """Expected results, if the engine reports them."""
    selective_depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    nodes_per_second: int = 0
    hash_full: int = 0
    """Per thousand."""
    table_hits: int = 0
    """Positions found in endgame tables."""

    @property
    def depth(self) -> int:
        """The depth in plies."""
        return self.evaluation.depth

    @property
    def san(self) -> tuple[str, ...]:
        """The moves in standard notation, without numbers."""
        texts, position = [], self.position
        for move in self.moves:
            texts.append(position.san(move))
            position = position.play(move)
        return tuple(texts)

    @property
    def uci(self) -> tuple[str, ...]:
        """The moves in UCI notation."""
        texts, position = [], self.position
        for move in self.moves:
            texts.append(position.uci(move))
            position = position.play(move)
        return tuple(texts)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of a search."""

    position: Position
    lines: tuple[Line, ...]
    """The best lines, best first; none if the game is over."""
    best: Move | None
    """The engine's choice; None if the game is over."""
    reply: Move | None = None
    """The expected reply, if the engine reports one."""

    @property
    def evaluation(self) -> Evaluation:
        """The evaluation of the position, from White's point of view: ``#0`` for checkmate, ``0.00`` for stalemate."""
        return self.lines[0].evaluation if self.lines else final_evaluation(self.position)

    @property
    def depth(self) -> int:
        """The depth reached, in plies; 0 if the game is over."""
        return self.lines[0].depth if self.lines else 0

    @property
    def nodes(self) -> int:
        """Number of positions examined."""
        return max((line.nodes for line in self.lines), default=0)

    @property
    def seconds(self) -> float:
        """Duration, as the engine reports it."""
        return max((line.seconds for line in self.lines), default=0.0)


def final_evaluation(position: Position) -> Evaluation:
    """Return the evaluation of a position without legal moves."""
    return Evaluation(0, _MATE) if position.is_checkmate() else Evaluation(0)


def line_of(position: Position, info: Info) -> Line:
    """Return a report with a score as a line, which ends before the first move that is not legal."""
    is_white = position.turn is Color.WHITE
    wdl = None if info.wdl is None else WinDrawLoss(*(info.wdl if is_white else info.wdl[::-1]))
    bound: Bound = info.bound  # type: ignore[assignment]  # parse_info returns no other
    return Line(
        position,
        _evaluation(position, info),
        legal_line(position, info.moves),
        info.rank,
        bound if is_white else _OTHER[bound],
        wdl,
        info.selective_depth,
        info.nodes,
        info.milliseconds / 1000,
        info.nodes_per_second,
        info.hash_full,
        info.table_hits,
    )


def legal_line(position: Position, texts: tuple[bytes, ...]) -> tuple[Move, ...]:
    """Return the moves up to the first one that is not legal."""
    moves = []
    for text in texts:
        move = legal_move(position, text)
        if move is None:
            break
        moves.append(move)
        position = position.play(move)
    return tuple(moves)


def legal_move(position: Position, text: bytes) -> Move | None:
    """Return the legal move of a UCI text, but not a null move; None if there is none."""
    try:
        move = position.parse_uci(text.decode("ascii", "replace"))
    except FormatError:
        return None
    return None if move.is_null else move


def _evaluation(position: Position, info: Info) -> Evaluation:
    sign = 1 if position.turn is Color.WHITE else -1
    depth = min(info.depth, _DEEPEST)
    if info.mate:
        return Evaluation(sign * max(-_LONGEST_MATE, min(info.mate, _LONGEST_MATE)), _MATE, depth)
    return Evaluation(sign * max(-_MOST_CENTIPAWNS, min(info.centipawns or 0, _MOST_CENTIPAWNS)), depth=depth)
