"""Databases as tables for other programs: selected columns of games and positions, crosstables of tournaments.

``games.to_arrow(["white", "san", "tag:TimeControl"])`` streams them, ``tabiya.write_table`` writes them to a file.
"""

from __future__ import annotations

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
