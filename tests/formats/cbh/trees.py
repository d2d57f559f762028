"""Trees of moves for the tests: from PGN, from tapes, and at random."""

from __future__ import annotations

import io
import random

import chess
import chess.pgn

from tests.formats.cbh.plain_coder import Branch

CROWDED = (
    "7k/QQQQQ3/8/8/8/8/8/K7 w - - 0 1",
    "k1nnnnn1/8/8/8/7K/8/1QQQQQ2/8 w - - 0 1",
    "1nnnnn2/7k/p7/1p6/8/8/P1PP4/QQQQQ2K w - - 0 1",
    "rrrrr2k/pbbbbbp1/7p/8/8/7P/PBBBBBP1/RRRRR2K b - - 0 9",
    "8/PPPPPPPP/7k/8/8/K7/pppppppp/8 w - - 0 1",
    "4k3/8/8/8/8/8/PPPPPPPP/R3K2R w KQ - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b KQkq - 0 255",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
)
"""Start positions with many pieces of a type, promotions near, castling, en passant."""


def from_pgn(movetext: str, fen: str | None = None) -> tuple[chess.Board, Branch]:
    """The start position and the moves of a text."""
    head = f'[SetUp "1"]\n[FEN "{fen}"]\n\n' if fen else ""
    game = chess.pgn.read_game(io.StringIO(head + movetext))
    assert game is not None
    assert not game.errors

    def copied(node: chess.pgn.GameNode) -> Branch:
        return Branch(node.move, [copied(child) for child in node.variations])

    return game.board(), copied(game)


def grow(
    randomness: random.Random, board: chess.Board, *, moves: int, branching: float = 0.2, nulls: bool = True
) -> Branch:
    """A random tree of so many legal moves, captures and promotions preferred."""
    root = Branch()
    open_ends = [(root, board.copy(stack=False))]
    for _ in range(moves):
        if not open_ends:
            break
        place = randomness.randrange(len(open_ends)) if randomness.random() < branching else -1
        node, position = open_ends[place]
        used = {child.move for child in node.children}
        legal = [move for move in position.legal_moves if move not in used]
        forced = [
            move
            for move in legal
            if position.is_capture(move) or move.promotion or position.is_castling(move) or position.is_en_passant(move)
        ]
        if nulls and chess.Move.null() not in used and not position.is_check() and randomness.random() < 0.03:
            legal = forced = [chess.Move.null()]
        if not legal:
            open_ends.pop(place)
            continue
        move = randomness.choice(forced if forced and randomness.random() < 0.5 else legal)
        child = Branch(move)
        node.children.append(child)
        after = position.copy(stack=False)
        after.push(move)
        open_ends.append((child, after))
    return root
