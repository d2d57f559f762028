"""``tabiya tag``: set tags of many games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import open_database
from tabiya.cli.progress import progress_bar
from tabiya.cli.reports import ReportFile, ReportTarget
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from tabiya.cli.change_options import Changing
    from tabiya.cli.options import Sources


@expanded
def tag(
    *,
    sources: Sources,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=TEXT", help="A tag and its new text. Repeatable.")
    ] = None,
    remove: Annotated[list[str] | None, typer.Option(metavar="NAME", help="A tag to remove. Repeatable.")] = None,
    changing: Changing,
    json: options.Json = False,
    report_file: ReportFile = None,
    reading: Options,
) -> None:
    """Set or remove tags of many games.

    All games are changed, or those that meet every condition; conditions are those of "tabiya list". With -o all
    records are written to a new database; --in-place replaces them, if the format supports it. Without either, the
    command shows how many records would change.

    Example:
        tabiya tag games.pgn --set Event="Club championship" --set Site=Graz -o tagged.pgn
        tabiya tag MyBase.cbh --event "wijk aan zee" --date 2020 --set EventCountry=NED --in-place
        tabiya tag games.pgn --remove Source --dry-run
    """
    tags: dict[str, str | None] = dict.fromkeys(remove or ())
    for text in settings or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"{text!r} does not set a tag: give NAME=TEXT")
        tags[name] = value
    report_target = ReportTarget(
        report_file, json=json, force=changing.force, targets=[changing.output], sources=sources.paths
    )
    with (
        open_database(sources, **reading) as database,
        progress_bar(sources.name) as progress,
    ):
        report = tabiya.set_tags(database, tags, changing.target, **changing.options(database, progress))
    report_target.put(report.as_dict())
    changing.print_report(report, sources.name)
