"""Fuzzes the kernels that play games to search them: programs, start positions and tapes of any kind.

An input is a byte of switches, the length of a start position, the position, then either a program (the number of its
instructions, these, and what it needs) or nothing, then tokens. A program that makes no sense is refused; what is found
is where the game is, whatever its moves. The same tokens go through the kernels of the explorer.
"""

from __future__ import annotations

import sys
from typing import Any, Final, TypeAlias

import atheris
import numpy as np
from numpy.typing import NDArray

from tabiya.search import (
    Captured,
    Castled,
    Check,
    EvaluationBetween,
    ExactPosition,
    IsolatedPawns,
    LastPosition,
    Mate,
    Material,
    MovePlayed,
    Pattern,
    Promotion,
    Sacrifice,
    Sequence,
    Stalemate,
    Swing,
)
from tabiya.search.evaluated import Value
from tabiya.search.lines_kernel import beginnings, find_lines, rows_of_lines
from tabiya.search.program import INSTRUCTION, compiled
from tabiya.search.scan_kernel import scan_games

PROGRAMS: Final = [
    compiled(condition)
    for condition in (
        Pattern("Pe4 [QR]d1 _a1"),
        ExactPosition("1. e4 d5"),
        ExactPosition("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        Mate() | Stalemate() | Check() | Sacrifice(1),
        Material("KRPKR").for_either_side(),
        Castled("white") & IsolatedPawns("black", "a-c", 2),
        MovePlayed("exd6") | Promotion("N") | Captured("Q"),
        Sequence((Pattern("Pe4"), Mate(), LastPosition()), 3).lasting(2),
        (EvaluationBetween(0, 1) | Swing(5)).for_either_side().lasting(2),
    )
]
Numbers: TypeAlias = NDArray[Any]
VARIATIONS, EVERYTHING, CHESS960, OWN_PROGRAM = 1, 2, 4, 8
NEEDS: Final = 25 * 8
FEN: Final = b"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


def scan(tokens: Numbers, start: Numbers, switches: int, program: tuple[Numbers, Numbers, Numbers]) -> None:
    found = np.full((1, 4), -9, np.int32)
    room = len(tokens) + 1
    scan_games(
        tokens,
        np.array([0, len(tokens)], np.int64),
        start,
        np.array([0, len(start)], np.int64),
        np.array([bool(switches & CHESS960)], np.uint8),
        np.zeros(1, np.uint8),
        np.ones(1, np.uint8),
        *program,
        bool(switches & VARIATIONS),
        bool(switches & EVERYTHING),
        np.arange(len(Value) * room, dtype=np.int32).reshape(len(Value), room),
        np.array([0, room], np.int64),
        found,
    )
    first, last, count, place = found[0].tolist()
    assert -1 <= first <= last <= len(tokens)
    assert (count > 0) == (first >= 0)
    assert -1 <= place < len(tokens)


def explore(tokens: Numbers, start: Numbers, switches: int) -> None:
    room = len(tokens) + 1
    ends = np.array([0, len(tokens)], np.int64)
    games = tokens, ends, np.array([0, len(start)], np.int32), start
    rows = np.empty(room, np.int32), np.empty(room, np.int16), np.empty(room, np.int16)
    wanted = np.array([2 if switches & CHESS960 else 1], np.uint8)
    any_rights = bool(switches & EVERYTHING)
    count = find_lines(*games, wanted, FEN, False, any_rights, np.array([0, 1], np.uint64), *rows)
    assert count in (0, 1)
    plies = np.array([min(switches, len(tokens))], np.int16)
    beginnings(tokens, ends, np.zeros(1, np.int64), plies, np.empty(1, np.uint64))
    keys = np.empty(room, np.int64)
    count = rows_of_lines(*games, np.ones(1, np.uint8), 40, keys, *rows)
    assert 0 <= count <= min(41, room)
    assert (rows[1][:count] <= len(tokens)).all()


def own_program(data: bytes) -> tuple[tuple[Numbers, Numbers, Numbers], bytes]:
    """A program of any bytes, and what stands behind it."""
    count, rest = data[0] % 8 + 1, data[1:]
    size = count * INSTRUCTION.itemsize
    rows = np.frombuffer(rest[:size].ljust(size, b"\0"), np.uint8).reshape(count, INSTRUCTION.itemsize).copy()
    needs = np.frombuffer(rest[size : size + NEEDS].ljust(NEEDS, b"\0"), np.uint64).copy()
    begins = np.array([0, *([count // 2] if count > 1 else [])], np.int32)
    return (rows, begins, needs), rest[size + NEEDS :]


def fuzz(data: bytes) -> None:
    if len(data) < 4:
        return
    switches, length = data[0], data[1] % 96
    start, rest = np.frombuffer(data[2 : 2 + length], np.uint8), data[2 + length :]
    if switches & OWN_PROGRAM and rest:
        program, rest = own_program(rest)
    else:
        known = PROGRAMS[switches >> 4 & 7]
        program = known.rows, known.begins, known.needs
    tokens = np.frombuffer(rest[: len(rest) // 2 * 2], np.uint16)
    try:
        scan(tokens, start, switches, program)
    except ValueError as error:
        assert switches & OWN_PROGRAM, error
    explore(tokens, start, switches)


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
