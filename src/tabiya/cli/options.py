"""Arguments and options that several commands share."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from tabiya import formats
from tabiya.formats.cbh.cbv_format import is_encrypted

if TYPE_CHECKING:
    from tabiya.formats import Database

__all__ = [
    "Encoding",
    "File",
    "Files",
    "From",
    "Json",
    "Language",
    "Limit",
    "Password",
    "all_cores",
    "given",
    "open_database",
    "standard_stream",
]

File = Annotated[str, typer.Argument(metavar="FILE", help="A database of any format; - is standard input.")]
Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="Databases of any format; - is standard input.")]
From = Annotated[str | None, typer.Option("--from", metavar="FORMAT", help="The format, instead of finding out.")]
Encoding = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="How 8-bit text is encoded, for formats that leave it open: cp1251, ..."),
]
Language = Annotated[
    str | None,
    typer.Option(metavar="CODE", help="Language of the piece letters, for formats with letters: de, fr, ..."),
]
Password = Annotated[str | None, typer.Option(metavar="TEXT", help="Password of an encrypted archive (.cbz).")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Limit = Annotated[
    int | None, typer.Option(min=0, metavar="N", help="Stop after so many.", callback=lambda limit: _in_reach(limit))
]

_STANDARD = "-"


def _in_reach(limit: int | None) -> int | None:
    """A number beyond all that can be counted is no limit."""
    return None if limit is None or limit > sys.maxsize else limit


def standard_stream(location: str, stream: Any) -> str | BinaryIO:
    """A location, or the bytes of ``stream`` if it is ``-``."""
    if location != _STANDARD:
        return location
    buffer: BinaryIO = stream.buffer
    return buffer


def given(**options: str | int | None) -> dict[str, str | int]:
    """The options that were given; formats refuse those that they do not know."""
    return {name: value for name, value in options.items() if value is not None}


def open_database(location: str, *, format: str | None = None, **options: str | None) -> Database:
    """Open what a command was given."""
    if format is None and not is_encrypted(location):
        options.pop("password", None)  # of several files only some may be encrypted
    place = standard_stream(location, sys.stdin)
    return formats.open(place, format=format, formats=formats.FORMATS, **given(**options))


def all_cores() -> int:
    """How many threads can run at the same time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
