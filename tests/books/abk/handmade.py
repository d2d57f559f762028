"""Arena books made by hand, record by record."""

from __future__ import annotations

import struct
from pathlib import Path

import tabiya
from tabiya.books.abk.book import AbkBook
from tabiya.books.abk.records import Header
from tabiya.chess import Position


def opened(path: Path) -> AbkBook:
    book = tabiya.open_book(path)
    assert isinstance(book, AbkBook)
    return book


def packed(*records: tuple[int, ...], header: Header = Header()) -> bytes:  # noqa: B008 - a frozen value
    """A book of records as (from, to, promotion, priority, games, won, lost, flags, reply, next)."""
    return header.encode() + b"".join(struct.pack("<BBbBIIIIii", *record) for record in records)


def move(san: str, reply: int = -1, following: int = -1, *, flags: int = 0) -> tuple[int, ...]:
    """A first move."""
    token = Position().parse_san(san)
    return (token & 63, token >> 6 & 63, 0, 5, 10, 4, 3, flags, reply, following)
