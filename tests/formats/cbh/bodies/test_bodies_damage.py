"""Damaged bodies: a record always comes out, with its bytes and a problem, and the next one is read normally."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.chessbase.body_columns import Bodies
from tabiya.formats.cbh.bodies.columns import read_bodies, write_bodies
from tabiya.formats.cbh.bodies.move_tables import DECODE, inverse
from tabiya.game.annotations import TextEncoding
from tabiya.game.replay import failures
from tests.formats.cbh.bodies.test_cbg_random import E4, E5, NULL, POP, game_of, hide
from tests.formats.cbh.plain_coder import Branch, encode_annotations, encode_blob
from tests.formats.cbh.stored import Base, batch_of, blob

Samples = Callable[[str], Path]


def problems(bodies: Bodies) -> list[tuple[int, int | None, str]]:
    found: list[dict[str, Any]] = bodies.problems[0].as_py()
    return [(problem["code"], problem["offset"], problem["text"]) for problem in found]


def extras(bodies: Bodies) -> dict[str, bytes]:
    return {extra["key"]: extra["value"] for extra in bodies.extras[0].as_py()}


def check(bodies: Bodies) -> None:
    """Whatever the bytes were: the batch is sound, its games can be played, and it is written again the same."""
    batch = batch_of(bodies)
    batch.record_batch.validate(full=True)
    assert (failures(batch) == -1).all()
    list(batch.games())
    written = write_bodies(batch)
    for kind, failure in zip(bodies.kind.to_pylist(), written.statistics["failure"], strict=True):
        assert failure == 0 or (kind == 2 and failure == 6)
    again = read_bodies(
        bytes(26) + written.moves.tobytes(),
        bytes(26) + written.annotations.tobytes(),
        26 + written.move_ends[:-1],
        np.where(np.diff(written.annotation_ends) > 0, 26 + written.annotation_ends[:-1], 0),
        np.ones(len(batch), np.uint8),
    )
    for record, failure in enumerate(written.statistics["failure"]):
        if failure == 0:
            for name in ("kind", "variant", "start", "moves", "annotations"):
                assert getattr(again, name)[record] == getattr(bodies, name)[record], name


@pytest.mark.parametrize("mode", [8, 9, *range(12, 20), 62, 63])
def test_unknown_modes_are_kept(mode: int) -> None:
    data = bytes([mode, 0, 0, 9, 1, 2, 3, 4, 5])
    bodies = blob(data)
    assert bodies.kind[0].as_py() == 2
    assert problems(bodies) == [(102, 26, f"mode {mode}")]
    assert extras(bodies) == {"cbh.blob": data}
    assert bytes(write_bodies(batch_of(bodies)).moves) == data


def test_sizes_that_make_no_sense() -> None:
    assert problems(blob(bytes.fromhex("00000000"))) == [(106, 26, "")]
    assert problems(blob(bytes.fromhex("000003")))[0][0] == 100
    cut = hide([E4, E5, POP])
    longer = cut[:1] + b"\xff\xff\xff" + cut[4:]
    bodies = blob(longer)
    assert problems(bodies) == [(101, 26, "")]
    assert len(bodies.moves[0]) == 2
    assert extras(bodies) == {"cbh.blob": longer}
    # Written again, it must not reach into the next blob.
    assert bytes(write_bodies(batch_of(bodies)).moves) == cut
    check(bodies)


@pytest.mark.parametrize(
    "setup",
    [
        b"",
        bytes(28),
        bytes([1, 0, 0, 1]) + b"\xff" * 24,
        bytes([1, 0, 0, 1]) + bytes.fromhex("88") + bytes(23),
    ],
    ids=["none", "empty", "full", "one king"],
)
def test_start_positions_that_make_no_sense(setup: bytes) -> None:
    bodies = blob(bytes([64]) + (4 + len(setup)).to_bytes(3, "big") + setup)
    assert bodies.kind[0].as_py() == 2
    assert problems(bodies) == [(103, 30, "")]


def test_castling_without_the_right() -> None:
    """Four games of real bases castle without the right in their start position, king and rook at home."""
    board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    line = Branch(None, [Branch(chess.Move.from_uci("e1g1"), [Branch(chess.Move.from_uci("e8c8"))])])
    data = bytearray(encode_blob(line, board, 0, setup=True))
    data[4 + 2] = 0
    bodies = blob(bytes(data))
    assert bodies.start[0].as_py() == "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1"
    assert [code for code, _, _ in problems(bodies)] == [107]
    assert extras(bodies) == {"cbh.blob": bytes(data)}
    check(bodies)
    # The rook is not at home: nothing can be added.
    board = chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    line = Branch(None, [Branch(chess.Move.from_uci("e1g1"))])
    data = bytearray(encode_blob(line, board, 0, setup=True))
    data[4 : 4 + 28] = blob_setup("4k3/8/8/8/8/8/7R/4K3 w - - 0 1")
    bodies = blob(bytes(data))
    assert bodies.moves[0].as_py() == []
    assert [code for code, _, _ in problems(bodies)] == [104]


def blob_setup(fen: str) -> bytes:
    return encode_blob(Branch(), chess.Board(fen), 0, setup=True)[4:32]


def test_fourth_piece_that_moves_up() -> None:
    """Whether it does, nobody knows. What makes sense only if it does is read that way, with a problem."""
    board = chess.Board("QQQQ4/8/7k/8/8/8/r7/1K6 b - - 0 1")
    table = inverse(DECODE[0])
    # 1...Rxa8 takes queen 1, so that the fourth one, on d8, may be queen 3: it goes seven steps up, around the edge.
    numbers = [39 + 5, 171 + 6]
    body = bytes(table[value] + moves & 255 for moves, value in enumerate([*numbers, 255]))
    data = bytes([64, 0, 0, 32 + len(body)]) + blob_setup(board.fen()) + body
    bodies = blob(data)
    assert [code for code, _, _ in problems(bodies)] == [108]
    board.push_san("Rxa8")
    move = bodies.moves[0].as_py()[1]
    assert chess.Move(move & 63, move >> 6 & 63) in board.legal_moves
    assert move & 63 == chess.D8
    assert extras(bodies) == {"cbh.blob": data}
    check(bodies)


def test_needless_forms_keep_their_bytes() -> None:
    """e2-e4 as a move of two bytes, and with promotion bits that mean nothing."""
    table = inverse(DECODE[0])
    for extra in (0, 1 << 12, 1 << 14):
        word = 4 * 8 + 1 | (4 * 8 + 3) << 6 | extra
        body = bytes([table[235], table[word >> 8], table[word & 255], table[255] + 1 & 255])
        data = bytes([0, 0, 0, 4 + len(body)]) + body
        bodies = blob(data)
        assert bodies.moves[0].as_py() == [12 | 28 << 6]
        assert problems(bodies) == []
        assert extras(bodies) == {"cbh.blob": data}
        check(bodies)


def test_chess960_without_a_start_position() -> None:
    """One game of a large database is like that: it is read from the usual position, if its moves allow it."""
    data = bytearray(hide([POP]))
    data[0], data[4] = 10, inverse(DECODE[10])[255]
    bodies = blob(bytes(data))
    assert (bodies.kind[0].as_py(), bodies.variant[0].as_py(), bodies.start[0].as_py()) == (0, 1, None)
    assert bytes(write_bodies(batch_of(bodies)).moves) == bytes(data)


# Annotations.

GAME = hide([E4, E5, POP])


def test_annotations_of_missing_moves() -> None:
    comments = encode_annotations(1, [(0, 3, b"\1"), (7, 2, b"\0*late"), (9, 3, b"\2")])
    bodies = blob(GAME, comments)
    assert [(a["move"], a["kind"]) for a in bodies.annotations[0].as_py()] == [(0, 3), (1, 2), (1, 3)]
    assert problems(bodies) == [(113, 26, "annotations: 2")]
    assert extras(bodies) == {"cbh.annotations": comments}
    check(bodies)


def test_annotations_without_moves() -> None:
    comments = encode_annotations(1, [(0, 2, b"\0*x")])
    bodies = blob(hide([POP]), comments)
    assert [a["move"] for a in bodies.annotations[0].as_py()] == [-1]
    assert [code for code, _, _ in problems(bodies)] == [113]
    check(bodies)


def test_damaged_annotations_keep_what_can_be_read() -> None:
    good = encode_annotations(1, [(0, 3, b"\1"), (1, 3, b"\2")])
    damaged = good[:-3] + b"\x00\x03" + good[-1:]
    bodies = blob(GAME, damaged)
    assert [a["data"] for a in bodies.annotations[0].as_py()] == [b"\1"]
    assert problems(bodies) == [(112, 26 + 14 + 7, "")]
    assert extras(bodies) == {"cbh.annotations": damaged}
    check(bodies)
    cut = good[:10] + b"\x7f\xff\xff\xff" + good[14:]
    bodies = blob(GAME, cut)
    assert [a["data"] for a in bodies.annotations[0].as_py()] == [b"\1", b"\2"]
    assert [code for code, _, _ in problems(bodies)] == [111]
    check(bodies)
    assert [code for code, _, _ in problems(blob(GAME, good[:13]))] == [110]
    assert [code for code, _, _ in problems(blob(GAME, good[:10] + bytes(4)))] == [112]


def test_opaque_games_show_their_annotations() -> None:
    comments = encode_annotations(1, [(0, 3, b"\1"), (1, 0x82, b"\0*before")])
    bodies = blob(bytes([63, 0, 0, 4]), comments)
    assert [(a["move"], a["side"]) for a in bodies.annotations[0].as_py()] == [(-1, 0), (-1, 1)]
    assert extras(bodies) == {"cbh.blob": bytes([63, 0, 0, 4]), "cbh.annotations": comments}
    check(bodies)


def test_texts_with_odd_prefixes_keep_their_bytes() -> None:
    payloads = [b"", b"\0", b"\5*text", b"\0*text"]
    bodies = blob(GAME, encode_annotations(1, [(0, 2, payload) for payload in payloads]))
    assert [(a["lang"], a["data"], a["raw"]) for a in bodies.annotations[0].as_py()] == [
        (0, b"", b""),
        (0, b"", b"\0"),
        (42, b"text", b"\5*text"),
        (42, b"text", None),
    ]
    check(bodies)


@settings(max_examples=150)
@given(
    seed=st.integers(0, 500),
    mode=st.sampled_from(sorted(mode for mode in DECODE if mode >= 0)),
    changes=st.lists(st.tuples(st.integers(0, 1 << 16), st.integers(0, 255)), max_size=4),
    cut=st.none() | st.integers(0, 200),
)
def test_mutations(seed: int, mode: int, changes: list[tuple[int, int]], cut: int | None) -> None:
    _, root, moves = game_of(seed, mode, moves=20)
    count = sum(1 for _ in _all(root))
    randomness = random.Random(seed)
    stored = sorted((randomness.randrange(-1, max(1, count)), 2, b"\0*text") for _ in range(5))
    data = bytearray(moves + encode_annotations(1, stored))
    for place, value in changes:
        data[place % len(data)] = value
    file = bytes(26) + (bytes(data) if cut is None else bytes(data[:cut]))
    places = np.array([26, 26, 26 + len(moves)], np.int64)
    bodies = read_bodies(file, file, places, places[::-1].copy(), np.ones(3, np.uint8))
    batch = batch_of(bodies)
    batch.record_batch.validate(full=True)
    assert (failures(batch) == -1).all()
    write_bodies(batch)


def _all(root: Branch) -> Any:
    for child in root.children:
        yield child
        yield from _all(child)


@settings(max_examples=100)
@given(data=st.binary(max_size=120), annotations=st.binary(max_size=120))
def test_any_bytes(data: bytes, annotations: bytes) -> None:
    check(blob(data, b"\0" + annotations))


def test_a_real_base_with_flipped_bytes(samples: Samples) -> None:
    base = Base(samples("cbh/hedgehog/Hedgehog.cbh"), TextEncoding("cp1251"))
    files = [base.file(suffix) for suffix in (".cbg", ".cba")]
    randomness = random.Random(3)
    for _ in range(6):
        damaged = []
        for file in files:
            assert file is not None
            copy = bytearray(file)
            for _ in range(200):
                copy[randomness.randrange(len(copy))] = randomness.randrange(256)
            damaged.append(bytes(copy[: randomness.randrange(len(copy))]))
        offsets = base.move_offsets
        bodies = read_bodies(
            damaged[0], damaged[1], offsets, base.annotation_offsets, base.is_game, encoding=base.encoding
        )
        batch = batch_of(bodies)
        batch.record_batch.validate(full=True)
        assert (failures(batch) == -1).all()
        write_bodies(batch, encoding=base.encoding)


def test_offsets_anywhere() -> None:
    file = bytes(26) + GAME + encode_annotations(1, [(0, 3, b"\1")])
    places = np.array([-(1 << 62), -1, 0, 25, 27, len(file) - 4, len(file), 1 << 31, 1 << 62], np.int64)
    bodies = read_bodies(file, file, places, places, np.ones(len(places), np.uint8))
    assert len(bodies.kind) == len(places)
    batch_of(bodies).record_batch.validate(full=True)
    with pytest.raises(ValueError, match="offsets"):
        read_bodies(file, file, places, places[:2], np.ones(len(places), np.uint8))


def test_null_moves_in_check_are_moves() -> None:
    """ChessBase lets anyone pass at any time."""
    bodies = blob(hide([NULL, NULL, E4, POP]))
    assert bodies.moves[0].as_py() == [0, 0, 12 | 28 << 6]
    assert problems(bodies) == []
