"""Lists of records that a kernel gathers from columns, and finds members in: the same as plain Python finds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.formats.cbh.lists import Piece, keyed_lists, problem_lists
from tabiya.formats.cbh.lists_kernel import first_members, gather, members_behind
from tabiya.game.schema import EXTRA, TAG

TEXTS = st.lists(st.none() | st.text(max_size=5), max_size=20)
CODES = st.lists(st.lists(st.integers(-1, 6), max_size=8), max_size=8)
FEW = np.arange(3, dtype=np.int32)


@st.composite
def pieces_of(draw: st.DrawFn, count: int) -> tuple[list[Piece], list[list[str | None]]]:
    """Pieces whose texts are slices of arrays and whose places may be nowhere, and what they say of each record."""
    pieces, said = [], []
    for key in range(draw(st.integers(0, 4))):
        texts = draw(TEXTS)
        begin = draw(st.integers(0, len(texts)))
        length = draw(st.integers(0, len(texts) - begin))
        own = texts[begin : begin + length]
        places = draw(st.lists(st.integers(-2, length + 1), min_size=count, max_size=count))
        array = pa.array(texts, pa.string()).slice(begin, length)
        pieces.append(Piece(key, np.array(places, np.int64), array))
        said.append([own[place] if 0 <= place < length else None for place in places])
    return pieces, said


@given(st.data())
def test_records_ask_every_piece(data: st.DataObject) -> None:
    count = data.draw(st.integers(0, 12))
    pieces, said = data.draw(pieces_of(count))
    records = list(zip(*said, strict=True)) if said else [()] * count
    expected = [[(str(key), text) for key, text in enumerate(texts) if text is not None] for texts in records]
    named = [Piece(str(piece.key), piece.places, piece.texts) for piece in pieces]
    tags = keyed_lists(named, count, TAG)
    tags.validate(full=True)
    assert [[(tag["name"], tag["value"]) for tag in tags] for tags in tags.to_pylist()] == expected
    problems = problem_lists(pieces, count)
    problems.validate(full=True)
    codes = [[(str(problem["code"]), problem["text"]) for problem in problems] for problems in problems.to_pylist()]
    assert codes == expected
    binary = [Piece(piece.key, piece.places, piece.texts.cast(pa.binary())) for piece in named]
    extras = keyed_lists(binary, count, EXTRA)
    assert [[(extra["key"], extra["value"].decode()) for extra in extras] for extras in extras.to_pylist()] == expected


@pytest.mark.parametrize(
    ("ends", "valid"),
    [([0, 9], b""), ([-4, 2], b""), ([2, 0], b""), ([0, 2], b"\x00")],
    ids=["behind the letters", "before the letters", "backwards", "null"],
)
def test_texts_that_lie_nowhere_are_none(ends: list[int], valid: bytes) -> None:
    column = (np.zeros(1, np.int64), np.frombuffer(valid, np.uint8), 0, np.array(ends, np.int32), np.zeros(3, np.uint8))
    lists, owners, text_ends, letters = gather(1, [column])
    assert (lists.tolist(), owners.tolist(), text_ends.tolist(), letters) == ([0, 0], [], [0], b"")


@pytest.mark.parametrize(
    "changed",
    [{0: np.zeros(2, np.int64)}, {2: -1}, {2: 7}, {3: np.zeros(0, np.int32)}],
    ids=["places", "bits before", "bits behind", "ends"],
)
def test_columns_of_other_sizes_are_refused(changed: dict[int, Any]) -> None:
    column: list[Any] = [np.zeros(1, np.int64), np.ones(1, np.uint8), 0, np.zeros(3, np.int32), np.zeros(1, np.uint8)]
    for place, value in changed.items():
        column[place] = value
    with pytest.raises(ValueError, match="a column has"):
        gather(1, [tuple(column)])


@given(CODES, st.lists(st.integers(-1, 4), max_size=6), st.integers(0, 4), st.randoms())
def test_members_are_found(lists: list[list[int]], ranks: list[int], rows: int, random: Any) -> None:
    codes = np.array([code for members in lists for code in members], np.int32)
    offsets = np.cumsum([0, *map(len, lists)]).astype(np.int32)
    left_out = np.array([random.random() < 0.2 for _ in codes], np.uint8)
    firsts = np.full((rows, len(lists)), -1, np.int32)
    repeated, behind = np.zeros(len(codes), np.uint8), np.zeros(len(codes), np.uint8)
    first_members(codes, np.array(ranks, np.int32), offsets, firsts, repeated)
    members_behind(codes, np.array(ranks, np.int32), offsets, left_out, behind)
    expected = np.full((rows, len(lists)), -1, np.int32)
    for record, members in enumerate(lists):
        met: list[int] = []
        counted: list[int] = []
        for member, code in enumerate(members, int(offsets[record])):
            rank = ranks[code] if 0 <= code < len(ranks) else -1
            if 0 <= rank < rows:
                assert repeated[member] == (rank in met)
                if rank not in met:
                    expected[rank, record] = member
                met.append(rank)
            else:
                assert not repeated[member]
            counts = rank >= 0 and not left_out[member]
            assert behind[member] == (counts and any(other > rank for other in counted))
            if counts:
                counted.append(rank)
    assert (firsts == expected).all()


@pytest.mark.parametrize("offsets", [[], [-1, 3], [0, 4], [0, 3, 2, 3]], ids=["none", "before", "behind", "falling"])
def test_lists_that_do_not_fit_are_refused(offsets: list[int]) -> None:
    lists, marks = np.array(offsets, np.int32), np.zeros(3, np.uint8)
    with pytest.raises(ValueError, match="lists"):
        first_members(FEW, FEW, lists, np.full((3, max(len(offsets) - 1, 0)), -1, np.int32), marks)
    with pytest.raises(ValueError, match="lists"):
        members_behind(FEW, FEW, lists, marks, marks.copy())


def test_marks_and_places_must_be_there() -> None:
    lists, marks = np.array([0, 3], np.int32), np.zeros(3, np.uint8)
    with pytest.raises(ValueError, match="a mark for every member"):
        first_members(FEW, FEW, lists, np.full((3, 1), -1, np.int32), marks[:2])
    with pytest.raises(ValueError, match="a place for every list"):
        first_members(FEW, FEW, lists, np.full((3, 2), -1, np.int32), marks)
    with pytest.raises(ValueError, match="a mark for every member"):
        members_behind(FEW, FEW, lists, marks[:2], marks)
