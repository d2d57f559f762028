"""``tabiya verify``: replay every game, and report problems."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

import tabiya
from tabiya import formats
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.hints import translated, with_options
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import Files, Force, Json, Recursive, Threads, all_cores, open_database
from tabiya.cli.output import Failures, count, json_array, name_of, note, plain
from tabiya.cli.progress import progress_bar
from tabiya.cli.reports import ReportTarget

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tabiya.cli.record_options import Choice
    from tabiya.formats import Database, GameProblem


@expanded
def verify(
    files: Files,
    *,
    limit: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Show at most this many problems per database; all are counted."),
    ] = None,
    reading: Options,
    recursive: Recursive = False,
    where: Choice,
    report_file: Annotated[
        str | None,
        typer.Option(
            "--report", metavar="JSON", help="Write counts without contents of games to this file, for a bug report."
        ),
    ] = None,
    force: Force = False,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Replay every game, and show problems.

    Variations are replayed too; repairs made while reading are also listed. Each problem is listed with the number of
    the record and, where known, the offset in bytes. The exit code is 1 if there are any.

    Example:
        tabiya verify games.pgn
        tabiya verify *.pgn --limit 3
        tabiya verify my.2cbh --report report.json
    """
    failures = Failures()
    report = ReportTarget(report_file, json=False, force=force, targets=(), sources=files)
    reports: list[dict[str, Any]] | None = [] if report_file is not None else None
    with ExitStack() as stack:
        put = stack.enter_context(json_array()) if json else None
        for file in files:
            with (
                failures.noted(),
                open_database(file, where=where, recursive=recursive, **reading) as database,
            ):
                failures.add(_verify(database, file, limit, put, threads, reports))
    if reports is not None:
        report.put({"tabiya": tabiya.__version__, "databases": reports})
    if failures.code:
        raise typer.Exit(failures.code)


def _placed(database: Database, name: str, found: GameProblem) -> tuple[str, GameProblem]:
    """Return the file that contains a problem, and the problem with the number of its record there."""
    if not database.has_origins or found.game is None:
        return name, found
    origin = database.origin(found.game)
    return origin.source or name, formats.GameProblem(origin.number, found.problem)


def _verify(
    database: Database,
    file: str,
    limit: int | None,
    put: Callable[[Any], None] | None,
    threads: int | None,
    reports: list[dict[str, Any]] | None,
) -> ExitCode:
    name = name_of(file)
    with progress_bar(file) as progress:
        verification = formats.Verification(
            database, threads=threads or all_cores(), progress=progress, report=reports is not None
        )
        for number, found in enumerate(verification):
            if limit is not None and number >= limit:
                continue
            place, problem = _placed(database, name, found)
            if put is None:
                print(plain(f"{place}: {with_options(problem)}"))
            else:
                put({"file": file if file == "-" else place, **translated(problem.as_dict())})
    if reports is not None:
        reports.append(verification.report())
    records = f"{count(verification.records, 'record')}, {count(verification.games, 'game')} replayed"
    if not verification.problems:
        note(f"{name}: {records}, no problems")
        return ExitCode.FINE
    note(f"{name}: {records}, {count(verification.problems, 'problem')} in {count(verification.faulty, 'record')}")
    return ExitCode.PROBLEMS
