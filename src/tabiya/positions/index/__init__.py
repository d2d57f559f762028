"""The position index: every position of every game by its key, in sorted Parquet files.

``IndexBuilder`` builds one from batches, ``PositionIndex`` queries it, ``merge_indexes`` merges several.
docs/formats/positions.md describes the files. Names are imported on first use: readers do not need builders.
"""

from __future__ import annotations

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
