"""Rows of positions: emitted from batches of games by a kernel, sorted by their keys in bounded memory.

Books are built from them, and so will be the position index of a library. Nothing here knows what becomes of a row.
"""

from __future__ import annotations
