"""The doors of the kernel behind functions in SQL; what it answers is tested through these functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tabiya.search.sql_kernel import Lines


def lines(**changed: list[int]) -> Lines:
    """Two lines: 1.e4, and none from a set-up."""
    fen = b"7K/8/k1P5/7p/8/8/8/8 w - - 0 1"
    buffers: dict[str, Any] = {
        "moves": [12 | 28 << 6],
        "ends": [0, 1, 1],
        "start_letters": list(fen),
        "start_ends": [0, 0, len(fen)],
        "variants": [0, 0],
        "known": [1, 1],
    }
    kinds = (np.uint16, np.int64, np.uint8, np.int32, np.uint8, np.uint8)
    return Lines(*(np.array(buffer, kind) for buffer, kind in zip((buffers | changed).values(), kinds, strict=True)))


@pytest.mark.parametrize(
    "changed",
    [
        {"ends": []},
        {"ends": [0, 1]},
        {"ends": [0, 2, 1]},
        {"ends": [0, 1, 2]},
        {"ends": [-1, 0, 1]},
        {"start_ends": [0, 0]},
        {"start_ends": [0, 31, 30]},
        {"start_ends": [0, 0, 31]},
        {"start_ends": [-1, 0, 3]},
        {"variants": [0]},
        {"known": [1, 1, 1]},
    ],
)
def test_buffers_that_do_not_fit(changed: dict[str, list[int]]) -> None:
    with pytest.raises(ValueError, match=r"fit|reach|descend"):
        lines(**changed)


def test_room_for_answers() -> None:
    two, three = (np.zeros(count, np.uint8) for count in (2, 3))
    plies, numbers = np.zeros(2, np.int64), np.zeros(2, np.int32)
    keys = plies.view(np.uint64)
    made = lines()
    for wrong in (
        lambda: made.keys_at(plies[:1], keys, two),
        lambda: made.keys_at(plies, keys[:1], two),
        lambda: made.keys_at(plies, keys, three),
        lambda: made.texts_at(0, plies, np.zeros(made.text_size(0) - 1, np.uint8), np.zeros(3, np.int64), two),
        lambda: made.texts_at(0, plies, np.zeros(made.text_size(0), np.uint8), np.zeros(2, np.int64), two),
        lambda: made.first_plies(keys, numbers[:1], two),
        lambda: made.first_material_plies(keys[:1], numbers, two),
        lambda: made.all_keys(np.zeros(made.positions() - 1, np.uint64), np.zeros(3, np.int64), two),
        lambda: made.all_keys(np.zeros(made.positions(), np.uint64), np.zeros(2, np.int64), two),
    ):
        with pytest.raises(ValueError, match="room"):
            wrong()
    assert (made.positions(), made.text_size(3)) == (3, 24)


def test_counters_stop_where_those_of_a_fen_do() -> None:
    fen = b"7K/8/k1P5/7p/8/8/8/8 b - - 65535 65535"
    made = lines(moves=[0, 0, 0], ends=[0, 0, 3], start_letters=list(fen), start_ends=[0, 0, len(fen)])
    letters, ends, found = np.zeros(made.text_size(0), np.uint8), np.zeros(3, np.int64), np.zeros(2, np.uint8)
    made.texts_at(0, np.array([0, 3]), letters, ends, found)
    assert letters[ends[1] : ends[2]].tobytes() == b"7K/8/k1P5/7p/8/8/8/8 w - - 65535 65535"
