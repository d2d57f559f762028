"""Writing bodies: edited records, foreign records, what cannot be stored, and what headers say."""

from __future__ import annotations

import random
from typing import Any

import chess
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.formats.cbh.bodies.columns import STATISTICS, EncodedBodies, read_bodies, write_bodies
from tabiya.formats.cbh.bodies.write_kernel import write_blobs
from tabiya.formats.cbh.messages import REFUSALS
from tabiya.game import Annotation, Extra, Game, GameBatch, RecordKind, Side, Variant
from tabiya.game.annotations import TEXT_AFTER, TEXT_BEFORE, encode_nags, encode_text
from tabiya.game.assemble import new_builder
from tabiya.game.view import view_of
from tests.formats.cbh.bodies.test_cbg_random import C5, E4, E5, PAD, POP, PUSH, game_of, hide
from tests.formats.cbh.plain_coder import encode_annotations
from tests.formats.cbh.stored import batch_of, blob


def written(*games: Game, **options: Any) -> EncodedBodies:
    return write_bodies(GameBatch.from_games(games), **options)


def read_back(encoded: EncodedBodies) -> list[Game]:
    bodies = read_bodies(
        bytes(26) + encoded.moves.tobytes(),
        bytes(26) + encoded.annotations.tobytes(),
        26 + encoded.move_ends[:-1],
        np.where(np.diff(encoded.annotation_ends) > 0, 26 + encoded.annotation_ends[:-1], 0),
        np.ones(len(encoded.statistics), np.uint8),
    )
    return list(batch_of(bodies).games())


def what_is_lost(encoded: EncodedBodies) -> dict[str, int]:
    return {loss.what: loss.count for loss in encoded.losses}


def line(*moves: str, fen: str | None = None) -> Game:
    game = Game()
    if fen:
        game.start = fen
    node = game.root
    for move in moves:
        node = node.add(move)
    return game


# Bytes that a record carries along.


def test_kept_moves_are_used_until_the_moves_change() -> None:
    data = hide([E4, PAD, E5, POP])
    game = batch_of(blob(data))[0]
    assert bytes(written(game).moves) == data
    changed = game.copy()
    changed.root.children[0].add("c5")
    assert bytes(written(changed).moves) == hide([E4, PUSH, E5, POP, C5, POP])
    shorter = game.copy()
    shorter.root.children[0].children[0].delete()
    assert bytes(written(shorter).moves) == hide([E4, POP])


def test_kept_annotations_are_used_until_they_change() -> None:
    moves = hide([E4, E5, POP])
    odd = encode_annotations(1, [(1, 3, b"\1"), (0, 3, b"\2")])  # not in the order of their positions
    game = batch_of(blob(moves, odd))[0]
    assert bytes(written(game).annotations) == odd
    game.root.children[0].annotations.append(encode_nags([14]))
    assert bytes(written(game).annotations) == encode_annotations(1, [(0, 3, b"\2"), (0, 3, b"\0\x0e"), (1, 3, b"\1")])


def test_annotations_know_the_number_of_their_game() -> None:
    moves, comments = hide([E4, POP]), encode_annotations(1, [(0, 3, b"\1")])
    game = batch_of(blob(moves, comments))[0]
    assert bytes(written(game, first_number=70000).annotations) == encode_annotations(70000, [(0, 3, b"\1")])
    # A number that was never set stays as it is while the record keeps its place.
    unset = batch_of(blob(moves, encode_annotations(0, [(0, 3, b"\1")])))[0]
    assert bytes(written(unset).annotations) == encode_annotations(0, [(0, 3, b"\1")])
    assert bytes(written(unset, first_number=2).annotations) == encode_annotations(2, [(0, 3, b"\1")])


