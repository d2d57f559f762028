"""Random games in every mode, written by the plain coder and read by the library, and the other way round."""

from __future__ import annotations

import random

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.chessbase.body_columns import Bodies
from tabiya.formats.cbh.bodies.columns import write_bodies
from tabiya.formats.cbh.bodies.move_tables import DECODE, inverse
from tests.formats.cbh.plain_coder import (
    CHESS960,
    Branch,
    decode_blob,
    encode_annotations,
    encode_blob,
    stream_order,
    tape_of,
)
from tests.formats.cbh.stored import batch_of, blob
from tests.formats.cbh.trees import CROWDED, grow

MODES = sorted(mode for mode in DECODE if mode >= 0)


def game_of(seed: int, mode: int, *, moves: int = 40) -> tuple[chess.Board, Branch, bytes]:
    """A random game of the kind that a mode is for, and its blob."""
    randomness = random.Random(seed)
    number = randomness.randrange(960)
    if mode in CHESS960:
        board = chess.Board.from_chess960_pos(number)
    else:
        board = chess.Board(randomness.choice([chess.STARTING_FEN, *CROWDED]))
    root = grow(randomness, board, moves=moves, branching=randomness.choice([0.0, 0.1, 0.5]))
    setup = board.fen() != chess.STARTING_FEN
    return board, root, encode_blob(root, board, mode, setup=setup, number=number)


def check(bodies: Bodies, board: chess.Board, root: Branch, *, exact: bool) -> None:
    assert bodies.problems[0].as_py() == []
    assert bodies.kind[0].as_py() == 0
    assert bodies.moves[0].as_py() == tape_of(root, board)[0]
    assert bodies.variant[0].as_py() == int(board.chess960)
    start = bodies.start[0].as_py()
    if start is None:
        assert board.fen() == chess.STARTING_FEN
    else:
        found = chess.Board(start, chess960=board.chess960)
        assert found == board
        assert found.ep_square == board.ep_square
        assert found.fullmove_number == board.fullmove_number
    assert [extra["key"] for extra in bodies.extras[0].as_py()] == ([] if exact else ["cbh.blob"])


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=12)
@given(seed=st.integers(0, 1 << 32))
def test_all_modes_are_read(mode: int, seed: int) -> None:
    board, root, data = game_of(seed, mode)
    bodies = blob(data)
    check(bodies, board, root, exact=mode in (0, 10))
    written = write_bodies(batch_of(bodies))
    assert bytes(written.moves) == data
    assert not written.losses


@settings(max_examples=25)
@given(seed=st.integers(0, 1 << 32), mode=st.sampled_from([0, 10]))
def test_encoding_is_that_of_the_plain_coder(seed: int, mode: int) -> None:
    board, root, data = game_of(seed, mode, moves=70)
    bodies = blob(data)
    assert len(bodies.extras[0]) == 0  # so the bytes can only come from the moves
    assert bytes(write_bodies(batch_of(bodies)).moves) == data
    assert decode_blob(data) == (board, root)


@settings(max_examples=25)
@given(seed=st.integers(0, 1 << 32), mode=st.sampled_from(MODES))
def test_annotations_find_their_moves(seed: int, mode: int) -> None:
    """A text on every move that says which one it is, in the order of the stream."""
    board, root, data = game_of(seed, mode)
    _, numbers = tape_of(root, board)
    stored = [(position, 2, b"\0*%d" % numbers[id(node)]) for position, node in enumerate(stream_order(root))]
    comments = encode_annotations(1, [(-1, 2, b"\0*-1"), *stored])
    bodies = blob(data, comments)
    found = bodies.annotations[0].as_py()
    assert [annotation["move"] for annotation in found] == list(range(-1, len(numbers)))
    assert all(annotation["data"] == b"%d" % annotation["move"] for annotation in found)
    assert all(annotation["lang"] == 42 for annotation in found)
    assert bytes(write_bodies(batch_of(bodies)).annotations) == comments


def test_games_of_many_moves() -> None:
    """The count of moves that hides the bytes goes around; so do sizes of more than a byte."""
    randomness = random.Random(7)
    board = chess.Board("4k3/8/8/8/8/8/8/R3K2Q w Q - 0 1")
    root = grow(randomness, board, moves=600, branching=0.02)
    data = encode_blob(root, board, 0, setup=True)
    bodies = blob(data)
    check(bodies, board, root, exact=True)
    assert bytes(write_bodies(batch_of(bodies)).moves) == data


