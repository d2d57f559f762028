"""Facts of games, against the games themselves; main lines against the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import tabiya
from tabiya.game import Game, GameBatch
from tabiya.positions.game_facts import (
    FACTS,
    NO_ECO,
    NO_RATING,
    NO_RESULT,
    OTHER_ECO,
    Flag,
    facts_of,
    main_lines_of,
    records_of,
)
from tabiya.positions.main_lines_kernel import main_lines
from tabiya.positions.name_table import NO_NAME, NameTable

if TYPE_CHECKING:
    from typing import Any

_GAMES = (
    """[Event "Hastings"]
[Site "Hastings"]
[Date "1895.08.??"]
[White "Pillsbury"]
[Black "Tarrasch"]
[Result "1-0"]
[ECO "D63"]
[WhiteElo "2600"]
[TimeControl "40/7200:3600"]

1. d4 d5 (1... Nf6 2. c4 (2. Nf3 g6) 2... e6) 2. c4 {a text} e6 1-0
""",
    """[Date "????.??.??"]
[White "Tarrasch"]
[Result "*"]
[ECO "B90a"]
[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 *
""",
)


def _facts() -> tuple[Any, NameTable]:
    names = NameTable()
    return facts_of(GameBatch.from_games([Game.from_pgn(text) for text in _GAMES]), names), names


def test_a_row_has_thirty_two_bytes() -> None:
    assert FACTS.itemsize == 32


def test_facts_are_those_of_the_games() -> None:
    facts, names = _facts()
    first, second = facts
    assert first["date"] == 18950800
    assert (first["white_elo"], first["black_elo"]) == (2600, NO_RATING)
    assert [names.names()[first[column]] for column in ("white", "black", "event", "site")] == [
        "Pillsbury",
        "Tarrasch",
        "Hastings",
        "Hastings",
    ]
    assert first["event"] == first["site"]  # one number for one text
    assert first["eco"] == 3 * 100 + 63
    assert first["plies"] == 4
    assert first["result"] == tabiya.Result.WHITE_WINS
    assert first["time_class"] == 4
    assert first["flags"] == Flag.GAME | Flag.VARIATIONS | Flag.ANNOTATIONS
    assert second["date"] == 0
    assert second["white"] == first["black"]
    assert second["black"] == NO_NAME
    assert second["eco"] == OTHER_ECO
    assert second["flags"] == Flag.GAME | Flag.SET_UP
    assert second["result"] in (tabiya.Result.UNKNOWN, NO_RESULT)


def test_an_empty_batch_has_no_facts() -> None:
    assert len(facts_of(GameBatch.empty(), NameTable())) == 0


def test_a_game_without_anything_has_only_what_is_missing() -> None:
    (fact,) = facts_of(GameBatch.from_games([Game()]), NameTable())
    assert (fact["white"], fact["eco"], fact["white_elo"], fact["plies"]) == (NO_NAME, NO_ECO, NO_RATING, 0)


def test_main_lines_are_the_first_moves_of_the_tree() -> None:
    games = [
        Game.from_pgn(text) for text in ("1. e4 (1. d4 d5 (1... Nf6)) e5 (1... c5) *", "*", "1. c4 *", "(1. e4 *) *")
    ]
    batch = GameBatch.from_games(games)
    lines = main_lines_of(batch)
    for place, game in enumerate(games):
        expected = [node.move for node in game.mainline()]
        moves = lines.moves[lines.ends[place] : lines.ends[place + 1]]
        assert len(moves) == len(expected)
    part = main_lines_of(batch[1:3])
    assert part.ends.tolist() == [0, 0, 1]
    assert part.moves.tolist() == lines.moves[2:3].tolist()


@pytest.mark.parametrize(
    ("ends", "room", "out_ends"), [([0, 9], 9, 2), ([0, 2], 1, 2), ([0, 2], 4, 3), ([2, 0], 4, 2), ([-1, 2], 4, 2)]
)
def test_buffers_that_do_not_fit_are_refused(ends: list[int], room: int, out_ends: int) -> None:
    moves = np.array([1, 2, 3, 4], np.uint16)
    with pytest.raises(ValueError, match=r"fit|descend|room"):
        main_lines(moves, np.array(ends, np.int32), np.empty(room, np.uint16), np.empty(out_ends, np.int64))


@pytest.mark.parametrize("columns", [[], ["white"], ["eco"], ["year", "black"], ["kind", "deleted", "result", "site"]])
def test_columns_alone_are_those_of_all(columns: list[str]) -> None:
    names = NameTable()
    for text in (_GAMES[0], _GAMES[1]):
        facts = facts_of(GameBatch.from_games([Game.from_pgn(text)]), names)
        whole = records_of(facts, names.array())
        known = [name for name in whole.schema.names if name in columns]  # a code such as B90a is unknown
        assert records_of(facts, names.array(), columns).to_pydict() == whole.select(known).to_pydict()
