"""Questions about games and positions: the opening explorer, and what a player plays.

Importing this package is cheap; numpy and pyarrow are imported when a question is asked.
"""

from __future__ import annotations

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
