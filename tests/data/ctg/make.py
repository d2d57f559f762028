"""Makes the books in this folder with tabiya's own writer: ``python tests/data/ctg/make.py``."""

from __future__ import annotations

from pathlib import Path

from tabiya.books.ctg.bulk_writing import write_book
from tabiya.books.ctg.record import PositionRecord, columns_of_records
from tabiya.chess import Position

GAMES = [
    # moves, result for White (1 won, 0 drawn, -1 lost), ratings
    ("e4 c5 Nf3", 1, 2600, 2500),
    ("e4 e5 Nf3", 1, 2600, 2500),
    ("e4 e5 Bc4", -1, 2600, 2500),
    ("d4 d5", 0, 0, 2450),
]
MARKS = {"e4": {"recommendation": 0x80, "nag": 15}}  # += for White, stored as seen by Black, who is to move
MOVE_NAGS = {"e4": 1}


def main() -> None:
    """Write small.ctg, small.ctb and small.cto."""
    numbers: dict[str, dict[str, int]] = {}
    moves: dict[str, dict[str, int]] = {}
    for text, result, white, black in GAMES:
        sans = text.split()
        for ply in range(len(sans) + 1):
            line = " ".join(sans[:ply])
            own, other = (white, black) if ply % 2 == 0 else (black, white)
            points = result if ply % 2 == 0 else -result
            counts = numbers.setdefault(line, {})
            found = {
                "games": 1,
                ("losses", "draws", "wins")[points + 1]: 1,
                "rated": int(own > 0),
                "rating_sum": own,
                "opponents_rated": int(other > 0),
                "opponents_sum": other,
            }
            for name, value in found.items():
                counts[name] = counts.get(name, 0) + value
            moves.setdefault(line, {})
            if ply < len(sans):
                moves[line][sans[ply]] = MOVE_NAGS.get(" ".join(sans[: ply + 1]), 0)
    records = []
    for line, counts in numbers.items():
        position = Position()
        for san in line.split():
            position = position.play(san)
        listed = {position.parse_san(san): nag for san, nag in moves[line].items()}
        records.append(PositionRecord.of(position, listed, **counts, **MARKS.get(line, {})))
    write_book(Path(__file__).with_name("small.ctg"), [columns_of_records(records)], overwrite=True)


if __name__ == "__main__":
    main()
