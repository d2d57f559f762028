"""``tabiya check``, ``compact``, ``copy``, ``delete`` and ``undelete``: whole ChessBase databases and libraries."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

import typer

from tabiya import formats
from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.hints import translated, with_options
from tabiya.cli.option_groups import Options, expanded
from tabiya.cli.options import Force, Json, Threads, all_cores, open_database
from tabiya.cli.output import count, json_array, note, plain
from tabiya.cli.progress import progress_bar
from tabiya.cli.reports import place_of

Base = Annotated[
    str,
    typer.Argument(
        metavar="BASE",
        help="A database of ChessBase or Scid (any of its files, or its name without suffix), or a library (.tabiya).",
    ),
]
Numbers = Annotated[list[int], typer.Argument(metavar="N...", help="Numbers of records, from 1.")]


@expanded
def check(
    base: Base,
    *,
    repair: Annotated[
        str | None, typer.Option(metavar="TARGET", help="Write a repaired copy, with everything that can be read.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the repaired copy if it exists.")] = False,
    limit: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Show at most this many problems; all are counted.")
    ] = None,
    checking: Options,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Check a database of ChessBase or Scid, or a library, thoroughly.

    This checks the sizes and headers of all files, the positions of moves and annotations in the files, search trees
    and counts of players, tournaments and so on, checksums, and whether the list of games agrees with the games; in a
    library also the position index. Every game is replayed. The exit code is 1 if there are problems. The base itself
    is never changed: a repaired copy is a new base, made from everything that can be read.

    Example:
        tabiya check MyBase.cbh
        tabiya check MyBase.cbh --repair Repaired.cbh
    """
    found = 0
    with open_database(base, **checking) as database:
        with progress_bar(base) as progress, json_array() if json else nullcontext() as put:
            for problem in formats.check(database, threads=threads or all_cores(), progress=progress):
                found += 1
                if limit is not None and found > limit:
                    continue
                if put is None:
                    print(plain(with_options(problem)))
                else:
                    put(translated(problem.as_dict()))
        note(f"{base}: {count(len(database), 'record')}, {count(found, 'problem')}")
        if repair is not None:
            report = formats.convert(
                database, repair, target_format=database.format, overwrite=force, threads=threads or all_cores()
            )
            note(f"{count(report.written, 'record')} written to {place_of(repair, report)}")
            for line in (*str(report.losses).splitlines(), *report.remarks, *report.unfinished):
                note(line)
    if found:
        raise typer.Exit(ExitCode.PROBLEMS)


def compact(
    base: Base,
    *,
    keep_deleted: Annotated[
        bool, typer.Option("--keep-deleted", help="Keep the records that are marked as deleted.")
    ] = False,
    threads: Threads = None,
) -> None:
    """Rewrite a database of ChessBase or Scid, or a library, without gaps and deleted records.

    Records after a deleted one are renumbered. The base is replaced in one step. It is not changed if any part of its
    games and texts would be lost. In a ChessBase database, search boosters (.cit .cib .cit2 .cib2 .cbb .cbgi) would be
    invalid afterwards and are removed; ChessBase creates them again. Files that tabiya cannot read, such as opening
    keys (.cko), are kept. These files are listed.

    Example:
        tabiya compact MyBase.cbh
    """
    done = formats.compact(base, keep_deleted=keep_deleted, threads=threads or all_cores())
    note(f"{base}: compacted, {count(done.removed, 'record')} removed")
    for line in done.remarks:
        note(line)


def copy(
    base: Base,
    target: Annotated[str, typer.Argument(metavar="TARGET", help="The new base.")],
    *,
    force: Force = False,
) -> None:
    """Copy all files of a database of ChessBase or Scid, or of a library, unchanged.

    This also works for a ChessBase database that lacks files or is damaged. Media folders are copied too. If the target
    is a folder, the copy gets the name of the base.

    Example:
        tabiya copy MyBase.cbh Backup.cbh
        tabiya copy MyBase.cbh backups/
    """
    done = formats.copy(base, target, overwrite=force)
    note(f"{count(len(done.names), 'file')} copied to {target}")
    for line in done.remarks:
        note(line)


def delete(base: Base, numbers: Numbers) -> None:
    """Mark records of a database of ChessBase or Scid, or of a library, as deleted.

    They remain in the base until it is compacted; "tabiya undelete" restores them.

    Example:
        tabiya delete MyBase.cbh 12 13
    """
    _mark(base, numbers, deleted=True)


def undelete(base: Base, numbers: Numbers) -> None:
    """Restore records of a database of ChessBase or Scid, or of a library, that are marked as deleted.

    Example:
        tabiya undelete MyBase.cbh 12
    """
    _mark(base, numbers, deleted=False)


def _mark(base: str, numbers: list[int], *, deleted: bool) -> None:
    with formats.edit(base) as editor:
        if deleted:
            editor.delete(numbers)
        else:
            editor.undelete(numbers)
    note(f"{base}: {count(len(set(numbers)), 'record')} {'' if deleted else 'un'}deleted")
    for line in (*editor.remarks, *editor.unfinished):
        note(line)
    if editor.unfinished:
        raise typer.Exit(ExitCode.PROBLEMS)
