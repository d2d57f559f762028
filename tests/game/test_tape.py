from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.errors import CorruptError
from tabiya.game import Game
from tabiya.game.tape import BEGIN, END, NULL, check_tape, count_moves, is_move, main_line
from tabiya.game.tree import fold_tree, unfold_tree

A, B, C, D = 1804, 2356, 2226, 1350  # e2e4 e7e5 c7c5 g1f3

TOKENS = st.one_of(st.sampled_from([A, B, BEGIN, END, NULL]), st.integers(0, 0xFFFF))


def test_tokens() -> None:
    assert (BEGIN, END, NULL) == (0x8000, 0x8001, 0)
    assert is_move(NULL)
    assert is_move(A)
    assert not is_move(BEGIN)
    assert not is_move(END)


def test_counting_and_the_main_line() -> None:
    tape = [A, B, BEGIN, C, BEGIN, B, D, END, D, END, D, NULL]
    assert count_moves(tape) == 8
    assert main_line(tape) == [A, B, D, NULL]


@pytest.mark.parametrize(
    ("tape", "message"),
    [
        ([END], "did not begin"),
        ([A, END], "did not begin"),
        ([BEGIN, A, END], "before any move"),
        ([A, BEGIN, BEGIN, A, END, END], "before any move"),
        ([A, BEGIN, END], "empty variation"),
        ([A, BEGIN, A], "end inside a variation"),
        ([A, 0x8002], "unknown: 0x8002"),
        ([A, 0xFFFF], "unknown: 0xffff"),
        ([A, 0x5000], "token 1 of the moves is not a move"),
        ([-1], "is not a move"),
    ],
)
def test_unsound_tapes(tape: list[int], message: str) -> None:
    with pytest.raises(CorruptError, match=message) as caught:
        check_tape(tape, game=7)
    assert caught.value.game == 7


@pytest.mark.parametrize("tape", [[], [NULL], [A, BEGIN, B, END], [A, BEGIN, B, END, BEGIN, C, END, D], [0x4FFF]])
def test_sound_tapes(tape: list[int]) -> None:
    check_tape(tape)


@given(st.lists(TOKENS, max_size=30))
def test_hostile_tapes_give_a_tree_or_a_clear_error(tape: list[int]) -> None:
    game = Game()
    try:
        unfold_tree(game.root, tape, number=3)
    except CorruptError as error:
        problem: CorruptError | None = error
    else:
        problem = None
    if problem is not None:
        assert problem.game == 3
        assert game.root.children == ()
        return
    folded, _ = fold_tree(game.root)
    assert count_moves(folded) == count_moves(tape)
    assert main_line(folded) == main_line(tape)
    again = Game()
    unfold_tree(again.root, folded)
    assert fold_tree(again.root)[0] == folded
    assert str(game)
    assert game._repr_html_()
