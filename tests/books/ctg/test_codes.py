"""The tables: 235 moves and their bytes, against the tables of the published description, written out by hand."""

from __future__ import annotations

import pytest

from tabiya.books.ctg.codes import CODES, HASH_TABLE, OPCODES, Special
from tabiya.chess import PieceType
from tests.books.ctg import oracle

FORWARD_THEN_RIGHT = [(0, step) for step in range(1, 8)] + [(step, 0) for step in range(1, 8)]
RISING_THEN_FALLING = [(step, step) for step in range(1, 8)] + [(step, -step) for step in range(1, 8)]
JUMPS = [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)]
STEPS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
PAWN_STEPS = [(0, 1), (0, 2), (1, 1), (-1, 1)]

ROWS = [
    (PieceType.QUEEN, 0, FORWARD_THEN_RIGHT, "05 9d 94 37 b7 9a fd 2f 74 31 e5 39 29 8f"),
    (PieceType.QUEEN, 1, FORWARD_THEN_RIGHT, "4d bd a0 b0 c6 1a c9 f8 03 fa 08 bc f9 f0"),
    (PieceType.QUEEN, 2, FORWARD_THEN_RIGHT, "59 65 71 ea 76 57 ce 64 d4 9e 17 77 90 07"),
    (PieceType.ROOK, 0, FORWARD_THEN_RIGHT, "81 e8 7a 99 87 50 e1 7f cd 98 ef 6e 52 86"),
    (PieceType.ROOK, 1, FORWARD_THEN_RIGHT, "7d f4 e3 c5 a5 7b 69 c4 a9 0e ad b5 d8 21"),
    (PieceType.ROOK, 2, FORWARD_THEN_RIGHT, "a8 10 5e 95 9c c0 d6 f2 40 5d 33 83 bf 0b"),
    (PieceType.QUEEN, 0, RISING_THEN_FALLING, "f1 a2 45 e7 28 61 ed 42 80 4b 47 7e d9 d7"),
    (PieceType.QUEEN, 1, RISING_THEN_FALLING, "92 fb ae 38 41 23 6f 63 ab 3b 53 fe 8e ee"),
    (PieceType.QUEEN, 2, RISING_THEN_FALLING, "25 ba dc 35 46 4e ac 1e 6c 2c 02 70 75 d5"),
    (PieceType.BISHOP, 0, RISING_THEN_FALLING, "2e c1 0d 6a 15 3a 12 26 b2 3c a7 66 c3 1b"),
    (PieceType.BISHOP, 1, RISING_THEN_FALLING, "f5 c2 b9 9f 32 09 1d 72 79 cc 88 ca 22 54"),
    (PieceType.BISHOP, 2, RISING_THEN_FALLING, "73 6d fc 68 3e 16 4f 51 e4 b8 48 e2 93 a1"),
    (PieceType.KNIGHT, 0, JUMPS, "36 34 85 f7 0f da 8a e9"),
    (PieceType.KNIGHT, 1, JUMPS, "d2 4c f3 d3 01 30 2a e0"),
    (PieceType.KNIGHT, 2, JUMPS, "3f 60 2b 19 3d b4 89 43"),
    (PieceType.KING, 0, STEPS, "13 67 be 44 0a 8c 97 df"),
    (PieceType.PAWN, 0, PAWN_STEPS, "ec db 8b 0c"),
    (PieceType.PAWN, 1, PAWN_STEPS, "04 62 96 d1"),
    (PieceType.PAWN, 2, PAWN_STEPS, "55 9b 7c 27"),
    (PieceType.PAWN, 3, PAWN_STEPS, "cf e6 eb 06"),
    (PieceType.PAWN, 4, PAWN_STEPS, "bb 5f 00 de"),
    (PieceType.PAWN, 5, PAWN_STEPS, "cb b1 2d 82"),
    (PieceType.PAWN, 6, PAWN_STEPS, "18 c8 5c c7"),
    (PieceType.PAWN, 7, PAWN_STEPS, "a3 4a 14 24"),
]
UNASSIGNED = "1f 11 91 5b dd 84 56 a6 8d aa 1c 78 58 d0 ff 20 b3 b6 a4 5a 49"


def meanings() -> dict[int, tuple[int, ...]]:
    return {CODES[number]: tuple(opcode) for number, opcode in enumerate(OPCODES)}


def test_every_move_has_a_byte_of_its_own() -> None:
    assert len(OPCODES) == 235
    assert sorted(CODES) == list(range(256))
    assert set(CODES[235:]) == set(bytes.fromhex(UNASSIGNED))


@pytest.mark.parametrize(("piece", "number", "steps", "codes"), ROWS)
def test_the_table_is_the_published_one(piece: int, number: int, steps: list[tuple[int, int]], codes: str) -> None:
    expected = [(piece, number, right % 8, forward % 8, Special.STEP) for right, forward in steps]
    assert [meanings()[code] for code in bytes.fromhex(codes)] == expected


def test_specials() -> None:
    assert meanings()[0xAF] == (0, 0, 0, 0, Special.NULL)
    assert meanings()[0x6B] == (PieceType.KING, 0, 0, 0, Special.KING_SIDE)
    assert meanings()[0xF6] == (PieceType.KING, 0, 0, 0, Special.QUEEN_SIDE)


def test_rows_and_specials_are_everything() -> None:
    listed = b"".join(bytes.fromhex(codes) for *_, codes in ROWS) + b"\xaf\x6b\xf6" + bytes.fromhex(UNASSIGNED)
    assert sorted(listed) == list(range(256))


def test_hash_table_is_that_of_dbm() -> None:
    assert HASH_TABLE[0] == 0o6100151277
    assert tuple(value.to_bytes(4) for value in HASH_TABLE) == oracle.HASH
