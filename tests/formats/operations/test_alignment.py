from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tabiya.formats.operations.alignment import align, keys_of
from tests.formats.corpus import Row, batch_of, tape

Key = tuple[object, ...]


def keys(letters: str) -> list[Key]:
    return [(letter, letter, letter, "event") for letter in letters]


def test_equal_sides() -> None:
    assert align(keys("abc"), keys("abc")) == [(0, 0), (1, 1), (2, 2)]


def test_left_out_and_inserted() -> None:
    assert align(keys("abcd"), keys("acd")) == [(0, 0), (1, None), (2, 1), (3, 2)]
    assert align(keys("acd"), keys("abcd")) == [(0, 0), (None, 1), (1, 2), (2, 3)]
    assert align(keys("ab"), []) == [(0, None), (1, None)]


def test_changed_records_are_paired_between_their_neighbours() -> None:
    assert align(keys("axyc"), keys("apqc")) == [(0, 0), (1, 1), (2, 2), (3, 3)]


def test_players_alone_help_where_the_rest_was_lost() -> None:
    lossy = [(*key[:3], None) for key in keys("ac")]
    assert align(keys("abc"), lossy) == [(0, 0), (1, None), (2, 1)]


def test_repeated_keys_are_paired_from_the_front() -> None:
    assert align(keys("aaa"), keys("aa")) == [(0, 0), (1, 1), (2, None)]


def test_moved_records() -> None:
    pairs = align(keys("abcx"), keys("xabc"))
    assert (0, 1) in pairs
    assert (2, 3) in pairs


letters = st.text("abcdefgh", max_size=12).map(keys)


@given(letters, letters, st.booleans())
def test_every_record_is_dealt_with_once_and_in_order(a: list[Key], b: list[Key], more: bool) -> None:
    pairs = align(a, b, more=more)
    left, right = [x for x, _ in pairs if x is not None], [y for _, y in pairs if y is not None]
    assert left == list(range(len(left)))
    assert right == list(range(len(right)))
    assert (None, None) not in pairs
    if not more:
        assert (len(left), len(right)) == (len(a), len(b))
    elif a and b:
        assert pairs
        half = max(len(a), len(b)) // 2
        assert max(len(left), len(right)) >= half or len(left) == len(a) or len(right) == len(b)


def test_keys_tell_records_apart() -> None:
    moves = [{"moves": tape("e2e4")}, {"moves": tape("e2e4 e7e5")}]
    rows: list[Row] = [{"white": "a"}, {"black": "a"}, {"year": 1}, *moves, {}]
    batch = batch_of(rows)
    found = keys_of(batch.record_batch)
    assert len(set(found)) == len(rows)
    assert keys_of(batch[2:].record_batch) == found[2:]
