"""A position index built by Spark: for more games than one machine can handle.

Sources are cut into pieces, which the workers of Spark read and play with the kernels of tabiya; Spark sorts the rows
by ranges of keys, and its workers write each range as a separate index. Joined, they are identical to the files that
``IndexBuilder`` writes on a single machine.

Workers need tabiya, and must see sources and targets under the same paths as the driver.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from tabiya.errors import TabiyaError, UnsupportedError
from tabiya.files.file_errors import errors_of
from tabiya.formats.open_and_create import open as open_database
from tabiya.game.view import view_of
from tabiya.positions.index import IndexWriter, PositionIndex, merge_indexes
from tabiya.positions.index.emit_kernel import emit
from tabiya.positions.index.layout import POSITIONS
from tabiya.positions.index.writing import sorted_ranges

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray
    from pyspark.sql import DataFrame, SparkSession

    from tabiya.game import GameBatch

    Batches = Iterable[pa.RecordBatch]

_ROW: Final = "key long, game int, ply short, move short"
_PART: Final = "part int, rows long"
_SIGN: Final = np.uint64(1 << 63)
_COUNTERS: Final = 8
_BATCH: Final = 4096
_MOST_RECORDS: Final = (1 << 31) - 1


class _Piece(NamedTuple):
    """The input of a task."""

    path: str
    start: int
    stop: int
    first: int
    """Number of records before it, in all sources."""
    whole: bool
    """Whether these are all records of the source."""


def position_rows(spark: SparkSession, sources: Iterable[str | os.PathLike[str]], *, piece: int = 100_000) -> DataFrame:
    """Return the positions of all games as a DataFrame of ``key``, ``game``, ``ply`` and ``move``, in any order.

    A game has one row for every distinct position of its main line. ``game`` counts the records of all sources from 0.

    Args:
        spark: the session.
        sources: databases of any format.
        piece: number of records per task. Formats with fast access to any record (ChessBase, Parquet) can be cut into
            many pieces; PGN is read from the beginning for each piece, so use several files or large pieces.

    Raises:
        UnsupportedError: There are more records than an index can contain.
    """
    pieces = list(_pieces(sources, piece))
    tasks = spark.range(0, len(pieces), 1, max(1, len(pieces)))  # a number per task
    return tasks.mapInArrow(partial(_played, pieces), _ROW)


def write_parts(
    rows: DataFrame, folder: str | os.PathLike[str], *, partitions: int | None = None
) -> list[tuple[Path, Path]]:
    """Write the rows of ``position_rows`` as indexes by ranges of keys; return their files, in the order of keys.

    Each is a pair of files that ``PositionIndex`` opens: positions and fences.
    """
    folder = Path(folder)
    with errors_of(folder):
        folder.mkdir(parents=True, exist_ok=True)
    cached = rows.persist()  # Spark uses them twice: to find the ranges, and to sort
    try:
        ranges = (
            cached.repartitionByRange("key") if partitions is None else cached.repartitionByRange(partitions, "key")
        )
        ordered = ranges.sortWithinPartitions("key", "game")
        with _spark_errors():
            parts = ordered.mapInArrow(partial(_written, str(folder.resolve())), _PART).collect()
    finally:
        cached.unpersist()
    return [_files_of(folder, part.part) for part in sorted(parts) if part.rows]


def build_index(
    spark: SparkSession,
    sources: Iterable[str | os.PathLike[str]],
    positions: str | os.PathLike[str],
    fences: str | os.PathLike[str],
    *,
    piece: int = 100_000,
    partitions: int | None = None,
    threads: int = 1,
) -> int:
    """Build the index of all sources with Spark, with the same files as on a single machine; return the number of rows.

    Parts are written beside ``positions`` under temporary names; the driver joins them with ``threads``. Existing files
    of these names are replaced on success.
    """
    target = Path(positions)
    with errors_of(target):
        folder = Path(tempfile.mkdtemp(dir=target.parent, prefix=".tabiya-spark-"))
    try:
        parts = write_parts(position_rows(spark, sources, piece=piece), folder, partitions=partitions)
        with ExitStack() as opened:
            indexes = [opened.enter_context(PositionIndex(*files)) for files in parts]
            return merge_indexes(indexes, target, Path(fences), threads=threads)[0]
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _pieces(sources: Iterable[str | os.PathLike[str]], size: int) -> Iterator[_Piece]:
    """Yield the input of each task."""
    first = 0
    for source in sources:
        path = str(Path(source).resolve())
        with open_database(path) as database:
            records = len(database)
        if first + records > _MOST_RECORDS:
            raise UnsupportedError(f"an index holds at most {_MOST_RECORDS:,} records", path=path)
        for start in range(0, records, size):
            stop = min(start + size, records)
            yield _Piece(path, start, stop, first + start, stop - start == records)
        first += records


@contextmanager
def _spark_errors() -> Iterator[None]:
    """Shorten the errors of Spark to a sentence."""
    from py4j.protocol import Py4JError  # noqa: PLC0415 - callers have Spark
    from pyspark.errors import PySparkException  # noqa: PLC0415

    try:
        yield
    except (PySparkException, Py4JError) as error:
        lines = [line.strip() for line in str(error).splitlines()]
        message = next((line for line in reversed(lines) if line.startswith("tabiya.errors.")), lines[0])
        raise TabiyaError(f"Spark could not finish: {message.partition(': ')[2] or message}") from error


# --- what workers do --------------------------------------------------------------------------------------------------


def _played(pieces: list[_Piece], tasks: Batches) -> Iterator[pa.RecordBatch]:
    """Play the games of pieces, given by their numbers; yield the rows of their positions."""
    for place in (place for batch in tasks for place in batch["id"].to_pylist()):
        piece = pieces[place]
        with open_database(piece.path) as database:
            first = piece.first
            for games in database.batches() if piece.whole else _read(database, piece.start, piece.stop):
                yield _columns(_rows_of(games, first))
                first += len(games)


def _read(database: Any, start: int, stop: int) -> Iterator[GameBatch]:
    for begin in range(start, stop, _BATCH):
        yield database.read(begin, min(begin + _BATCH, stop))


def _rows_of(games: GameBatch, first: int) -> NDArray[np.uint64]:
    """Return the rows of games as two words each, in order and without repeats."""
    moves = games.record_batch["moves"].flatten()
    rows = np.empty((len(moves) + len(games), 2), np.uint64)
    count, _ = emit(view_of(games), first, rows, np.empty((0, 2), np.uint64), np.zeros(_COUNTERS, np.int64))
    return sorted_ranges(rows[:count])


def _columns(words: NDArray[np.uint64]) -> pa.RecordBatch:
    loads = words[:, 1]
    columns = {
        "key": (words[:, 0] ^ _SIGN).view(np.int64),
        "game": (loads >> np.uint64(32)).astype(np.int32),
        "ply": (loads >> np.uint64(16)).astype(np.uint16).view(np.int16),
        "move": loads.astype(np.uint16).view(np.int16),
    }
    return pa.RecordBatch.from_pydict({name: pa.array(column) for name, column in columns.items()})


def _words(rows: pa.RecordBatch) -> NDArray[np.uint64]:
    """Return the inverse of ``_columns``."""
    key, game, ply, move = (rows[name].to_numpy() for name in ("key", "game", "ply", "move"))
    words = np.empty((len(key), 2), np.uint64)
    words[:, 0] = key.view(np.uint64) ^ _SIGN
    words[:, 1] = game.astype(np.uint64) << np.uint64(32)
    words[:, 1] |= ply.view(np.uint16).astype(np.uint64) << np.uint64(16) | move.view(np.uint16)
    return words


def _written(folder: str, rows: Batches) -> Iterator[pa.RecordBatch]:
    """Write a range of sorted rows as an index; a repeated task writes the same files again."""
    from pyspark import TaskContext  # noqa: PLC0415 - only on workers

    context = TaskContext.get()
    part = context.partitionId() if context else 0
    with IndexWriter(*_files_of(Path(folder), part)) as writer:
        writer.write(POSITIONS, map(_words, rows))
        count = writer.commit()[POSITIONS.holds]
    yield pa.RecordBatch.from_pydict({"part": pa.array([part], pa.int32()), "rows": pa.array([count], pa.int64())})


def _files_of(folder: Path, part: int) -> tuple[Path, Path]:
    return folder / f"positions-{part:05}.parquet", folder / f"fences-{part:05}.arrow"