def test_hostile_extras_are_only_bytes() -> None:
    for value in (b"", b"\0", bytes([64, 0, 0, 4]), bytes([63, 0, 0, 4]), b"\xff" * 50):
        game = line("e4")
        game.root.children[0].annotations.append(encode_nags([1]))
        game.extras = [Extra("cbh.blob", value), Extra("cbh.annotations", value)]
        encoded = written(game)
        assert bytes(encoded.moves) == hide([E4, POP])
        assert bytes(encoded.annotations) == encode_annotations(1, [(0, 3, b"\1")])


def test_opaque_records() -> None:
    foreign, own = Game(), Game()
    foreign.kind = own.kind = RecordKind.OPAQUE
    foreign.extras = [Extra("pgn.movetext", b"1. Nf9")]
    own.extras = [Extra("cbh.blob", bytes([63, 0, 0, 5, 1]))]
    encoded = written(foreign, own)
    assert encoded.statistics["failure"].tolist() == [6, 0]
    assert bytes(encoded.moves) == bytes([63, 0, 0, 5, 1])
    assert "not decoded" in REFUSALS[6]


def test_texts_have_no_body_here() -> None:
    text = Game()
    text.kind = RecordKind.TEXT
    encoded = written(text, line("e4"))
    assert encoded.move_ends.tolist() == [0, 0, 6]
    assert encoded.statistics["failure"].tolist() == [0, 0]


# What cannot be stored.

_E4 = 12 | 28 << 6
UNSOUND = (
    [12 | 36 << 6],
    [_E4, _E4],
    [_E4 | 5 << 12],
    [_E4 | 7 << 12],
    [0x8000],
    [0x8001],
    [_E4, 0x8000],
    [_E4, 0x8001],
    [_E4, 0x8000, 0x8001],
    [_E4, 0x8000, 0x8000, _E4, 0x8001, 0x8001],
    [_E4, 0x8002],
    [_E4, 0xFFFF],
)


def test_what_start_positions_lose() -> None:
    fens = {
        "4k3/8/8/8/8/8/8/4K2R w K - 7 12": {"cbh-clock": 1},
        "4k3/8/8/8/8/8/8/4K2R w K - 0 300": {"cbh-number": 1},
        "4k3/8/8/8/8/8/8/4K2R w K - 0 0": {"cbh-number": 1},
        "4k3/8/8/8/8/8/8/4K2R w K -": {"cbh-start": 1},
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1": {},
        "4k3/8/8/8/8/8/8/4K2R b K - 0 255": {},
    }
    for fen, losses in fens.items():
        encoded = written(line(fen=fen))
        assert what_is_lost(encoded) == losses, fen
        (game,) = read_back(encoded)
        assert (game.start == fen) == (losses == {})


def test_start_positions_that_cannot_be_stored() -> None:
    crowd = line(fen="4k3/qqqqqqqq/qqqqqqqq/8/8/QQQQQQQQ/QQQQQQQQ/4K3 w - - 0 1")
    nonsense = Game()
    nonsense.tags["SetUp"] = "1"
    nonsense.tags["FEN"] = "8/8/8/8 w - - 0 1"
    encoded = written(crowd, nonsense, line("e4"))
    assert encoded.statistics["failure"].tolist() == [2, 1, 0]
    assert bytes(encoded.moves) == hide([E4, POP])


def test_moves_that_are_not_legal() -> None:
    """No tape can do harm, sound or not."""
    batch = GameBatch.from_games([Game()] * len(UNSOUND)).record_batch
    place = batch.schema.get_field_index("moves")
    batch = batch.set_column(place, batch.schema.field(place), pa.array(UNSOUND, batch.schema.field(place).type))
    encoded = write_bodies(GameBatch(batch))
    assert encoded.statistics["failure"].tolist() == [3] * len(UNSOUND)
    assert len(encoded.moves) == 0


def test_annotations_that_are_too_long() -> None:
    game = line("e4")
    game.annotations.append(encode_text("é" * 40_000))
    game.annotations.append(encode_text("x" * 65_527))
    game.annotations.append(Annotation(0x11, b"x" * 65_530))
    encoded = written(game)
    assert what_is_lost(encoded) == {"cbh-length": 2}
    (again,) = read_back(encoded)
    assert [a.data for a in again.annotations] == [("é" * 32_763).encode(), b"x" * 65_527]


