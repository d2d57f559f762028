"""``tabiya library``: care for libraries."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

import typer

from tabiya import formats
from tabiya.cli.options import Json, Threads, all_cores
from tabiya.cli.output import Code, count, json_array, note, plain
from tabiya.cli.progress import progress_bar

__all__ = ["COMMANDS"]

Library = Annotated[str, typer.Argument(metavar="LIBRARY", help="A library: a folder whose name ends with .tabiya.")]


def merge(library: Library) -> None:
    """Merge all segments of a library into one.

    Every addition and every change makes a segment, and tabiya merges them now and then by itself. One segment is
    searched a little faster, and what was replaced takes no more room. Numbers do not change, and programs that read
    the library are not disturbed.

    Example:
        tabiya library merge mega.tabiya
    """
    done = formats.merge_segments(library)
    note(f"{library}: {count(done.before, 'segment')} before, {count(done.after, 'segment')} now")


def check(library: Library, *, threads: Threads = None, json: Json = False) -> None:
    """Check a library thoroughly.

    This examines the sizes and hashes of all files, and whether filters, moves and positions are those of the games;
    every game is replayed. The exit code is 1 if anything is wrong. The library itself is never changed.

    Example:
        tabiya library check mega.tabiya
    """
    found = 0
    with progress_bar(library) as progress, json_array() if json else nullcontext() as put:
        for problem in formats.check(library, format="library", threads=threads or all_cores(), progress=progress):
            found += 1
            if put is None:
                print(plain(str(problem)))
            else:
                put(problem.as_dict())
    note(f"{library}: {count(found, 'problem')}")
    if found:
        raise typer.Exit(Code.PROBLEMS)


def rebuild(library: Library, *, threads: Threads = None) -> None:
    """Make everything in a library anew from its games.

    This mends a library whose filters, moves for searching, names or position index are damaged or missing: only the
    games themselves are read. Numbers do not change, and the library is the old one until the new one is complete.
    Afterwards it has one segment.

    Example:
        tabiya library rebuild mega.tabiya
    """
    with progress_bar(library) as progress:
        records = formats.rebuild(library, format="library", threads=threads or all_cores(), progress=progress)
    note(f"{library}: everything except the games was rebuilt, for {count(records, 'record')}")


COMMANDS = {"check": check, "merge": merge, "rebuild": rebuild}
"""By name."""
