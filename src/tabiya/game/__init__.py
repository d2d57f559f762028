"""Games: tags, a tree of moves, annotations; and batches of games. Knows no file formats.

Names are imported on first use: pyarrow, which batches need, is a large part of start-up time.
"""

from __future__ import annotations

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