def test_lists_of_nags_and_own_kinds() -> None:
    """``Keeps`` counts these; here the first NAG of each slot is written."""
    game = line("e4")
    game.root.children[0].annotations += [
        encode_nags([18, 1, 2, 7, 300]),
        Annotation(257, b"Nf9"),
        Annotation(300, b""),
    ]
    assert bytes(written(game).annotations) == encode_annotations(1, [(0, 3, b"\1\x12")])
    game.root.children[0].annotations = [encode_nags([7, 300])]
    assert bytes(written(game).annotations) == b""


def test_languages_and_spellings_that_have_no_place() -> None:
    game = line("e4")
    game.root.annotations += [
        Annotation(4, b"\2\1", lang=42),
        Annotation(7, b"\0\0\1\0", raw=b"0:1"),
        Annotation(0x11, b"1", raw=b"2"),
        Annotation(TEXT_AFTER, b"text", raw=b"\0\0other"),
    ]
    encoded = written(game)
    assert what_is_lost(encoded) == {"cbh-bytes": 3, "cbh-language": 1}
    (again,) = read_back(encoded)
    assert [a.data for a in again.annotations] == [b"\2\1", b"\0\0\1\0", b"1", b"text"]


def test_sides() -> None:
    game = line("e4", "e5")
    first = game.root.children[0]
    first.annotations += [encode_text("before", Side.BEFORE), encode_text("after"), encode_text("late", Side.LATE)]
    encoded = written(game)
    assert bytes(encoded.annotations) == encode_annotations(
        1, [(0, TEXT_BEFORE, b"\0\0before"), (0, TEXT_AFTER, b"\0\0after"), (0, TEXT_AFTER, b"\0\0late")]
    )


# Chess960.


def test_chess960_from_the_usual_position() -> None:
    game = line("e4")
    game.variant = Variant.CHESS960
    encoded = written(game)
    assert encoded.statistics["failure"].tolist() == [0]
    assert encoded.statistics["flags"][0] == 1 | 1 << 27
    (again,) = read_back(encoded)
    assert again.variant is Variant.CHESS960
    assert again.start == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert bytes(encoded.moves[38:40]) == (518).to_bytes(2, "big")


@settings(max_examples=20)
@given(number=st.integers(0, 959))
def test_chess960_numbers(number: int) -> None:
    board = chess.Board.from_chess960_pos(number)
    game = Game()
    game.variant = Variant.CHESS960
    game.start = board.fen()
    encoded = written(game)
    assert bytes(encoded.moves[38:40]) == number.to_bytes(2, "big")
    assert not encoded.losses
    assert read_back(encoded)[0].start == game.start


@settings(max_examples=40)
@given(seed=st.integers(0, 1 << 32), chess960=st.booleans())
def test_any_position_is_a_start_position(seed: int, chess960: bool) -> None:
    """Positions from the middle of games: some castling rights gone, Black to move, en passant."""
    randomness = random.Random(seed)
    board = chess.Board.from_chess960_pos(randomness.randrange(960)) if chess960 else chess.Board()
    for _ in range(randomness.randrange(40)):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(randomness.choice(moves))
    board.halfmove_clock = 0
    game = Game()
    if chess960:
        game.variant = Variant.CHESS960
    game.start = board.fen(en_passant="fen")
    encoded = written(game)
    assert not encoded.losses
    (again,) = read_back(encoded)
    assert (again.start, again.variant) == (game.start, game.variant)
    assert again.extras == []


def test_chess_with_castling_of_chess960() -> None:
    game = line(fen="1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1")
    encoded = written(game)
    assert what_is_lost(encoded)["cbh-variant"] == 1


# Whole trees.


