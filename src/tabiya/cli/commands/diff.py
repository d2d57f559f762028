"""``tabiya diff``: the differences between two databases."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from tabiya import formats
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import Json, Limit, Password, Recursive, Threads, all_cores, open_database
from tabiya.cli.output import count, json_array, name_of, note, plain
from tabiya.cli.progress import progress_bar
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.cli.record_options import Choice
    from tabiya.formats import RecordDifference


@expanded
def diff(
    a: Annotated[
        str, typer.Argument(help="A database of any format, a folder, a pattern or a ZIP; - is standard input.")
    ],
    b: Annotated[str, typer.Argument(help="The second database, of any format.")],
    *,
    limit: Limit = None,
    read_options: Options,
    password: Password = None,
    threads: Threads = None,
    json: Json = False,
    recursive: Recursive = False,
    where: Choice,
) -> None:
    """Show how two databases of any formats differ.

    The comparison covers content: tags, start position, moves, annotations, texts, deletion marks; not numbers or
    offsets. The first of two values is that of A. The exit code is 1 if there are differences.

    Example:
        tabiya diff old.pgn new.pgn
        tabiya convert games.pgn games.pgn.zst && tabiya diff games.pgn games.pgn.zst
    """
    if a == b == "-":
        raise UsageError("only one of the databases can be standard input")
    with ExitStack() as stack:
        first, second = (
            stack.enter_context(
                open_database(file, where=where, password=password, recursive=recursive, **read_options)
            )
            for file in (a, b)
        )
        put = stack.enter_context(json_array()) if json else None
        progress = stack.enter_context(progress_bar(a))
        comparison = formats.Comparison(first, second, threads=threads or all_cores(), progress=progress)
        stopped = False
        for found in comparison if limit != 0 else ():
            if put is not None:
                put(found.as_dict())
            else:
                print(*map(plain, _lines(found, a, b)), sep="\n")
            printed = comparison.different + comparison.only_a + comparison.only_b
            if printed == limit:
                stopped = True
                break
    different = comparison.different + comparison.only_a + comparison.only_b
    parts = [f"{count(comparison.compared, 'record')} compared"]
    parts += [f"{comparison.different:,} different"] if different else ["no differences"]
    only = ((a, comparison.only_a), (b, comparison.only_b))
    parts += [f"{number:,} only in {name_of(file)}" for file, number in only if number]
    note(", ".join(parts) + ("; stopped there" if stopped else ""))
    if different:
        raise typer.Exit(ExitCode.PROBLEMS)


def _lines(found: RecordDifference, a: str, b: str) -> Iterator[str]:
    if found.a is None or found.b is None:
        file, number = (a, found.a) if found.b is None else (b, found.b)
        yield f"only in {name_of(file)}: record {number}: {found.title}"
        return
    numbers = f"record {found.a}" if found.a == found.b else f"records {found.a} / {found.b}"
    yield f"{numbers}: {found.title}"
    yield from (f"  {sentence}" for sentence in found.differences)
