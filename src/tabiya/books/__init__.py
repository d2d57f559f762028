"""Opening books: one module or package per format, all with the same interface.

A book contains positions and the moves played in them. Importing this package is fast; readers, writers, the rules of
chess, and numpy are imported on first use.
"""

from __future__ import annotations

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
