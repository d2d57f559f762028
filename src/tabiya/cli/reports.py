"""Where the report of a command is written: to standard output as JSON, or to a file."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabiya.cli.hints import translated
from tabiya.cli.output import name_of, print_json
from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.formats.url import local_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabiya.formats import ConversionReport

ReportFile = Annotated[
    str | None,
    typer.Option("--report", metavar="JSON", help="Write the report, with all losses, to this file as JSON."),
]


class ReportTarget:
    """Takes the report of a command. Errors about its targets are raised before the work begins."""

    def __init__(
        self, file: str | None, *, json: bool, force: bool, targets: Iterable[str | None], sources: Iterable[str] = ()
    ) -> None:
        written = [each for each in targets if each is not None]
        if json and "-" in written:
            raise UsageError("--json and data on standard output cannot be combined; --report takes the name of a file")
        self._json = json
        self._path = None if file is None else local_path(file)
        if self._path is not None:
            if file == "-":
                raise UsageError("--report takes the name of a file; --json prints the report")
            from tabiya.files.transaction import refuse_existing  # noqa: PLC0415 - rarely needed

            with errors_of(self._path):
                if any(_is_same(self._path, each) for each in (*written, *sources)):
                    raise UsageError("cannot take the report, because it is read or written itself", path=self._path)
                refuse_existing(self._path, overwrite=force)

    def put(self, value: dict[str, Any]) -> None:
        """Print the report, or write it, as requested."""
        value = translated(value)
        if self._json:
            print_json(value)
        if self._path is not None:
            from tabiya.files.targets import open_target  # noqa: PLC0415 - rarely needed

            target = open_target(self._path, overwrite=True)
            try:
                target.stream.write(f"{json_module.dumps(value, ensure_ascii=False, indent=2)}\n".encode())
                target.commit()
            finally:
                target.discard()


def _is_same(path: Path, other: str) -> bool:
    return path == Path(other) or (path.exists() and Path(other).exists() and path.samefile(other))


def place_of(target: str, report: ConversionReport) -> str:
    """Return the path that records were written to, for display: bases get the suffix of their format."""
    return name_of(target, "standard output") if report.path is None else str(report.path)
