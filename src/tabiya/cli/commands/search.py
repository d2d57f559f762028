"""``tabiya search``: find games by their positions and moves."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabiya import formats
from tabiya.cli import options
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import all_cores, given, open_database, password_of, standard_stream
from tabiya.cli.output import count, json_array, note
from tabiya.cli.progress import progress_bar
from tabiya.cli.reports import ReportFile, ReportTarget, place_of
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from tabiya.cli.options import Sources
    from tabiya.cli.record_options import Choice
    from tabiya.formats import Database
    from tabiya.formats.progress import Watcher
    from tabiya.search import Matches, Query

_NUMBER = 9
"""Width of the number in a line of a list."""


@expanded
def search(
    *,
    sources: Sources,
    query: Query,
    in_variations: Annotated[bool, typer.Option("--in-variations", help="Search variations as well.")] = False,
    limit: options.Limit = None,
    count_only: Annotated[bool, typer.Option("--count", help="Print only the number of games found.")] = False,
    json: options.Json = False,
    target: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="TARGET",
            help="Write the games to a database of any format; - is stdout.",
        ),
    ] = None,
    target_format: options.To = None,
    writing: Options,
    force: options.Force = False,
    threads: options.Threads = None,
    report_file: ReportFile = None,
    reading: Options,
    where: Choice,
) -> None:
    """Find games by what happens in them.

    Conditions on positions must all be true at the same ply of a game; conditions on headers are those of "tabiya
    list"; --sample selects from the games found. An option given several times means one or the other. A condition on a
    move applies to the move played in the position. --query allows what options cannot express: sequences, streaks, and
    exclusions.

    Games are listed with the first move at which the conditions are true, 12. for White's, 12... for Black's, and with
    the number of half-moves before it, for "tabiya show FILE NUMBER --ply N". Texts and deleted records are never
    found.

    Conditions on evaluations and clocks apply to games that contain them. --for NAME selects the games of a player, and
    all conditions on positions are from that player's side: White's pieces are those of the player, evaluations above 0
    are good for the player; "player" and "opponent" are other names for white and black.

    Example:
        tabiya search games.pgn --moves "1. e4 c5 2. Nf3 d6" --min-elo 2600
        tabiya search twic/ old.cbh --fen "8/8/4k3/8/8/3K4/4P3/8 w" --json
        tabiya search games.pgn --board Bb3,Nf3,pa6 --white carlsen --count
        tabiya search games.pgn --material KRPKR --either-color --lasting 10 -o rook-endings.cbh
        tabiya search lichess.pgn --for alice --judged player:blunder --clock ..10
        tabiya search games.pgn --query '{"sequence": [{"white-move": "Bxh7+"}, {"result-type": "mate"}]}'
    """
    from tabiya.search.finding import Matches  # noqa: PLC0415 - needs pyarrow

    if json + count_only + (target is not None) > 1:
        raise UsageError("--json, --count and --output cannot be combined")
    if target is None and (force or report_file is not None or target_format is not None or writing):
        raise UsageError("--force, --report, --to and options for writing belong to a target: give --output")
    report_target = ReportTarget(report_file, json=False, force=force, targets=[target], sources=sources.paths)
    threads = threads or all_cores()
    query = replace(
        query,
        where=where.where or None,
        variations=in_variations,
        limit=min((each for each in (query.limit, limit) if each is not None), default=None),
        sample=where.sample,
        seed=where.seed,
    )
    if query.condition is None and query.side_of is None and query.where is None and where.records is None:
        raise UsageError("the search has no condition: give one on positions or on headers")
    by_number = replace(where, where=None, sample=None, seed=None)
    with (
        open_database(sources, where=by_number, **reading) as database,
        nullcontext() if sys.stdout.isatty() else progress_bar(sources.name) as progress,  # the lines show progress
    ):
        matches = Matches(database, query, threads=threads)
        if target is not None:
            how = {"target_format": target_format, "overwrite": force, "threads": threads, **writing}
            _write(matches, progress, target, report_target, **how)
        elif count_only:
            print(matches.count())
        elif not _print_found(database, matches, progress, json=json) and not json:
            note(f"{database.name}: no game found")


def _print_found(database: Database, matches: Matches, progress: Watcher, *, json: bool) -> int:
    """Print the games found, with their origins if there are several; return the number of games."""
    from tabiya.cli.header_rows import json_rows, text_lines  # noqa: PLC0415 - needs pyarrow
    from tabiya.search.finding import move_text  # noqa: PLC0415

    total = 0
    with json_array() if json else nullcontext() as put:
        for headers, found_at in matches.headers(progress=progress):
            total += len(headers)
            rows = database.with_origins(headers) if database.has_origins else headers
            starts, plies = headers["start"].to_pylist(), found_at.tolist()
            moves = [move_text(start, ply) for start, ply in zip(starts, plies, strict=True)]
            if put is not None:
                for row, ply, move in zip(json_rows(rows), plies, moves, strict=True):
                    put({**row, "ply": ply, "move": move})
            else:
                for line, ply, move in zip(text_lines(rows), plies, moves, strict=True):
                    print(f"{line[:_NUMBER]} {f'{move} ({ply})':<11}{line[_NUMBER:]}")
    return total


def _write(matches: Matches, progress: Watcher, target: str, report_target: ReportTarget, **options: Any) -> None:
    """Write the games found to a database, and report the result."""
    if target == "-":
        options["target_format"] = options["target_format"] or "pgn"
    report = formats.convert(
        matches.database(),
        standard_stream(target, sys.stdout),
        formats=formats.FORMATS,
        progress=progress,
        **options,
        **given(password=password_of(target, None, new=True)),
    )
    report_target.put(report.as_dict())
    note(f"{count(report.written, 'game')} written to {place_of(target, report)}")
    for line in (*str(report.losses).splitlines(), *report.remarks, *report.unfinished):
        note(line)
    if not report.clean:
        raise typer.Exit(ExitCode.PROBLEMS)
