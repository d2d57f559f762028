"""ChessBase's opening books: CTG."""

from __future__ import annotations
