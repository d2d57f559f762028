"""``tabiya extract`` and ``tabiya pack``: archives of ChessBase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from tabiya import formats
from tabiya.cli.options import Json, Password, password_of
from tabiya.cli.output import count, note, plain, print_json
from tabiya.formats.url import local_path

if TYPE_CHECKING:
    from tabiya.formats import ArchiveMember


def extract(
    archive: Annotated[str, typer.Argument(metavar="ARCHIVE", help="A ChessBase archive, .cbv or .cbz.")],
    folder: Annotated[
        str | None, typer.Argument(metavar="DIR", help="Folder to unpack into (default: only list the files).")
    ] = None,
    *,
    password: Password = None,
    force: Annotated[bool, typer.Option("--force", help="Replace existing files.")] = False,
    limit: Annotated[
        int | None,
        typer.Option(min=0, metavar="MB", help="Unpack at most this much (default: 256 MB or 100 times the archive)."),
    ] = None,
    json: Json = False,
) -> None:
    """Unpack a ChessBase archive, or list its files.

    Either all files appear in the folder or none. An archive is rejected if it is damaged, if a name in it leads out of
    the folder, or if its contents exceed the limit. When a base is replaced, its files that are not in the archive are
    removed as well, except those that tabiya cannot read. To read the games in an archive, you need not unpack it: all
    other commands open it directly.

    Example:
        tabiya extract base.cbv
        tabiya extract base.cbv folder
        tabiya extract secret.cbz folder --password "my password"
    """
    unlock = cast("str | None", password_of(archive, password, certain=True))
    most = None if limit is None else limit << 20
    members, _, remarks = formats.extract(archive, folder, overwrite=force, password=unlock, limit=most)
    if json:
        print_json([_as_dict(each) for each in members])
    else:
        for each in members:
            when = f"{each.modified:%Y-%m-%d %H:%M}" if each.modified else ""
            print(f"{each.size:>12,} {when:<16} {plain(each.name)}")
        if folder is not None:
            note(f"{count(len(members), 'file')} unpacked to {folder}")
    for line in remarks:
        note(line)


def _as_dict(member: ArchiveMember) -> dict[str, Any]:
    when = None if member.modified is None else member.modified.isoformat()
    return {"name": member.name, "size": member.size, "packed": member.packed, "modified": when}


def pack(
    base: Annotated[
        str,
        typer.Argument(
            metavar="BASE",
            help="A ChessBase database: its .cbh file, its name without suffix, or its folder.",
        ),
    ],
    archive: Annotated[str, typer.Argument(metavar="ARCHIVE", help="The archive to write, .cbv or .cbz.")],
    *,
    password: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Encrypt the archive (.cbz); - prompts for the password.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the archive if it exists.")] = False,
) -> None:
    """Pack all files of a ChessBase base into one archive.

    Media folders next to the base are packed too, and so are files that tabiya cannot read, such as opening keys. An
    encrypted archive uses DES, which does not protect against a determined attacker.

    Example:
        tabiya pack games.cbh games.cbv
        tabiya pack games.cbh games.cbz --password "my password"
    """
    lock = cast("str | None", password_of(archive, password, new=True, certain=True))
    names = formats.pack(base, archive, overwrite=force, password=lock)
    note(f"{count(len(names), 'file')} packed into {archive}, {local_path(archive).stat().st_size:,} bytes")
