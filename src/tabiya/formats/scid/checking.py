"""Consistency checks of a base: offsets, names, and the values of the index that searches of Scid rely on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.formats.operations.conversion import GameProblem
from tabiya.formats.operations.verification import Verification
from tabiya.formats.progress import watched_batches
from tabiya.formats.scid.batch_encoding import derived_entries
from tabiya.formats.scid.name_file import KINDS
from tabiya.formats.scid.writer import BLOCK, WINDOW
from tabiya.game.record import Problem

if TYPE_CHECKING:
    from tabiya.formats.progress import Watcher
    from tabiya.formats.scid.database import ScidDatabase
    from tabiya.game import GameBatch

WRONG_VALUE: Final = 330
OVERLAP: Final = 331
CROSSES_BLOCK: Final = 332
UNSORTED: Final = 333
TWICE: Final = 334

_WORDS: Final = {
    "plies": "number of plies",
    "comments": "number of comments",
    "variations": "number of variations",
    "nags": "number of NAGs",
    "material": "material of the last position",
    "line": "stored line",
    "pawn_count": "number of home pawns",
    "pawns": "home pawns",
    "flags": "flags of set-up and promotions",
}
"""The values derived from a game."""
_MOST_PLIES: Final = 1023


def check_base(base: ScidDatabase, *, threads: int = 1, progress: Watcher = None) -> Iterator[GameProblem]:
    """Yield all problems of a base, including its games; linear in its size."""
    yield from (GameProblem(None, each) for each in _names(base))
    yield from _places(base)
    yield from Verification(base, threads=threads, progress=progress)
    start = 0
    for batch in watched_batches(base, threads, None):
        yield from _values(base, batch, start)
        start += len(batch)


def _names(base: ScidDatabase) -> Iterator[Problem]:
    if not base.names.sorted:
        yield Problem(UNSORTED, None, "")
    for kind, names in zip(KINDS, base.names.lists, strict=True):
        texts = names.bytes_of()
        if len(set(texts)) < len(texts):
            seen: set[bytes] = set()
            double = next(text for text in texts if text in seen or seen.add(text))  # type: ignore[func-returns-value]
            yield Problem(TWICE, None, f"{double.decode(errors='replace')} of the {kind}")


def _places(base: ScidDatabase) -> Iterator[GameProblem]:
    """Find games whose data overlaps or crosses a block border."""
    offsets = np.zeros(len(base), np.int64)
    lengths = np.zeros(len(base), np.int64)
    for start in range(0, len(base), WINDOW):
        entries = base.entries(start, start + WINDOW)
        offsets[start : start + len(entries)] = entries["offset"]
        lengths[start : start + len(entries)] = entries["length"]
    crossing = (lengths > 0) & (offsets // BLOCK != (offsets + lengths - 1) // BLOCK)
    for row in np.flatnonzero(crossing).tolist():
        yield GameProblem(row + 1, Problem(CROSSES_BLOCK, int(offsets[row]), ""))
    order = np.argsort(offsets, kind="stable")
    order = order[lengths[order] > 0]
    ends = np.maximum.accumulate(offsets[order] + lengths[order])
    for place in np.flatnonzero(offsets[order[1:]] < ends[:-1]).tolist():
        row = int(order[place + 1])
        yield GameProblem(row + 1, Problem(OVERLAP, int(offsets[row]), ""))


def corrected(base: ScidDatabase, batch: GameBatch, start: int) -> tuple[Any, dict[str, Any]]:
    """Return the entries of a batch with the values derived from its games, and which of them were wrong.

    Damaged games are unchanged. Scid counts plies modulo 1,024, which is not an error.
    """
    entries = base.entries(start, start + len(batch))
    right, sound = derived_entries(batch, base.generation)
    wrong = {}
    for name in _WORDS:
        stored, true = entries[name], right[name]
        if name == "flags":
            stored, true = stored & 7, true & 7
        differs = (stored != true).any(axis=1) if name == "pawns" else stored != true
        if name == "plies":
            differs &= true < _MOST_PLIES
        wrong[name] = differs & sound
        if name == "flags":
            entries[name] = np.where(wrong[name], entries[name] & ~np.uint32(7) | true, entries[name])
        else:
            entries[name][wrong[name]] = right[name][wrong[name]]
    return entries, wrong


def _values(base: ScidDatabase, batch: GameBatch, start: int) -> Iterator[GameProblem]:
    _, wrong = corrected(base, batch, start)
    rows = np.flatnonzero(np.logical_or.reduce(list(wrong.values())))
    for row in rows.tolist():
        names = ", ".join(words for name, words in _WORDS.items() if wrong[name][row])
        yield GameProblem(start + row + 1, Problem(WRONG_VALUE, None, names))
