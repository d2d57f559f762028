"""Database formats: one package each, all with the same interface.

Importing this package is cheap; readers, writers and pyarrow are imported when they are first used.
"""

from __future__ import annotations

from tabiya.lazy import public_names

__getattr__, __dir__, __all__ = public_names(__name__)
