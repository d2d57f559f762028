"""``tabiya info``: the contents of databases in numbers."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from tabiya import formats
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import Files, Json, Recursive, Threads, all_cores, open_database
from tabiya.cli.output import Failures, count, json_array, name_of, plain
from tabiya.cli.progress import progress_bar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.cli.record_options import Choice
    from tabiya.formats import Summary

_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_STEP = 1000


@expanded
def info(
    files: Files,
    *,
    reading: Options,
    recursive: Recursive = False,
    where: Choice,
    deep: Annotated[bool, typer.Option("--deep", help="Show the number of annotations of each kind.")] = False,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Show the contents of databases in numbers.

    Example:
        tabiya info games.pgn
        tabiya info MyBase.cbh --deep
        tabiya info *.pgn --json
        tabiya info archive/ --recursive
    """
    failures = Failures()
    with ExitStack() as stack:
        put = stack.enter_context(json_array()) if json else None
        for file in files:
            with failures.noted():
                with (
                    open_database(file, where=where, recursive=recursive, **reading) as database,
                    progress_bar(file) as progress,
                ):
                    summary = formats.summarize(database, threads=threads or all_cores(), progress=progress)
                if put is not None:
                    put(summary.as_dict())
                else:
                    print(*_lines(summary, file, deep=deep), sep="\n")
    if failures.code:
        raise typer.Exit(failures.code)


def _lines(summary: Summary, file: str, *, deep: bool) -> Iterator[str]:
    yield plain(f"{name_of(file)}: {summary.title}")
    kinds = {"game": summary.games, "text": summary.texts, "undecoded record": summary.opaque}
    parts = [count(number, noun) for noun, number in kinds.items() if number]
    parts += [f"{summary.deleted:,} marked as deleted"] if summary.deleted else []
    facts = {
        "records": f"{summary.records:,}" + (f" ({', '.join(parts)})" if parts else ""),
        "dates": _range(summary.first_date, summary.last_date),
        "players": f"{summary.players:,}",
        "events": f"{summary.events:,}",
        "ratings": _range(summary.lowest_elo, summary.highest_elo),
        "results": ", ".join(f"{result} {number:,}" for result, number in summary.results.items()),
        "annotated": f"{summary.annotated:,}",
        "variations": f"in {summary.with_variations:,}" if summary.with_variations else "",
        "problems": f"{summary.problems:,} in {count(summary.with_problems, 'record')}" if summary.problems else "none",
        "size": "" if summary.bytes is None else _size(summary.bytes),
        **{name: plain(fact) if isinstance(fact, str) else f"{fact:,}" for name, fact in summary.details.items()},
    }
    width = max(10, *map(len, facts))
    yield from (f"  {name:<{width}}  {fact}" for name, fact in facts.items() if fact)
    if deep and summary.annotations:
        yield "  annotations by kind"
        width = max(len(f"{number:,}") for number in summary.annotations.values())
        yield from (f"    {number:>{width},} {name}" for name, number in summary.annotations.items())


def _range(first: object, last: object) -> str:
    if first is None:
        return ""
    return str(first) if first == last else f"{first} – {last}"


def _size(size: int) -> str:
    value = float(size)
    unit = 0
    while value >= _STEP and unit + 1 < len(_UNITS):
        value /= _STEP
        unit += 1
    return f"{value:.1f} {_UNITS[unit]}" if unit else f"{size} {_UNITS[0]}"
