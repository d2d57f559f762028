"""Changes single records of a Polyglot book, by the keys of their positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tabiya.books.editor import BookEditor
from tabiya.books.polyglot import POLYGLOT
from tabiya.books.polyglot.book import PolyglotBook
from tabiya.books.polyglot.records import LAYOUT, MOST_WEIGHT, RECORD_BYTES, encode_move, legal_move
from tabiya.errors import CorruptError
from tabiya.files.transaction import AtomicFile

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tabiya.books.editor import Changed

_Record = tuple[int, int, int]
"""Bits of the move, weight, learning data."""


class PolyglotEditor(BookEditor):
    """Copies the file and replaces the records of changed positions, sorted by descending weight."""

    limits: ClassVar[Mapping[str, int]] = {"weight": MOST_WEIGHT, "learning": 0xFFFFFFFF}
    chief = "weight"

    def __init__(self, path: Path, *, target: Path | None = None, overwrite: bool = False) -> None:
        super().__init__(path, POLYGLOT, target=target, overwrite=overwrite)

    def _write(self, changes: list[Changed]) -> None:
        target = AtomicFile(self._target, overwrite=self._overwrite)
        try:
            with PolyglotBook(self._path, self._format) as book:
                if book.stored.scan()[1]:
                    raise CorruptError("has unsorted records; repair it first", path=self._path)
                at = 0
                for changed in sorted(changes, key=lambda changed: changed.position.key):
                    key = changed.position.key
                    begin, known = book.stored.lower_bound(key) * RECORD_BYTES, book.moves_of_key(key)
                    target.stream.writelines(book.data.chunks(at, begin))
                    for record in self._edited(changed, known):
                        target.stream.write(LAYOUT.struct.pack(key, *record))
                    at = begin + len(known) * RECORD_BYTES
                target.stream.writelines(book.data.chunks(at))
            target.commit()
        finally:
            target.discard()

    def _edited(self, changed: Changed, records: list[_Record]) -> list[_Record]:
        """Return the records of a position with new values, by descending weight."""
        for move, values in changed.moves.items():
            places = [place for place, (bits, _, _) in enumerate(records) if legal_move(changed.position, bits) == move]
            if values is None and not places:
                raise self._missing(changed.position, move)
            self.removed += values is None
            self.changed += values is not None and bool(places)
            self.added += values is not None and not places
            if values is None:
                records = [record for place, record in enumerate(records) if place not in places]
            elif not places:
                records = [*records, (encode_move(move), values.get("weight", 0), values.get("learning", 0))]
            else:
                records = _changed(records, places, values)
        return sorted(records, key=lambda record: -record[1])


def _changed(records: list[_Record], places: list[int], values: dict[str, Any]) -> list[_Record]:
    """Return records with new values; the weights of a repeated move add up, so its first record takes all."""
    first, *repeated = places
    bits, weight, learning = records[first]
    changed = (bits, values.get("weight", weight), values.get("learning", learning))
    removed = repeated if "weight" in values else []
    return [changed if place == first else record for place, record in enumerate(records) if place not in removed]
