"""Makes the table of opening names anew, from the tables of lichess-org/chess-openings (CC0).

    python -m scripts.opening_names FOLDER

FOLDER holds ``a.tsv`` to ``e.tsv`` with the columns ``eco``, ``name`` and ``pgn``. No position has two names
there, by test.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from tabiya import Position
from tabiya.openings import names

TARGET = Path(names.__file__).with_name(names.TABLE)
HEADING = "# ECO code, name, Polyglot's keys of its positions; from github.com/lichess-org/chess-openings (CC0)"


def key_after(pgn: str) -> int:
    """Return the key of the position after some moves."""
    position = Position()
    for san in re.sub(r"\d+\.", "", pgn).split():
        position = position.play(san)
    return position.key


def named_lines(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Return code, name and moves of every line of the tables."""
    for path in sorted(folder.glob("[a-e].tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                yield row["eco"], row["name"], row["pgn"]


def table_of(folder: Path) -> str:
    """Return the table as text."""
    openings = {key_after(pgn): (eco, name) for eco, name, pgn in named_lines(folder)}
    keys: dict[tuple[str, str], list[str]] = {}
    for key, opening in openings.items():
        keys.setdefault(opening, []).append(f"{key:016x}")
    rows = [f"{eco}\t{name}\t{' '.join(several)}" for (eco, name), several in sorted(keys.items())]
    return "\n".join([HEADING, *rows, ""])


if __name__ == "__main__":
    TARGET.write_text(table_of(Path(sys.argv[1])), "utf-8", newline="\n")
