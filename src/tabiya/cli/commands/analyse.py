"""``tabiya analyse``: evaluations of an engine, written into games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final, TypedDict

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.change_options import print_losses
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import open_database
from tabiya.cli.output import count, note, plain
from tabiya.cli.progress import progress_bar
from tabiya.cli.reports import ReportFile, ReportTarget, place_of
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from tabiya.analysis import AnalysisReport, SuiteReport
    from tabiya.cli.change_options import Changing
    from tabiya.cli.options import Sources

_ADDED: Final = {
    "evaluations": "evaluation",
    "inaccuracies": "inaccuracy",
    "mistakes": "mistake",
    "blunders": "blunder",
    "better lines": "better line",
    "lines": "line",
    "profiles": "evaluation profile",
    "symbols removed": "symbol removed",
}
"""What an analysis adds, and a single one."""


class _Search(TypedDict):
    """How an engine searches: the arguments that an analysis and a test suite share."""

    engine: str
    engine_options: dict[str, str | None]
    depth: int | None
    time: float | None
    nodes: int | None
    processes: int | None
    cache: str | Path | None


@expanded
def analyse(
    *,
    sources: Sources,
    engine: Annotated[
        str, typer.Option(metavar="PROGRAM", help="The UCI engine: name or path of a program, perhaps with arguments.")
    ] = "stockfish",
    engine_option: options.EngineOptions = None,
    depth: Annotated[
        int | None, typer.Option(min=1, metavar="PLIES", help="Depth of each search (default: 16).")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--time", metavar="SECONDS", help="Time of each search.")] = None,
    nodes: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Number of positions that each search examines.")
    ] = None,
    from_ply: Annotated[int, typer.Option(min=1, metavar="N", help="Begin with this ply; 1 is the first move.")] = 1,
    book: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Skip moves at the beginning of games that this book or database contains."),
    ] = None,
    lines: Annotated[int, typer.Option(min=1, metavar="N", help="Number of better lines for a bad move.")] = 1,
    line_plies: Annotated[int, typer.Option(min=1, metavar="N", help="Length of better lines.")] = 10,
    no_lines: Annotated[bool, typer.Option("--no-lines", help="Add no better lines.")] = False,
    no_symbols: Annotated[bool, typer.Option("--no-symbols", help="Do not mark moves with ?!, ? and ??.")] = False,
    judge: options.Judge = "5,10,15",
    profile: Annotated[
        bool,
        typer.Option("--evaluation-profile", help="Add ChessBase's evaluation profile, also where it is not usual."),
    ] = False,
    no_profile: Annotated[
        bool, typer.Option("--no-evaluation-profile", help="Add no evaluation profile to ChessBase databases.")
    ] = False,
    redo: Annotated[
        bool, typer.Option("--redo", help="Replace evaluations, and ?!, ? and ??, that exist already.")
    ] = False,
    processes: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Number of engine processes (default: all cores).")
    ] = None,
    cache: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep findings in this file (default: one for all databases).")
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Keep no findings.")] = False,
    changing: Changing,
    json: options.Json = False,
    report_file: ReportFile = None,
    source_format: options.From = None,
    reading: Options,
    password: options.Password = None,
) -> None:
    """Analyse games with an engine: evaluations of moves, symbols for mistakes, better lines.

    The engine is any program that speaks UCI; tabiya contains none. Moves that have an evaluation are skipped, and
    nothing that exists is replaced without --redo. Symbols follow the win chances that a move loses: ?! from 5 points,
    ? from 10, ?? from 15, as on Lichess; --judge sets other limits.

    Findings are kept in a cache by position, engine, options and depth, so that a second run costs nothing. Ctrl-C
    ends the analysis: games that are finished are written, and the next run continues.

    With -o all records are written to a new database; --in-place changes them, if the format supports it. Without
    either, and with --dry-run, positions are only counted.

    A test suite (EPD with best moves) is run if neither is given: the command prints what the engine plays, and how
    many positions it solves. With -o positions get an evaluation and a line.

    Example:
        tabiya analyse suite.epd --depth 20
        tabiya analyse games.pgn -o analysed.pgn --engine stockfish
        tabiya analyse MyBase.cbh --in-place --engine stockfish --depth 20 --option Hash=256 --player Carlsen
        tabiya analyse games.pgn -o analysed.cbh --engine stockfish --time 0.5 --book book.bin
    """
    report_target = ReportTarget(
        report_file, json=json, force=changing.force, targets=[changing.output], sources=sources.paths
    )
    notation = tabiya.Notation(
        from_ply=from_ply,
        symbols=not no_symbols,
        variations=not no_lines,
        line_plies=line_plies,
        lines=lines,
        profile=True if profile else False if no_profile else None,
        redo=redo,
        thresholds=tabiya.evaluations.Thresholds.parse(judge),
    )
    if profile and no_profile:
        raise UsageError("--evaluation-profile and --no-evaluation-profile exclude each other")
    if no_cache and cache is not None:
        raise UsageError("--cache and --no-cache exclude each other")
    with (
        open_database(sources, format=source_format, password=password, **reading) as database,
        progress_bar(sources.name, "positions") as progress,
    ):
        search: _Search = {
            "engine": engine,
            "engine_options": options.engine_options_of(engine_option or []),
            "depth": depth,
            "time": seconds,
            "nodes": nodes,
            "processes": processes,
            "cache": None if no_cache else cache or tabiya.analysis.default_cache(),
        }
        changes = changing.options(database, progress)
        only_tests = changing.output is None and not changing.in_place and not changing.dry_run
        if only_tests and tabiya.analysis.is_suite(database):
            suite = tabiya.analysis.run_suite(database, numbers=changes["numbers"], progress=progress, **search)
            report_target.put(suite.as_dict())
            _print_suite(suite, sources.name, json=json)
            return
        report = tabiya.analyse(database, changing.target, notation=notation, book=book, **search, **changes)
    report_target.put(report.as_dict())
    _print_report(report, changing, sources.name)


def _print_suite(suite: SuiteReport, name: str, *, json: bool) -> None:
    """Print the positions of a test suite, and the number of those that are solved."""
    if not json:
        for each in suite.positions:
            mark = "solved" if each.solved else "failed" if each.played else "untested"
            wanted = " ".join((*each.best, *(f"not {move}" for move in each.avoid)))
            value = "" if each.evaluation is None else each.evaluation.format()
            row = (f"{each.number:6}", f"{mark:8}", f"{each.played or '':7}", f"{value:10}", f"{wanted:12}", each.name)
            print(plain("  ".join(row)).rstrip())
    untested = len(suite.positions) - suite.tested
    note(f"{name}: {suite.engine} solved {suite.solved:,} of {count(len(suite.positions), 'position')}")
    if untested:
        problem = next(each.problem for each in suite.positions if each.played is None)
        note(f"{count(untested, 'position')} could not be tested: {problem}")


def _print_report(report: AnalysisReport, changing: Changing, name: str) -> None:
    """Report the analysis, and end with the right code."""
    changes = report.changes
    writes = (changing.output is not None or changing.in_place) and not changing.dry_run
    if not writes:
        note(f"{name}: {count(report.positions, 'position')} of {count(report.games, 'game')} to analyse")
        note("nothing was analysed" if changing.dry_run else "nothing was analysed: give --in-place or -o")
        return
    note(f"{name}: {report.engine} analysed {count(report.searched, 'position')} of {report.positions:,}")
    numbers = ((changes.noted[several], one, several) for several, one in _ADDED.items())
    added = [f"{number:,} {one if number == 1 else several}" for number, one, several in numbers if number]
    what = f": {', '.join(added)}" if added else ""
    note(f"{changes.changed:,} of {count(changes.records, 'record')} changed{what}")
    if report.refused:
        note(f"{count(report.refused, 'position')} could not be analysed: {report.problem}")
    if report.skipped:
        note(f"{count(report.skipped, 'record')} skipped: texts, other variants, or moves that cannot be played")
    if changes.written is not None and changing.output is not None:
        note(f"{count(changes.written.written, 'record')} written to {place_of(changing.output, changes.written)}")
    if report.interrupted:
        note(f"interrupted: {count(report.unfinished, 'game')} unfinished; run the command again to continue")
        raise typer.Exit(ExitCode.INTERRUPTED)
    print_losses(changes)
    if report.refused:
        raise typer.Exit(ExitCode.PROBLEMS)
