"""Writes the files of a position index from sorted rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.files.file_errors import errors_of
from tabiya.files.flushing import flush_file
from tabiya.files.parallel import Background, check_threads, ordered_map
from tabiya.files.transaction import AtomicFile
from tabiya.positions.index.frame_kernel import encode_groups
from tabiya.positions.index.layout import FENCES, GROUP_ROWS, MOST_COLUMNS, POSITIONS, VARIATIONS, Table, mark_of
from tabiya.positions.index.parquet_frame import MAGIC, Groups, footer
from tabiya.positions.index.sort_kernel import sort_ranges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path
    from typing import Self

    from numpy.typing import NDArray

    Words = NDArray[np.uint64]
    """Rows of two words, as returned by ``sort_ranges``."""
    Watch = Callable[[Path, bytes | memoryview], object]
    """Receives everything that is written to a file, piece by piece, with the final path of the file."""

_SIGN: Final = np.uint64(1 << 63)
_PIECE_ROWS: Final = 4 * GROUP_ROWS
"""Maximum number of rows that a thread encodes at a time."""
_FLUSH_BYTES: Final = 1 << 28
"""Written data is flushed after this many bytes."""
_PAGE_BYTES: Final = 9 * GROUP_ROWS
"""More than a page can take, including its head: a key has eight bytes, and 128 rows share some more."""


class IndexWriter:
    """Writes the files of an index. They get their names when all of them are complete (``commit``), or never.

    Args:
        positions: path for the positions of main lines.
        fences: path for the first key of every group of rows, and its place.
        variations: path for the positions of variations, if such a file is to be written.
        threads: number of threads that encode.
        watch: receives the contents of the files except the fences, for example to compute a hash.
    """

    def __init__(
        self,
        positions: Path,
        fences: Path,
        variations: Path | None = None,
        *,
        threads: int = 1,
        watch: Watch | None = None,
    ) -> None:
        self._threads = check_threads(threads)
        self._flushing = Background(threads)
        self._files: list[_TableFile] = []
        self._targets: list[AtomicFile] = []
        try:
            for path, table in ((positions, POSITIONS), (variations, VARIATIONS)):
                if path is not None:
                    self._files.append(_TableFile(self._target(path), table, watch))
            self._fences = self._target(fences)
        except BaseException:
            self.discard()
            raise

    def _target(self, path: Path) -> AtomicFile:
        target = AtomicFile(path, overwrite=True)
        self._targets.append(target)
        return target

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.discard()

    def write(self, table: Table, rows: Iterable[Words]) -> None:
        """Write all rows of a table, in pieces of any size; keys are in ascending order."""
        (file,) = (file for file in self._files if file.table is table)
        flushed = 0
        for data, groups in ordered_map(_encoder_of(table), _pieces(rows), self._threads):
            file.put(data, groups)
            if file.size - flushed >= _FLUSH_BYTES:
                flushed = file.size
                self._flushing.add(file.flush)

    def commit(self) -> dict[str, int]:
        """Give the files their names; return the number of rows of each table."""
        self._flushing.wait()
        mark = mark_of("fences", **{file.table.holds: file.finish() for file in self._files})
        fences = pa.concat_tables([file.fences() for file in self._files]).combine_chunks()
        with (
            errors_of(self._fences.path),
            pa.ipc.new_file(self._fences.stream, FENCES.with_metadata(mark)) as writer,
        ):
            writer.write_table(fences)
        for target in self._targets:
            target.complete()
        for target in self._targets:
            target.commit()
        return {file.table.holds: file.rows for file in self._files}

    def discard(self) -> None:
        """Remove all files; do nothing after a commit."""
        self._flushing.close()
        for target in self._targets:
            target.discard()


class _TableFile:
    """One Parquet file in progress."""

    def __init__(self, target: AtomicFile, table: Table, watch: Watch | None) -> None:
        self.table = table
        self._watch = watch
        self.rows = 0
        self._target = target
        width = len(table.columns)
        self._groups = [Groups(np.empty(0, np.int64), np.empty((0, 2), np.int64), np.empty((0, width, 3), np.int64))]
        self.size = 0
        self._write(MAGIC)

    def _write(self, data: bytes | memoryview) -> None:
        with errors_of(self._target.path):
            self._target.stream.write(data)
        if self._watch is not None:
            self._watch(self._target.path, data)
        self.size += len(data)

    def flush(self) -> None:
        """Flush the data written so far to disk, to shorten the wait at the end."""
        with errors_of(self._target.path):
            flush_file(self._target.stream.fileno())

    def put(self, data: memoryview, groups: Groups) -> None:
        """Add groups of rows."""
        self._groups.append(groups)
        self._write(data)
        self.rows += int(groups.rows.sum())

    def finish(self) -> dict[str, int]:
        """Write the end of the file; return its rows and bytes."""
        groups = Groups.joined(self._groups)
        self._groups = [groups]
        self._write(footer(self.table, groups, mark_of(self.table.holds)))
        return {"rows": self.rows, "bytes": self.size}

    def fences(self) -> pa.Table:
        """Return the fences of this table."""
        (groups,) = self._groups
        heads, stored, plain = (groups.sizes[:, :, part] for part in range(3))
        columns: dict[str, Any] = {
            "table": np.full(len(groups.rows), self.table.number),
            "key": groups.keys[:, 0],
            "rows": groups.rows,
        }
        missing = MOST_COLUMNS - len(self.table.columns)
        for name, values in (("place", groups.places() + heads), ("stored", stored), ("plain", plain)):
            padded = pa.array(np.pad(values, ((0, 0), (0, missing))).reshape(-1))
            columns[name] = pa.FixedSizeListArray.from_arrays(padded, MOST_COLUMNS)
        return pa.table(columns).cast(FENCES)


def sorted_ranges(words: Words, places: NDArray[np.int64] | None = None) -> Words:
    """Return rows in the order of keys and games, without repeats.

    ``places`` describes runs that are divided into ranges of keys already (see ``sort_ranges``).
    """
    out = np.empty_like(words)
    return out[: sort_ranges(words, np.array([[0, len(words)]]) if places is None else places, out)]


def _pieces(rows: Iterable[Words]) -> Iterator[Words]:
    """Divide rows into pieces, so that groups do not depend on the input; only a group that is divided is copied."""
    waiting: list[Words] = []
    missing = 0
    for some in rows:
        if missing:
            waiting.append(some[:missing])
            some, missing = some[missing:], missing - len(waiting[-1])
            if not missing:
                yield np.concatenate(waiting)
        end = len(some) // GROUP_ROWS * GROUP_ROWS
        yield from (some[begin : min(begin + _PIECE_ROWS, end)] for begin in range(0, end, _PIECE_ROWS))
        if end < len(some):
            waiting, missing = [some[end:]], GROUP_ROWS - (len(some) - end)
    if missing:
        yield np.concatenate(waiting)


def _encoder_of(table: Table) -> Callable[[Words], tuple[memoryview, Groups]]:
    """Return a function that converts rows to groups of a table."""
    columns = np.array([column.number for column in table.columns], np.int32)
    packed = np.array([column.compressed for column in table.columns], np.uint8)

    def encode(words: Words) -> tuple[memoryview, Groups]:
        firsts = np.arange(0, len(words), GROUP_ROWS)
        ends = np.minimum(firsts + GROUP_ROWS, len(words))
        out = np.empty(len(firsts) * len(columns) * _PAGE_BYTES, np.uint8)
        sizes = np.empty((len(firsts), len(columns), 3), np.int64)
        end = encode_groups(words, GROUP_ROWS, columns, packed, out, sizes.reshape(-1, 3))
        keys = (words[np.stack([firsts, ends - 1], axis=1), 0] ^ _SIGN).view(np.int64)
        return out[:end].data, Groups(ends - firsts, keys, sizes)

    return encode
