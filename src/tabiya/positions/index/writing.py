"""Writes the files of a position index from rows that are sorted already."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tabiya.files.atomic import AtomicFile
from tabiya.positions.index.layout import FENCES, GROUP_ROWS, POSITIONS, VARIATIONS, Table

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    from numpy.typing import NDArray

__all__ = ["IndexWriter"]

_SIGN: Final = np.uint64(1 << 63)


class IndexWriter:
    """The files of an index under way. They get their names when all of them are whole (``commit``), or never.

    Args:
        positions: takes the positions of main lines.
        fences: takes the first key of every group of rows.
        variations: takes the positions of variations, if there is to be such a file.
    """

    def __init__(self, positions: Path, fences: Path, variations: Path | None = None) -> None:
        self._targets: list[AtomicFile] = []
        self._tables: dict[int, _TableFile] = {}
        try:
            for path, table in ((positions, POSITIONS), (variations, VARIATIONS)):
                if path is not None:
                    self._tables[table.number] = _TableFile(self._target(path), table)
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

    def add(self, words: NDArray[np.uint64], table: Table = POSITIONS) -> None:
        """Add rows of two words as ``sort_rows`` leaves them; all keys are at least those of rows before."""
        self._tables[table.number].add(words)

    def commit(self) -> dict[str, int]:
        """Give the files their names; return how many rows each table has."""
        fences = [table.finish() for table in self._tables.values()]
        with pa.ipc.new_file(self._fences.stream, FENCES.schema) as writer:
            writer.write_table(pa.concat_tables(fences).combine_chunks())
        for target in self._targets:
            target.complete()
        for target in self._targets:
            target.commit()
        return {table.table.holds: table.rows for table in self._tables.values()}

    def discard(self) -> None:
        """Leave nothing behind; do nothing after a commit."""
        for table in self._tables.values():
            table.close()
        for target in self._targets:
            target.discard()


class _TableFile:
    """One Parquet file, which gets its rows in whole groups."""

    def __init__(self, target: AtomicFile, table: Table) -> None:
        self.table = table
        self.rows = 0
        self._waiting: list[NDArray[np.uint64]] = []
        self._keys: list[NDArray[np.int64]] = []
        self._count = 0
        names = table.schema.names
        self._parquet = pq.ParquetWriter(
            target.stream,
            table.schema,
            use_dictionary=False,
            column_encoding=dict.fromkeys(names, "DELTA_BINARY_PACKED"),
            compression={name: "none" if name == "game" else "lz4" for name in names},
            write_statistics=["key"],
            store_schema=False,
        )

    def add(self, words: NDArray[np.uint64]) -> None:
        self._waiting.append(words)
        self._count += len(words)
        if self._count >= 4 * GROUP_ROWS:
            self._write(self._count // GROUP_ROWS * GROUP_ROWS)

    def _write(self, count: int) -> None:
        words = np.concatenate(self._waiting) if self._waiting else np.empty((0, 2), np.uint64)
        self._waiting = [words[count:].copy()]
        self._count -= count
        if count:
            columns = _columns(words[:count], self.table)
            self._keys.append(columns[0][::GROUP_ROWS].copy())
            self._parquet.write_table(pa.table(columns, schema=self.table.schema), row_group_size=GROUP_ROWS)
            self.rows += count

    def finish(self) -> pa.Table:
        """Write what is left and the end of the file; return the fences of its groups."""
        self._write(self._count)
        self._parquet.add_key_value_metadata(self.table.schema.metadata)
        self._parquet.close()
        keys = np.concatenate([np.empty(0, np.int64), *self._keys])
        rows = np.arange(len(keys), dtype=np.int64) * GROUP_ROWS
        return pa.table([np.full(len(keys), self.table.number, np.int8), keys, rows], schema=FENCES.schema)

    def close(self) -> None:
        with suppress(pa.ArrowException, OSError, ValueError):  # its end goes into a file that is thrown away
            self._parquet.close()


def _columns(words: NDArray[np.uint64], table: Table) -> list[NDArray[Any]]:
    key = (words[:, 0] ^ _SIGN).view(np.int64)
    game = (words[:, 1] >> np.uint64(32)).astype(np.int32)
    low = words[:, 1].astype(np.uint32)
    if table is VARIATIONS:
        return [key, game, low.view(np.int32)]
    return [key, game, (low >> np.uint32(16)).astype(np.uint16).view(np.int16), low.astype(np.uint16).view(np.int16)]
