"""Arguments and options that several commands about books share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tabiya.cli.output import count, note

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabiya.formats import LossReport

__all__ = ["AnyMove", "Book", "tell_losses"]

AnyMove = Annotated[
    bool,
    typer.Option(
        "--any-move", help="Follow any legal move into positions of the book: for books of one colour, or with gaps."
    ),
]
Book = Annotated[str, typer.Argument(metavar="BOOK", help="A book of any format; of several files, any one.")]


def tell_losses(losses: LossReport, title: str, positions: int, moves: int, notes: Iterable[str] = ()) -> None:
    """Print the outcome of a conversion to stderr."""
    note(f"{title}: {count(positions, 'position')}, {count(moves, 'move')}")
    for sentence in notes:
        note(sentence)
    for line in str(losses).splitlines():
        note(line)
