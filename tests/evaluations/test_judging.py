"""Judgements of moves: examples, thresholds, and the judgements of Lichess in its own games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import UsageError
from tabiya.evaluations import MATE, UNKNOWN, Judgement, MoveValues, Thresholds, judgement, judgements
from tabiya.game.annotations import Evaluation

NONE, INACCURACY, MISTAKE, BLUNDER = Judgement


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (0, -54, NONE),  # 4.95 points of win chances
        (0, -55, INACCURACY),  # 5.05
        (0, -110, INACCURACY),  # 9.99
        (0, -111, MISTAKE),  # 10.08
        (0, -169, BLUNDER),  # 15.07
        (800, 500, INACCURACY),  # 8.70, though 300 centipawns
        (0, 300, NONE),
        (100, UNKNOWN, NONE),
        (UNKNOWN, -100, NONE),
        (50, -MATE + 3, BLUNDER),  # the opponent can force mate now
        (-701, -MATE + 3, MISTAKE),
        (-1000, -MATE + 3, INACCURACY),
        (MATE - 3, 100, BLUNDER),  # a mate is lost
        (MATE - 3, 701, MISTAKE),
        (MATE - 3, 1000, INACCURACY),
        (MATE - 3, -MATE + 3, BLUNDER),
        (MATE - 3, MATE - 9, NONE),  # a longer mate is still one
        (-MATE + 3, -MATE + 1, NONE),
        (-MATE + 3, 0, NONE),
    ],
)
def test_judgements(before: int, after: int, expected: Judgement) -> None:
    assert int(judgements(before, after, False)) == expected
    first, second = (score if score == UNKNOWN else -score for score in (before, after))
    assert int(judgements(first, second, True)) == expected


def test_thresholds() -> None:
    strict = Thresholds(1, 2, 3)
    assert judgements([0, 0, 0], [-15, -30, -50], [False] * 3, strict).tolist() == [INACCURACY, MISTAKE, BLUNDER]
    for wrong in ((0, 1, 2), (5, 4, 6), (1, 2, 101)):
        with pytest.raises(UsageError, match="ascending order"):
            Thresholds(*wrong)


def test_a_single_move() -> None:
    assert judgement(Evaluation(20), Evaluation(250), black=True) is BLUNDER
    assert judgement(Evaluation(20), Evaluation(0, 1), black=False) is NONE, "White has mated"
    assert [each.nag for each in Judgement] == [None, 6, 2, 4]


def marked(path: Path) -> Iterator[tuple[Judgement, Judgement, float]]:
    """Yield Lichess's judgement of every evaluated move, that of tabiya, and the centipawns lost."""
    marks = {nag: each for each in Judgement if (nag := each.nag)}
    with tabiya.open(path) as games:
        for batch in games.batches():
            values = MoveValues(batch)
            found, lost = values.judgements, values.centipawns_lost
            for row, game in enumerate(batch):
                begin = values.ends[row]
                for place, node in enumerate(game.mainline(), start=begin):
                    if UNKNOWN not in (values.scores[place], values.before[place]):
                        mark = next((marks[nag] for nag in node.nags if nag in marks), NONE)
                        yield mark, Judgement(int(found[place])), float(lost[place])


def test_thresholds_as_text() -> None:
    assert Thresholds.parse("1,2.5,60") == Thresholds(1, 2.5, 60)
    assert Thresholds.parse(" 3 ") == Thresholds(inaccuracy=3)
    for text in ("", "a", "1,2,3,4", "1,,2", "5;10", "x" * 500):
        with pytest.raises(UsageError, match="up to three numbers"):
            Thresholds.parse(text)
    for text in ("nan", "5,inf", "10,5,20", "0"):
        with pytest.raises(UsageError, match="in ascending order"):
            Thresholds.parse(text)


def test_lichess_marks_the_same_moves_in_its_broadcasts(samples: Callable[[str], Path]) -> None:
    """45 games with 3,460 evaluated moves. Lichess does not judge a best move, which evaluations alone do not show."""
    found = Counter(
        (theirs, ours)
        for theirs, ours, _ in marked(samples("pgn/annotated/lichess-chesscom/lunahernandez__data__games.pgn"))
    )
    assert found == {
        (NONE, NONE): 3196,
        (INACCURACY, INACCURACY): 149,
        (MISTAKE, MISTAKE): 60,
        (BLUNDER, BLUNDER): 49,
        (NONE, INACCURACY): 4,
        (INACCURACY, NONE): 2,
    }


def test_lichess_marks_the_same_moves_in_its_dump(samples: Callable[[str], Path]) -> None:
    """37 games with 2,216 evaluated moves. The dump judges the same moves, but grades them by centipawns."""
    found: Counter[tuple[bool, bool]] = Counter()
    grades: Counter[bool] = Counter()
    for theirs, ours, lost in marked(samples("pgn/lichess-2025-05.pgn")):
        found[bool(theirs), bool(ours)] += 1
        if theirs and ours and lost < 600:
            grades[theirs is (BLUNDER if lost >= 300 else MISTAKE if lost >= 100 else INACCURACY)] += 1
    assert found == {(False, False): 1711, (True, True): 503, (False, True): 2}
    assert grades[True] > 40 * grades[False]
