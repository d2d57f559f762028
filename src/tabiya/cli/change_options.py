"""Shared by commands that change many records: the target, whether to write, and the report."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tabiya.cli import options
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.hints import with_options
from tabiya.cli.options import all_cores, format_of_target, given, standard_stream
from tabiya.cli.output import count, note
from tabiya.cli.record_options import BY_NUMBER, CONDITIONS, Choice, choice_of
from tabiya.cli.reports import place_of

if TYPE_CHECKING:
    from tabiya.formats import Database
    from tabiya.formats.progress import Watcher
    from tabiya.maintenance import ChangeReport
    from tabiya.maintenance.rewriting import ChangeOptions

DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be changed, and change nothing.")]
_OWN: Final[dict[str, Any]] = {
    "output": Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="TARGET", help="Write all records to this database, changed or not."),
    ],
    "in_place": Annotated[bool, typer.Option("--in-place", help="Change the records in place.")],
    "dry_run": DryRun,
    "target_format": options.To,
    "force": options.Force,
    "strict": options.Strict,
    "threads": options.Threads,
}
CHANGING: Final = _OWN | CONDITIONS | BY_NUMBER
"""The options of a command that changes many records."""


@dataclass(frozen=True, slots=True)
class Changing:
    """The records a command changes, and where it writes them."""

    where: Choice
    output: str | None = None
    in_place: bool = False
    dry_run: bool = False
    target_format: str | None = None
    force: bool = False
    strict: bool = False
    threads: int | None = None

    @classmethod
    def given(cls, options: dict[str, Any]) -> Changing:
        """Return the options that were given."""
        own = {name: options.pop(name) for name in _OWN if name in options}
        return cls(choice_of(options), **own)

    @property
    def target(self) -> Any:
        """The target for the library."""
        return None if self.output is None else standard_stream(self.output, sys.stdout)

    def options(self, database: Database, progress: Watcher) -> ChangeOptions:
        """Return the options for the library, with the numbers of the records that may change."""
        from tabiya.maintenance.rewriting import numbers_of  # noqa: PLC0415 - needs pyarrow

        chosen, threads = self.where.of(database), self.threads or all_cores()
        return {
            "numbers": None if chosen is database else numbers_of(chosen, threads=threads),
            "in_place": self.in_place,
            "dry_run": self.dry_run,
            "overwrite": self.force,
            "strict": self.strict,
            "threads": threads,
            "progress": progress,
            "options": given(target_format=format_of_target(self.target_format, self.output)),
        }

    def print_report(self, report: ChangeReport, name: str) -> None:
        """Report the changes, and end with the right code."""
        done = (self.output is not None or self.in_place) and not self.dry_run
        what = ", ".join(f"{tag} {number:,}" for tag, number in report.what.items())
        verb = "changed" if done else "would change"
        note(f"{name}: {report.changed:,} of {count(report.records, 'record')} {verb}{f' ({what})' if what else ''}")
        if not done:
            note("nothing was changed" if self.dry_run else "nothing was changed: give --in-place or -o")
        elif report.written is not None and self.output is not None:
            note(f"{count(report.written.written, 'record')} written to {place_of(self.output, report.written)}")
        print_losses(report)


def print_losses(report: ChangeReport) -> None:
    """Report losses and other effects; losses end the command with their code."""
    for line in (*(str(report.losses).splitlines() if report.losses else ()), *report.remarks):
        note(with_options(line))
    if report.losses:
        raise typer.Exit(ExitCode.PROBLEMS)
