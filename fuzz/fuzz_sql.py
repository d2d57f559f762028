"""Fuzzes the kernel behind functions in SQL.

An input is a FEN in its first line, then tokens of two bytes: the main line of a game, played twice, by the rules of
standard chess and of Chess960. No input is an error; what the functions say of a line must fit together.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import TYPE_CHECKING

import atheris
import numpy as np

from tabiya.chess import Position
from tabiya.search.sql_kernel import Lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEN, MATERIAL, MOVE, LINE = range(4)
WHOLE = 1 << 31


def texts(lines: Lines, what: int, ply: int) -> list[str | None]:
    letters, ends, found = np.zeros(lines.text_size(what), np.uint8), np.zeros(3, np.int64), np.zeros(2, np.uint8)
    lines.texts_at(what, np.array([ply, ply]), letters, ends, found)
    pieces = [letters[begin:end].tobytes().decode("ascii") for begin, end in pairwise(ends)]
    return [piece if known else None for piece, known in zip(pieces, found, strict=True)]


def fuzz(data: bytes) -> None:
    """One input."""
    fen, _, tokens = data.partition(b"\n")
    moves = np.frombuffer(tokens[: len(tokens) // 2 * 2] * 2, np.uint16)
    half, size = len(moves) // 2, len(fen)
    ends, starts = np.array([0, half, 2 * half]), np.array([0, size, 2 * size], np.int32)
    variants, known = np.array([0, 1], np.uint8), np.ones(2, np.uint8)
    lines = Lines(moves, ends, np.frombuffer(fen * 2, np.uint8), starts, variants, known)
    keys, key_ends, found = np.zeros(lines.positions(), np.uint64), np.zeros(3, np.int64), np.zeros(2, np.uint8)
    lines.all_keys(keys, key_ends, found)
    last = np.array([keys[end - 1] if there else 0 for end, there in zip(key_ends[1:], found, strict=True)], np.uint64)
    check_ends(lines, last, np.diff(key_ends) - 1, found)


def check_ends(lines: Lines, last: NDArray[np.uint64], plies: NDArray[np.int64], found: NDArray[np.uint8]) -> None:
    """The last positions are the same, whoever tells of them."""
    known, at_end, first = np.zeros(2, np.uint8), np.zeros(2, np.uint64), np.zeros(2, np.int32)
    lines.keys_at(np.array([-1, -1]), at_end, known)
    assert (known == found).all()
    assert (at_end == last).all()
    lines.first_plies(last, first, known)
    lines.first_material_plies(last, np.zeros(2, np.int32), np.zeros(2, np.uint8))
    fens, line = texts(lines, FEN, -1), texts(lines, LINE, WHOLE)
    texts(lines, MATERIAL, -1)
    texts(lines, MOVE, 0)
    for place, fen in enumerate(fens):
        if fen is not None:
            # A FEN with files in its castling rights is of Chess960, whatever the variant says.
            assert last[place] in {Position.from_fen(fen, chess960=either).key for either in (False, True)}
            assert known[place]
            assert first[place] <= plies[place]
            words = [word for word in (line[place] or "").split() if not word.endswith(".")]
            assert len(words) == plies[place]


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
