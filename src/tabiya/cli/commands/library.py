"""``tabiya library``: maintenance of libraries."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

import typer

from tabiya import formats
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.options import Json, Threads, all_cores
from tabiya.cli.output import count, json_array, note, plain
from tabiya.cli.progress import progress_bar

Library = Annotated[str, typer.Argument(metavar="LIBRARY", help="A library: a folder whose name ends with .tabiya.")]


def merge(library: Library) -> None:
    """Merge all segments of a library into one.

    Every addition and every change creates a segment, and tabiya merges segments automatically from time to time. A
    single segment is searched slightly faster, and the space of replaced records is freed. Numbers do not change, and
    programs that read the library are not disturbed.

    Example:
        tabiya library merge mega.tabiya
    """
    done = formats.merge_segments(library)
    note(f"{library}: {count(done.before, 'segment')} before, {count(done.after, 'segment')} now")


def check(library: Library, *, threads: Threads = None, json: Json = False) -> None:
    """Check a library thoroughly.

    This checks the sizes and hashes of all files, and whether filters, moves and positions match the games; every game
    is replayed. The exit code is 1 if there are problems. The library itself is never changed.

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
        raise typer.Exit(ExitCode.PROBLEMS)


def rebuild(library: Library, *, threads: Threads = None) -> None:
    """Rebuild everything in a library from its games.

    This repairs a library whose filters, moves for searching, names or position index are damaged or missing: only the
    games themselves are read. Numbers do not change, and the old library is replaced only when the new one is complete.
    Afterwards it has one segment.

    Example:
        tabiya library rebuild mega.tabiya
    """
    with progress_bar(library) as progress:
        records = formats.rebuild(library, format="library", threads=threads or all_cores(), progress=progress)
    note(f"{library}: everything except the games was rebuilt, for {count(records, 'record')}")


COMMANDS = {"check": check, "merge": merge, "rebuild": rebuild}
"""Commands by name."""
