"""What a game is: tags, a tree of moves, annotations; and batches of games. Knows no bytes of a file.

Names are imported when they are first used: pyarrow, which batches need, is a large part of start-up time.
"""

from __future__ import annotations

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
