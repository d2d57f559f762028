"""Reading Polyglot books: a binary search in the file."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabiya.books.book import Book
from tabiya.books.entry import Entry
from tabiya.books.polyglot import POLYGLOT
from tabiya.books.polyglot.records import LAYOUT, RECORD_BYTES, header_of, header_text, legal_move
from tabiya.books.polyglot.stored import StoredKeys
from tabiya.books.walk import walk_book
from tabiya.books.writer import lost
from tabiya.files.file_bytes import FileBytes
from tabiya.formats.losses import LossReport

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tabiya.books.book_format import BookFormat
    from tabiya.chess import Move, Position

_LONGEST_HEADER: Final = 1 << 16


class PolyglotBook(Book):
    """A Polyglot book. ``len`` is the number of keys; ``positions`` yields those that lines from the start reach.

    The weight of a move is the weight in its record. Bytes after the last whole record are ignored.
    """

    def __init__(self, path: Path, format: BookFormat = POLYGLOT) -> None:
        super().__init__(path, format)
        self._data = FileBytes(path)
        self._stored = StoredKeys(self._data)

    @property
    def data(self) -> FileBytes:
        """The bytes of the file."""
        self._check_open()
        return self._data

    @property
    def stored(self) -> StoredKeys:
        """All records by key, including those of a header."""
        self._check_open()
        return self._stored

    @property
    def records(self) -> int:
        """The number of whole records, including those of a header."""
        return self.stored.count

    @cached_property
    def header(self) -> bytes:
        """The raw records with key 0 at the front; empty in most books."""
        return header_of(self.data[:_LONGEST_HEADER])

    @property
    def comment(self) -> str | None:
        """The text of the header, if there is one."""
        return header_text(self.header)

    def moves_of_key(self, key: int) -> list[tuple[int, int, int]]:
        """Return the raw records of a key: bits of the move, weight, learning data."""
        return [record[1:] for record in LAYOUT.struct.iter_unpack(self.stored.find(key))]

    def _probe(self, position: Position) -> list[Entry]:
        found: dict[Move, Entry] = {}
        for _, bits, weight, learning in LAYOUT.struct.iter_unpack(self._stored.find(position.key)):
            move = legal_move(position, bits)
            if move is None:
                continue
            if move in found:  # repeated in the book: its weights add up
                weight += found[move].weight
                learning = found[move].learning or learning
            found[move] = Entry(move=move, weight=weight, learning=learning)
        return list(found.values())

    def unplayable(self, position: Position) -> int:
        """Return the number of records whose move is illegal here: damaged, or of a position with the same key."""
        return sum(legal_move(position, bits) is None for bits, _, _ in self.moves_of_key(position.key))

    def unreadable(self) -> LossReport:
        """Return bytes after the last whole record."""
        tail = len(self.data) - self.records * RECORD_BYTES
        return LossReport.of([lost("tail", "bytes after the last whole record", tail)] if tail else [])

    def besides(self) -> LossReport:
        """Return the header."""
        return LossReport.of([lost("header", "headers with a text about the book")] if self.header else [])

    def _count(self) -> int:
        return self._keys

    @cached_property
    def _keys(self) -> int:
        keys, _, _ = self._stored.scan()
        return keys - bool(self.header)

    def _positions(self) -> Iterator[Position]:
        return (position for position, _ in walk_book(self))

    def _close(self) -> None:
        self._data.close()
