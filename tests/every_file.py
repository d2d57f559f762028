"""Writes files of every kind into a folder, in a process of its own: ``python -m tests.every_file FOLDER THREADS``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import tabiya
from tabiya.books import BOOK_FORMATS, BuildOptions
from tabiya.formats import FORMATS
from tabiya.game import Game
from tests.formats.corpus import corpus


def games() -> list[Game]:
    """Tournaments at the same places, which readers of ChessBase files return once for each tournament."""
    found = []
    for place in range(40):
        tags = {"White": f"White {place % 7}", "Black": f"Black {place % 3}", "Event": f"Event {place}"}
        found.append(Game(tags | {"Site": f"Site {place % 4}", "Date": f"20{place % 20:02}.??.??", "Result": "1-0"}))
        found[-1].root.add_line(["e4", "e5", "Nf3"])
    return found


def write_all(folder: Path, threads: int) -> None:
    """Write every format, read each into those of Parquet, and write tables and books."""
    for number, form in enumerate(form for form in FORMATS.built_in if form.create is not None):
        name, suffix = str(number), form.suffixes[0]
        path = folder / f"{name}{suffix}"
        with tabiya.create(path, format=form) as writer:
            writer.write([*games(), *corpus().games()])
        for target in ("parquet", "tabiya", "pgn"):
            tabiya.convert(path, folder / f"{name}-as.{target}", source_format=form, threads=threads)
        if form.name in ("cbh", "pgn"):
            for rows in ("games", "positions"):
                tabiya.write_table(path, folder / f"{name} {rows}.parquet", rows=rows, threads=threads)
    for book in BOOK_FORMATS:
        made = folder / f"book{book.suffixes[0]}"
        tabiya.build_book("examples/classics.pgn", made, options=BuildOptions(min_games=1), threads=threads)


if __name__ == "__main__":
    os.fsync = lambda fd: None  # only a loss of power could show a difference
    write_all(Path(sys.argv[1]), int(sys.argv[2]))
