"""A CTG book that is open for reading."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.books.book import Book, as_position
from tabiya.books.ctg import CTG
from tabiya.books.ctg.columns import PositionColumns, empty_columns
from tabiya.books.ctg.files import PAGE_SIZE, BookFiles, Header, decode_bitmap, decode_slots, files_of_book
from tabiya.books.ctg.position import views_of
from tabiya.books.ctg.record import PositionRecord
from tabiya.books.ctg.records_kernel import measure_pages, read_pages
from tabiya.books.ctg.signature_kernel import load_signature
from tabiya.books.ctg.store_kernel import Pages, index_pages
from tabiya.books.entry import Entry, Ratings, Recommendation
from tabiya.books.writer import lost
from tabiya.chess import Position
from tabiya.chess.basics import all_moves
from tabiya.errors import CorruptError, FormatError
from tabiya.files.file_bytes import FileBytes
from tabiya.files.file_errors import errors_of
from tabiya.files.recovery import recover, until_consistent
from tabiya.formats.losses import MAX_EXAMPLES, LossReport

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import numpy.typing as npt

    from tabiya.books.book import PositionLike
    from tabiya.books.book_format import BookFormat
    from tabiya.books.ctg.columns import Numbers
    from tabiya.chess import Move

PAGE_PROBLEMS: Final = (
    "",
    "the file ends within this page",
    "the page claims an impossible number of bytes in use",
    "bytes are left after the last record of the page",
    "a record extends past the bytes in use on the page",
    "a record begins with an empty position",
    "the list of moves of a record has an even length",
)
"""Why a page cannot be read completely, by the codes of ``pages.pxd``."""

_PAGES_AT_ONCE: Final = 512
_AVOID: Final = int(Recommendation.AVOID)
_MAIN: Final = int(Recommendation.MAIN)
_RECOMMENDATIONS: Final = tuple(map(Recommendation, range(256)))
_DOUBTFUL: Final = frozenset({2, 4, 6})
"""? ?? ?!"""
_NOT_MAIN: Final = _DOUBTFUL | {5}
"""Marks that override the recommendation of a move: with !? it is not shown as a main move either."""


class CtgBook(Book):
    """An opening book of ChessBase: ``.ctg``, found through ``.ctb`` and ``.cto``.

    Pages are read as needed, so books may be larger than memory. If one of the other two files is missing or damaged,
    positions are found by an index, built from all pages on first use; ``problems`` reports it.

    Results belong to positions: those of a move are the results of the position it leads to, including games that
    arrived there by other moves. *Weights* (the method of ChessBase is not known): a move marked red or with ?, ?? or
    ?! is never played; if there are moves marked green (and not !?), only they are; otherwise, and among them, the
    probability of a move is proportional to its half points, at least one. A game without a result counts as drawn.
    """

    def __init__(self, path: Path, format: BookFormat = CTG) -> None:
        super().__init__(path, format)
        self._problems: list[str] = []
        self._files, self._pages, bitmap, slots = until_consistent(lambda: _opened(path), path)
        with errors_of(self._files.ctg):
            self._header = Header.decode(self._pages[:PAGE_SIZE], self._files.ctg)
        self._directory = self._read_directory(bitmap, slots)
        self._lookup: Pages | None = None
        self._measured: tuple[int, int] | None = None

    # Specific to these books.

    @property
    def files(self) -> tuple[Path, ...]:
        """The pages first; the other files if they exist."""
        return self._files.all()

    @property
    def header(self) -> Header:
        """The counts in the header; hints, not facts."""
        return self._header

    @property
    def problems(self) -> tuple[str, ...]:
        """Why the book is not read in the usual way."""
        return tuple(self._problems)

    @property
    def move_count(self) -> int:
        """The number of moves of all positions."""
        self._check_open()
        return self._measure()[1]

    def record(self, position: PositionLike) -> PositionRecord | None:
        """Return all data about a position, in the frame of the book; None if it is missing."""
        self._check_open()
        place = as_position(position)
        with errors_of(self._path):
            found = self.lookup.record(place)
            return None if found is None else PositionRecord.decode(found[1])

    def columns(self, *, pages: int = _PAGES_AT_ONCE) -> Iterator[PositionColumns]:
        """Yield all positions in file order, this many pages at a time; unreadable records are left out."""
        self._check_open()
        for _, count, data in self._parts(pages):
            columns = empty_columns(*measure_pages(data, 0, count))
            read_pages(data, 0, count, *columns.values())
            yield PositionColumns(**columns)
            self._check_open()

    def _parts(self, pages: int = _PAGES_AT_ONCE) -> Iterator[tuple[int, int, bytes]]:
        """Yield the number of a page, how many follow, and their bytes after one page of padding, like a header."""
        last = self.page_count
        for first in range(0, last, pages):
            count = min(pages, last - first)
            yield first, count, self._pages[PAGE_SIZE * first : PAGE_SIZE * (first + count + 1)]

    # For the check.

    @property
    def first_page(self) -> bytes:
        """The raw header."""
        return self._pages[:PAGE_SIZE]

    @property
    def size(self) -> int:
        """Size of the file with the pages in bytes."""
        return len(self._pages)

    @property
    def page_count(self) -> int:
        """Number of data pages in the file; the last one may be truncated."""
        return max(0, -(-len(self._pages) // PAGE_SIZE) - 1)

    @property
    def has_directory(self) -> bool:
        """Whether positions are found through ``.ctb`` and ``.cto``."""
        return self._directory is not None

    @property
    def directory(self) -> tuple[memoryview, memoryview, Path, Path] | None:
        """Bitmap and slots, and their files."""
        ctb, cto = self._files.ctb, self._files.cto
        if self._directory is None or ctb is None or cto is None:
            return None
        return *self._directory, ctb, cto

    def unreadable(self) -> LossReport:
        """Return pages that cannot be read completely, or that the header counts but the file lacks."""
        found = [
            f"offset {PAGE_SIZE * (page + 1)}: {PAGE_PROBLEMS[problem]}"
            for page in range(self.page_count)
            if (problem := self.lookup.page_problem(page))
        ]
        missing = max(0, self._header.pages - self.page_count)
        if missing:
            found.append(f"offset {self.size}: {missing} pages that the header counts are missing")
        count = len(found) - bool(missing) + missing
        text = "pages that could be read only in part"
        return LossReport.of([lost("pages", text, count, found[-MAX_EXAMPLES:])] if found else [])

    def besides(self) -> LossReport:
        """Return the options of programs, in the file ``.ini`` beside the book."""
        return LossReport.of([lost("options", "files with options (.ini)")] if self._files.ini else [])

    # Common to all books.

    def _probe(self, position: Position) -> list[Entry]:
        found = self.lookup.probe(position)
        if not found:
            return []
        tokens = all_moves()
        black_to_move = not position.turn_code
        return [
            Entry(move=tokens[token], weight=weight, nag=nag or None)
            if numbers is None
            else _known(tokens[token], weight, nag, numbers, black_to_move=black_to_move)
            for (token, nag, numbers), weight in zip(found, _weights(found), strict=True)
        ]

    def _reached(self, move: Move, after: Position) -> Entry | None:
        numbers = self.lookup.numbers(after)
        if numbers is None:
            return None
        entry = _known(move, 0, 0, numbers, black_to_move=bool(after.turn_code))
        return replace(entry, transposition=True)

    def _count(self) -> int:
        return self._measure()[0]

    def _measure(self) -> tuple[int, int]:
        if self._measured is None:
            found = [measure_pages(data, 0, count) for _, count, data in self._parts()]
            self._measured = sum(positions for positions, _ in found), sum(moves for _, moves in found)
        return self._measured

    def _positions(self) -> Iterator[Position]:
        for columns in self.columns():
            for row in columns.signatures:
                signature = row.tobytes()
                position = Position()
                if load_signature(position, signature[: signature[0] & 31]) == 0:
                    yield position

    def views(self, position: Position) -> tuple[Position, ...]:
        """Return the position with both colours, and mirrored if neither side can castle."""
        return views_of(position)

    def __contains__(self, position: object) -> bool:
        """Return whether the book has the position, even without moves."""
        self._check_open()
        place = as_position(position)  # type: ignore[arg-type]  # which rejects anything else
        with errors_of(self._path):
            return self.lookup.numbers(place) is not None

    def _close(self) -> None:
        self._lookup = None
        self._pages.close()

    @property
    def lookup(self) -> Pages:
        """The object that looks up positions."""
        if self._lookup is None:
            if self._directory is None:
                self._lookup = Pages(self._pages, b"", None, self._index())
            else:
                self._lookup = Pages(self._pages, *self._directory, None)
        return self._lookup

    def _read_directory(self, bitmap: bytes | None, slots: bytes | None) -> tuple[memoryview, memoryview] | None:
        ctb, cto = self._files.ctb, self._files.cto
        if ctb is None or cto is None or bitmap is None or slots is None:
            missing = " and ".join(name for name, place in ((".ctb", ctb), (".cto", cto)) if place is None)
            self._problems.append(f"{missing} is missing; positions are found through an index of all pages")
            return None
        try:
            return decode_bitmap(bitmap, ctb), decode_slots(slots, cto)
        except (CorruptError, FormatError) as error:
            self._problems.append(f"{error}; until then positions are found through an index of all pages")
            return None

    def _index(self) -> npt.NDArray[np.uint64]:
        """For every position hash << 32 | page, sorted."""
        index = np.empty(self._count(), np.uint64)
        done = 0
        for first, count, data in self._parts():
            part = index[done:]
            found = min(index_pages(data, 0, count, part), len(part))
            part[:found] += np.uint64(first)
            done += found
        index = index[:done]
        index.sort()
        return index


def _opened(path: Path) -> tuple[BookFiles, FileBytes, bytes | None, bytes | None] | None:
    """Return the files of a book, its pages, and the content of ``.ctb`` and ``.cto``; None if a writer interferes."""
    recover(files_of_book(BookFiles.named(path).ctg))
    files = BookFiles.found(path)
    book = files_of_book(files.ctg)
    with errors_of(files.ctg):
        pages = FileBytes(files.ctg)

    def is_current() -> bool:
        """Return whether no writer has replaced the pages or is about to replace the other files."""
        return not book.is_decided and os.path.samestat(pages.status, files.ctg.stat())

    if is_current():
        bitmap, slots = (None if place is None else _content(place) for place in (files.ctb, files.cto))
        if is_current():
            return files, pages, bitmap, slots
    pages.close()
    recover(book)  # the path may have been another name of it
    return None


def _content(place: Path) -> bytes:
    with errors_of(place):
        return place.read_bytes()


def nag_for_white(nag: int, *, black_to_move: bool) -> int:
    """Convert a NAG of a position between the frame of the book (the side to move is White) and the real board.

    Evaluations have one number for each side, 14 for += and 15 for =+, and are swapped. Other symbols, such as 36 for
    the initiative, never occur with the number of the other side and stay.
    """
    return nag ^ 1 if black_to_move and 14 <= nag <= 21 else nag


def _known(move: Move, weight: int, nag: int, numbers: Numbers, *, black_to_move: bool) -> Entry:
    """Return the entry of a move to a position in the book: losses of that position are wins of the move."""
    games, wins, losses, draws, _, rated, rating_sum, opponents_rated, opponents_sum, mark, _, comment = numbers
    return Entry(
        move=move,
        weight=weight,
        games=games,
        wins=losses,
        draws=draws,
        losses=wins,
        ratings=Ratings(opponents_rated, opponents_sum),
        opponents=Ratings(rated, rating_sum),
        nag=nag or None,
        recommendation=_RECOMMENDATIONS[mark],
        comment=nag_for_white(comment, black_to_move=black_to_move) or None,
    )


def _weights(found: list[tuple[int, int, Numbers | None]]) -> list[int]:
    """Return the weights of moves with their NAGs and the numbers of the positions they lead to."""
    marks = [0 if numbers is None else numbers[9] for _, _, numbers in found]
    playable = [nag not in _DOUBTFUL and not mark & _AVOID for (_, nag, _), mark in zip(found, marks, strict=True)]
    main = [
        plays and nag not in _NOT_MAIN and bool(mark & _MAIN)
        for plays, (_, nag, _), mark in zip(playable, found, marks, strict=True)
    ]
    chosen = main if any(main) else playable
    return [_half_points(numbers) if plays else 0 for plays, (_, _, numbers) in zip(chosen, found, strict=True)]


def _half_points(numbers: Numbers | None) -> int:
    """Return the points of the side that moved; a game without a result counts as a draw, as in the book."""
    if numbers is None:
        return 1
    games, wins, losses, draws = numbers[:4]
    return max(1, 2 * losses + draws + max(0, games - wins - losses - draws))
