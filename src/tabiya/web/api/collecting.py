"""Collecting games: new databases, the games of a list into another database, and marks of deletion."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabiya.formats import FORMATS, convert, create, edit
from tabiya.formats.description import named
from tabiya.formats.format import APPEND
from tabiya.web.api.games import changing, check_seen, saved
from tabiya.web.request import ApiError, Call

if TYPE_CHECKING:
    from tabiya.web.answers import games as lists
    from tabiya.web.answers import server
    from tabiya.web.site import Site

_MOST_COLLECTED: Final = 20_000
"""Maximum number of games that one request adds: it is answered when they are written."""
_LONGEST_NAME: Final = 80
_UNSAFE: Final = re.compile(r"[^\w .()+-]")


def create_database(site: Site, call: Call) -> server.Source:
    """Create an empty database in the folder of another one; a file that exists is never replaced."""
    if not site.write:
        raise ApiError(403, "This server writes no files: start it with --write.")
    format = named(call.member("format", str, "pgn"), FORMATS)
    if format.create is None or APPEND not in format.write_options:
        raise ApiError(422, f"Games cannot be added to {format.title}; choose another format.")
    suffix = format.suffixes[0]
    given = call.member("name", str, "").strip()
    stem = given[: -len(suffix)] if given.lower().endswith(suffix) else given
    if not stem.strip(" .") or _UNSAFE.search(stem) or len(stem) > _LONGEST_NAME:
        sentence = f"A name has up to {_LONGEST_NAME} letters, digits, blanks, and the signs “. - _ + ( )”."
        raise ApiError(422, sentence)
    target = _folder(site, call.member("beside", str)) / f"{stem.strip(' .')}{suffix}"
    if target.exists():
        raise ApiError(409, f"{target.name} exists already; nothing was changed.")
    with create(target, format=format.name):
        pass
    made = site.sources.open_path(target)
    if site.recent is not None:
        site.recent.note(made.path, made.kind, made.format.title)
    with made.using():
        return made.as_dict(write=site.write)


def _folder(site: Site, beside: str | None) -> Path:
    """Return the folder of a source, else the served folder, else that of any other source; never one of uploads."""
    wanted = [] if beside is None else [site.sources.get(beside)]
    folders = [source.path.parent for source in wanted if source.origin != "upload"]
    if not folders and site.sources.root is not None:
        folders = [site.sources.root]
    folders += [source.path.parent for source in site.sources.known() if source.origin != "upload"]
    if not folders:
        raise ApiError(422, "There is no folder for it: start tabiya serve with a file, or with --root FOLDER.")
    return folders[0]


def collect_games(site: Site, call: Call) -> lists.Collected:
    """Add the games of a list to another database."""
    query = site.queries.get(call.member("query", str, ""))
    if not query.listing.complete:
        raise ApiError(503, "The list is still growing; try again when it is complete.")
    target = site.sources.get(call.path["source"])
    if target is query.source:
        raise ApiError(422, f"These games are in {target.path.name} already.")
    if query.listing.total > _MOST_COLLECTED:
        raise ApiError(413, f"These are more than {_MOST_COLLECTED:,} games: convert the list instead.")
    query.source.hold(query.opened)
    try:
        with changing(site, target, call, "append"):
            games = query.listing.database()
            report = convert(games, target.path, target_format=target.format.name, formats=FORMATS, append=True)
    finally:
        query.source.release(query.opened)
    with target.using() as opened:
        return {
            "source": target.id,
            "added": report.written,
            "generation": opened.generation,
            "losses": [str(loss) for loss in report.losses],
            "remarks": [*report.remarks],
        }


def mark_game(site: Site, call: Call) -> lists.Saved:
    """Mark a record as deleted, or remove the mark; the record itself remains until the database is compacted."""
    source = site.sources.get(call.path["source"])
    number = call.place("number")
    deleted = call.member("deleted", bool)
    if deleted is None:
        raise ApiError(422, "“deleted” in the request is true or false.")
    with changing(site, source, call, "replace") as database:
        if not 1 <= number <= len(database):
            raise ApiError(404, f"There is no record {number:,}.")
        with edit(source.path, format=source.format.name) as editor:
            check_seen(source, call)  # the editor detects later changes by other programs
            (editor.delete if deleted else editor.undelete)([number])
    return saved(source, number, editor.losses, editor.remarks)
