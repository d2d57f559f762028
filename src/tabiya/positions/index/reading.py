"""Finds positions in the files of an index."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tabiya.errors import CorruptError
from tabiya.files.file_errors import errors_of
from tabiya.positions.index.layout import FENCES, GROUP_ROWS, POSITIONS, VARIATIONS, Table, check_mark

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Self

    from numpy.typing import NDArray

__all__ = ["PositionIndex", "Rows", "VariationRows"]

_MOST_METADATA: Final = 1 << 28


class Rows(NamedTuple):
    """Where a position occurs in main lines, in the order of games."""

    games: NDArray[np.int32]
    plies: NDArray[np.int16]
    moves: NDArray[np.int16]
    """Tokens of the moves that were played; -1 where the game ends."""


class VariationRows(NamedTuple):
    """Where a position occurs in variations, in the order of games."""

    games: NDArray[np.int32]
    moves: NDArray[np.int32]
    """Numbers of the moves on the tape that lead there, counting moves from 0."""


class PositionIndex:
    """The files of an index, open for questions. Close it when done."""

    def __init__(self, positions: Path, fences: Path, variations: Path | None = None) -> None:
        with _reading(fences):
            table = pa.ipc.open_file(pa.memory_map(str(fences))).read_all()
            check_mark(table.schema.metadata, FENCES.holds)
            number, keys, rows = (column.to_numpy() for column in table.cast(FENCES.schema).columns)
        self._files: dict[int, _TableReader] = {}
        for path, kind in ((positions, POSITIONS), (variations, VARIATIONS)):
            if path is not None:
                mine = number == kind.number
                self._files[kind.number] = _TableReader(path, kind, keys[mine], rows[mine])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def rows(self) -> int:
        """How many positions of main lines there are."""
        return self._files[POSITIONS.number].rows

    @property
    def variation_rows(self) -> int:
        """How many positions of variations there are."""
        return self._files[VARIATIONS.number].rows if VARIATIONS.number in self._files else 0

    def find(self, key: int) -> Rows:
        """Return where a position occurs in main lines, by its Polyglot key, signed or not."""
        return Rows(*self._files[POSITIONS.number].find(_signed(key)))

    def find_variations(self, key: int) -> VariationRows:
        """Return where a position occurs in variations; nowhere if the index has none."""
        if VARIATIONS.number not in self._files:
            return VariationRows(np.empty(0, np.int32), np.empty(0, np.int32))
        return VariationRows(*self._files[VARIATIONS.number].find(_signed(key)))

    def stretches(self, table: Table, rows: int) -> Iterator[NDArray[np.uint64]]:
        """Yield all rows of a table in order, some at a time, two words each as ``IndexWriter`` takes them."""
        return (
            self._files[table.number].stretches(max(1, rows // GROUP_ROWS)) if table.number in self._files else iter(())
        )

    def close(self) -> None:
        """Let the files go. May be called twice."""
        for file in self._files.values():
            file.close()


class _TableReader:
    """One Parquet file of an index."""

    def __init__(self, path: Path, table: Table, keys: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
        self._path = path
        self._table = table
        self._keys = keys
        with _reading(path):
            self._parquet = pq.ParquetFile(
                path,
                memory_map=True,
                pre_buffer=False,
                thrift_string_size_limit=_MOST_METADATA,
                thrift_container_size_limit=_MOST_METADATA,
            )
            check_mark(self._parquet.metadata.metadata, table.holds)
            schema = self._parquet.schema_arrow.remove_metadata()
        self.rows = int(self._parquet.metadata.num_rows)
        if not schema.equals(table.schema.remove_metadata()):
            raise CorruptError("has columns that are not those of a position index", path=path)
        groups = -(-self.rows // GROUP_ROWS)
        if not len(keys) == groups == self._parquet.metadata.num_row_groups or (keys[1:] < keys[:-1]).any():
            raise CorruptError("does not fit the fences beside it", path=path)
        if not np.array_equal(rows, np.arange(groups) * GROUP_ROWS):
            raise CorruptError("does not fit the fences beside it", path=path)

    def _columns(self, first: int, last: int) -> list[NDArray[Any]]:
        with _reading(self._path):
            table = self._parquet.read_row_groups(list(range(first, last)), use_threads=False)
            if len(table) != min(last * GROUP_ROWS, self.rows) - first * GROUP_ROWS:
                raise CorruptError("has groups of rows that are too short")
            key, *columns = (column.to_numpy() for column in table.columns)
            if (key[1:] < key[:-1]).any():
                raise CorruptError("is not in the order of its keys")
            if len(columns[0]) and columns[0].min() < 0:
                raise CorruptError("has a negative number of a game")
        return [key, *columns]

    def find(self, key: int) -> list[NDArray[Any]]:
        first = max(0, int(np.searchsorted(self._keys, key, "left")) - 1)
        last = int(np.searchsorted(self._keys, key, "right"))
        if first >= last:
            return [np.empty(0, field.type.to_pandas_dtype()) for field in list(self._table.schema)[1:]]
        keys, *columns = self._columns(first, last)
        begin, end = np.searchsorted(keys, key, "left"), np.searchsorted(keys, key, "right")
        return [column[begin:end] for column in columns]

    def stretches(self, groups: int) -> Iterator[NDArray[np.uint64]]:
        for first in range(0, len(self._keys), groups):
            key, game, *rest = self._columns(first, min(first + groups, len(self._keys)))
            words = np.empty((len(key), 2), np.uint64)
            words[:, 0] = key.view(np.uint64) ^ np.uint64(1 << 63)
            words[:, 1] = game.astype(np.uint64) << np.uint64(32)
            if len(rest) > 1:
                words[:, 1] |= rest[0].astype(np.uint64) << np.uint64(16) | rest[1].view(np.uint16)
            else:
                words[:, 1] |= rest[0].astype(np.uint64)
            yield words

    def close(self) -> None:
        self._parquet.close(force=True)


def _signed(key: int) -> int:
    key &= (1 << 64) - 1
    return key - (1 << 64) if key >> 63 else key


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Say which file is damaged; pyarrow tells of damage by an ``OSError`` that has no number, too."""
    with errors_of(path):
        try:
            yield
        except (pa.ArrowException, OSError, ValueError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise CorruptError(f"is damaged: {str(error).splitlines()[0]}") from error
