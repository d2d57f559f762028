"""Opening books as HTML for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.books.entry import Recommendation
from tabiya.chess import Color, Position
from tabiya.game.annotations import format_nag
from tabiya.game.html_tables import Column, diagram, html_table, results_bar, with_board

if TYPE_CHECKING:
    from tabiya.books.book import Book
    from tabiya.books.entry import BookMoves, Entry
    from tabiya.game.html_tables import Cell

_COLUMNS: Final = (
    Column("Move"),
    Column("Chance", "right"),
    Column("Weight", "right"),
    Column("Games", "right"),
    Column("Results"),
    Column("Elo", "right"),
    Column("Performance", "right"),
    Column("Remarks"),
)
_RECOMMENDATIONS: Final = ((Recommendation.MAIN, "main move"), (Recommendation.AVOID, "avoid"))


def book_html(book: Book) -> str:
    """Return the facts of a book, and its moves in the start position."""
    name = book.path.name or str(book.path)
    return moves_html(
        book.probe(Position()), title=f"{name}: {book.format.name}, {len(book):,} positions; the start position"
    )


def moves_html(moves: BookMoves, *, title: str = "") -> str:
    """Return a position and its moves."""
    total = sum(entry.weight for entry in moves)
    rows = [_row(moves.position, entry, total) for entry in moves]
    table = html_table(title or f"{len(rows)} move{'' if len(rows) == 1 else 's'} in the book", _COLUMNS, rows)
    return with_board(diagram(moves.position), table)


def _row(position: Position, entry: Entry, total: int) -> list[Cell]:
    score: tuple[int, int, int] = entry.wins or 0, entry.draws or 0, entry.losses or 0
    bar = results_bar(*(score if position.turn is Color.WHITE else score[::-1]))
    nags = [format_nag(nag) for nag in (entry.nag, entry.comment) if nag]
    words = [word for flag, word in _RECOMMENDATIONS if entry.recommendation and entry.recommendation & flag]
    return [
        position.san(entry.move),
        f"{100 * entry.weight / total:.0f} %" if total and entry.weight else None,
        f"{entry.weight:,}",
        None if entry.games is None else f"{entry.games:,}",
        bar,
        None if entry.rating is None else round(entry.rating),
        None if entry.performance is None else round(entry.performance),
        ", ".join([*nags, *words, *["transposition"] * entry.transposition]),
    ]
