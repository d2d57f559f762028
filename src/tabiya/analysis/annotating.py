"""Findings written into a game: evaluations, symbols, better lines, a profile."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from tabiya.analysis.results import final_evaluation
from tabiya.chess import Color
from tabiya.evaluations import UNKNOWN, Judgement, judgements, score_of
from tabiya.evaluations.constants import constant
from tabiya.game.annotations import Evaluation, EvaluationProfile, ProfileEntry

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from tabiya.analysis.findings import FoundLine
    from tabiya.analysis.game_plan import Notation, Plan
    from tabiya.game import Node

_MOVE_SYMBOLS: Final = frozenset({1, 2, 3, 4, 5, 6})
_JUDGEMENT_SYMBOLS: Final = frozenset({2, 4, 6})
_NAMES: Final = {Judgement.INACCURACY: "inaccuracies", Judgement.MISTAKE: "mistakes", Judgement.BLUNDER: "blunders"}
_MATE: Final = 1
_DEEPEST_ENTRY: Final = 0xFF


def annotate(
    plan: Plan, findings: Mapping[str, tuple[FoundLine, ...]], refused: Container[str], notation: Notation
) -> Counter[str] | None:
    """Write findings into a game; return what was added, by kind; None if a position is still to be analysed.

    Args:
        plan: the game.
        findings: lines by name of the position.
        refused: positions that the engine cannot analyse.
        notation: what to write.
    """
    if any(name not in findings and name not in refused for name in plan.needed.values()):
        return None
    added: Counter[str] = Counter()
    if plan.is_position:
        _annotate_position(plan, findings, notation, added)
        return +added
    evaluations = _evaluations(plan, findings, redo=notation.redo)
    _add_evaluations(plan, evaluations, added, redo=notation.redo)
    judged = _judged(plan, evaluations, notation)
    if notation.symbols:
        _add_symbols(plan, judged, added, redo=notation.redo)
    if notation.variations:
        _add_lines(plan, findings, judged, notation, added)
    if notation.profile:
        _add_profile(plan, evaluations, added, redo=notation.redo)
    return +added


def _annotate_position(
    plan: Plan, findings: Mapping[str, tuple[FoundLine, ...]], notation: Notation, added: Counter[str]
) -> None:
    """Write the evaluation of a position, and the line of the engine as its moves."""
    root = plan.nodes[0]
    lines = findings.get(plan.needed[0])
    if not lines:
        return
    if root.eval != lines[0].evaluation:
        root.eval = lines[0].evaluation
        added["evaluations"] += 1
    if notation.variations and lines[0].moves:
        root.add_line(lines[0].moves[: notation.line_plies])
        added["lines"] += 1


def _evaluations(plan: Plan, findings: Mapping[str, tuple[FoundLine, ...]], *, redo: bool) -> list[Evaluation | None]:
    """Return the evaluation of each position from that before the first ply to evaluate."""
    found: list[Evaluation | None] = []
    for ply, (node, position) in enumerate(zip(plan.nodes, plan.positions, strict=True)):
        lines = findings.get(plan.needed.get(ply, ""))
        own = node.eval
        if ply < plan.first - 1 or (own is not None and not (redo and lines)):
            found.append(own)
        elif lines:
            found.append(lines[0].evaluation)
        elif not position.legal_moves():
            found.append(final_evaluation(position))
        else:
            found.append(None)
    if found[0] is None and plan.nodes[0].game.start is None:
        found[0] = Evaluation(int(constant("start_centipawns")))
    return found


def _add_evaluations(plan: Plan, evaluations: Sequence[Evaluation | None], added: Counter[str], *, redo: bool) -> None:
    for ply in range(plan.first, len(plan.nodes)):
        node, evaluation = plan.nodes[ply], evaluations[ply]
        if ply in plan.needed and evaluation is not None and (redo or node.eval is None) and node.eval != evaluation:
            node.eval = evaluation
            added["evaluations"] += 1


def _judged(plan: Plan, evaluations: Sequence[Evaluation | None], notation: Notation) -> dict[int, Judgement]:
    """Return the judgements of the moves that are at least inaccurate, by ply."""
    plies = range(plan.first, len(plan.nodes))
    if plan.is_empty:
        return {}
    black = [position.turn is Color.WHITE for position in plan.positions]  # who has moved
    scores = [
        UNKNOWN if each is None else score_of(each, black_moved=moved)
        for each, moved in zip(evaluations, black, strict=True)
    ]
    found = judgements(scores[plan.first - 1 : -1], scores[plan.first :], black[plan.first :], notation.thresholds)
    return {
        ply: Judgement(code)
        for ply, code in zip(plies, found.tolist(), strict=True)
        if code and not plan.nodes[ply]._move.is_null
    }


def _add_symbols(plan: Plan, judged: Mapping[int, Judgement], added: Counter[str], *, redo: bool) -> None:
    for ply in range(plan.first, len(plan.nodes)):
        judgement = judged.get(ply, Judgement.NONE)
        nags = list(plan.nodes[ply].nags)
        kept = [nag for nag in nags if nag not in _JUDGEMENT_SYMBOLS] if redo and ply in plan.needed else nags
        if judgement.nag is not None and _MOVE_SYMBOLS.isdisjoint(kept):
            kept = [judgement.nag, *kept]
        if kept != nags:
            plan.nodes[ply].nags = kept
            added[_NAMES.get(judgement, "symbols removed")] += 1


def _add_lines(
    plan: Plan,
    findings: Mapping[str, tuple[FoundLine, ...]],
    judged: Mapping[int, Judgement],
    notation: Notation,
    added: Counter[str],
) -> None:
    """Add the lines that an engine prefers to a move that was judged, unless a variation has them already."""
    for ply in judged:
        node = plan.nodes[ply]
        lines = findings.get(plan.needed.get(ply - 1, ""), ())
        if any(variation.eval is not None for variation in node.variations):
            continue  # of an earlier analysis
        for line in lines[: notation.lines]:
            if not line.moves or line.moves[0] == node._move:
                break
            if all(variation._move != line.moves[0] for variation in node.variations):
                _add_line(node, line, notation.line_plies)
                added["better lines"] += 1


def _add_line(node: Node, line: FoundLine, plies: int) -> None:
    first = node.add_variation(line.moves[0])
    first.eval = line.evaluation
    first.add_line(line.moves[1:plies])


def _add_profile(plan: Plan, evaluations: Sequence[Evaluation | None], added: Counter[str], *, redo: bool) -> None:
    root = plan.nodes[0]
    own = root.values_of(EvaluationProfile)
    if plan.is_empty or (own and not redo):
        return
    entries = [
        _entry(evaluation, white_moves=position.turn is Color.WHITE)
        for evaluation, position in zip(evaluations, plan.positions, strict=True)
    ]
    profile = EvaluationProfile(tuple(entries))
    if own != [profile]:
        root.set_values(EvaluationProfile, [profile])
        added["profiles"] += 1


def _entry(evaluation: Evaluation | None, *, white_moves: bool) -> ProfileEntry:
    """Return an evaluation as an entry of a profile, which counts plies to mate, not moves."""
    if evaluation is None:
        return ProfileEntry()
    depth = min(evaluation.depth, _DEEPEST_ENTRY)
    if evaluation.type != _MATE or evaluation.value == 0:
        return ProfileEntry(evaluation.type, depth, evaluation.value)
    plies = 2 * abs(evaluation.value) - (white_moves == (evaluation.value > 0))
    return ProfileEntry(_MATE, depth, plies if evaluation.value > 0 else -plies)
