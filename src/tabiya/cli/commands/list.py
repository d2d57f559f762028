"""``tabiya list``: the records of a database, one line each."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from tabiya import formats
from tabiya.cli import options
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import all_cores, open_database
from tabiya.cli.output import json_array, json_text, note, terminal_safe
from tabiya.cli.progress import progress_bar
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa

    from tabiya.cli.options import Sources
    from tabiya.cli.record_options import Choice
    from tabiya.formats import Database, Progress


@expanded
def list_records(
    *,
    sources: Sources,
    where: Choice,
    limit: options.Limit = None,
    count_only: Annotated[bool, typer.Option("--count", help="Print only the number of records.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV, with a header line.")] = False,
    spreadsheet: Annotated[
        bool, typer.Option("--spreadsheet", help="With --csv: keep spreadsheets from reading text as formulas.")
    ] = False,
    threads: options.Threads = None,
    json: options.Json = False,
    nl: Annotated[bool, typer.Option("--nl", help="Print JSON, one object per line.")] = False,
    reading: Options,
) -> None:
    """List the records of databases, one line each.

    All records are listed, or those that meet every condition. TEXT may occur anywhere in the tag; case and accents do
    not matter, and in names neither do punctuation and blanks. /TEXT/ is a regular expression. A game with an
    incomplete date is listed if it may have been played in the requested time.

    A letter after the number marks records that are not ordinary games: t a text, o a record that could not be decoded,
    d a record marked as deleted. Several databases are numbered continuously, and each line ends with the file and the
    number there. If nothing is found, standard error says so; the exit code is still 0.

    Example:
        tabiya list games.pgn --player carlsen --since 2020 --result 1-0
        tabiya list games.pgn --tag "Opening=/najdorf|scheveningen/" --limit 10
        tabiya list games.pgn --min-elo 2700 --csv > games.csv
        tabiya list games.pgn --eco B90-B99 --count
        tabiya list twic/ "old/**/*.pgn" more.zip --player polgar --player carlsen --eco Najdorf
    """
    if count_only + csv + json + nl > 1:
        raise UsageError("--count, --csv, --json and --nl cannot be combined")
    if spreadsheet and not csv:
        raise UsageError("--spreadsheet is for CSV: give --csv as well")
    with (
        open_database(sources, where=where, limit=limit, **reading) as database,
        nullcontext() if sys.stdout.isatty() else progress_bar(sources.name) as progress,  # the lines show progress
    ):
        if count_only:
            print(_number(database, threads or all_cores(), progress))
            return
        chosen = _headers(database, threads or all_cores(), progress)
        if csv:
            _print_csv(chosen, spreadsheet=spreadsheet)
        elif json or nl:
            _print_json(chosen, array=json)
        else:
            _print_text(chosen)


def _number(database: Database, threads: int, progress: Callable[[Progress], None] | None) -> int:
    """Return the number of records; taken from formats that store it, otherwise counted with all threads."""
    from tabiya.formats.subset import Derived  # noqa: PLC0415 - needs pyarrow

    if not isinstance(database, Derived) and not database.format.streams and not database.has_origins:
        return len(database)
    listed = 0
    for headers in database.headers(threads=threads):
        listed += len(headers)
        if progress is not None:
            progress(formats.Progress(listed, database.progress))
    return listed


def _headers(database: Database, threads: int, progress: Callable[[Progress], None] | None) -> Iterator[pa.RecordBatch]:
    """Yield the headers of the requested records, with their origins if there are several; report if there are none."""
    listed = 0
    for headers in database.headers(threads=threads):
        yield database.with_origins(headers) if database.has_origins else headers
        listed += len(headers)
        if progress is not None:
            progress(formats.Progress(listed, database.progress))
    if not listed:
        note(f"{database.name}: no records found")


def _print_csv(chosen: Iterator[pa.RecordBatch], *, spreadsheet: bool) -> None:
    from tabiya.cli.header_rows import csv_text  # noqa: PLC0415 - needs pyarrow

    for index, headers in enumerate(chosen):
        print(terminal_safe(csv_text(headers, titles=index == 0, spreadsheet=spreadsheet)), end="")


def _print_json(chosen: Iterator[pa.RecordBatch], *, array: bool) -> None:
    from tabiya.cli.header_rows import json_rows  # noqa: PLC0415 - needs pyarrow

    rows = (row for headers in chosen for row in json_rows(headers))
    if array:
        with json_array() as put:
            for row in rows:
                put(row)
    else:
        for row in rows:
            print(json_text(row))


def _print_text(chosen: Iterator[pa.RecordBatch]) -> None:
    from tabiya.cli.header_rows import text_lines  # noqa: PLC0415 - needs pyarrow

    for headers in chosen:
        for line in text_lines(headers):
            print(line)
