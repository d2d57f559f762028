"""What reports and directories have in common: answers that are not finished yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from starlette.responses import JSONResponse, Response

from tabiya.web.request import ApiError, Call, Later, error_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabiya.search.listing import ListedDatabase
    from tabiya.web.answers import reports
    from tabiya.web.site import Site
    from tabiya.web.source import Opened, Source

MOST_ROWS: Final = 500
_LONGEST_TEXT: Final = 500
_MOST_WAIT: Final = 20_000


def text_of(call: Call) -> str:
    """Return the text to find names by."""
    text = call.text("text", "") or ""
    if len(text) > _LONGEST_TEXT:
        raise ApiError(422, f"The text to find names by has more than {_LONGEST_TEXT} letters.")
    return text


def directory(
    source: Source, opened: Opened, listed_database: ListedDatabase, offset: int, total: int
) -> reports.Directory:
    """Return how far a directory is, and how many rows it has."""
    catalogue = listed_database.catalogue
    if catalogue.failure is not None:
        raise error_of(catalogue.failure)
    return {
        "source": source.id,
        "generation": opened.generation,
        "complete": catalogue.complete,
        "progress": catalogue.progress,
        "total": total,
        "offset": offset,
    }


def report(
    site: Site,
    call: Call,
    work: Callable[..., dict[str, Any]],
    **options: Any,
) -> Later | Response | Any:
    """Return a report on a source, or how far the work is; ``work`` returns the members of the answer."""
    source = site.sources.get(call.path["source"])
    opened = source.acquire()
    try:
        if opened.listed_database is None:
            raise ApiError(422, f"{source.path.name} is an opening book: it has no games.")
        job = site.reports.start(source, opened, options, work)
    finally:
        source.release(opened)

    def answer() -> Any:
        about = {"source": source.id, "generation": opened.generation}
        if job.error is not None:
            raise error_of(job.error)
        if job.answer is not None:
            return {**about, "complete": True, **job.answer}
        unfinished: reports.Unfinished = {
            "source": source.id,
            "generation": opened.generation,
            "complete": False,
            "progress": job.progress,
        }
        return JSONResponse(unfinished, 202)

    seconds = call.number("wait", 5000, 0, _MOST_WAIT) / 1000
    return answer() if job.is_done or not seconds else site.reports.later(job, seconds, answer)
