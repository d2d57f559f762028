"""The application: routes that run handlers in threads, with bounded bodies, and errors as sentences."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route as StarletteRoute

from tabiya.errors import TabiyaError
from tabiya.files.file_errors import sentence_of
from tabiya.web.description import STYLE, docs_page, openapi
from tabiya.web.request import ApiError, Call, Later, error_of
from tabiya.web.route import Route
from tabiya.web.routes import ROUTES
from tabiya.web.safety import EXPLORER, Guard

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from starlette.types import ASGIApp

    from tabiya.web.site import Site

_MOST_BYTES: Final = 8 << 20
"""Maximum size of a JSON body."""
_SECONDS: Final = 60.0
"""Maximum time to receive a JSON body."""
_STALLED: Final = 60.0
"""Seconds without data after which an upload is aborted."""
_TYPES: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".pgn": "application/x-chess-pgn",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
"""Media types of the files of the page. Windows takes others from its registry, with which no script would run."""
_NO_PAGE: Final = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>tabiya</title></head><body>
<h1>The page is not here</h1>
<p>The server works, and so does its <a href="/api/docs">API</a>, but this installation of tabiya was made without the
page that belongs to it. In the sources of tabiya, <code>make web</code> builds it (it needs npm packages); packages of
tabiya contain it.</p>
</body></html>
"""


def application(site: Site) -> ASGIApp:
    """Return the application of a site, with its guard before it."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(site.close)

    routes = [StarletteRoute(each.path, _endpoint(site, each), methods=[each.method]) for each in ROUTES]
    app = Starlette(
        routes=[*routes, *_own_routes(site)],
        lifespan=lifespan,
        exception_handlers={HTTPException: _http_error, Exception: _unexpected},
    )
    app.router.redirect_slashes = False
    return Guard(app, site.rules)


def _own_routes(site: Site) -> list[StarletteRoute]:
    """Return those that are not in the table: uploads, which stream, the description, and the page."""

    async def upload(request: Request) -> Response:
        return await _answered(lambda: _upload(site, request))

    def page(request: Request) -> Response:
        return _page(site, request.path_params.get("path", ""))

    return [
        StarletteRoute("/api/uploads/{upload}/{name}", upload, methods=["PUT"]),
        StarletteRoute("/api/openapi.json", lambda _: JSONResponse(openapi())),
        StarletteRoute("/api/docs", lambda _: HTMLResponse(docs_page())),
        StarletteRoute("/api/docs.css", lambda _: PlainTextResponse(STYLE, media_type="text/css")),
        StarletteRoute("/api/{path:path}", _nothing_here, methods=["GET", "POST", "PUT", "DELETE"]),
        *(StarletteRoute(f"{place}/{{path:path}}", _nothing_here) for place in EXPLORER),
        StarletteRoute("/{path:path}", page),
    ]


def _endpoint(site: Site, route: Route) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        body = await _body(request) if route.body else None
        call = Call(request.path_params, request.query_params, body, request.headers)
        found = await run_in_threadpool(route.handler, site, call)
        if isinstance(found, Later):
            await _done(found)
            found = await run_in_threadpool(found.answer)
        if isinstance(found, Response):
            return found
        if found is None:
            return Response(status_code=204)
        return await run_in_threadpool(_json, found, route.status)

    async def endpoint(request: Request) -> Response:
        return await _answered(lambda: answer(request))

    return endpoint


async def _done(later: Later) -> None:
    """Wait for an answer, or until its time is over, without occupying a thread."""
    loop, done = asyncio.get_running_loop(), asyncio.Event()
    forget = later.when_done(lambda: _set_done(loop, done))
    try:
        with suppress(TimeoutError):
            async with asyncio.timeout(later.seconds):
                await done.wait()
    finally:
        forget()


def _set_done(loop: asyncio.AbstractEventLoop, done: asyncio.Event) -> None:
    with suppress(RuntimeError):  # the server has ended
        loop.call_soon_threadsafe(done.set)


def _json(values: Any, status: int = 200) -> Response:
    """Return values as JSON; unpaired surrogates, which UTF-8 cannot encode, become question marks."""
    text = json.dumps(values, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Response(text.encode("utf-8", "replace"), status, media_type="application/json")


async def _answered(answer: Callable[[], Awaitable[Response]]) -> Response:
    """Return an answer, or the error that came instead of it."""
    try:
        return await answer()
    except ApiError as error:
        return _json(error.as_dict(), error.status)
    except TabiyaError as error:
        problem = error_of(error)
        return _json(problem.as_dict(), problem.status)
    except OSError as error:
        return _json(ApiError(500, f"The system does not allow it: {sentence_of(error)}.").as_dict(), 500)
    except ClientDisconnect:
        return Response(status_code=400)


async def _body(request: Request) -> Any:
    """Return the JSON body of a request; limited in time and size."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise ApiError(415, "The body of this request must be JSON (application/json).")
    text = bytearray()
    try:
        async with asyncio.timeout(_SECONDS):
            async for piece in request.stream():
                text += piece
                if len(text) > _MOST_BYTES:
                    raise ApiError(413, f"The request is longer than {_MOST_BYTES >> 20} MB.")
    except TimeoutError:
        raise ApiError(400, "The request did not arrive in time.") from None
    try:
        return await run_in_threadpool(json.loads, bytes(text)) if text else None
    except (ValueError, RecursionError):
        raise ApiError(400, "The body of the request is not JSON.") from None


