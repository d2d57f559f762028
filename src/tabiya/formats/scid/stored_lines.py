"""The opening lines that an index refers to by number: part of the format, so they never change."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TABLE: Final = """
0 b2b3; 0 c2c4; 1 c7c5; 2 g1f3; 1 e7e5; 2 b1c3; 3 g8f6; 1 e7e6; 2 g1f3; 1 g7g6; 1 g8f6; 2 b1c3; 3 e7e6; 3 g7g6;
0 d2d4; 1 d7d5; 2 c2c4; 3 c7c6; 4 b1c3; 5 g8f6; 6 g1f3; 4 g1f3; 5 g8f6; 6 b1c3; 7 e7e6; 3 d5c4; 4 g1f3; 5 g8f6;
3 e7e6; 4 b1c3; 5 c7c6; 5 g8f6; 4 g1f3; 2 g1f3; 3 g8f6; 4 c2c4; 5 c7c6; 5 e7e6; 1 d7d6; 2 g1f3; 1 e7e6; 2 c2c4;
3 g8f6; 1 f7f5; 2 g2g3 g8f6 f1g2; 1 g7g6; 2 c2c4 f8g7; 1 g8f6; 2 c1g5; 3 f6e4; 2 c2c4; 3 c7c5; 4 d4d5; 5 b7b5; 6
c4b5 a7a6; 3 e7e6 g2g3; 5 d7d5; 4 b1c3; 5 f8b4; 6 e2e3; 7 e8g8; 6 d1c2; 7 e8g8; 8 a2a3 b4c3 c2c3; 5 d7d5; 4
g1f3; 5 b7b6; 6 a2a3; 6 g2g3; 7 c8a6; 5 f8b4; 5 d7d5; 6 b1c3; 3 g7g6; 4 b1c3 f8g7; 6 e2e4; 7 d7d6; 8 f1e2 e8g8;
10 g1f3; 8 f2f3; 9 e8g8; 10 c1e3; 8 g1f3 e8g8; 10 f1e2; 11 e7e5; 12 e1g1; 13 b8c6 d4d5 c6e7; 5 d7d5; 6 g1f3; 6
c4d5 f6d5; 8 e2e4 d5c3 b2c3 f8g7; 2 g1f3; 3 c7c5; 3 d7d5; 3 e7e6; 4 c1g5; 4 c2c4; 3 g7g6; 4 c1g5; 4 c2c4; 5
f8g7; 6 b1c3; 7 e8g8; 4 g2g3; 5 f8g7 f1g2; 0 e2e4; 1 c7c5; 2 c2c3; 3 d7d5 e4d5 d8d5 d2d4; 7 g8f6; 3 g8f6 e4e5
f6d5; 6 d2d4 c5d4; 2 d2d4 c5d4; 2 b1c3; 3 b8c6; 4 g2g3; 5 g7g6; 6 f1g2 f8g7; 8 d2d3; 2 g1f3; 3 d7d6; 4 f1b5; 4
d2d4; 5 c5d4; 6 f3d4; 7 g8f6; 8 b1c3; 9 a7a6; 10 f1c4; 10 f1e2; 10 c1e3; 10 c1g5; 11 e7e6; 9 g7g6; 10 c1e3 f8g7
f2f3; 13 e8g8; 9 b8c6; 10 c1g5; 11 e7e6 d1d2; 3 e7e6; 4 d2d3; 4 d2d4 c5d4 f3d4; 7 a7a6; 8 f1d3; 7 b8c6; 8 b1c3;
9 d8c7; 7 g8f6; 8 b1c3; 9 d7d6; 3 b8c6; 4 f1b5; 5 g7g6; 4 d2d4 c5d4 f3d4; 7 e7e5; 7 g7g6; 7 g8f6 b1c3; 9 d7d6;
10 c1g5; 9 e7e5; 10 d4b5 d7d6; 12 c1g5 a7a6; 14 b5a3 b7b5; 1 c7c6; 2 d2d4 d7d5; 4 e4e5; 5 c8f5; 4 e4d5 c6d5; 6
c2c4 g8f6 b1c3; 4 b1c3; 5 d5e4 c3e4; 4 b1d2 d5e4 d2e4; 1 d7d5 e4d5 g8f6; 3 d8d5; 4 b1c3; 5 d5a5; 1 d7d6; 2 d2d4;
3 g8f6; 4 b1c3; 5 g7g6; 6 f2f4 f8g7 g1f3; 6 g1f3 f8g7; 1 e7e5; 2 f2f4; 2 b1c3; 2 g1f3; 3 b8c6; 4 f1b5; 5 a7a6; 6
b5a4; 7 g8f6; 8 e1g1; 9 b7b5 a4b3; 9 f8e7; 10 f1e1 b7b5 a4b3 d7d6; 14 c2c3 e8g8; 16 h2h3; 17 c6a5 b3c2 c7c5
d2d4; 13 e8g8; 5 g8f6; 4 f1c4; 5 g8f6; 4 d2d4 e5d4; 6 f3d4; 4 b1c3; 5 g8f6; 3 g8f6; 4 f3e5 d7d6; 1 e7e6; 2 d2d3;
2 d2d4; 3 d7d5; 4 e4e5 c7c5; 6 c2c3; 4 b1c3; 5 f8b4; 6 e4e5; 7 c7c5; 8 a2a3 b4c3 b2c3; 5 g8f6; 6 c1g5; 4 b1d2; 5
c7c5; 5 g8f6; 6 e4e5 f6d7; 8 f1d3 c7c5 c2c3 b8c6 g1e2; 1 g7g6; 2 d2d4; 3 f8g7; 4 b1c3; 5 d7d6; 1 g8f6; 2 e4e5
f6d5; 4 d2d4 d7d6; 6 g1f3; 0 f2f4; 0 g2g3; 0 g1f3; 1 c7c5; 2 c2c4; 1 d7d5; 2 c2c4; 2 d2d4; 2 g2g3; 1 g7g6; 1
g8f6; 2 c2c4; 3 c7c5; 3 e7e6; 3 g7g6; 4 b1c3; 2 g2g3; 3 g7g6
"""
"""For each line: the number of moves shared with the one before, and the remaining moves."""

_CASTLING: Final = {"e1g1": "e1h1", "e1c1": "e1a1", "e8g8": "e8h8", "e8c8": "e8a8"}
"""On the tape the king captures its own rook."""


def _lines() -> list[list[str]]:
    lines: list[list[str]] = []
    for entry in _TABLE.split(";"):
        shared, *moves = entry.split()
        lines.append([*(lines[-1][: int(shared)] if lines else []), *moves])
    return lines


STORED_LINES: Final = tuple(" ".join(line) for line in _lines())
"""Number 1 is the first."""


@cache
def line_tree() -> NDArray[np.int32]:
    """Return the lines as a tree: per node a token, the first node that may follow, the next alternative, a number.

    Nodes that do not exist are -1, and every node comes after those that lead to it. Node 0 is the start.
    """
    nodes = [[-1, -1, -1, 0]]
    for number, line in enumerate(_lines(), 1):
        node = 0
        for move in line:
            node = _child(nodes, node, _token(move))
        nodes[node][3] = number
    return np.array(nodes, np.int32)


def _child(nodes: list[list[int]], parent: int, token: int) -> int:
    """Return the node of a move, which is created if it is new."""
    last, place = parent, 1
    while nodes[last][place] >= 0:
        last, place = nodes[last][place], 2
        if nodes[last][0] == token:
            return last
    nodes.append([token, -1, -1, 0])
    nodes[last][place] = len(nodes) - 1
    return len(nodes) - 1


def _token(move: str) -> int:
    squares = _CASTLING.get(move, move)
    source, target = (ord(squares[at]) - ord("a") + 8 * (int(squares[at + 1]) - 1) for at in (0, 2))
    return source | target << 6
