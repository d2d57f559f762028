"""Arguments and options shared by several commands."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from tabiya import formats
from tabiya.cli.output import name_of, note, plain
from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.formats.collection.sources import names_in
from tabiya.formats.registry import FORMATS
from tabiya.formats.url import local_path, url_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabiya.cli.record_options import Choice
    from tabiya.formats import Database

Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="Databases of any format, folders, patterns, ZIPs; - is standard input."),
]
Recursive = Annotated[bool, typer.Option("--recursive", help="Search subfolders as well.")]
From = Annotated[str | None, typer.Option("--from", metavar="FORMAT", help="Format of the source (default: detected).")]
Password = Annotated[
    str | None,
    typer.Option(metavar="TEXT", help="Password of an encrypted archive (.cbz) or a server; - prompts for it."),
]
Target = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="TARGET",
        help="The database to write, instead of the last FILE; - is standard output (PGN unless --to is given).",
    ),
]
To = Annotated[
    str | None, typer.Option("--to", metavar="FORMAT", help="Format of the target (default: by its suffix).")
]
Force = Annotated[bool, typer.Option("--force", help="Replace the target if it exists.")]
Strict = Annotated[bool, typer.Option("--strict", help="Write nothing, and exit with 3, if anything would be lost.")]
Threads = Annotated[int | None, typer.Option(min=1, metavar="N", help="Number of threads (default: all cores).")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
JsonReport = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]
Limit = Annotated[
    int | None, typer.Option(min=0, metavar="N", help="Stop after this many.", callback=lambda limit: _in_reach(limit))
]
EngineOptions = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="Set an option of the engine: Hash=256. Repeatable."),
]
Judge = Annotated[
    str,
    typer.Option(
        metavar="POINTS",
        help="Points of win chances that inaccuracies, mistakes and blunders lose, separated by commas.",
    ),
]

_STANDARD = "-"

SOURCES: dict[str, Any] = {
    "paths": Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE...",
            help="Databases of any format, read as one: files, folders, patterns such as '**/*.pgn', ZIP archives; "
            "- is standard input.",
            show_default=False,
        ),
    ],
    "recursive": Annotated[bool | None, typer.Option("--recursive", help="Search subfolders as well.")],
    "files_from": Annotated[
        str | None,
        typer.Option(metavar="LIST", help="Read more names from a file, one per line; - is standard input."),
    ],
}
"""Arguments of commands that read any number of databases as one."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The databases a command reads."""

    paths: tuple[str, ...] = ()
    recursive: bool = False
    files_from: str | None = None

    @classmethod
    def given(cls, options: dict[str, Any]) -> Sources:
        """Return the given sources; ``locations`` raises an error if there are none."""
        return cls(tuple(options.get("paths", ())), options.get("recursive", False) or False, options.get("files_from"))

    @property
    def name(self) -> str:
        """Name of the sources for messages."""
        names = [name_of(path) for path in self.paths] or [f"the files in {name_of(self.files_from or '')}"]
        return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"

    def locations(self) -> list[str | Path]:
        """Return everything to read; names from a list are not patterns."""
        found: list[str | Path] = [*self.paths]
        if self.files_from is not None:
            if self.files_from == _STANDARD == next((path for path in self.paths if path == _STANDARD), None):
                raise UsageError("standard input cannot be both a database and a list of names")
            content = _content(self.files_from)
            found += [name if url_of(name) is not None else Path(name) for name in names_in(content)]
        if not found:
            place = "" if self.files_from is None else f"; {name_of(self.files_from)} is empty"
            raise UsageError(f"there is nothing to read: name a database{place}")
        return found


def source_and_target(sources: Sources, output: str | None) -> tuple[Sources, str]:
    """Return the sources and the target."""
    if output is not None:
        return sources, output
    if sources.files_from is not None or len(sources.paths) > 2:
        raise UsageError("several sources need a target: give it with -o, so that no source is overwritten")
    if len(sources.paths) < 2:
        raise UsageError("there is no target: give it after the source, or with -o")
    source, target = sources.paths
    return replace(sources, paths=(source,)), target


