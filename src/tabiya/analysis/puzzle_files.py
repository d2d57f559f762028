"""Puzzles as files: CSV in the columns of Lichess, or a database of any format."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from tabiya.files.targets import open_target
from tabiya.formats import create
from tabiya.openings import opening_at

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from tabiya.analysis.puzzle_making import Puzzle

LICHESS_COLUMNS: Final = (
    *("PuzzleId", "FEN", "Moves", "Rating", "RatingDeviation", "Popularity", "NbPlays"),
    *("Themes", "GameUrl", "OpeningTags"),
)
"""The columns of Lichess's database of puzzles."""
_UNRATED: Final = ("1500", "500", "0", "0")
"""Rating, deviation, popularity and number of plays of a puzzle that was never played."""


def write_puzzles(
    puzzles: Iterable[Puzzle],
    target: str | PathLike[str] | BinaryIO,
    *,
    format: str | None = None,
    overwrite: bool = False,
) -> int:
    """Write puzzles to a file, and return how many there were.

    Args:
        puzzles: the puzzles.
        target: a path or a binary stream. A name that ends with ``.csv`` is written in the columns of Lichess, in which
            the moves begin with the mistake of the opponent; any other as a database.
        format: ``csv``, or the name of a format of databases; by default the suffix decides.
        overwrite: replace an existing file.
    """
    path = Path(target) if isinstance(target, str) or hasattr(target, "__fspath__") else None
    if format == "csv" or (format is None and path is not None and path.suffix.lower() == ".csv"):
        return _write_csv(puzzles, target if path is None else path, overwrite=overwrite)
    written = 0
    told: dict[str, Any] = {} if format is None else {"format": format}
    with create(target, overwrite=overwrite, **told) as writer:
        for puzzle in puzzles:
            writer.write(puzzle.to_game())
            written += 1
    return written


def _write_csv(puzzles: Iterable[Puzzle], target: Any, *, overwrite: bool) -> int:
    place = open_target(target, overwrite=overwrite)
    written = 0
    try:
        place.stream.write(_line(LICHESS_COLUMNS))
        for puzzle in puzzles:
            place.stream.write(_line(row_of(puzzle)))
            written += 1
        place.commit()
    finally:
        place.discard()
    return written


def row_of(puzzle: Puzzle) -> tuple[str, ...]:
    """Return the row of a puzzle in the columns of Lichess."""
    site = puzzle.game.tags.get("Site") or ""
    address = f"{site}#{puzzle.ply}" if site.startswith(("http://", "https://")) else ""
    return (
        *(puzzle.id, puzzle.before.fen(), " ".join(puzzle.uci)),
        *_UNRATED,
        *(" ".join(puzzle.themes), address, _opening_tags(puzzle)),
    )


def _opening_tags(puzzle: Puzzle) -> str:
    """Return the names of the opening family and of the opening, as Lichess writes them."""
    found = None
    for node in (puzzle.game.root, *puzzle.game.mainline()):
        if node.ply > puzzle.ply:
            break
        found = opening_at(node.position.key) or found
    if found is None or puzzle.game.start is not None:
        return ""
    names = [found.name.partition(":")[0], found.name.replace(":", "").partition(",")[0]]
    return " ".join(dict.fromkeys(name.replace("'", "").replace(" ", "_") for name in names))


def _line(cells: Iterable[str]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue().encode("utf-8", "replace")
