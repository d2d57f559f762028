"""``tabiya names``: find spellings that may be the same person, and apply name corrections."""

from __future__ import annotations

import csv as csv_module
import sys
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

import tabiya
from tabiya.cli import options
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import all_cores, open_database
from tabiya.cli.output import count, json_array, note, plain
from tabiya.cli.progress import progress_bar
from tabiya.cli.reports import ReportFile, ReportTarget
from tabiya.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabiya.cli.change_options import Changing
    from tabiya.cli.options import Sources
    from tabiya.maintenance import NameGroup, Spelling

_COLUMNS: Final = (
    *("from", "to", "reasons", "ambiguous", "common_opponents", "games", "years", "ratings", "fide_ids"),
    *("to_games", "to_years", "to_ratings", "to_fide_ids"),
)


@expanded
def names(
    *,
    sources: Sources,
    apply: Annotated[
        str | None,
        typer.Option(metavar="TABLE", help="Apply name corrections: CSV (from, to), or .ssp of Scid."),
    ] = None,
    csv: Annotated[bool, typer.Option("--csv", help="Print a table for --apply, to be reviewed first.")] = False,
    changing: Changing,
    json: options.Json = False,
    report_file: ReportFile = None,
    reading: Options,
) -> None:
    """List spellings of players that may be the same person, or apply name corrections.

    The list shows the evidence: FIDE ids, years, ratings and common opponents. Names with different FIDE ids, and names
    that have played each other, are never listed together. Nothing is merged automatically: print the list with --csv,
    remove the lines that are wrong, and pass the rest to --apply. A spelling file of Scid works, too.

    Example:
        tabiya names games.pgn
        tabiya names games.pgn --csv > names.csv
        tabiya names games.pgn --apply names.csv -o clean.pgn
        tabiya names MyBase.cbh --apply spelling.ssp --in-place
    """
    if csv and json:
        raise UsageError("--csv and --json cannot be combined")
    if apply is None and (changing.output is not None or changing.in_place or report_file is not None):
        raise UsageError("there is nothing to correct: give a table with --apply")
    line = ReportTarget(report_file, json=json, force=changing.force, targets=[changing.output], sources=sources.paths)
    with (
        open_database(sources, **reading) as database,
        progress_bar(sources.name) as progress,
    ):
        if apply is None:
            found = tabiya.find_similar_names(
                changing.where.of(database), threads=changing.threads or all_cores(), progress=progress
            )
        else:
            report = tabiya.correct_names(database, apply, changing.target, **changing.options(database, progress))
    if apply is None:
        _show(found, csv=csv, json=json)
        spellings = sum(len(group.others) for group in found)
        note(f"{sources.name}: {count(spellings, 'spelling')} that may be {count(len(found), 'other')}")
        return
    line.put(report.as_dict())
    changing.print_report(report, sources.name)


def _show(found: Sequence[NameGroup], *, csv: bool, json: bool) -> None:
    if json:
        with json_array() as put:
            for group in found:
                put(group.as_dict())
    elif csv:
        rows = csv_module.writer(sys.stdout, lineterminator="\n")
        rows.writerow(_COLUMNS)
        rows.writerows(row for group in found for row in _rows(group))
    else:
        for number, group in enumerate(found):
            print(*([""] if number else []), plain(_line(group.main)), sep="\n")
            for other in group.others:
                print(plain(f"  {_line(other)}; {_why(other)}"))


def _rows(group: NameGroup) -> Iterator[list[Any]]:
    for other in group.others:
        about = [" ".join(other.reasons).replace("FIDE id", "FIDE-id"), int(other.ambiguous), other.common_opponents]
        yield [other.name, group.main.name, *about, *_facts(other), *_facts(group.main)]


def _facts(spelling: Spelling) -> tuple[Any, ...]:
    return spelling.games, _years(spelling), _ratings(spelling), " ".join(spelling.fide_ids)


def _years(spelling: Spelling) -> str:
    return _span(spelling.first_year, spelling.last_year)


def _ratings(spelling: Spelling) -> str:
    return _span(spelling.lowest_rating, spelling.highest_rating)


def _span(first: int | None, last: int | None) -> str:
    return "" if first is None else str(first) if first == last else f"{first}-{last}"


def _line(spelling: Spelling) -> str:
    rated = f"rated {_ratings(spelling)}" if spelling.lowest_rating else ""
    ids = f"FIDE {' '.join(spelling.fide_ids)}" if spelling.fide_ids else ""
    line = (count(spelling.games, "game"), _years(spelling), rated, ids)
    return f"{spelling.name}: {', '.join(part for part in line if part)}"


def _why(spelling: Spelling) -> str:
    common = count(spelling.common_opponents, "common opponent") if spelling.common_opponents else ""
    doubt = "may also be another person" if spelling.ambiguous else ""
    return ", ".join(part for part in (*spelling.reasons, common, doubt) if part)
