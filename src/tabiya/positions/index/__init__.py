"""The position index: every position of every game by its key, in sorted Parquet files.

``IndexBuilder`` builds one from batches, ``PositionIndex`` queries it, ``merge_indexes`` merges several.
docs/formats/positions.md describes the files.
"""

from __future__ import annotations

from tabiya.positions.index.building import IndexBuilder, IndexCounts
from tabiya.positions.index.merging import merge_indexes
from tabiya.positions.index.reading import PositionIndex, Rows, VariationRows
from tabiya.positions.index.writing import IndexWriter

__all__ = ["IndexBuilder", "IndexCounts", "IndexWriter", "PositionIndex", "Rows", "VariationRows", "merge_indexes"]
