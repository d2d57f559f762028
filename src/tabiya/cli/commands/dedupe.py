"""``tabiya dedupe``: duplicate games, to review, omit, write elsewhere or mark."""

from __future__ import annotations

import csv as csv_module
import sys
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.hints import with_options
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import all_cores, format_of_target, given, open_database, standard_stream
from tabiya.cli.output import count, note, plain, print_json, terminal_safe
from tabiya.cli.progress import progress_bar
from tabiya.cli.reports import ReportFile, ReportTarget, place_of
from tabiya.errors import UsageError
from tabiya.formats.open_and_create import format_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.cli.options import Sources
    from tabiya.cli.record_options import Choice
    from tabiya.formats import ConversionReport, Database
    from tabiya.maintenance import DedupeReport, DuplicateGroup, Duplicates, ListedGame

_COLUMNS: Final = (
    *("group", "role", "number", "white", "black", "event", "site", "round", "date", "result", "plies"),
    *("annotations", "differs", "source", "source_number"),
)


@expanded
def dedupe(
    *,
    sources: Sources,
    match: Annotated[
        str,
        typer.Option(metavar="HOW", help="exact (same moves and players), near (names, dates, moves alike) or moves."),
    ] = "exact",
    players: Annotated[
        str | None, typer.Option(metavar="HOW", help="Names of players: same, alike (initials, accents, order) or any.")
    ] = None,
    dates: Annotated[
        str | None, typer.Option(metavar="HOW", help="Dates: same, near (a day apart, parts missing) or any.")
    ] = None,
    events: Annotated[
        str | None, typer.Option(metavar="HOW", help="Names of events: same, alike (years, order of words) or any.")
    ] = None,
    moves: Annotated[
        str | None, typer.Option(metavar="HOW", help="Moves: same, or begin (one may continue where the other ends).")
    ] = None,
    least_plies: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="Least half-moves of a beginning, or of equal moves of other players (10)."
        ),
    ] = None,
    same: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD", help="Must be equal too: date, event, result, round, site. Repeatable."),
    ] = None,
    despite: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD",
            help="Match games even if these differ: link (URL), time (UTC), result (1-0 and 0-1). Repeatable.",
        ),
    ] = None,
    keep: Annotated[
        str,
        typer.Option(
            metavar="RULES", help="Which game to keep, by the first rule that decides; see above for the rules."
        ),
    ] = "annotations,longer,rated,first",
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="TARGET", help="Write all records except the twins to this database."),
    ] = None,
    twins: Annotated[str | None, typer.Option(metavar="TARGET", help="Write the twins to this database.")] = None,
    mark: Annotated[bool, typer.Option("--mark", help="Mark the twins as deleted in place.")] = False,
    reviewed: Annotated[
        str | None,
        typer.Option(metavar="CSV", help="Read the twins from a report made with --csv, instead of searching."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and change nothing.")] = False,
    limit: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Show at most this many groups; all are processed.")
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print the report as CSV, a line per game.")] = False,
    json: options.Json = False,
    report_file: ReportFile = None,
    target_format: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="Format of the targets (default: by their suffixes).")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace targets if they exist.")] = False,
    strict: options.Strict = False,
    threads: options.Threads = None,
    where: Choice,
    reading: Options,
) -> None:
    """Find duplicate games, and omit them, write them to another database, or mark them.

    Without -o, --twins or --mark nothing is changed: the report shows what was found. Conditions select the games to
    compare; -o writes only these. Rules for --keep: annotations (more of them), longer, rated (more ratings), first,
    last; by default "annotations,longer,rated,first".

    Games with different URLs (Link, or Site with the id of a game), with UTC times more than a minute apart, or of
    which White won one and Black the other are different games, unless --despite names the difference to ignore. With
    --match moves only the moves are compared.

    You can review a report before changing anything: print it with --csv, remove the lines of games that are not twins
    with any editor, and pass the rest to --reviewed.

    Example:
        tabiya dedupe games.pgn
        tabiya dedupe games.pgn --match near -o clean.pgn --twins twins.pgn
        tabiya dedupe MyBase.cbh --match near --same round --mark --dry-run
        tabiya dedupe twic/ --match near --csv > report.csv
        tabiya dedupe twic/ --reviewed report.csv -o clean.pgn
    """
    if csv and json:
        raise UsageError("--csv and --json cannot be combined")
    if (csv or json) and "-" in (output, twins):
        raise UsageError("a report and a database cannot both go to standard output")
    if output == twins == "-":
        raise UsageError("the twins and the other records cannot both go to standard output")
    report_target = ReportTarget(report_file, json=False, force=force, targets=[output, twins], sources=sources.paths)
    arguments: dict[str, Any] = {
        "twins": None if twins is None else standard_stream(twins, sys.stdout),
        "mark": mark,
        "dry_run": dry_run,
        "overwrite": force,
        "strict": strict,
        "threads": threads or all_cores(),
        "options": given(target_format=format_of_target(target_format, output, twins)),
    }
    how = given(players=players, dates=dates, events=events, moves=moves, least_plies=least_plies, same=same)
    how |= given(despite=despite)
    with (
        open_database(sources, where=where, **reading) as database,
        progress_bar(sources.name) as progress,
    ):
        arguments["progress"] = progress
        target = None if output is None else standard_stream(output, sys.stdout)
        if reviewed is not None:
            numbers = tabiya.maintenance.reviewed_numbers(reviewed, database)
            report = tabiya.maintenance.remove_records(database, numbers, target, **arguments)
        else:
            report = tabiya.dedupe(database, target, match=match, keep=keep, **arguments, **how)
        if report.duplicates is not None and "-" not in (output, twins):
            _show(report, database, limit, csv=csv, json=json)
        elif json:
            print_json(report.as_dict())
        report_target.put(report.as_dict())
    _print_report(report, output, twins, dry_run=dry_run, intended=bool(output or twins or mark))
    if not report.clean:
        raise typer.Exit(ExitCode.PROBLEMS)


