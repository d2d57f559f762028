"""Single blobs of moves with known lines, and the tables behind them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tabiya.chessbase.body_columns import Bodies
from tabiya.formats.cbh.bodies.blobs import move_sizes
from tabiya.formats.cbh.bodies.columns import read_bodies, write_bodies
from tabiya.formats.cbh.bodies.move_tables import DECODE, inverse
from tabiya.game import Variant
from tests.formats.cbh.plain_coder import decode_blob, encode_blob, tape_of
from tests.formats.cbh.stored import batch_of, blob
from tests.formats.cbh.trees import from_pgn

Samples = Callable[[str], Path]

KEY_INDEX = {0: 1, 1: 3, 2: 5, 3: 7, 4: 11, 5: 13, 6: 15, 7: 17, 10: 23, 11: 25}
CASTLING_960 = {"brokenchess960": [10, 43], "brokenchess960_2": [13, 18]}
"""Numbers of the half moves, from 0, that castle."""


def test_tables_are_those_of_the_program(samples: Samples) -> None:
    keys = samples("cbh/keys/key_5.bin").read_bytes()
    assert hashlib.sha256(keys).hexdigest() == "7879bc35e6b69614a94e801d7d3b2311ef8a0307fb1bdbccac9bc411eeadcf72"
    assert set(DECODE) == set(KEY_INDEX)
    for mode, index in KEY_INDEX.items():
        assert DECODE[mode] == keys[256 * index : 256 * (index + 1)]
        assert inverse(DECODE[mode]) == keys[256 * (index - 1) : 256 * index]


def test_tables_are_permutations() -> None:
    for table in DECODE.values():
        assert sorted(table) == list(range(256))
        assert bytes(table[value] for value in inverse(table)) == bytes(range(256))


def vector(samples: Samples, name: str) -> tuple[bytes, Bodies]:
    data = samples(f"cbh/vectors/{name}.moves.bin").read_bytes()
    return data, blob(data)


def tape(bodies: Bodies) -> list[int]:
    found: list[int] = bodies.moves[0].as_py()
    return found


def expected(movetext: str, fen: str | None = None) -> list[int]:
    board, root = from_pgn(movetext, fen)
    return tape_of(root, board)[0]


@pytest.mark.parametrize(
    ("name", "fen", "movetext"),
    [
        ("moves/simplegame", None, "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7#"),
        (
            "moves/specialmoves",
            None,
            "1. e4 e6 2. e5 d5 3. exd6 Nf6 4. d4 Be7 5. Nc3 O-O 6. Bg5 -- 7. Qd2 a6 8. O-O-O b5 9. dxe7 Kh8 10. exd8=N",
        ),
        ("moves/setup", "5r2/1p3p2/pPbk4/P1N4P/2K5/8/4R3/8 w - - 0 63", "63. Rf2 f5 64. Rd2+ Ke7"),
        ("moves/blackstartswithep", "r3k3/8/8/8/4pP2/8/4K3/8 b q f3 0 53", "53... exf3+ 54. Kf1"),
        (
            "annotations/commentsinvariations",
            None,
            "1. e4 e5 2. Nf3 Nc6 3. Bb5 (3. Bc4 d6 4. O-O Nf6 5. Ng5) 3... a6 4. Ba4 Nf6 5. O-O Be7 (5... Nxe4) 6. Re1 "
            "O-O 7. d3",
        ),
    ],
)
def test_lines(name: str, fen: str | None, movetext: str, samples: Samples) -> None:
    data, bodies = vector(samples, name)
    assert tape(bodies) == expected(movetext, fen)
    assert bodies.start[0].as_py() == fen
    assert bodies.problems[0].as_py() == bodies.extras[0].as_py() == []
    board, root = from_pgn(movetext, fen)
    assert encode_blob(root, board, 0, setup=fen is not None) == data
    assert decode_blob(data) == (board, root)


def test_variations(samples: Samples) -> None:
    _, bodies = vector(samples, "moves/variations")
    game = batch_of(bodies)[0]
    assert sum(1 for _ in game.walk()) == 46
    text = " ".join(str(game).split())
    line = [node.san for node in game.mainline()]
    assert " ".join(line[:10]) == "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6"
    for alternative in (
        "1... e6",
        "1... Nf6",
        "3. Nd2",
        "3. e5",
        "5... Qb6",
        "4... Be7",
        "5... a6",
        "7. f4",
        "5... Nc6",
    ):
        assert alternative.split()[-1] in text, alternative


@pytest.mark.parametrize(
    ("name", "plies", "first", "last"),
    [
        ("manyidenticalpieces", 23, None, "Qxd4#"),
        ("moreidenticalpieces", 20, "Rb1", "Qfg7"),
        ("specialencoding", 102, "Nf3", "e2"),
        ("brokenchess960", 99, None, "Rc3"),
        ("brokenchess960_2", 77, None, "Qc3"),
    ],
)
def test_long_lines(name: str, plies: int, first: str | None, last: str, samples: Samples) -> None:
    data, bodies = vector(samples, f"moves/{name}")
    game = batch_of(bodies)[0]
    line = [node.san for node in game.mainline()]
    assert len(line) == plies
    assert first in (None, line[0])
    assert line[-1] == last
    assert game.problems == []
    canonical = data[0] & 63 == 0
    assert [extra.key for extra in game.extras] == ([] if canonical else ["cbh.blob"])
    written = write_bodies(batch_of(bodies))
    assert bytes(written.moves) == data
    if name in CASTLING_960:
        assert game.variant is Variant.CHESS960
        assert [number for number, san in enumerate(line) if san.startswith("O-O")] == CASTLING_960[name]


def test_promotions(samples: Samples) -> None:
    data, bodies = vector(samples, "moves/pawnpromotions")
    game = batch_of(bodies)[0]
    assert [node.san.rstrip("+#") for node in game.mainline()] == [
        *("e8=N", "d1=N", "f8=B", "c1=B", "g8=R", "b1=R", "h8=Q", "a1=Q"),
    ]
    assert bytes(write_bodies(batch_of(bodies)).moves) == data


def test_chess960_start(samples: Samples) -> None:
    """The six squares say where kings and rooks stand; the stored number is wrong in both blobs."""
    for name, rank, castling in (("brokenchess960", "BNRKRBNQ", "KQkq"), ("brokenchess960_2", "BNQRNBKR", "KQkq")):
        _, bodies = vector(samples, f"moves/{name}")
        placement = f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank}"
        assert bodies.start[0].as_py() == f"{placement} w {castling} - 0 1"


def test_empty_games() -> None:
    compact, simple = bytes.fromhex("0000000500")[:4] + bytes([inverse(DECODE[0])[255]]), bytes.fromhex("01000004")
    for data, extras in ((compact, 0), (simple, 1)):
        bodies = blob(data)
        assert tape(bodies) == []
        assert bodies.kind[0].as_py() == 0
        assert bodies.problems[0].as_py() == []
        assert len(bodies.extras[0]) == extras
        assert bytes(write_bodies(batch_of(bodies)).moves) == data


def hidden(values: list[int], moves_at: list[int]) -> bytes:
    """A blob of mode 0 from numbers of the compact coder; ``moves_at`` counts the moves before each of them."""
    body = bytes(inverse(DECODE[0])[value] + moves & 255 for value, moves in zip(values, moves_at, strict=True))
    return bytes([0]) + (4 + len(body)).to_bytes(3, "big") + body


def test_numbers_before_hiding() -> None:
    """Captures renumber the pieces, castling moves two of them, bishops go around the edge."""
    values = [128, 128, 105, 101, 84, 111, 81, 125, 9, 77, 139, 67, 66, 255]
    line = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O Bg4 6. h3 Bh5 7. Re1"
    bodies = blob(hidden(values, list(range(len(values)))))
    assert tape(bodies) == expected(line)
    # 77 is the second form of four steps along a diagonal, which ChessBase never writes: it has 70 for 5...Bg4.
    assert [extra["key"] for extra in bodies.extras[0].as_py()] == ["cbh.blob"]
    values[9] = 70
    bodies = blob(hidden(values, list(range(len(values)))))
    assert tape(bodies) == expected(line)
    assert bodies.extras[0].as_py() == []


def test_alternatives_follow_the_main_line() -> None:
    bodies = blob(hidden([128, 254, 128, 255, 120, 255], [0, 1, 1, 2, 2, 3]))
    assert tape(bodies) == expected("1. e4 e5 (1... c5)")


def test_setup_bits(samples: Samples) -> None:
    """The reference of the description: a position of the sixtieth move."""
    setup = bytes.fromhex("01 00 00 3C 00 01 20 00 F0 0B 78 5A CD 08 8F 01 97 80").ljust(28, b"\0")
    body = setup + bytes([inverse(DECODE[0])[255]])
    data = bytes([64]) + (4 + len(body)).to_bytes(3, "big") + body
    assert blob(data).start[0].as_py() == "1Q6/8/4p2p/3pPqp1/7k/5P2/5P2/6K1 w - - 0 60"
    assert bytes(write_bodies(batch_of(blob(data))).moves) == data


def test_sizes_of_blobs() -> None:
    file = b"\0" * 26 + hidden([128, 255], [0, 1]) + hidden([255], [0])
    sizes = move_sizes(file, np.array([26, 32, -1, 35, len(file), 1 << 40], np.int64))
    assert sizes.tolist() == [6, 5, 0, 0, 0, 0]
    damaged = file[:33] + b"\xff" + file[34:]
    assert move_sizes(damaged, np.array([32], np.int64)).tolist() == [5]


def test_texts_and_missing_files() -> None:
    places = np.array([26, 26, 26], np.int64)
    bodies = read_bodies(None, None, places, places, np.array([0, 1, 0], np.uint8))
    assert bodies.kind.to_pylist() == [1, 2, 1]
    assert [[problem["code"] for problem in found] for found in bodies.problems.to_pylist()] == [[], [100, 110], []]
    assert [len(found) for found in bodies.extras] == [0, 0, 0]
