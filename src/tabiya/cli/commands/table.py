"""``tabiya table``: selected columns of games or positions as a file for other programs."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import all_cores, open_database, source_and_target, standard_stream
from tabiya.cli.output import count, name_of, note
from tabiya.cli.progress import progress_bar
from tabiya.cli.reports import ReportFile, ReportTarget

if TYPE_CHECKING:
    from tabiya.cli.options import Sources
    from tabiya.cli.record_options import Choice
    from tabiya.formats import Database
    from tabiya.search import Query


@expanded
def table(
    *,
    sources: Sources,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="TARGET",
            help="The table to write, instead of the last FILE; - is standard output (CSV unless --to is given).",
        ),
    ] = None,
    columns: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Columns, separated by commas (default: those of a list of games)."),
    ] = None,
    rows: Annotated[
        str, typer.Option(metavar="WHAT", help="What a row is: games, or positions of their main lines.")
    ] = "games",
    reading: Options,
    target_format: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="parquet, csv or tsv (default: by the suffix).")
    ] = None,
    spreadsheet: Annotated[
        bool, typer.Option("--spreadsheet", help="CSV for a spreadsheet, without text that it reads as a formula.")
    ] = False,
    force: options.Force = False,
    threads: options.Threads = None,
    json: options.JsonReport = False,
    report_file: ReportFile = None,
    where: Choice,
    query: Query,
    limit: options.Limit = None,
) -> None:
    """Write games, or all their positions, as a table for other programs: Parquet, CSV.

    Columns are those of a record (white, black, event, site, round, year, white_elo, black_elo, result, eco and so on),
    date, ply_count, any tag (tag:TimeControl), and values computed from the moves: san, uci, movetext, fen and key (of
    the last position; fen:20 after 20 half-moves), fens and keys (of all), material, clocks, times, evaluations, mates.
    With a row per position the columns are ply, key, fen, san, uci, move, clock, time, evaluation, mate, and columns of
    its game.

    From evaluations: white_accuracy, white_centipawn_loss, white_inaccuracies, white_mistakes, white_blunders, and the
    same of Black; with a row per position accuracy, lost, chances, judgement, phase.

    A table cannot be converted back into games: "tabiya convert" keeps everything. Conditions are those of "tabiya
    list" and "tabiya search".

    Example:
        tabiya table games.pgn games.parquet --columns white,black,result,san,tag:TimeControl
        tabiya table games.pgn positions.parquet --rows positions --columns number,ply,fen,san,evaluation
        tabiya table lichess.pgn blunders.csv --columns white,black,white_accuracy,tag:Site --judged blunder
        tabiya table twic/ -o strong.csv --columns white,black,date,fen:20 --min-elo 2600
    """
    sources, target = source_and_target(sources, output)
    search = query.condition is not None or query.side_of is not None
    report_target = ReportTarget(report_file, json=json, force=force, targets=[target], sources=sources.paths)
    with (
        open_database(sources, where=where, limit=None if search else limit, **reading) as database,
        progress_bar(sources.name) as progress,
    ):
        threads = threads or all_cores()
        report = tabiya.write_table(
            _found(database, replace(query, limit=limit or query.limit), threads) if search else database,
            standard_stream(target, sys.stdout),
            None if columns is None else [name.strip() for name in columns.split(",")],
            rows=rows,
            format=target_format or ("csv" if target == "-" else None),
            threads=threads,
            overwrite=force,
            spreadsheet=spreadsheet,
            progress=progress,
        )
    report_target.put(report.as_dict())
    place = name_of(target, "standard output")
    note(f"{count(report.rows, 'row')} of {count(report.records, 'record')} written to {place} ({report.format})")


def _found(database: Database, query: Query, threads: int) -> Database:
    from tabiya.search.finding import Matches  # noqa: PLC0415 - only for conditions on positions

    return Matches(database, query, threads=threads).database()
