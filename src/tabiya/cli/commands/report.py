"""``tabiya report``: how well games were played, by their evaluations."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import all_cores, open_database
from tabiya.cli.output import json_array, note, plain
from tabiya.cli.progress import progress_bar
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tabiya.cli.options import Sources
    from tabiya.cli.record_options import Choice
    from tabiya.evaluations import GameReport


@expanded
def report(
    *,
    sources: Sources,
    html: Annotated[bool, typer.Option("--html", help="Print a page with graphs of the win chances.")] = False,
    judge: options.Judge = "5,10,15",
    limit: options.Limit = None,
    threads: options.Threads = None,
    json: options.Json = False,
    where: Choice,
    source_format: options.From = None,
    reading: Options,
    password: options.Password = None,
) -> None:
    """Report how well games were played: accuracy, centipawn loss, inaccuracies, mistakes and blunders.

    The games must contain evaluations, as those of Lichess and ChessBase do. Accuracy and judgements are those of
    Lichess. The command shows both sides in total and by phase, and lists the judged moves.

    "tabiya classify --facts accuracy,centipawn-loss" writes the values into tags.

    Example:
        tabiya report game.pgn
        tabiya report lichess.pgn --player alice --html > report.html
        tabiya report lichess.pgn --json
    """
    if html and json:
        raise UsageError("--html and --json cannot be combined")
    with (
        open_database(
            sources, format=source_format, where=where, limit=limit, password=password, **reading
        ) as database,
        progress_bar(sources.name) as progress,
    ):
        reports = tabiya.game_reports(
            database,
            thresholds=tabiya.evaluations.Thresholds.parse(judge),
            threads=threads or all_cores(),
            progress=progress,
        )
        printed = _print(reports, sources.name, html=html, json=json)
    if not printed:
        note("no game has evaluated moves")


def _print(reports: Iterable[GameReport], name: str, *, html: bool, json: bool) -> int:
    """Print reports one after the other, and return how many there are."""
    printed = 0
    with _json() if json else _page(name) if html else nullcontext(_put_text) as put:
        for each in reports:
            put(each)
            printed += 1
    return printed


def _put_text(report: GameReport) -> None:
    print(*map(plain, report.to_text().splitlines()), "", sep="\n")


@contextmanager
def _json() -> Iterator[Callable[[GameReport], None]]:
    with json_array() as put:
        yield lambda report: put(report.as_dict())


@contextmanager
def _page(name: str) -> Iterator[Callable[[GameReport], None]]:
    from tabiya.evaluations.report_display import page_begin, page_end  # noqa: PLC0415 - rarely needed

    print(page_begin(name))
    yield lambda report: print(report.to_html())
    print(page_end())
