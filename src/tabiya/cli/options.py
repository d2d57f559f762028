"""Arguments and options that several commands share."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from tabiya import formats
from tabiya.cli.output import name_of, plain
from tabiya.errors import UsageError
from tabiya.formats.url import url_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabiya.formats import Database
    from tabiya.game import RecordFilter

__all__ = [
    "File",
    "Files",
    "From",
    "Json",
    "Limit",
    "Password",
    "all_cores",
    "given",
    "is_encrypted",
    "open_database",
    "password_of",
    "standard_stream",
]

File = Annotated[str, typer.Argument(metavar="FILE", help="A database of any format; - is standard input.")]
Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="Databases of any format; - is standard input.")]
From = Annotated[str | None, typer.Option("--from", metavar="FORMAT", help="Format of the source (default: detected).")]
Password = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Password of an encrypted archive (.cbz) or a server; - asks for it.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Limit = Annotated[
    int | None, typer.Option(min=0, metavar="N", help="Stop after this many.", callback=lambda limit: _in_reach(limit))
]

_STANDARD = "-"


def _in_reach(limit: int | None) -> int | None:
    """Return the limit; a number beyond all that can be counted is none."""
    return None if limit is None or limit > sys.maxsize else limit


def standard_stream(location: str, stream: Any) -> str | BinaryIO:
    """Return a location, or the bytes of ``stream`` if it is ``-``."""
    if location != _STANDARD:
        return location
    buffer: BinaryIO = stream.buffer
    return buffer


def given(**options: Any) -> dict[str, Any]:
    """Return the options that were given; formats refuse those that they do not know."""
    return {name: value for name, value in options.items() if value is not None}


@contextmanager
def open_database(
    location: str,
    *,
    format: str | None = None,
    where: RecordFilter | None = None,
    password: str | None = None,
    **options: Any,
) -> Iterator[Database]:
    """Yield what a command was given: a database, or those of its records that meet all conditions."""
    # Of several files only some may have a password.
    unlock = password_of(location, password, certain=format is not None)
    place = standard_stream(location, sys.stdin)
    with formats.open(place, format=format, formats=formats.FORMATS, **options, **given(password=unlock)) as database:
        yield database.filter(where) if where else database


def is_encrypted(location: str) -> bool:
    """Return whether a file of this name has a password."""
    name = location.lower()
    return any(name.endswith(suffix) for each in formats.FORMATS for suffix in each.encrypted_suffixes)


def password_of(
    location: str, given: str | None, *, new: bool = False, certain: bool = False
) -> str | Callable[[], str] | None:
    """Return the password of an archive or a server, asked for if ``-`` was given, or nothing and there is a terminal.

    Most servers of jose want none, so of them it is what will ask. ``new``: it will lock an archive, so that a slip
    would be fatal. ``certain``: the name does not tell, but a password was given for this.
    """
    url = url_of(location)
    if url is not None and url.password is not None:
        return None
    if url is None and not is_encrypted(location) and not (certain and given is not None):
        return None
    if given == _STANDARD:
        if not _has_terminal():
            raise UsageError("no terminal to ask for the password; give it with --password TEXT", path=location)
        return _ask(location, twice=new)
    if given is None and _has_terminal():
        return _ask(location, twice=new) if url is None else partial(_ask, location)
    return given


def _has_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _ask(location: str, *, twice: bool = False) -> str:
    from getpass import getpass  # noqa: PLC0415 - rarely needed

    try:
        password = getpass(f"Password of {plain(name_of(location))}: ")
        if twice and getpass("The same again: ") != password:
            raise UsageError("the two passwords differ; nothing was done", path=location)
    except EOFError:
        raise UsageError("no password was given", path=location) from None
    return password


def all_cores() -> int:
    """Return how many threads can run at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
