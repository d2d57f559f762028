"""Arguments and options shared by several book commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tabiya.cli.output import count, note

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabiya.books import BuildReport
    from tabiya.formats import LossReport

AnyMove = Annotated[
    bool,
    typer.Option(
        "--any-move", help="Follow any legal move into positions of the book: for books of one colour, or with gaps."
    ),
]
Book = Annotated[str, typer.Argument(metavar="BOOK", help="A book of any format; of several files, any of them.")]


def print_losses(losses: LossReport, title: str, positions: int, moves: int, notes: Iterable[str] = ()) -> None:
    """Print the result of a conversion to stderr."""
    note(f"{title}: {count(positions, 'position')}, {count(moves, 'move')}")
    for sentence in notes:
        note(sentence)
    for line in str(losses).splitlines():
        note(line)


def print_report(report: BuildReport, title: str, remedy: str = "--min-games 1") -> None:
    """Print the result of building a book from games to stderr, with the number of rare moves omitted."""
    note(f"{count(report.games, 'game')} with {count(report.rows, 'position')} played")
    note(f"{title}: {count(report.positions, 'position')}, {count(report.moves, 'move')}")
    kept, noun = (report.positions if report.counted == "position" else report.moves), report.counted
    if not report.games:
        note("there were no games to build a book from, so the book is empty")
    elif report.rare:
        share = report.rare / (report.rare + kept)
        what = f"{report.rare:,} of {count(report.rare + kept, noun)} ({share:.0%})"
        note(f"{what} left out, because they occur in fewer than {report.min_games} games; {remedy} keeps all")
    if report.losses or (report.games and not report.rare):
        for line in str(report.losses).splitlines():
            note(line)
