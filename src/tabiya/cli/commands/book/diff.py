"""``tabiya book diff``: the differences between two books."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import islice
from typing import Annotated

import typer

from tabiya import books
from tabiya.cli.commands.book.options import AnyMove
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.options import Json, Limit
from tabiya.cli.output import count, json_array, note, plain


def diff(
    a: Annotated[str, typer.Argument(help="A book of any format.")],
    b: Annotated[str, typer.Argument(help="Another book, of the same or another format.")],
    *,
    any_move: AnyMove = False,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Show how two books differ, position by position.

    The comparison covers the values that both formats store; if one has only weights, the probability of each move. The
    exit code is 1 if there are differences, or positions that could not be compared.

    Example:
        tabiya book diff old.ctg new.ctg
        tabiya book diff book.ctg book.bin --limit 10
    """
    with ExitStack() as stack:
        first, second = (stack.enter_context(books.open_book(file)) for file in (a, b))
        put = stack.enter_context(json_array()) if json else None
        comparison = books.BookComparison(first, second, any_move=any_move)
        for found in islice(comparison, limit):
            if put is not None:
                put(found.as_dict())
            else:
                print(found.fen or f"key {found.key:016x}")
                print(*(plain(f"  {sentence}") for sentence in found.differences), sep="\n")
    stopped = "; stopped there" if comparison.different and comparison.different == limit else ""
    differing = f"{comparison.different:,} different" if comparison.different else "no differences"
    note(f"{count(comparison.positions, 'position')} compared, {differing}{stopped}")
    if comparison.unreached:
        unreached = count(comparison.unreached, "position")
        note(f"{unreached} not compared: known only by their keys, and no line reaches them")
    if comparison.different or comparison.unreached:
        raise typer.Exit(ExitCode.PROBLEMS)
