"""Writes a CTG book through the common interface of books: positions with entries, one at a time."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabiya.books.ctg import CTG
from tabiya.books.ctg.book import nag_for_white
from tabiya.books.ctg.bulk_writing import commit_book, refuse_book
from tabiya.books.ctg.position import signature_of
from tabiya.books.ctg.record import BookMove, PositionRecord, columns_of_records, move_in_frame
from tabiya.books.ctg.signature_kernel import frame_mask
from tabiya.books.ctg.sorting import RecordSorter
from tabiya.books.writer import BookWriter
from tabiya.errors import UnsupportedError
from tabiya.files.file_errors import errors_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tabiya.books.book_format import BookFormat
    from tabiya.books.entry import Entry, Ratings
    from tabiya.chess import Position

_RECORDS_AT_ONCE: Final = 4096
_LARGEST_NAG: Final = 255


class CtgWriter(BookWriter):
    """Adds positions and their moves to a new book.

    A book stores results for positions, not for moves: those of an entry become the results of the position it leads
    to. If several moves lead to one position, the entry with the most games counts; but if entries were counted for
    moves (``counted``), they add up. A position that no move leads to, such as the start position, gets the sum of its
    entries.
    """

    def __init__(self, path: Path, format: BookFormat = CTG, *, overwrite: bool = False, strict: bool = False) -> None:
        super().__init__(path, format, overwrite=overwrite, strict=strict)
        refuse_book(path, overwrite=overwrite)
        self._sorter = RecordSorter(path.resolve().parent, largest=True)
        self._waiting: list[PositionRecord] = []
        self._reached: set[bytes] = set()
        self._sums: dict[bytes, PositionRecord] = {}

    def _add(self, position: Position, entries: tuple[Entry, ...]) -> None:
        self._sorter.largest = self.counted != "moves"
        try:
            signature, mask = signature_of(position), frame_mask(position)
        except UnsupportedError:
            self._lose("positions", "positions that do not fit into a signature", examples=[position.fen()])
            return
        moves = tuple(BookMove(move_in_frame(entry.move, mask), self._nag(entry.nag)) for entry in entries)
        self._put(PositionRecord(signature=signature, moves=moves, score=0))
        for entry in entries:
            with suppress(UnsupportedError):  # no move can make a position too large for a signature
                self._put(self._child(position.play(entry.move), entry))
        if signature not in self._reached:
            self._sums[signature] = _sum(signature, entries)

    def _child(self, after: Position, entry: Entry) -> PositionRecord:
        """Return the record of the position that a move leads to: wins of the move are its losses."""
        signature = signature_of(after)
        self._reached.add(signature)
        self._sums.pop(signature, None)
        record = _record(
            signature, entry.games, entry.losses, entry.draws, entry.wins, [entry.opponents], [entry.ratings]
        )
        comment = nag_for_white(self._nag(entry.comment), black_to_move=bool(after.turn_code))
        return replace(record, recommendation=int(entry.recommendation or 0) & 0xFF, nag=comment)

    def _nag(self, nag: int | None) -> int:
        """Return a NAG if it fits a byte."""
        if nag is None or 0 <= nag <= _LARGEST_NAG:
            return nag or 0
        self._lose("symbols", "NAGs above 255", examples=[str(nag)])
        return 0

    def _put(self, record: PositionRecord) -> None:
        self._waiting.append(record)
        if len(self._waiting) >= _RECORDS_AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        with errors_of(self._path):
            self._sorter.add(columns_of_records(self._waiting))
        self._waiting.clear()

    def _write(self) -> None:
        try:
            self._waiting.extend(self._sums.values())
            self._flush()
            self._refuse_losses()
            report = commit_book(self._sorter, self._path, overwrite=self._overwrite, strict=self._strict)
            for loss in report:
                self._lose(loss.what, loss.text, loss.count, loss.examples)
        finally:
            self._sorter.close()

    def close(self) -> None:
        """Discard everything that was not committed. May be called twice."""
        self._sorter.close()
        super().close()


def _record(
    signature: bytes,
    games: int | None,
    wins: int | None,
    draws: int | None,
    losses: int | None,
    players: Iterable[Ratings | None],
    opponents: Iterable[Ratings | None],
) -> PositionRecord:
    """Return the numbers of a position for the side to move. There are at least as many games as results."""
    own, theirs = ([ratings for ratings in side if ratings is not None] for side in (players, opponents))
    return PositionRecord(
        signature=signature,
        games=max(games or 0, (wins or 0) + (draws or 0) + (losses or 0)),
        wins=wins or 0,
        draws=draws or 0,
        losses=losses or 0,
        rated=sum(ratings.games for ratings in own),
        rating_sum=sum(ratings.total for ratings in own),
        opponents_rated=sum(ratings.games for ratings in theirs),
        opponents_sum=sum(ratings.total for ratings in theirs),
    )


def _sum(signature: bytes, entries: tuple[Entry, ...]) -> PositionRecord:
    games, wins, draws, losses = (
        sum(getattr(entry, name) or 0 for entry in entries) for name in ("games", "wins", "draws", "losses")
    )
    players, opponents = [entry.ratings for entry in entries], [entry.opponents for entry in entries]
    return _record(signature, games, wins, draws, losses, players, opponents)
