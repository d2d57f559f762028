"""``tabiya classify``: openings and other facts computed from games, written into tags."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import open_database
from tabiya.cli.progress import progress_bar
from tabiya.cli.reports import ReportFile, ReportTarget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.cli.change_options import Changing
    from tabiya.cli.options import Sources
    from tabiya.maintenance import Agreement

_MOST_LISTED: Final = 10


@expanded
def classify(
    *,
    sources: Sources,
    facts: Annotated[
        str,
        typer.Option(
            metavar="FACTS",
            help="Facts to determine, separated by commas: eco, opening, plies, time, event-date, accuracy, "
            "centipawn-loss.",
        ),
    ] = "eco,opening",
    only_missing: Annotated[
        bool, typer.Option("--only-missing", help="Keep the values that games already have.")
    ] = False,
    changing: Changing,
    json: options.Json = False,
    report_file: ReportFile = None,
    reading: Options,
) -> None:
    """Determine the openings of games and other facts, and write them into tags.

    The opening is that of the last position of a game that has a name, by any order of moves. eco is written to the tag
    ECO, opening to Opening, plies to PlyCount, time (bullet, blitz, rapid, classical, correspondence) to TimeClass,
    event-date to EventDate: the first day of the event, from the dates of its games. accuracy and centipawn-loss, from
    the evaluations in games, are written to WhiteAccuracy, BlackAccuracy, WhiteCentipawnLoss and BlackCentipawnLoss.

    The command also shows how the previous codes of games compare with those of their positions. With -o all records
    are written to a new database; --in-place replaces them, if the format supports it.

    Example:
        tabiya classify games.pgn
        tabiya classify games.pgn --only-missing -o classified.pgn
        tabiya classify MyBase.cbh --facts eco --only-missing --in-place
        tabiya classify lichess.pgn.zst --facts time,plies -o games.pgn.zst
    """
    report_target = ReportTarget(
        report_file, json=json, force=changing.force, targets=[changing.output], sources=sources.paths
    )
    with (
        open_database(sources, **reading) as database,
        progress_bar(sources.name) as progress,
    ):
        how = changing.options(database, progress)
        names = [fact.strip() for fact in facts.split(",")]
        report = tabiya.classify(database, changing.target, facts=names, only_missing=only_missing, **how)
    report_target.put(report.as_dict())
    if not json and changing.output != "-":
        print(*_lines(report.agreement), sep="\n")
    changing.print_report(report.changes, sources.name)


def _lines(agreement: Agreement) -> Iterator[str]:
    for number, what in (
        (agreement.same, "games have the code of their position"),
        (agreement.chapter, "have another last digit"),
        (agreement.volume, "have the same letter only"),
        (agreement.other, "have another letter"),
        (agreement.uncoded, "have no code"),
        (agreement.unnamed, "reach no position with a name"),
    ):
        part = f"{number / agreement.compared:>7.1%}" if agreement.compared else ""
        share = part if what not in ("have no code", "reach no position with a name") else " " * len(part)
        yield f"{number:>12,}{share}  {what}"
    if agreement.frequent:
        yield from ("", "       games   tag  position")
        yield from (f"{games:>12,}   {tag}  {code}" for tag, code, games in agreement.frequent[:_MOST_LISTED])
