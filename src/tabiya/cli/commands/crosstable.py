"""``tabiya crosstable``: the crosstable of an event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import all_cores, open_database
from tabiya.cli.output import plain, print_json
from tabiya.cli.progress import progress_bar
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from tabiya.cli.options import Sources
    from tabiya.cli.record_options import Choice


@expanded
def crosstable(
    *,
    sources: Sources,
    kind: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="match, round-robin, swiss or team (default: detected)."),
    ] = None,
    tie_breaks: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Tie-breaks, separated by commas (default: the usual ones for the kind)."),
    ] = None,
    together: Annotated[
        bool, typer.Option("--together", help="Count all games, regardless of the names and dates of their events.")
    ] = False,
    html: Annotated[bool, typer.Option("--html", help="Print HTML.")] = False,
    threads: options.Threads = None,
    json: options.Json = False,
    where: Choice,
    reading: Options,
) -> None:
    """Show the crosstable and the standings of an event.

    Conditions select its games; they are those of "tabiya list". A round robin is shown as a table of opponents, a
    Swiss as a table of rounds (+12w: won against number 12 with White); teams need the tags WhiteTeam and BlackTeam.

    Tie-breaks: direct, wins, black_wins, black_games, sonneborn_berger, koya, buchholz, buchholz_cut1, median_buchholz,
    progressive, average_rating, performance, board_points.

    Example:
        tabiya crosstable games.pgn --event hastings --date 1895
        tabiya crosstable open.pgn --kind swiss --tie-breaks buchholz,progressive
        tabiya crosstable league.pgn --html > league.html
    """
    if html and json:
        raise UsageError("--html and --json cannot be combined")
    with (
        open_database(sources, where=where, **reading) as database,
        progress_bar(sources.name) as progress,
    ):
        event = tabiya.tournament(
            database,
            kind=kind,
            tie_breaks=None if tie_breaks is None else [name.strip() for name in tie_breaks.split(",")],
            together=together,
            threads=threads or all_cores(),
            progress=progress,
        )
    if json:
        print_json(event.as_dict())
    elif html:
        print(event.to_html())
    else:
        print(*(plain(line) for line in event.to_text().splitlines()), sep="\n")
