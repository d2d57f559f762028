"""The report of a game: accuracy, centipawn loss and judgements of both sides, in total and by phase."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from tabiya.evaluations.judging import LICHESS, Judgement, Thresholds
from tabiya.evaluations.move_values import MoveValues, Phase
from tabiya.evaluations.scores import MATES, UNKNOWN, evaluation_of
from tabiya.evaluations.sums import SIDES, SideSums, side_sums
from tabiya.game import GameBatch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.game import Game, Node

SIGNS: Final = {Judgement.NONE: "", Judgement.INACCURACY: "?!", Judgement.MISTAKE: "?", Judgement.BLUNDER: "??"}
"""The sign of each judgement after a move."""


@dataclass(frozen=True, slots=True)
class Performance:
    """How one side played, in a game or in a phase of it."""

    moves: int
    """Number of evaluated moves."""
    accuracy: float | None
    """From 0 to 100; of a phase the mean of its moves."""
    centipawn_loss: float | None
    """The average centipawn loss."""
    inaccuracies: int
    mistakes: int
    blunders: int


@dataclass(frozen=True, slots=True)
class SideReport(Performance):
    """How one side played a game."""

    phases: dict[str, Performance]
    """By the name of the phase, of those with evaluated moves."""


@dataclass(frozen=True, slots=True)
class MoveReport:
    """An evaluated move."""

    ply: int
    """Number of half-moves before it."""
    move: str
    """The move with its number: ``12...Qxb2``."""
    evaluation: str
    """The evaluation after it, in pawns or as a mate: ``-0.35``, ``#3``."""
    before: str
    """The evaluation before it; empty if unknown."""
    chances: float
    """White's chances to win after it, in percent."""
    lost: float | None
    """Points of win chances that it lost; below 0 if it gained."""
    accuracy: float | None
    judgement: str
    """``inaccuracy``, ``mistake``, ``blunder`` or nothing."""
    phase: str


@dataclass(frozen=True, slots=True)
class GameReport:
    """The report of a game with evaluations; ``docs/evaluations.md`` has all formulas."""

    game: Game
    white: SideReport
    black: SideReport
    moves: tuple[MoveReport, ...]
    """The evaluated moves."""

    @property
    def judged(self) -> tuple[MoveReport, ...]:
        """The inaccuracies, mistakes and blunders."""
        return tuple(move for move in self.moves if move.judgement)

    @property
    def title(self) -> str:
        """The players, the result and the date in one line."""
        tags = self.game.tags
        players = " – ".join(tags.get(name) or "?" for name in ("White", "Black"))
        facts = [tags.get(name) for name in ("Result", "Event", "Date")]
        return ", ".join([players, *(fact for fact in facts if fact and fact.strip("?.*"))])

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        number = {} if self.game.number is None else {"number": self.game.number}
        return number | {
            "white": self.game.tags.get("White"),
            "black": self.game.tags.get("Black"),
            "result": self.game.tags.get("Result"),
            "sides": {side: asdict(getattr(self, side)) for side in SIDES},
            "moves": [asdict(move) for move in self.moves],
        }

    def to_text(self) -> str:
        """Return the report as lines for reading."""
        from tabiya.evaluations.report_display import report_text  # noqa: PLC0415 - which uses this module

        return report_text(self)

    __str__ = to_text

    def to_html(self) -> str:
        """Return the report as HTML with a graph of the win chances; no scripts, every text is escaped."""
        from tabiya.evaluations.report_display import report_html  # noqa: PLC0415 - which uses this module

        return report_html(self)

    _repr_html_ = to_html


def game_report(game: Game, thresholds: Thresholds = LICHESS) -> GameReport | None:
    """Return the report of a game; None if it has no evaluated moves."""
    found = next(iter(batch_reports(GameBatch.from_games([game]), thresholds)), None)
    return None if found is None else replace(found, game=game)


def batch_reports(batch: GameBatch, thresholds: Thresholds = LICHESS) -> Iterator[GameReport]:
    """Yield the reports of those games of a batch that have evaluated moves."""
    found = side_sums(MoveValues(batch)).moves.sum(axis=(1, 2)) > 0
    if not found.any():
        return
    batch = GameBatch(batch.record_batch.filter(pa.array(found)))
    values = MoveValues(batch, thresholds)
    sums = side_sums(values, phases=True)
    for row, game in enumerate(batch):
        white, black = (_side(sums, values, row, side) for side in range(2))
        yield GameReport(game, white, black, tuple(_moves(game, values, row)))


def _side(sums: SideSums, values: MoveValues, row: int, side: int) -> SideReport:
    total = sums.totals()
    whole = _performance(total, row, side, 0, float(values.game_accuracies[row, side]))
    phases = {
        phase.name.lower(): _performance(sums, row, side, phase, float(sums.mean_accuracy[row, side, phase]))
        for phase in Phase
        if sums.moves[row, side, phase]
    }
    return SideReport(**asdict(whole), phases=phases)


def _performance(sums: SideSums, row: int, side: int, phase: int, accuracy: float) -> Performance:
    judged = sums.judged[row, side, phase].tolist()
    return Performance(
        int(sums.moves[row, side, phase]),
        _rounded(accuracy),
        _rounded(float(sums.mean_loss[row, side, phase])),
        judged[Judgement.INACCURACY],
        judged[Judgement.MISTAKE],
        judged[Judgement.BLUNDER],
    )


def _rounded(number: float) -> float | None:
    return None if math.isnan(number) else round(number, 1) + 0.0  # no negative zero


def _moves(game: Game, values: MoveValues, row: int) -> Iterator[MoveReport]:
    for place, node in enumerate(game.mainline(), start=int(values.ends[row])):
        if values.scores[place] != UNKNOWN:
            judged = Judgement(int(values.judgements[place]))
            yield MoveReport(
                node.ply - 1,
                move_text(node),
                evaluation_text(int(values.scores[place])),
                evaluation_text(int(values.before[place])),
                round(float(values.chances[place]), 1),
                _rounded(float(values.lost[place])),
                _rounded(float(values.accuracies[place])),
                judged.name.lower() if judged else "",
                Phase(int(values.phases[place])).name.lower(),
            )


def move_text(node: Node) -> str:
    """Return a move with its number: ``12.Nf3``, ``12...Qxb2``."""
    return f"{node.move_number}{'...' if node.color else '.'}{node.san}"


def evaluation_text(score: int) -> str:
    """Return a score in pawns or as a mate: ``+0.35``, ``#-3``; empty if unknown."""
    if score == UNKNOWN:
        return ""
    return f"#{evaluation_of(score).value}" if abs(score) >= MATES else f"{score / 100:+.2f}"
