"""Random books, and small games, that tests of all formats share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

from tabiya.books import Entry, create_book
from tabiya.chess import Move, Position

Lines = dict[Position, tuple[Entry, ...]]

GAMES = """\
[White "A"]
[Black "B"]
[Result "1-0"]
[WhiteElo "2400"]
[BlackElo "2300"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1-0

[White "C"]
[Black "D"]
[Result "0-1"]
[WhiteElo "2500"]

1. e4 c5 (1... e5 2. Nf3) 2. Nf3 d6 0-1

[White "E"]
[Black "F"]
[Result "1/2-1/2"]

1. Nf3 Nc6 2. e4 e5 3. Bb5 Nf6 4. O-O 1/2-1/2

[White "G"]
[Black "H"]
[Result "*"]

1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *

[White "I"]
[Black "J"]
[Result "1-0"]
[SetUp "1"]
[FEN "4k3/P7/8/8/8/8/7p/4K3 w - - 0 1"]

1. a8=N h1=Q+ 2. Kd2 1-0

[White "K"]
[Black "L"]
[Result "1-0"]

1. e4 e5 2. -- Nf6 1-0
"""
"""Transposition, variation, repetition, set-up with promotions, null move, castling, games without result."""


def random_lines(seed: int, size: int, *, weights: int = 60_000, starts: Iterable[Position] = (Position(),)) -> Lines:
    """A book of about so many positions, all reachable from the starts, with some transpositions."""
    rng = Random(seed)
    known: dict[int, Position] = {start.key: start for start in starts}
    waiting = list(known.values())
    book: Lines = {}
    while waiting and len(book) < size:
        position = waiting.pop(rng.randrange(len(waiting)))
        legal = position.legal_moves()
        moves = rng.sample(legal, min(len(legal), rng.randint(1, 4)))
        if not moves:
            continue
        book[position] = tuple(random_entry(rng, move, weights) for move in moves)
        for move in moves:
            after = position.play(move)
            if after.key not in known:
                known[after.key] = after
                waiting.append(after)
    return book


def random_entry(rng: Random, move: Move, weights: int) -> Entry:
    wins, draws, losses = rng.randrange(50), rng.randrange(50), rng.randrange(50)
    return Entry(
        move=move,
        weight=rng.randrange(weights),
        games=wins + draws + losses,
        wins=wins,
        draws=draws,
        losses=losses,
        priority=rng.randrange(10),
        learning=rng.choice([0, rng.randrange(1 << 32)]),
    )


def write_lines(path: Path, book: Lines) -> Path:
    with create_book(path) as writer:
        for position, entries in book.items():
            writer.add(position, entries)
    return path
