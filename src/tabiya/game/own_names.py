"""Dictionaries of columns without values that no record uses, and with no value twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def with_own_names(records: pa.RecordBatch) -> pa.RecordBatch:
    """Return records whose dictionaries contain only values in use, once each, in the order of appearance.

    A selection of records still carries the names of all records, and readers of formats that store a name per
    tournament return it several times. Neither may get into a file: the first would show what was left out; for the
    second, Arrow (26.0) reserves more space in a Parquet file than it fills, and the rest is whatever was in memory.
    """
    columns = [_own(column) if pa.types.is_dictionary(column.type) else column for column in records.columns]
    return pa.RecordBatch.from_arrays(columns, schema=records.schema)


def joined(parts: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield records as one batch with its own names; as several only if their texts exceed what one can hold."""
    table = pa.Table.from_batches(map(with_own_names, parts)).unify_dictionaries().combine_chunks()
    return iter(table.to_batches())


def _own(column: pa.DictionaryArray) -> pa.DictionaryArray:
    used = column.indices.dictionary_encode()
    names = column.dictionary.take(used.dictionary).dictionary_encode()
    indices = names.indices.take(used.indices).cast(column.type.index_type)
    return pa.DictionaryArray.from_arrays(indices, names.dictionary)
