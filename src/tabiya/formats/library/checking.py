"""Consistency checks of a library: files, facts, moves and positions against the games. Nothing is repaired."""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tabiya.errors import TabiyaError
from tabiya.formats.library.indexing import BuiltIndex, IndexFiles
from tabiya.formats.library.messages import BAD_FACTS, BAD_FILE, BAD_INDEX, BAD_LINES
from tabiya.formats.library.statistics import statistics_of
from tabiya.formats.operations.conversion import GameProblem
from tabiya.formats.operations.verification import Verification
from tabiya.game.record import Problem
from tabiya.positions.game_facts import facts_of, main_lines_of
from tabiya.positions.index import PositionIndex
from tabiya.positions.index.layout import POSITIONS, VARIATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tabiya.formats.library.contents import Library
    from tabiya.formats.library.database import LibraryDatabase
    from tabiya.formats.library.segment import LibrarySegment
    from tabiya.formats.progress import Watcher
    from tabiya.game import GameBatch
    from tabiya.positions.game_facts import MainLines


def check_contents(database: LibraryDatabase, *, threads: int = 1, progress: Watcher = None) -> Iterator[GameProblem]:
    """Yield all problems of an open library, including its games."""
    faulty = False
    for problem in _hashes(database.library):
        faulty = True
        yield problem
    try:
        counted: Counter[str] = Counter()
        for segment in database.library.segments:
            yield from _segment(database.library, segment, threads, counted)
        known = database.library.manifest.statistics
        if known is not None and counted != Counter(known):
            yield _fault("the statistics of the manifest are not those of the games")
        yield from Verification(database, threads=threads, progress=progress)
    except TabiyaError as error:
        if not faulty:  # otherwise the reason is known
            yield _fault(str(error))


def _fault(text: str, code: int = BAD_FILE) -> GameProblem:
    return GameProblem(None, Problem(code, None, text))


def _hashes(library: Library) -> Iterator[GameProblem]:
    for segment in library.segments:
        for kind, stored in segment.entry.files.items():
            digest, data = hashlib.sha256(), segment.data(kind)
            for chunk in data.chunks():
                digest.update(chunk)
            data.close()
            if digest.hexdigest() != stored.sha256:
                yield _fault(f"the bytes of {segment.path(kind).name} have changed")


def _segment(library: Library, segment: LibrarySegment, threads: int, counted: Counter[str]) -> Iterator[GameProblem]:
    """Compare the derived files of a segment with its games; add to the statistics."""
    with tempfile.TemporaryDirectory(prefix="tabiya-") as folder:
        variations = segment.has_variations
        index = BuiltIndex(Path(folder), None, variations=variations, chess960=segment.has_chess960, threads=threads)
        numbers = segment.numbers_of(np.arange(segment.entry.rows))
        try:
            for group in range(segment.games.groups):
                batch = segment.games.batch(group)
                begin = int(segment.games.starts[group])
                yield from _rows(library, segment, batch, begin)
                counted += statistics_of(_visible(segment, batch, begin))
                if segment.has_positions:
                    index.add(batch)
            if segment.has_positions:
                names = ("positions", "fences", "variations")[: 3 if variations else 2]
                files = IndexFiles(*[Path(folder) / name for name in names], *[None] * (3 - len(names)))
                index.finish(files, numbers)
                with PositionIndex(*files) as rebuilt:
                    yield from _index(segment, rebuilt)
        finally:
            index.close()


def _visible(segment: LibrarySegment, batch: GameBatch, begin: int) -> pa.RecordBatch:
    """Return the records of a batch that no later segment replaces."""
    if segment.hidden is None:
        return batch.record_batch
    return batch.record_batch.filter(pa.array(~segment.hidden[begin : begin + len(batch)]))


def _rows(library: Library, segment: LibrarySegment, batch: GameBatch, begin: int) -> Iterator[GameProblem]:
    lines = main_lines_of(batch)
    rows = np.arange(begin, begin + len(batch))
    numbers = segment.numbers_of(rows) + 1
    wrong = facts_of(batch, library.names, lines) != segment.facts[rows]
    yield from (GameProblem(number, Problem(BAD_FACTS, None, "")) for number in numbers[wrong].tolist())
    for row in _other_lines(lines, segment.lines, begin):
        yield GameProblem(int(numbers[row]), Problem(BAD_LINES, None, ""))


def _other_lines(lines: MainLines, stored: MainLines, begin: int) -> Iterator[int]:
    """Yield the rows whose stored moves or start differ."""
    count = len(lines.ends) - 1
    first = int(stored.ends[begin])
    ends = stored.ends[begin : begin + count + 1] - first
    starts = stored.starts.slice(begin, count)
    moves = stored.moves[first : first + len(lines.moves)]
    if np.array_equal(ends, lines.ends) and np.array_equal(moves, lines.moves) and starts.equals(lines.starts):
        return
    for row in range(count):
        mine = lines.moves[lines.ends[row] : lines.ends[row + 1]]
        theirs = stored.moves[stored.ends[begin + row] : stored.ends[begin + row + 1]]
        if not np.array_equal(mine, theirs) or lines.starts[row].as_py() != starts[row].as_py():
            yield row


def _index(segment: LibrarySegment, rebuilt: PositionIndex) -> Iterator[GameProblem]:
    found = segment.index
    for table, kind in ((POSITIONS, "positions"), (VARIATIONS, "variations"))[: 2 if segment.has_variations else 1]:
        pairs = zip_longest(found.stretches(table), rebuilt.stretches(table))
        name, row = segment.path(kind).name, 0
        for one, other in pairs:
            if not _same(one, other):
                yield _fault(f"{name} differs in one of the rows after row {row:,}", BAD_INDEX)
                break
            row += len(one)


def _same(one: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    return one is not None and other is not None and np.array_equal(one, other)
