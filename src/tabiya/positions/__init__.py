"""Rows of positions: emitted from batches of games by a kernel, sorted by their keys in bounded memory.

Books are built from them, and so is the position index of a library (``index``). What else becomes of a row is not
known here.
"""

from __future__ import annotations