def _show(report: DedupeReport, database: Database, limit: int | None, *, csv: bool, json: bool) -> None:
    found = report.duplicates
    assert found is not None
    groups = _groups(found, limit)
    if csv:
        csv_module.writer(sys.stdout, lineterminator="\n").writerows(
            [terminal_safe(cell) if isinstance(cell, str) else cell for cell in row]
            for row in chain(
                [_COLUMNS if database.has_origins else _COLUMNS[:-2]],
                (row for number, group in enumerate(groups, 1) for row in _rows(number, group, database)),
            )
        )
    elif json:
        print_json({**report.as_dict(), "duplicates": [group.as_dict() for group in groups]})
    else:
        for number, group in enumerate(groups):
            print(*([""] if number else []), _line("kept", group.kept, database), sep="\n")
            for twin in group.twins:
                differs = f"; other {', '.join(twin.differs)}" if twin.differs else ""
                print(_line("twin", twin, database), differs, sep="")


def _groups(found: Duplicates, limit: int | None) -> Iterator[DuplicateGroup]:
    return (found[place] for place in range(len(found) if limit is None else min(limit, len(found))))


def _rows(number: int, group: DuplicateGroup, database: Database) -> Iterator[list[Any]]:
    for role, game in (("kept", group.kept), *(("twin", twin) for twin in group.twins)):
        cells = game.as_dict()
        differs = " ".join(cells.pop("differs", ()))
        origin = database.origin(game.number) if database.has_origins else ()
        yield [number, role, *cells.values(), differs, *origin]


def _line(role: str, game: ListedGame, database: Database) -> str:
    players = f"{game.white or '?'} - {game.black or '?'}"
    where = " ".join(part for part in (game.event, game.round and f"({game.round})", game.date) if part)
    notes = f", {count(game.annotations, 'annotation')}" if game.annotations else ""
    what = f"{players}, {where}, " if where else f"{players}, "
    origin = database.origin(game.number) if database.has_origins else None
    place = f" ({origin.source}:{origin.number})" if origin else ""
    return plain(f"{role} {game.number:>8}  {what}{game.result or '*'}, {game.plies} plies{notes}{place}")


def _print_report(
    report: DedupeReport, output: str | None, twins: str | None, *, dry_run: bool, intended: bool
) -> None:
    if report.duplicates is not None:
        found = report.duplicates
        note(f"{count(found.games, 'game')} compared: {count(found.twins, 'twin')} of {count(len(found), 'game')}")
    if dry_run or not intended:
        would = f"{count(report.removed, 'record')} would be removed; " if intended else ""
        note(f"{would}nothing was changed")
    for place, written, what in ((twins, report.set_aside, "set aside in"), (output, report.written, "written to")):
        if place is not None and written is not None:
            _print_conversion(written, f"{what} {place_of(place, written)}")
    for name in report.marked:
        can_compact = format_of(Path(name)).compact is not None
        remedy = "tabiya compact removes them" if can_compact else "tabiya convert --without deleted leaves them out"
        note(f"{name}: twins are marked as deleted; {remedy}, tabiya undelete brings them back")


def _print_conversion(report: ConversionReport, what: str) -> None:
    note(f"{count(report.written, 'record')} {what}")
    for line in (*str(report.losses).splitlines(), *report.remarks):
        note(with_options(line))
