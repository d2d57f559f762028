"""The start page: databases that were opened before, and libraries that are made from slow databases."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tabiya.files.file_bytes import size_of
from tabiya.web.request import ApiError, Call
from tabiya.web.source import LIBRARY

if TYPE_CHECKING:
    from tabiya.web.answers import server
    from tabiya.web.recent import Recent, RecentFile
    from tabiya.web.site import Site


def show_home(site: Site, _call: Call) -> server.Home:
    """Return the databases that were opened before and are not open."""
    if site.recent is None:
        return {"recent": []}
    shown = {str(source.path) for source in site.sources.all()}
    return {"recent": [_recent(number, file) for number, file in site.recent.numbered() if file.path not in shown]}


def _recent(number: int, file: RecentFile) -> server.RecentSource:
    path = Path(file.path)
    try:
        size, missing = size_of([path] if path.is_file() else []), not path.exists()
    except OSError:
        size, missing = 0, True
    return {
        "recent": number,
        "kind": file.kind,
        "name": path.name,
        "path": _shortened(path),
        "format_title": file.format_title,
        "opened": file.opened,
        "records": file.records,
        "size": size or None,
        "missing": missing,
    }


def _shortened(path: Path) -> str:
    """Return a path for display, relative to the home folder if it is there."""
    home = Path.home()
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path)


def _known(site: Site) -> Recent:
    if site.recent is None:
        raise ApiError(403, "This server does not remember databases.")
    return site.recent


def open_recent(site: Site, call: Call) -> server.Source:
    """Open a database that was opened before."""
    source = site.sources.open_path(_known(site).path_of(call.place("recent")))
    with source.using():
        _known(site).note(source.path, source.kind, source.format.title)
        return source.as_dict(write=site.write)


def forget_recent(site: Site, call: Call) -> None:
    """Forget a database that was opened before."""
    _known(site).forget(call.place("recent"))


def forget_all(site: Site, _call: Call) -> None:
    """Forget all databases that were opened before."""
    _known(site).forget_all()


def build_library(site: Site, call: Call) -> server.Job:
    """Start to convert a database to a library beside it; a file that exists is never replaced."""
    if not site.write:
        raise ApiError(403, "This server writes no files: start it with --write.")
    source = site.sources.get(call.path["source"])
    target = source.library_path()
    if target is None:
        raise ApiError(422, f"There is no use in a library made from {source.path.name}, or no place for it.")
    if target.exists():
        raise ApiError(409, f"{target.name} exists already; nothing was changed.")

    def keep(path: Path) -> str:
        made = site.sources.open_path(path)
        if site.recent is not None:
            site.recent.note(made.path, made.kind, made.format.title)
        return made.id

    with source.listed_database() as (opened, listed_database):
        database = listed_database.database
        return site.conversions.start(
            source, opened, database, LIBRARY, target.stem, {}, target=target, keep=keep
        ).as_dict()
