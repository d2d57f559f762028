"""Adding up games: buffers that do not fit are refused, and the structures of the kernel are those of Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tabiya.positions.game_facts import FACTS, NO_ECO, NO_RATING
from tabiya.search.game_conditions import NO_TEST
from tabiya.search.tally import STATISTICS
from tabiya.search.tally_kernel import add_up

WORDS = STATISTICS.itemsize // 8


def told(**changed: Any) -> list[Any]:
    """What the kernel takes for two games, one of which is of a position."""
    facts = np.zeros(2, FACTS)
    facts["date"], facts["result"], facts["white_elo"], facts["black_elo"] = 20200517, 1, 2500, NO_RATING
    facts["white"], facts["eco"] = 7, NO_ECO
    arguments = {
        "facts": facts.view(np.uint8).reshape(2, 32),
        "first": 10,
        "games": np.array([11], np.int32),
        "moves": np.array([5], np.int16),
        "allowed": np.zeros(0, np.uint8),
        **NO_TEST._asdict(),
        "turn": 1,
        "statistics": np.zeros((3, WORDS), np.int64),
        "best": np.full(2, -1, np.int64),
        "latest": np.full(1, -1, np.int64),
        "counted": np.zeros(1, np.uint8),
    }
    assert {*changed} <= {*arguments}
    return [*(arguments | changed).values()]


def test_one_game() -> None:
    arguments = told()
    assert add_up(*arguments) == (1, 0, 0)
    (row,) = arguments[-4].view(STATISTICS)[0]
    assert row["move"] == 5
    assert row["results"].tolist() == row["faced"].tolist() == [0, 1, 0, 0]
    assert (row["opponents"], row["ratings"], row["rated"]) == (2500, 2500, 1)
    assert (row["first"], row["last"]) == (20200517, 20200517)
    assert (row["best"], row["latest"]) == (2500 << 32 | 1, 20200517 << 32 | 1)
    assert arguments[-3].tolist() == [-1, 2500 << 32 | 1]
    assert arguments[-2].tolist() == [20200517 << 32 | 1]
    assert arguments[-1].tolist() == [1]


@pytest.mark.parametrize("game", [9, 12, -5, 2**31 - 1])
def test_games_that_are_not_there_are_counted(game: int) -> None:
    assert add_up(*told(games=np.array([game], np.int32))) == (0, 1, 0)


def test_moves_too_many_are_counted() -> None:
    games, moves = np.full(5, 10, np.int32), np.arange(5, dtype=np.int16)
    assert add_up(*told(games=games, moves=moves, counted=np.zeros(0, np.uint8))) == (3, 2, 0)


def test_names_out_of_range_match_nothing() -> None:
    names = np.ones((1, 5), np.uint8)  # the name of White is 7
    assert add_up(*told(roles=np.array([0]), names=names)) == (0, 0, 0)
    assert add_up(*told(roles=np.array([0]), names=np.ones((1, 8), np.uint8))) == (1, 0, 0)


@pytest.mark.parametrize(
    "changed",
    [
        {"facts": np.zeros((2, 31), np.uint8)},
        {"moves": np.zeros(2, np.int16)},
        {"allowed": np.ones(3, np.uint8)},
        {"bounds": np.zeros(7, np.int64)},
        {"results": np.zeros(255, np.uint8)},
        {"codes": np.zeros(500, np.uint8)},
        {"roles": np.zeros(1, np.int64)},
        {"roles": np.zeros(17, np.int64), "names": np.ones((17, 8), np.uint8)},
        {"statistics": np.zeros((3, WORDS + 1), np.int64)},
        {"statistics": np.zeros((0, WORDS), np.int64)},
        {"counted": np.zeros(2, np.uint8)},
    ],
    ids=lambda changed: " ".join(changed),
)
def test_buffers_that_do_not_fit(changed: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"[a-z]"):
        add_up(*told(**changed))


def test_nothing_to_count() -> None:
    assert add_up(*told(games=np.zeros(0, np.int32), moves=np.zeros(0, np.int16), counted=np.zeros(0, np.uint8))) == (
        0,
        0,
        0,
    )
    assert add_up(*told(facts=np.zeros((0, 32), np.uint8))) == (0, 1, 0)
