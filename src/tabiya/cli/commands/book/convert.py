"""``tabiya book convert`` and ``tabiya book merge``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tabiya import books, formats
from tabiya.cli.commands.book.options import AnyMove, print_losses, print_report
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import Force, JsonReport, Password, Strict, Threads, To, all_cores, given, password_of
from tabiya.cli.reports import ReportFile, ReportTarget
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from tabiya.game import RecordFilter


@expanded
def convert(
    source: Annotated[str, typer.Argument(help="A book of any format, or a database of games.")],
    target: Annotated[str, typer.Argument(help="The book to write, or a database for its lines: .pgn, ...")],
    *,
    target_format: To = None,
    start: Annotated[
        str, typer.Option(metavar="POSITION", help="Where lines begin, a FEN or moves; for Polyglot books.")
    ] = "",
    any_move: AnyMove = False,
    read_options: Options,
    password: Password = None,
    strict: Strict = False,
    force: Force = False,
    threads: Threads = None,
    json: JsonReport = False,
    report_file: ReportFile = None,
    conditions: RecordFilter,
) -> None:
    """Convert a book into another format, or into a game with all its lines.

    What the target cannot store is reported at the end; the exit code is then 1. Books without positions (Polyglot) are
    followed move by move from the start; entries that are not reached count as lost. A database of games becomes a book
    as with "tabiya book build", which has more options; conditions select games.

    Example:
        tabiya book convert book.ctg book.bin
        tabiya book convert book.abk lines.pgn
        tabiya book convert black.bin black.ctg --any-move
    """
    report_target = ReportTarget(report_file, json=json, force=force, targets=[target], sources=[source])
    report = books.transfer_book(
        source,
        target,
        format=target_format,
        formats=formats.FORMATS,
        start=books.parse_line(start),
        any_move=any_move,
        where=conditions or None,
        source_options={**read_options, **given(password=password_of(source, password))},
        threads=threads or all_cores(),
        overwrite=force,
        strict=strict,
    )
    report_target.put(report.as_dict())
    if isinstance(report, books.BookConversion):
        title = f"{target} ({report.source_format} to {report.target_format})"
        print_losses(report.losses, title, report.positions, report.moves, report.notes)
    else:
        print_report(report, f"{target} (games to {report.format})", "tabiya book build --min-games 1")
    if report.losses:
        raise typer.Exit(ExitCode.PROBLEMS)


def merge(
    files: Annotated[
        list[str],
        typer.Argument(metavar="BOOK...", help="Books of any format; the last one is the target unless -o is given."),
    ],
    *,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="TARGET", help="The book to write, instead of the last BOOK."),
    ] = None,
    target_format: To = None,
    any_move: AnyMove = False,
    strict: Strict = False,
    force: Force = False,
    json: JsonReport = False,
    report_file: ReportFile = None,
) -> None:
    """Merge books into one: the target of -o, or else the last book.

    Games, results, ratings and weights of equal moves are added. For symbols and recommendations the first book counts.

    Example:
        tabiya book merge white.bin black.bin -o both.bin
        tabiya book merge "old/*.bin" -o all.bin
    """
    *sources, target = files if output is None else [*files, output]
    if not sources:
        raise UsageError("there is no target: name it with -o")
    report_target = ReportTarget(report_file, json=json, force=force, targets=[target], sources=sources)
    report = books.merge_books(sources, target, format=target_format, any_move=any_move, overwrite=force, strict=strict)
    report_target.put(report.as_dict())
    print_losses(report.losses, f"{target} ({report.target_format})", report.positions, report.moves, report.notes)
    if report.losses:
        raise typer.Exit(ExitCode.PROBLEMS)