@settings(max_examples=20)
@given(seed=st.integers(0, 1 << 32), mode=st.sampled_from([0, 10]))
def test_statistics(seed: int, mode: int) -> None:
    board, root, data = game_of(seed, mode)
    found = write_bodies(batch_of(blob(data))).statistics[0]
    position, plies, total = board.copy(stack=False), 0, 0
    stack = [root]
    while stack:
        node = stack.pop()
        total += len(node.children)
        stack += node.children
    node = root
    while node.children:
        node = node.children[0]
        assert node.move is not None
        position.push(node.move)
        plies += 1
    assert (found["plies"], found["variation_plies"]) == (plies, total - plies)
    assert bool(found["flags"] & 2) == (total > plies)
    assert bool(found["black_starts"]) == (board.turn == chess.BLACK)
    for color, name in ((chess.WHITE, "white_material"), (chess.BLACK, "black_material")):
        count = {kind: len(position.pieces(kind, color)) for kind in chess.PIECE_TYPES}
        expected = (
            min(15, count[chess.PAWN]) << 12
            | min(7, count[chess.QUEEN]) << 9
            | min(7, count[chess.KNIGHT]) << 6
            | min(7, count[chess.BISHOP]) << 3
            | min(7, count[chess.ROOK])
        )
        assert found[name] == expected


def test_annotations_count() -> None:
    game = line("e4", "e5")
    first, second = game.mainline()
    first.annotations += [
        Annotation(0x22, (0x201).to_bytes(4, "big")),
        Annotation(4, b"\2\1"),
        Annotation(5, b"\2\1\2"),
    ]
    second.annotations += [Annotation(0x22, (0x8000).to_bytes(4, "big")), Annotation(7, bytes(4)), Annotation(9, b"")]
    second.annotations += [encode_text("four"), encode_text("five5", Side.BEFORE, 42), encode_nags([1])]
    second.annotations += [Annotation(kind, b"") for kind in (0x10, 0x11, 0x13, 0x18, 0x1C, 0x20, 0x21, 0x61)]
    found = written(game).statistics[0]
    expected = {2: 1, 3: 1, 4: 1, 5: 1, 7: 1, 9: 1, 16: 1, 17: 1, 19: 1, 24: 1, 28: 1, 18: 1, 25: 1}
    assert found["flags"] == sum(1 << bit for bit in expected)
    assert found["medals"] == 0x8201
    assert found["text_bytes"] == 9
    assert [found[name] for name in ("symbols", "squares", "arrows", "times", "trainings")] == [1] * 5


def test_the_layout_is_that_of_the_kernel() -> None:
    assert STATISTICS.itemsize == 48
    none, ends = np.zeros(0, np.uint8), np.zeros(2, np.int64)
    view, builder = view_of(GameBatch.from_games([Game()])), new_builder()
    tables = (np.zeros(128, np.uint16), np.zeros(0x10000, np.uint8), True, bytes(256))
    for size, fits in ((STATISTICS.itemsize, True), (STATISTICS.itemsize - 1, False)):
        arguments: list[Any] = [none, np.zeros(1, np.int32), none, np.ones(1, np.int64), 1, *tables]
        arguments += [np.zeros(256, np.uint32), np.zeros(size, np.uint8), ends, ends.copy()]
        if fits:
            write_blobs(view, builder, *arguments)
        else:
            with pytest.raises(ValueError, match="fit"):
                write_blobs(view, builder, *arguments)


def test_slices_of_a_batch() -> None:
    games = [line("e4"), line("d4"), line("c4")]
    for game in games:
        game.root.children[0].annotations.append(Annotation(TEXT_AFTER, "é".encode(), 0, b"\0\0\xe9"))
    whole = GameBatch.from_games(games)
    parts = [write_bodies(whole.slice(start, 1), first_number=start + 1) for start in range(3)]
    together = write_bodies(whole)
    assert b"".join(bytes(part.moves) for part in parts) == bytes(together.moves)
    assert b"".join(bytes(part.annotations) for part in parts) == bytes(together.annotations)
    assert b"\xe9" in bytes(together.annotations)
