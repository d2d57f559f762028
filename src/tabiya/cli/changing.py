"""What commands share that change many records: where to, whether at all, and what is said about it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabiya.cli.options import all_cores, given, standard_stream
from tabiya.cli.output import Code, count, note, with_options
from tabiya.cli.reports import place_of

if TYPE_CHECKING:
    from tabiya.cli.conditions import Choice
    from tabiya.formats import Database
    from tabiya.maintenance import ChangeReport

__all__ = ["DryRun", "InPlace", "Output", "change_options", "tell_change"]

Output = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="TARGET", help="Write all records to this, changed or not."),
]
InPlace = Annotated[bool, typer.Option("--in-place", help="Change the records where they are.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be changed, and change nothing.")]


def change_options(
    database: Database,
    where: Choice,
    output: str | None,
    *,
    target_format: str | None,
    threads: int | None,
    **told: Any,
) -> dict[str, Any]:
    """Return the arguments for the library: the target, and the numbers of the records that may change."""
    from tabiya.maintenance.rewriting import numbers_of  # noqa: PLC0415 - needs pyarrow

    chosen = where.of(database)
    return {
        **told,
        "target": None if output is None else standard_stream(output, sys.stdout),
        "numbers": None if chosen is database else numbers_of(chosen, threads=threads or all_cores()),
        "threads": threads or all_cores(),
        "options": given(target_format=target_format or ("pgn" if output == "-" else None)),
    }


def tell_change(report: ChangeReport, name: str, output: str | None, *, in_place: bool, dry_run: bool) -> None:
    """Say what was changed, and end with the right code."""
    done = (output is not None or in_place) and not dry_run
    what = ", ".join(f"{tag} {number:,}" for tag, number in report.what.items())
    verb = "changed" if done else "would change"
    note(f"{name}: {report.changed:,} of {count(report.records, 'record')} {verb}{f' ({what})' if what else ''}")
    if not done:
        note("nothing was changed" if dry_run else "nothing was changed: say where with --in-place or -o")
    elif report.written is not None and output is not None:
        note(f"{count(report.written.written, 'record')} written to {place_of(output, report.written)}")
    for line in (*(str(report.losses).splitlines() if report.losses else ()), *report.remarks):
        note(with_options(line))
    if report.losses:
        raise typer.Exit(Code.PROBLEMS)