def _content(location: str) -> bytes:
    if location == _STANDARD:
        return bytes(sys.stdin.buffer.read())
    path = local_path(location)
    with errors_of(path):
        return path.read_bytes()


def _in_reach(limit: int | None) -> int | None:
    """Return the limit; None for a number too large to count."""
    return None if limit is None or limit > sys.maxsize else limit


def standard_stream(location: str, stream: Any) -> str | BinaryIO:
    """Return a location, or the bytes of ``stream`` if it is ``-``."""
    if location != _STANDARD:
        return location
    buffer: BinaryIO = stream.buffer
    return buffer


def given(**options: Any) -> dict[str, Any]:
    """Return the options that were given; formats reject unknown ones."""
    return {name: value for name, value in options.items() if value is not None}


@contextmanager
def open_database(
    location: str | Sources,
    *,
    format: str | None = None,
    where: Choice | None = None,
    limit: int | None = None,
    password: str | None = None,
    recursive: bool = False,
    **options: Any,
) -> Iterator[Database]:
    """Yield the database of a command: one, several as one, or their selected records."""
    recursive = recursive or (isinstance(location, Sources) and location.recursive)
    found = location.locations() if isinstance(location, Sources) else [location]
    # Of several files only some may be encrypted.
    certain = format is not None
    unlock = next((word for each in found if (word := password_of(str(each), password, certain=certain))), None)
    places = [standard_stream(each, sys.stdin) if isinstance(each, str) else each for each in found]
    named = {**options, **given(password=unlock)}
    with formats.open(
        places[0] if len(places) == 1 else places,
        format=format,
        formats=formats.FORMATS,
        recursive=recursive,
        **named,
    ) as database:
        for remark in database.remarks:
            note(remark)
        yield database if where is None else where.of(database, limit=limit)


def is_encrypted(location: str) -> bool:
    """Return whether a file of this name is encrypted."""
    name = location.lower()
    return any(name.endswith(suffix) for each in FORMATS.built_in for suffix in each.encrypted_suffixes)


def password_of(
    location: str, given: str | None, *, new: bool = False, certain: bool = False
) -> str | Callable[[], str] | None:
    """Return the password of an archive or a server; prompt for ``-``, or if none was given and there is a terminal.

    For servers of jose, most of which need none, the result is a function that prompts. ``new``: it will encrypt an
    archive, where a typing error would be fatal. ``certain``: a password was given for this file, whatever its name.
    """
    url = url_of(location)
    if url is not None and url.password is not None:
        return None
    if url is None and not is_encrypted(location) and not (certain and given is not None):
        return None
    if given == _STANDARD:
        if not _has_terminal():
            raise UsageError("no terminal to ask for the password; give it with --password TEXT", path=location)
        return _prompt(location, twice=new)
    if given is None and _has_terminal():
        return _prompt(location, twice=new) if url is None else partial(_prompt, location)
    return given


def _has_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _prompt(location: str, *, twice: bool = False) -> str:
    from getpass import getpass  # noqa: PLC0415 - rarely needed

    try:
        password = getpass(f"Password of {plain(name_of(location))}: ")
        if twice and getpass("Repeat the password: ") != password:
            raise UsageError("the two passwords differ; nothing was done", path=location)
    except EOFError:
        raise UsageError("no password was given", path=location) from None
    return password


def all_cores() -> int:
    """Return how many threads can run at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def engine_options_of(given: list[str]) -> dict[str, str | None]:
    """Return options by name; one without a value is a button."""
    found: dict[str, str | None] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not name.strip():
            raise UsageError(f"--option takes NAME=VALUE, not {text!r}")
        found[name.strip()] = value.strip() if sign else None
    return found
