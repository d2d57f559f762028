"""Changes single moves of a CTG book; all other records are copied unchanged into new pages."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from tabiya.books.ctg import CTG
from tabiya.books.ctg.book import CtgBook, nag_for_white
from tabiya.books.ctg.bulk_writing import commit_book, refuse_book
from tabiya.books.ctg.columns import RAW_CODE, SIGNATURE_SIZE
from tabiya.books.ctg.files import read_options
from tabiya.books.ctg.position import signature_of
from tabiya.books.ctg.record import BookMove, PositionRecord, columns_of_records, move_in_frame
from tabiya.books.ctg.signature_kernel import encode_move, frame_mask
from tabiya.books.ctg.sorting import RecordSorter
from tabiya.books.editor import BookEditor
from tabiya.chess import Position
from tabiya.errors import CorruptError, FormatError, LossError, UnsupportedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tabiya.books.book_format import BookFormat
    from tabiya.books.ctg.columns import PositionColumns
    from tabiya.books.editor import Changed
    from tabiya.books.entry import Ratings
    from tabiya.chess import Move

_COUNT: Final = 0xFFFFFF
_RESULTS: Final = {"games": "games", "wins": "losses", "draws": "draws", "losses": "wins"}
"""Maps the results of a move to those of the position it leads to: wins of the move are losses there."""


class CtgEditor(BookEditor):
    """Changes moves, and the numbers and marks of the positions that they lead to.

    Results, ratings, recommendation and comment belong to the position that a move leads to: they change for every move
    that leads there. Removing a move keeps that position in the book.
    """

    limits: ClassVar[Mapping[str, int]] = {
        **dict.fromkeys(_RESULTS, _COUNT),
        **dict.fromkeys(("ratings", "opponents"), 0xFFFFFFFF),
        **dict.fromkeys(("nag", "recommendation", "comment"), 0xFF),
    }

    def __init__(
        self, path: Path, format: BookFormat = CTG, *, target: Path | None = None, overwrite: bool = False
    ) -> None:
        super().__init__(path, format, target=target, overwrite=overwrite)
        if target is not None:
            refuse_book(target, overwrite=overwrite, sources=[path])
        self._new_place = target is not None
        self._records: dict[bytes, PositionRecord] = {}

    def _write(self, changes: list[Changed]) -> None:
        with CtgBook(self._path, self._format) as book:
            if damage := book.unreadable():
                raise CorruptError(f"is damaged ({damage.summary()}): repair it first", path=self._path)
            header, pages = book.header, book.files[0]
            counted = book.record(Position())
            for changed in changes:
                for move, values in changed.moves.items():
                    self._change(book, changed.position, move, values)
            sorter = RecordSorter(self._target.resolve().parent)
            with closing(sorter):
                for columns in book.columns():
                    for part in _without(columns, self._records):
                        sorter.add(part)
                sorter.add(columns_of_records(self._records.values()))
                book.close()  # before it is replaced, which some systems refuse while it is open
                games = None if counted is not None and counted.games == header.games else header.games
                try:
                    commit_book(
                        sorter,
                        self._target if self._new_place else pages,
                        overwrite=self._overwrite,
                        strict=True,
                        games=games,
                        options=header.options,
                        ini=read_options(pages) if self._new_place else None,
                    )
                except LossError as error:
                    raise LossError(f"{error.message}; repair it first", path=self._path) from error

    def _change(self, book: CtgBook, position: Position, move: Move, values: dict[str, Any] | None) -> None:
        record, token = self._record(book, position), move_in_frame(move, frame_mask(position))
        code = encode_move(record.signature, token)
        if code < 0:
            raise FormatError(f"{position.san(move)} has no code in a CTG book, in {position.fen()}", path=self._path)
        after = position.play(move)
        known = any(entry.move == move for entry in book.probe(position))
        if values is None and not known:
            raise self._missing(position, move)
        codes = [_code(record, each) for each in record.moves]
        if codes.count(code) > known:  # one promotion has the code of another, or of several
            raise UnsupportedError(
                f"{position.san(move)} shares its code with another promotion, in {position.fen()}", path=self._path
            )
        moves = list(record.moves)
        if values is None:
            del moves[codes.index(code)]
            self.removed += 1
        else:
            if code not in codes:
                moves.append(BookMove(token))
                codes.append(code)
            place = codes.index(code)
            moves[place] = BookMove(moves[place].token, values.get("nag", moves[place].nag))
            self.changed += known
            self.added += not known
            child = self._record(book, after)
            self._records[child.signature] = self._reached(child, after, values)
        self._records[record.signature] = replace(self._records.get(record.signature, record), moves=tuple(moves))

    def _record(self, book: CtgBook, position: Position) -> PositionRecord:
        """Return the current record of a position; a new one if the book does not have it."""
        found = book.record(position)
        signature = signature_of(position) if found is None else found.signature
        return self._records.get(signature) or found or PositionRecord(signature=signature, score=0)

    def _reached(self, record: PositionRecord, after: Position, values: dict[str, Any]) -> PositionRecord:
        """Return the record of the position that a move leads to, with the values of the move."""
        numbers: dict[str, Any] = {_RESULTS[name]: int(values[name]) for name in _RESULTS if name in values}
        if numbers:
            numbers["score"] = -1
        for name, count, total in (
            ("opponents", "rated", "rating_sum"),
            ("ratings", "opponents_rated", "opponents_sum"),
        ):
            if name in values:
                ratings: Ratings = values[name]
                numbers |= {count: ratings.games, total: ratings.total}
        if "recommendation" in values:
            numbers["recommendation"] = int(values["recommendation"])
        if "comment" in values:
            numbers["nag"] = nag_for_white(values["comment"], black_to_move=bool(after.turn_code))
        changed = replace(record, **numbers)
        if changed.wins + changed.draws + changed.losses > changed.games:
            raise UsageError(f"there would be more results than games in {after.fen()}", path=self._path)
        return changed


def _code(record: PositionRecord, move: BookMove) -> int:
    return move.token & 0xFF if move.token >= RAW_CODE else encode_move(record.signature, move.token)


def _without(columns: PositionColumns, signatures: Mapping[bytes, object]) -> Iterator[PositionColumns]:
    """Yield the rows except those of these positions."""
    rows = np.ascontiguousarray(columns.signatures).view(f"S{SIGNATURE_SIZE}").ravel()
    removed = np.flatnonzero(np.isin(rows, np.array(list(signatures), f"S{SIGNATURE_SIZE}"))).tolist()
    for start, stop in zip([0, *(row + 1 for row in removed)], [*removed, len(columns)], strict=True):
        if start < stop:
            yield columns.part(start, stop)
