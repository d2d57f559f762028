"""``tabiya book check`` and ``tabiya book repair``."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated

import typer

from tabiya import books
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.options import Force, Json, JsonReport, Limit
from tabiya.cli.output import Failures, count, json_array, note, plain
from tabiya.cli.reports import ReportFile, ReportTarget


def check(
    files: Annotated[list[str], typer.Argument(metavar="BOOK...", help="Books of any format.")],
    *,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Check every byte of books and list the problems.

    The exit code is 1 if there are problems, and 3 if a book cannot be read at all.

    Example:
        tabiya book check book.ctg
        tabiya book check *.bin --json
    """
    failures = Failures()
    with ExitStack() as stack:
        put = stack.enter_context(json_array()) if json else None
        for file in files:
            found = 0
            with failures.noted():
                for problem in books.check_book(file):
                    found += 1
                    if limit is not None and found > limit:
                        continue
                    if put is None:
                        print(plain(problem))
                    else:
                        put({"book": file, **problem.as_dict()})
                note(f"{file}: {count(found, 'problem') if found else 'no problems'}")
                failures.add(ExitCode.PROBLEMS if found else ExitCode.FINE)
    if failures.code:
        raise typer.Exit(failures.code)


def repair(
    source: Annotated[str, typer.Argument(help="A damaged book.")],
    target: Annotated[str, typer.Argument(help="The book to write, of the same format.")],
    *,
    force: Force = False,
    json: JsonReport = False,
    report_file: ReportFile = None,
) -> None:
    """Write a valid book with everything that can be recovered from a damaged one.

    The source is not changed. Losses are reported; the exit code is then 1.

    Example:
        tabiya book repair damaged.ctg sound.ctg
    """
    report_target = ReportTarget(report_file, json=json, force=force, targets=[target], sources=[source])
    losses = books.repair_book(source, target, overwrite=force)
    report_target.put({"losses": losses.as_dict()})
    note(f"{target}: written")
    for line in str(losses).splitlines():
        note(line)
    if losses:
        raise typer.Exit(ExitCode.PROBLEMS)
