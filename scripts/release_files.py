"""Writes a small library and Parquet file of this version, which later versions must open.

    python -m scripts.release_files

They go into ``tests/data/releases/0.1`` (the first two numbers of the version), with what was in them as JSON. Run once
per release, before its tag, and never again for that release; ``tests/test_interface.py`` opens the files of all.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import tabiya
from tabiya.formats import Database
from tabiya.search import ExactPosition

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "data" / "releases"
SOURCES = (
    "examples/classics.pgn",
    "examples/damaged.pgn",
    "tests/data/pgn/variations.pgn",
    "tests/data/web/annotated.pgn",
)
FILES = ("games.tabiya", "games.parquet")
CONTENT = "content.json"
POSITION = "1. e4 e5"


def games() -> Database:
    """Games with variations, annotations, start positions, damaged moves and another variant."""
    return tabiya.open([str(ROOT / source) for source in SOURCES])


def main() -> None:
    """Write the files of this version."""
    folder = FOLDER / ".".join(tabiya.__version__.split(".")[:2])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in FILES:
        with games() as source, tabiya.create(folder / name) as writer:
            for game in source:  # a conversion would record the paths of its sources
                writer.write(game)
    with tabiya.open(folder / FILES[0]) as library:
        found = [match.number for match in library.search(ExactPosition(POSITION))]
        content = {"games": [*map(str, library)], "position": POSITION, "found": found}
    (folder / CONTENT).write_text(f"{json.dumps(content, ensure_ascii=False, indent=1)}\n", "utf-8")


if __name__ == "__main__":
    main()
