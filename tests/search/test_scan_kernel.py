"""The kernel of scans: programs and buffers of any kind must not hurt, and what is asked is what is there."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.game import Game, GameBatch
from tabiya.search import (
    Captured,
    Check,
    EvaluationBetween,
    ExactPosition,
    GivesCheck,
    LastPosition,
    Mate,
    Material,
    Pattern,
    Sacrifice,
    Sequence,
    Stalemate,
    scan_kernel,
)
from tabiya.search.conditions import Operation
from tabiya.search.program import INSTRUCTION, compiled
from tabiya.search.scan import FIRST, Scanner
from tabiya.search.scan_kernel import scan_games

INSTRUCTIONS = (Path(scan_kernel.__file__).with_name("instructions.pxd")).read_text("utf-8")


def test_the_kernel_knows_the_same_operations() -> None:
    values = {name: int(number) for name, number in re.findall(r"^    OP_(\w+) = (\d+)", INSTRUCTIONS, re.MULTILINE)}
    assert values == {operation.name: operation.value for operation in Operation}
    assert f"OPERATIONS = {len(Operation)}" in INSTRUCTIONS


def test_the_kernel_knows_the_same_instruction() -> None:
    (fields,) = re.findall(r"struct Instruction:\n(.*?)\n\n", INSTRUCTIONS, re.DOTALL)
    result = re.findall(r"^    (\w+)_t (\w+)", fields, re.MULTILINE)
    assert result == [(str(INSTRUCTION[name]), name) for name in INSTRUCTION.names or ()]


def call(tokens: list[int], **changes: Any) -> list[int]:
    """Scan one game; any argument may be another."""
    program = compiled(changes.pop("condition", Pattern("Pe4")))
    arguments = {
        "moves": np.array(tokens, np.uint16),
        "offsets": np.array([0, len(tokens)], np.int64),
        "start_bytes": np.empty(0, np.uint8),
        "start_offsets": np.empty(0, np.int64),
        "variants": np.zeros(1, np.uint8),
        "results": np.zeros(1, np.uint8),
        "wanted": np.ones(1, np.uint8),
        "program": program.rows,
        "begins": program.begins,
        "needs": program.needs,
        "variations": False,
        "everything": False,
        "values": np.empty((0, 0), np.int32),
        "value_offsets": np.empty(0, np.int64),
        "found": np.full((1, 4), -9, np.int32),
        **changes,
    }
    scan_games(*arguments.values())
    found: list[int] = arguments["found"][0].tolist()
    return found


E4 = 12 | 28 << 6


def test_a_plain_game() -> None:
    assert call([E4]) == [1, 1, 1, 0]
    assert call([]) == [-1, -1, 0, -1]
    assert call([E4], wanted=np.zeros(1, np.uint8)) == [-1, -1, 0, -1]


WRONG: list[dict[str, Any]] = [
    {"offsets": np.empty(0, np.int64)},
    {"offsets": np.zeros(3, np.int64)},
    {"variants": np.zeros(0, np.uint8)},
    {"results": np.zeros(2, np.uint8)},
    {"wanted": np.zeros(0, np.uint8)},
    {"start_offsets": np.zeros(1, np.int64)},
    {"found": np.zeros((1, 3), np.int32)},
    {"found": np.zeros((2, 4), np.int32)},
    {"needs": np.zeros(10, np.uint64)},
    {"program": np.zeros((0, INSTRUCTION.itemsize), np.uint8)},
    {"program": np.zeros((1, INSTRUCTION.itemsize - 1), np.uint8)},
    {"values": np.zeros((5, 1), np.int32), "value_offsets": np.zeros(2, np.int64)},
    {"values": np.zeros((6, 1), np.int32), "value_offsets": np.zeros(1, np.int64)},
    {"begins": np.zeros(0, np.int32)},
    {"begins": np.zeros(33, np.int32)},
    {"begins": np.array([7], np.int32)},
    {"begins": np.array([-1], np.int32)},
]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: "-".join(wrong))
def test_buffers_that_do_not_fit(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"do not fit each other|makes no sense"):
        call([E4], **wrong)


@pytest.mark.parametrize(
    ("field", "value"),
    [("holds", 0), ("holds", 5), ("fails", -3), ("operation", 24), ("kind", 16), ("color", 2), ("fails", 0)],
)
def test_programs_that_make_no_sense(field: str, value: int) -> None:
    program = compiled(Pattern("Pe4")).instructions.copy()
    program[field] = value
    with pytest.raises(ValueError, match="makes no sense"):
        call([E4], program=program.view(np.uint8).reshape(len(program), -1))


@pytest.mark.parametrize(
    "operation", [Operation.EARLIER, Operation.LASTING, Operation.SO_FAR, Operation.PAWNS, Operation.VALUE]
)
def test_blocks_and_kinds_that_are_not_there(operation: Operation) -> None:
    program = compiled(Pattern("Pe4")).instructions.copy()
    program["operation"], program["kind"] = operation, 7
    with pytest.raises(ValueError, match="makes no sense"):
        call([E4], program=program.view(np.uint8).reshape(len(program), -1))


@pytest.mark.parametrize("offsets", [[-1, 1], [0, 2], [1, 0], [0, 1 << 62], [-(1 << 63), (1 << 63) - 1]])
def test_tapes_beyond_the_buffer(offsets: list[int]) -> None:
    assert call([E4], offsets=np.array(offsets, np.int64)) == [-1, -1, 0, -1]


@pytest.mark.parametrize("offsets", [[-1, 1], [0, 3], [2, 1], [0, 1 << 62], [0, 0]])
def test_values_beyond_the_buffer(offsets: list[int]) -> None:
    values = np.zeros((6, 2), np.int32)
    asked = {"condition": EvaluationBetween(-1, 1), "values": values, "everything": True}
    assert call([E4], **asked, value_offsets=np.array(offsets, np.int64)) == [-1, -1, 0, -1]
    assert call([E4], **asked, value_offsets=np.array([0, 2], np.int64)) == [0, 1, 2, -1]
    assert call([E4], **asked, value_offsets=np.array([1, 2], np.int64)) == [0, 0, 1, -1]


@pytest.mark.parametrize("offsets", [[-1, 1], [0, 9], [2, 1], [0, 3]])
def test_starts_beyond_the_buffer_or_without_sense(offsets: list[int]) -> None:
    starts = np.frombuffer(b"abc", np.uint8)
    assert call([E4], start_bytes=starts, start_offsets=np.array(offsets, np.int64))[FIRST] == -1


HOSTILE = [
    Pattern("Pe4 [QR]d1 _a1"),
    Mate() | Stalemate() | Sacrifice(1),
    ExactPosition("1. e4 d5"),
    Sequence((Pattern("Pe4"), Mate(), Stalemate()), 3).lasting(2),
]


@given(
    st.lists(st.one_of(st.integers(0, 0xFFFF), st.sampled_from([E4, 0, 0x8000, 0x8001])), max_size=60),
    st.sampled_from(HOSTILE),
    st.booleans(),
)
def test_any_tokens(tokens: list[int], condition: Any, variations: bool) -> None:
    first, last, count, place = call(tokens, condition=condition, variations=variations, everything=True)
    assert -1 <= first <= last <= len(tokens)
    assert (count > 0) == (first >= 0)
    assert -1 <= place < len(tokens)


def lawless(choices: list[int]) -> list[int]:
    """Moves of existing pieces to squares without an own piece, kings included, as no reader makes them."""
    owners = [0] * 16 + [-1] * 32 + [1] * 16
    tokens = []
    for ply, choice in enumerate(choices):
        own = [square for square in range(64) if owners[square] == ply % 2]
        free = [square for square in range(64) if owners[square] != ply % 2]
        if not own:
            break
        source, target = own[choice % len(own)], free[choice // 16 % len(free)]
        tokens.append(source | target << 6)
        owners[source], owners[target] = -1, ply % 2
    return tokens


@given(
    st.lists(st.integers(0, 1 << 16), max_size=80).map(lawless),
    st.sampled_from([Pattern("pd4"), Pattern("_e1"), Captured("Q"), Material("KQ*R*B*N*P{1,7}KQ*R*B*N*P*")]),
)
def test_moves_that_are_not_legal(tokens: list[int], condition: Any) -> None:
    """Both ways of scanning find the same pieces; about check and mate they may differ, but do no harm."""
    ways = [call(tokens, condition=condition, variations=each, everything=True) for each in (False, True)]
    assert ways[0] == ways[1]
    for other in (Mate(), Stalemate(), GivesCheck(), Check(), Sacrifice(1)):
        for variations in (False, True):
            first, last, _, _ = call(tokens, condition=other, variations=variations, everything=True)
            assert -1 <= first <= last <= len(tokens)


def test_nesting_without_end() -> None:
    tokens = [E4] + [0x8000, E4] * 30_000
    assert call(tokens, variations=True)[FIRST] == 1


def test_a_game_ends_where_no_own_man_moves() -> None:
    """And the position before counts as its last."""
    assert call([E4, E4, E4], condition=LastPosition()) == [1, 1, 1, 0]


def test_games_of_chess960_are_left_out_of_exact_positions() -> None:
    game = Game.from_pgn(
        '[Variant "Chess960"]\n[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n\n1. e4 *'
    )
    batch = GameBatch.from_games([game]).record_batch
    assert not Scanner(ExactPosition("1. e4"))(batch)[0].as_py()
    assert Scanner(ExactPosition("1. e4", chess960=True))(batch)[0].as_py()
    assert Scanner(Pattern("Pe4"))(batch)[0].as_py()


OPEN_ROOKS = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"


def special_game(generator: random.Random) -> chess.pgn.Game:
    """Castling, taking en passant and promotions wherever they are legal, and variations."""
    game = chess.pgn.Game()
    game.setup(generator.choice([OPEN_ROOKS, chess.STARTING_FEN]))
    board, node = game.board(), game.end()
    for _ in range(100):
        moves = list(board.legal_moves)
        special = [move for move in moves if board.is_castling(move) or board.is_en_passant(move) or move.promotion]
        if not moves:
            break
        move = generator.choice(special or moves)
        if generator.random() < 0.1:
            node.add_variation(generator.choice(moves)).add_variation(chess.Move.null())
        node = node.add_main_variation(move)
        board.push(move)
    return game


@pytest.mark.parametrize("seed", range(8))
def test_the_board_is_whole_wherever_it_is_looked_at(seed: int) -> None:
    """The position is complete after every move, although most moves are skipped: pieces, turn, rights, en passant."""
    game = special_game(random.Random(seed))
    batch = GameBatch.from_games([Game.from_pgn(str(game))]).record_batch
    nodes = list(game.mainline())
    positions = [node.board().epd(en_passant="legal") for node in (game, *nodes)]
    bare = [position.split()[0] for position in positions]
    for kind in (positions, bare):
        for ply, position in enumerate(kind):
            first, last, count, _ = Scanner(ExactPosition(position), everything=True).scan(batch)[0].tolist()
            assert first == kind.index(position) <= ply <= last == len(kind) - 1 - kind[::-1].index(position)
            assert count == kind.count(position)


def test_moves_of_variations_are_counted_but_not_played() -> None:
    d5, d4, nothing = 51 | 35 << 6, 11 | 27 << 6, [0x8000, 0x8001]
    tokens = [E4, 0x8000, d4, 0x8000, E4, 0x8001, d5, 0x8001, *nothing, d5]
    assert call(tokens) == [1, 1, 1, 0]
    assert call(tokens, condition=Pattern("pd5")) == [2, 2, 1, 4]
    assert call([E4, 0x8000, d4, 0x8002, d5], condition=Pattern("pd5"))[FIRST] == -1
    assert call([E4, 0x8000, d4, 0x8000, 0x8001, d5], condition=Pattern("pd5"))[FIRST] == -1
    assert call([E4, 0x8001, d5], condition=Pattern("pd5"))[FIRST] == -1
