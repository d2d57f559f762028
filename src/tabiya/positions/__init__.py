"""Rows of positions: emitted from batches of games by a kernel, sorted by their keys in bounded memory.

Books are built from them, and so is the position index of a library (``index``). This package is independent of the
use of the rows.
"""

from __future__ import annotations
