"""Makes the small books in this folder: ``python tests/data/books/make.py``."""

from __future__ import annotations

import struct
from pathlib import Path

from tabiya.books import Entry, create_book
from tabiya.chess import Position

FOLDER = Path(__file__).parent
LINES = {
    "": {"e4": (3, 20, 9, 7, 4), "d4": (1, 10, 4, 4, 2)},
    "e4": {"e5": (2, 12, 3, 4, 5), "c5": (2, 8, 1, 3, 4)},
    "e4 e5": {"Nf3": (1, 12, 5, 4, 3)},
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6": {"O-O": (1, 2, 1, 1, 0)},
    "d4": {"d5": (0, 10, 2, 4, 4)},
}
"""By line and move: weight, games, won, drawn and lost by the side to move."""
HEADER = b"@PG@\n1.0\n2\n1\nnormal\nA small book of tabiya's own.\0"


def position_of(line: str) -> Position:
    position = Position()
    for move in line.split():
        position = position.play(move)
    return position


def make(name: str) -> None:
    with create_book(FOLDER / name, overwrite=True) as book:
        for line, moves in LINES.items():
            position = position_of(line)
            entries = [
                Entry(move=position.parse_san(move), weight=weight, games=games, wins=wins, draws=draws, losses=losses)
                for move, (weight, games, wins, draws, losses) in moves.items()
            ]
            book.add(position, entries)


def main() -> None:
    make("small.bin")
    make("small.abk")
    padded = HEADER + bytes(-len(HEADER) % 8)
    header = b"".join(struct.pack(">Q8s", 0, padded[at : at + 8]) for at in range(0, len(padded), 8))
    (FOLDER / "headed.bin").write_bytes(header + (FOLDER / "small.bin").read_bytes())


if __name__ == "__main__":
    main()