async def _upload(site: Site, request: Request) -> Response:
    """Receive one file of an upload, up to the bytes that are left for all of them."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/octet-stream":
        raise ApiError(415, "A file is sent as it is (application/octet-stream).")
    name = request.path_params["upload"]
    upload = site.sources.upload(name)
    path = site.sources.upload_path(name, request.path_params["name"])
    came = 0
    try:
        with path.open("xb") as file:
            pieces = request.stream()
            while True:
                async with asyncio.timeout(_STALLED):
                    piece = await anext(pieces, None)
                if piece is None:
                    break
                came += len(piece)
                site.sources.count_upload(upload, len(piece))
                await run_in_threadpool(file.write, piece)
    except BaseException as error:
        path.unlink(missing_ok=True)
        site.sources.forget_file(upload, came)
        if isinstance(error, TimeoutError):
            raise ApiError(400, "The file did not arrive in time.") from None
        raise
    return Response(status_code=204)


def _page(site: Site, path: str) -> Response:
    """Return a file of the page; for places that only the page knows, the page itself."""
    if not site.has_page:
        return HTMLResponse(_NO_PAGE) if path in {"", "index.html"} else PlainTextResponse("not found", 404)
    file = _page_file(site.page, path)
    if file is not None:
        return FileResponse(file, media_type=_TYPES.get(file.suffix))
    if "." in path.rpartition("/")[2]:
        return PlainTextResponse("not found", 404)
    return FileResponse(site.page / "index.html", media_type=_TYPES[".html"])


def _page_file(folder: Path, path: str) -> Path | None:
    if not path or "\0" in path or "\\" in path or any(part in {"", ".", ".."} for part in path.split("/")):
        return None
    file = folder / path
    return file if file.is_file() and file.resolve().is_relative_to(folder.resolve()) else None


async def _nothing_here(request: Request) -> Response:
    return _json(ApiError(404, f"There is nothing at {request.url.path[:80]}; see /api/docs.").as_dict(), 404)


async def _http_error(_request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    sentences = {404: "There is nothing here; see /api/docs.", 405: "This cannot be done here; see /api/docs."}
    return _json(ApiError(status, sentences.get(status, "This did not work.")).as_dict(), status)


async def _unexpected(_request: Request, _error: Exception) -> Response:
    """Return a generic error for an unexpected exception; only the server prints its traceback."""
    return _json(
        ApiError(500, "Something unexpected went wrong; the terminal of tabiya serve shows it.").as_dict(), 500
    )
