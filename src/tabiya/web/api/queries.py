"""Lists of games: requested once, then read row by row while they grow."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from starlette.background import BackgroundTask
from starlette.responses import FileResponse

from tabiya.errors import UsageError
from tabiya.formats import convert
from tabiya.search.list_query import ListQuery
from tabiya.web.request import ApiError, Call

if TYPE_CHECKING:
    from tabiya.web.answers.games import Place, Row, Rows, Status
    from tabiya.web.site import Site

_FIRST_WAIT: Final = 0.08
"""Seconds to wait for a new list, so that most are complete when their id is returned."""
_MOST_WAIT: Final = 2000
_MOST_ROWS: Final = 500
_LONGEST_TEXT: Final = 500
_LONGEST_REQUEST: Final = 256 << 10
_MOST_DOWNLOADED: Final = 100_000


def create_query(site: Site, call: Call) -> Status:
    """Start a search for games."""
    source = site.sources.get(call.path["source"])
    text = call.member("text", str, "")
    if len(text) > _LONGEST_TEXT:
        raise ApiError(422, f"The text to filter by has more than {_LONGEST_TEXT} letters.")
    words = json.dumps(call.body, sort_keys=True)
    if len(words) > _LONGEST_REQUEST:  # it remains in memory as long as the list
        raise ApiError(413, f"The conditions of a list have more than {_LONGEST_REQUEST >> 10} kB.")
    sort = call.member("sort", dict) or {}
    try:
        list_query = ListQuery.of(
            text=text,
            headers=call.member("headers", dict),
            position=call.member("position", dict),
            records=call.member("records", str) or None,
            sort_by=sort.get("by"),
            descending=bool(sort.get("descending")),
        )
    except (TypeError, ValueError, AttributeError) as error:  # a number where a text should be, and the like
        raise UsageError(f"a condition makes no sense: {error}") from error
    query = site.queries.create(source, list_query, words)
    query.listing.wait(_FIRST_WAIT)
    return query.as_dict()


def show_query(site: Site, call: Call) -> Status:
    """Return the status of a list; with a wait, as soon as it has changed."""
    query = site.queries.get(call.path["query"])
    query.listing.wait(call.number("wait", 0, 0, _MOST_WAIT) / 1000)
    return query.as_dict()


def close_query(site: Site, call: Call) -> None:
    """Forget a list."""
    site.queries.remove(call.path["query"])


def query_rows(site: Site, call: Call) -> Rows:
    """Return some rows of a list."""
    query = site.queries.get(call.path["query"])
    cursor = call.text("cursor")
    begin = call.number("offset", 0) if cursor is None else _offset_of(cursor, query.name)
    answer = query.as_dict()
    rows = cast("list[Row]", query.listing.rows(begin, begin + call.number("limit", 100, 0, _MOST_ROWS)))
    end = begin + len(rows)
    more = rows and (end < answer["total"] or not answer["complete"])
    return {**answer, "offset": begin, "rows": rows, "next": f"{query.name}.{end}" if more else None}


def _offset_of(cursor: str, name: str) -> int:
    owner, _, offset = cursor.partition(".")
    if owner != name or not (offset.isascii() and offset.isdigit() and len(offset) <= 12):
        raise ApiError(422, f"{cursor[:40]!r} is not a cursor of this list.")
    return int(offset)


def place_in_query(site: Site, call: Call) -> Place:
    """Return the position of a record in a list."""
    query = site.queries.get(call.path["query"])
    return {**query.as_dict(), "offset": query.listing.offset_of(call.number("number", 0))}


def download_query(site: Site, call: Call) -> FileResponse:
    """Send the games of a list as PGN."""
    query = site.queries.get(call.path["query"])
    if not query.listing.complete:
        raise ApiError(503, "The list is still growing; try again when it is complete.")
    if query.listing.total > _MOST_DOWNLOADED:
        raise ApiError(413, f"More than {_MOST_DOWNLOADED:,} games are better converted.")
    name = f"{Path(query.source.path.name).stem}-{query.name}.pgn"
    with tempfile.NamedTemporaryFile(prefix="tabiya-", suffix=".pgn", delete=False) as file:
        path = Path(file.name)
    try:
        with path.open("wb") as file:
            convert(query.listing.database(), file, target_format="pgn", profile=call.text("profile", "lossless"))
    except BaseException:
        path.unlink()  # Windows cannot remove an open file
        raise
    return FileResponse(
        path, filename=name, media_type="application/x-chess-pgn", background=BackgroundTask(path.unlink)
    )
