"""Databases and books: their list, their details, and dropped files."""

from __future__ import annotations

import mimetypes
from typing import TYPE_CHECKING, Final

from starlette.responses import FileResponse

import tabiya
from tabiya.formats.guiding_texts import media_file
from tabiya.web.request import ApiError, Call

if TYPE_CHECKING:
    from tabiya.web.answers import server
    from tabiya.web.site import Site
    from tabiya.web.source import Source

_MOST_PROBLEMS: Final = 20
_MEDIA: Final = ("image/", "audio/", "video/")
_RUNS: Final = frozenset({"image/svg+xml"})
"""A kind of picture that may contain scripts."""


def about(site: Site, _call: Call) -> server.About:
    """Return the version and the permissions of this server."""
    root = site.sources.root
    return {
        "name": "tabiya",
        "version": tabiya.__version__,
        "write": site.write,
        "root": None if root is None else str(root),
        "max_upload": site.sources.most_bytes,
        "page": site.has_page,
        "recent": site.recent is not None,
    }


def list_sources(site: Site, _call: Call) -> server.Sources:
    """Return all known databases and books, and whether a folder is still being searched."""
    sources = site.sources.all()
    return {"sources": [source.as_dict(write=site.write) for source in sources], "looking": site.sources.looking}


def show_source(site: Site, call: Call) -> server.SourceDetails:
    """Open a source, and return its details."""
    source = site.sources.get(call.path["source"])
    with source.using() as opened:
        answer = source.as_dict(write=site.write)
        if opened.listed_database is None:
            return {**answer, "details": {}, "problems": []}
        database = opened.listed_database.database
        return {
            **answer,
            "details": database.details(),
            "problems": [problem.sentence for problem in database.problems[:_MOST_PROBLEMS]],
        }


def close_source(site: Site, call: Call) -> None:
    """Close a source; uploaded files are removed from disk."""
    site.sources.remove(call.path["source"])


def begin_upload(site: Site, _call: Call) -> server.Upload:
    """Create an upload for files to be opened."""
    return {"upload": site.sources.begin_upload(), "max_bytes": site.sources.most_bytes}


def open_upload(site: Site, call: Call) -> server.OpenedUpload:
    """Open the uploaded files."""
    opened = site.sources.open_upload(call.path["upload"])
    return {"sources": [_opened(source, site) for source in opened]}


def _opened(source: Source, site: Site) -> server.Source:
    with source.using():
        return source.as_dict(write=site.write)


def media(site: Site, call: Call) -> FileResponse:
    """Send a picture, sound or video next to a database, and nothing else."""
    source = site.sources.get(call.path["source"])
    name = call.path["name"]
    kind = mimetypes.guess_type(name)[0] or ""
    with source.listed_database() as (_, listed_database):
        path = media_file(listed_database.database, name) if kind.startswith(_MEDIA) and kind not in _RUNS else None
    if path is None:
        raise ApiError(404, f"There is no picture, sound or video {name[:60]!r} beside {source.path.name}.")
    return FileResponse(path, media_type=kind, headers={"content-security-policy": "default-src 'none'; sandbox"})
