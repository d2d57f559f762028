"""``tabiya book edit``: change the values of single moves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from tabiya import books
from tabiya.cli.commands.book.options import Book
from tabiya.cli.options import Force
from tabiya.cli.output import count, note
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from tabiya.books import BookEditor
    from tabiya.chess import Position

_NUMBER = re.compile("[0-9]{1,20}")
_MARKS = {"none": 0, "main": int(books.Recommendation.MAIN), "avoid": int(books.Recommendation.AVOID)}


def edit(
    book: Book,
    position: Annotated[
        list[str] | None,
        typer.Argument(metavar="[POSITION]...", help="A FEN, or moves such as e4 c5 (default: the start position)."),
    ] = None,
    *,
    set_values: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="MOVE=N", help="A new weight (Arena: priority), or MOVE.FIELD=N. Repeatable."),
    ] = None,
    remove: Annotated[list[str] | None, typer.Option(metavar="MOVE", help="Remove a move. Repeatable.")] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the edited book here (default: replace the book)."),
    ] = None,
    force: Force = False,
) -> None:
    """Change moves of a book in one position; everything else is unchanged.

    Fields are weight and learning in Polyglot books; priority, games, wins and losses in Arena books; games, wins,
    draws, losses, nag, recommendation (main, avoid, none) and comment in CTG books. A move that does not exist is
    added.

    Example:
        tabiya book edit book.bin e4 c5 --set Nf3=100 --remove Nc3
        tabiya book edit book.ctg --set e4.recommendation=main --set e4.nag=1
    """
    if not set_values and not remove:
        raise UsageError("nothing to change: give --set MOVE=N or --remove MOVE")
    place = books.parse_line(" ".join(position or ()))
    with books.edit_book(book, output, overwrite=force) as editor:
        for text in set_values or ():
            _set(editor, place, text)
        for move in remove or ():
            editor.remove(place, move)
    counts = {"changed": editor.changed, "added": editor.added, "removed": editor.removed}
    done = ", ".join(f"{count(number, 'move')} {what}" for what, number in counts.items() if number)
    note(f"{editor.path}: {done}")


def _set(editor: BookEditor, place: Position, text: str) -> None:
    """Apply one change as typed: ``e4=100``, ``e8=Q=7``, ``e4.games=12``."""
    name, _, value = text.rpartition("=")
    move, dot, field = name.rpartition(".")
    if not dot:
        move, field = name, editor.chief or ""
    number = _MARKS.get(value) if field == "recommendation" else None
    if _NUMBER.fullmatch(value):
        number = int(value)
    if not move or number is None:
        raise UsageError(f"{text!r} is not of the form MOVE=N or MOVE.FIELD=N")
    if not field:
        raise UsageError(
            f"{editor.format.name} books have no weights: name a field, as in {move}.games={value}; "
            f"fields: {', '.join(editor.limits)}"
        )
    editor.set(place, move, **{field: number})
