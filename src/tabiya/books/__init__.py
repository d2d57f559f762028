"""Opening books: one module or package per format, all with the same face.

A book knows positions and the moves that are played in them. Importing this package is cheap; readers, writers, the
rules of chess, and numpy, are imported when they are used.
"""

from __future__ import annotations

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