def hide(values: list[tuple[int, bool]]) -> bytes:
    """A blob of mode 0 from numbers of the compact coder and whether each is a move."""
    table, out, moves = inverse(DECODE[0]), bytearray(), 0
    for value, counts in values:
        out.append(table[value] + moves & 255)
        moves += counts
    return b"\0" + (4 + len(out)).to_bytes(3, "big") + bytes(out)


E4, E5, D4, C5, NULL = (128, True), (128, True), (124, True), (120, True), (0, True)
PUSH, POP, PAD, UNUSED = (254, False), (255, False), (236, False), (240, False)


@pytest.mark.parametrize(
    ("values", "tape"),
    [
        ([PAD, E4, PAD, E5, POP], "e4 e5"),
        ([E4, UNUSED, E5, POP], "e4 e5"),
        ([E4, E5, POP, POP], "e4 e5"),
        ([E4, E5, POP, E4], "e4 e5"),
        ([PUSH, POP, E4, E5, POP], "e4 e5"),
        ([E4, PUSH, POP, E5, POP], "e4 e5"),
        ([PUSH, E4, POP, POP], "e4"),
        ([E4, PUSH, PUSH, E5, POP, C5, POP, NULL, POP], "e4 e5 ( c5 ) ( -- )"),
        ([PUSH, PUSH, PUSH, E4, POP, D4, POP, POP, NULL, POP], "e4 ( d4 ) ( -- )"),
        ([PUSH, E4, E5, POP, PUSH, POP, D4, POP], "e4 ( d4 ) e5"),
        ([PUSH, E4, PUSH, E5, POP, C5, POP, D4, POP], None),
    ],
    ids=str,
)
def test_odd_streams_keep_their_bytes(values: list[tuple[int, bool]], tape: str | None) -> None:
    """Streams that ChessBase does not write still have one meaning; only what it writes needs no bytes."""
    data = hide(values)
    bodies = blob(data)
    tokens = {12 | 28 << 6: "e4", 52 | 36 << 6: "e5", 11 | 27 << 6: "d4", 50 | 34 << 6: "c5", 0: "--"}
    found = " ".join({0x8000: "(", 0x8001: ")", **tokens}[token] for token in bodies.moves[0].as_py())
    assert found == (tape or "e4 ( d4 ) e5 ( c5 )")
    assert len(bodies.extras[0]) == (0 if tape is None else 1)
    assert bodies.problems[0].as_py() == []
    assert bytes(write_bodies(batch_of(bodies)).moves) == data


def test_missing_end() -> None:
    """One game of a large database ends without its last mark."""
    bodies = blob(hide([E4, PUSH, E5, POP, C5]))
    assert [problem["code"] for problem in bodies.problems[0].as_py()] == [105]
    assert bodies.moves[0].as_py() == [12 | 28 << 6, 52 | 36 << 6, 0x8000, 50 | 34 << 6, 0x8001]


def test_deep_nesting_is_no_recursion() -> None:
    """Each alternative has an alternative: 20,000 variations inside each other on the tape, no depth in the stream."""
    depth = 20_000
    data = hide([PUSH, NULL, POP, E4, *[PUSH, NULL, POP, NULL] * (depth - 1), POP])
    bodies = blob(data)
    # Two null moves beside each other are one position, yet two moves.
    assert bodies.moves[0].as_py()[:3] == [0, 0x8000, 12 | 28 << 6]
    assert bodies.problems[0].as_py() == []
    assert len(bodies.extras[0]) == 0
    assert bytes(write_bodies(batch_of(bodies)).moves) == data


def test_many_open_positions() -> None:
    data = hide([*[PUSH, NULL] * 20_000, *[POP, NULL] * 20_000, POP])
    bodies = blob(data)
    assert bodies.problems[0].as_py() == []
    assert len(bodies.moves[0]) == 80_000
    assert bytes(write_bodies(batch_of(bodies)).moves) == data


def test_too_many_open_positions() -> None:
    bodies = blob(hide([PUSH] * 200_001))
    assert bodies.kind[0].as_py() == 2
    assert [problem["code"] for problem in bodies.problems[0].as_py()] == [109]


def test_too_many_lines_inside_each_other() -> None:
    """No position is kept for long, yet the tape would be 200,001 variations deep: the blob stays as it is."""
    data = hide([PUSH, NULL, POP, E4, *[PUSH, NULL, POP, NULL] * 200_001, POP])
    bodies = blob(data)
    assert bodies.kind[0].as_py() == 2
    assert [problem["code"] for problem in bodies.problems[0].as_py()] == [109]
    assert bytes(write_bodies(batch_of(bodies)).moves) == data
