"""Converting a database, or a list of its games, and sending the result."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from starlette.responses import FileResponse

from tabiya.books import BOOK_FORMATS
from tabiya.formats.description import named
from tabiya.formats.format import APPEND
from tabiya.formats.registry import FORMATS
from tabiya.web.request import ApiError, Call

if TYPE_CHECKING:
    from tabiya.formats.format import Option
    from tabiya.web.answers import server
    from tabiya.web.site import Site

_MOST_WAIT: Final = 2000
_STEP: Final = 0.05
_KINDS: Final[dict[type, Literal["text", "number", "flag"]]] = {str: "text", int: "number", bool: "flag"}


def list_formats(_site: Site, _call: Call) -> server.Formats:
    """Return all formats, with the options for writing them."""
    databases: list[server.Format] = [
        {
            "name": format.name,
            "title": format.title,
            "suffixes": [*format.suffixes],
            "write": format.create is not None,
            "append": format.create is not None and APPEND in format.write_options,
            "book": False,
            "profiles": [{"name": profile.name, "title": profile.title} for profile in format.profiles],
            "options": [
                _option(option) for option in format.write_options if option.name not in {"append", "password"}
            ],
        }
        for format in FORMATS
    ]
    books: list[server.Format] = [
        {"name": each.name, "title": each.title, "suffixes": [*each.suffixes], "write": False, "book": True}
        for each in BOOK_FORMATS
    ]
    return {"formats": [*databases, *books]}


def _option(option: Option) -> server.FormatOption:
    return {"name": option.name, "help": option.help, "kind": _KINDS[option.type], "on": option.on}


def convert_source(site: Site, call: Call) -> server.Job:
    """Start the conversion of a source, or of the games of a list."""
    listed = call.member("query", str)
    query = None if listed is None else site.queries.get(listed)
    if query is not None and not query.listing.complete:
        raise ApiError(503, "The list is still growing; try again when it is complete.")
    source = site.sources.get(call.member("source", str, "")) if query is None else query.source
    format = named(call.member("format", str, ""), FORMATS)
    if format.create is None:
        raise ApiError(422, f"{format.title} can be read but not written.")
    options = _options(call, {option.name: option for option in format.write_options})
    stem = call.member("name", str) or Path(source.path.name).stem
    with source.listed_database() as (opened, listed_database):
        database = listed_database.database if query is None else query.listing.database()
        held = opened if query is None else query.opened
        return site.conversions.start(source, held, database, format.name, stem, options).as_dict()


def _options(call: Call, allowed: dict[str, Option]) -> dict[str, Any]:
    given = {**(call.member("options", dict) or {})}
    if (profile := call.member("profile", str)) is not None:
        given["profile"] = profile
    for name, value in given.items():
        option = allowed.get(name)
        if option is None or name in {"append", "password"}:
            raise ApiError(422, f"The format has no option {name[:40]!r}.")
        if not isinstance(value, option.type) or (isinstance(value, bool) and option.type is not bool):
            raise ApiError(422, f"The option {name!r} takes a {_KINDS[option.type]}.")
    return given


def list_conversions(site: Site, _call: Call) -> server.Jobs:
    """Return all conversions."""
    return {"conversions": [job.as_dict() for job in site.conversions.all()]}


def show_conversion(site: Site, call: Call) -> server.Job:
    """Return the progress of a conversion; with a wait, after a moment or at its end."""
    job = site.conversions.get(call.path["job"])
    end = time.monotonic() + call.number("wait", 0, 0, _MOST_WAIT) / 1000
    while job.state == "running" and time.monotonic() < end:
        time.sleep(_STEP)
    return job.as_dict()


def conversion_file(site: Site, call: Call) -> FileResponse:
    """Send the result of a conversion."""
    job = site.conversions.get(call.path["job"])
    if job.file is None:
        raise ApiError(409, "The conversion has no result to send.")
    return FileResponse(job.file, filename=job.file.name, media_type="application/octet-stream")


def remove_conversion(site: Site, call: Call) -> None:
    """Cancel a conversion, and remove its result."""
    site.conversions.remove(call.path["job"])
