"""Lists of records that are gathered from columns of texts, against the plain way of doing it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chessbase.list_columns import Piece, concat_lists, keyed_lists, problem_lists
from tabiya.chessbase.list_columns_kernel import first_members, gather, later_members
from tabiya.game.schema import EXTRA, PROBLEM, TAG

COUNT = 5
texts = st.lists(st.none() | st.text(max_size=4), max_size=6)
places = st.lists(st.integers(-2, 8), min_size=COUNT, max_size=COUNT)


@given(st.lists(st.tuples(places, texts, st.integers(0, 2)), max_size=4))
def test_every_record_asks_every_piece(given_pieces: list[tuple[list[int], list[str | None], int]]) -> None:
    pieces, expected = [], [list[dict[str, str]]() for _ in range(COUNT)]
    for number, (own, words, cut) in enumerate(given_pieces):
        column = pa.array(words, pa.string()).slice(cut)  # a part of an array has an offset
        pieces.append(Piece(f"key {number}", np.array(own, np.int64), column))
        known = words[cut:]
        for row, place in enumerate(own):
            word = known[place] if 0 <= place < len(known) else None
            if word is not None:
                expected[row].append({"name": f"key {number}", "value": word})
    found = keyed_lists(pieces, COUNT, TAG)
    found.validate(full=True)
    assert found.to_pylist() == expected


def test_pieces() -> None:
    everywhere = Piece.of("a", pa.array(["1", None, "3"]))
    some = Piece.at("b", np.array([2]), pa.array(["x"]), 3)
    lists = keyed_lists([everywhere, some.only(np.array([True, True, False]))], 3, EXTRA)
    assert lists.to_pylist() == [[{"key": "a", "value": b"1"}], [], [{"key": "a", "value": b"3"}]]
    assert Piece.of("c", pa.nulls(3, pa.string())).is_empty
    both = concat_lists(lists, keyed_lists([some], 3, EXTRA))
    assert [len(each) for each in both.to_pylist()] == [1, 0, 2]


def test_problems() -> None:
    lists = problem_lists([Piece.at(123, np.array([1]), pa.array(["player 7"]), 2)], 2)
    assert lists.type == pa.list_(pa.field("item", PROBLEM, nullable=False))
    assert lists.to_pylist() == [[], [{"code": 123, "offset": None, "text": "player 7"}]]
    assert problem_lists([], 2).to_pylist() == [[], []]


@pytest.mark.parametrize(
    "column",
    [
        (np.zeros(1, np.int64), np.zeros(0, np.uint8), 0, np.zeros(1, np.int32), np.zeros(0, np.uint8)),
        (np.zeros(2, np.int64), np.zeros(0, np.uint8), 0, np.zeros(0, np.int32), np.zeros(0, np.uint8)),
        (np.zeros(2, np.int64), np.zeros(1, np.uint8), 6, np.zeros(4, np.int32), np.zeros(0, np.uint8)),
        (np.zeros(2, np.int64), np.zeros(1, np.uint8), -1, np.zeros(2, np.int32), np.zeros(0, np.uint8)),
    ],
)
def test_columns_that_do_not_fit_are_refused(
    column: tuple[np.ndarray, np.ndarray, int, np.ndarray, np.ndarray],
) -> None:
    with pytest.raises(ValueError, match="a column has"):
        gather(2, [column])


def test_texts_outside_the_letters_are_none() -> None:
    ends = np.array([0, 9, -3, 2], np.int32)
    column = (np.array([0, 1, 2]), np.zeros(0, np.uint8), 0, ends, np.frombuffer(b"ab", np.uint8))
    lists, owners, _, letters = gather(3, [column])
    assert (lists.tolist(), owners.tolist(), letters) == ([0, 0, 0, 0], [], b"")


@pytest.mark.parametrize("lists", [[0, 3], [0, 2, 1], [-1, 1], []])
def test_lists_that_do_not_fit_are_refused(lists: list[int]) -> None:
    codes, offsets, marks = np.zeros(2, np.int32), np.array(lists, np.int32), np.zeros(2, np.uint8)
    ranks = np.zeros(1, np.int32)
    with pytest.raises(ValueError, match="lists"):
        first_members(codes, ranks, offsets, np.full((1, max(0, len(lists) - 1)), -1, np.int32), marks)
    with pytest.raises(ValueError, match="lists"):
        later_members(codes, ranks, offsets, marks, marks.copy())


def test_codes_that_nobody_knows_do_not_count() -> None:
    codes, offsets = np.array([5, -1, 0], np.int32), np.array([0, 3], np.int32)
    firsts, marks = np.full((1, 1), -1, np.int32), np.zeros(3, np.uint8)
    first_members(codes, np.zeros(1, np.int32), offsets, firsts, marks)
    assert firsts.tolist() == [[2]]
    assert marks.tolist() == [0, 0, 0]
