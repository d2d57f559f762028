"""Access control: Host, Origin and token are checked before anything else, and response headers restrict the page.

A page of another site, open in the same browser, can send requests to this server, too. It cannot read the responses
unless it fakes the name of the server (DNS rebinding: detected by Host), it cannot change anything (detected by
Origin), and it does not have the token of this run, which the browser keeps in a cookie for this page only.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, RedirectResponse, Response

from tabiya.errors import UsageError
from tabiya.web.request import ApiError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_METHODS: Final = _SAFE_METHODS | {"POST", "PUT", "DELETE"}
EXPLORER: Final = ("/explorer", "/masters", "/master", "/lichess", "/player", "/personal", "/game/export")
"""The explorer, for other sites and programs; nothing else is."""
_TOKEN_IN_PATH: Final = "/token/"
_NEEDS_TOKEN: Final = ("/api", *EXPLORER, _TOKEN_IN_PATH.rstrip("/"))
_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{12,100}")
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS: Final = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
}
_PREFLIGHT: Final = {
    "access-control-allow-methods": "GET",
    "access-control-allow-headers": "Authorization, Content-Type",
    "access-control-allow-private-network": "true",
    "access-control-max-age": "600",
}
_YEAR: Final = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Rules:
    """The access rules."""

    host: str = "127.0.0.1"
    """The host that the server is bound to."""
    port: int = 0
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    allowed_origins: tuple[str, ...] = ()
    """Other sites that may query the explorer, and nothing else."""
    explorer_token: str | None = None
    """A token that is good for the explorer only."""
    more_hosts: frozenset[str] = frozenset()

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in _LOOPBACK

    @property
    def cookie(self) -> str:
        """The name of the cookie: browsers do not distinguish ports, so it contains the server's port."""
        return f"tabiya-{self.port}"

    def knows_host(self, name: str) -> bool:
        """Return whether a request may be addressed to this name; with an open host, to any number as well."""
        if name in _LOOPBACK or name == self.host or name in self.more_hosts:
            return True
        return not self.is_loopback and _is_address(name)

    def allows_origin(self, origin: str) -> bool:
        """Return whether another site may query the explorer."""
        return origin in self.allowed_origins or "*" in self.allowed_origins

    def is_token(self, text: str | None) -> bool:
        """Return whether this is the token of this run, in the same time for any text."""
        return _same(text, self.token)

    def is_explorer_token(self, text: str | None) -> bool:
        """Return whether this token is good for the explorer."""
        return self.is_token(text) or _same(text, self.explorer_token)


def _same(text: str | None, token: str | None) -> bool:
    if text is None or token is None:
        return False
    return secrets.compare_digest(text.encode("utf-8", "replace"), token.encode())


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """Middleware in front of the application."""

    def __init__(self, app: ASGIApp, rules: Rules) -> None:
        self._app = app
        self._rules = rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or reject it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})  # websockets are not supported
            return
        headers = Headers(scope=scope)
        scope = self._without_token(scope)
        answer = self._refusal(scope, headers) or self._welcome(scope) or self._preflight(scope, headers)
        guarded = self._with_headers(send, scope, headers)
        await (self._app if answer is None else answer)(scope, receive, guarded)

    def _without_token(self, scope: Scope) -> Scope:
        """Return a request for ``/token/TOKEN/masters`` as one for ``/masters`` with this token."""
        path: str = scope["path"]
        if not path.startswith(_TOKEN_IN_PATH):
            return scope
        token, _, rest = path.removeprefix(_TOKEN_IN_PATH).partition("/")
        if not self._rules.is_explorer_token(token) or not _is_explorer(f"/{rest}"):
            return scope
        return {**scope, "path": f"/{rest}", "raw_path": f"/{rest}".encode(), "tabiya.token": True}

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        try:
            self._check_host(headers)
            self._check_origin(scope, headers)
            self._check_token(scope, headers)
        except ApiError as error:
            return JSONResponse(error.as_dict(), error.status)
        return None

    def _check_host(self, headers: Headers) -> None:
        hosts = headers.getlist("host")
        name = _host_name(hosts[0]) if len(hosts) == 1 else None
        if name is None or not self._rules.knows_host(name):
            raise ApiError(421, "This server does not answer to that name; open the address that tabiya serve printed.")

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        method = scope["method"]
        if method not in _METHODS:
            raise ApiError(405, f"{method[:20]} is not a method of this server.")
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if self._is_open(scope, origin):
            return
        if origin is not None and not _same_origin(origin, headers):
            raise ApiError(403, "Other sites may not query this server; see --allow-origin for the explorer.")
        navigates = method in _SAFE_METHODS and headers.get("sec-fetch-mode") == "navigate"
        if site in {"cross-site", "same-site"} and not navigates:
            raise ApiError(403, "Other sites may not query this server.")

    def _is_open(self, scope: Scope, origin: str | None) -> bool:
        """Return whether other sites are allowed to send this request."""
        is_read = scope["method"] in _SAFE_METHODS and _is_explorer(scope["path"])
        return is_read and origin is not None and self._rules.allows_origin(origin)

    def _check_token(self, scope: Scope, headers: Headers) -> None:
        path: str = scope["path"]
        if not _is_below(path, _NEEDS_TOKEN) or "tabiya.token" in scope:
            return
        if self._rules.is_loopback and self._is_open(scope, headers.get("origin")):
            return
        if scope["method"] == "OPTIONS" and self._is_open(scope, headers.get("origin")):
            return
        kind, _, given = headers.get("authorization", "").partition(" ")
        is_explorer = scope["method"] in _SAFE_METHODS and _is_explorer(path)
        is_token = self._rules.is_explorer_token if is_explorer else self._rules.is_token
        if kind.lower() == "bearer" and is_token(given.strip()):
            return
        if is_explorer and is_token(QueryParams(scope["query_string"]).get("token")):
            return
        if self._rules.is_token(_cookie(headers, self._rules.cookie)):
            if scope["method"] not in _SAFE_METHODS and "origin" not in headers:
                raise ApiError(403, "A request that changes something must name the page it comes from (Origin).")
            return
        raise ApiError(401, "The token is missing or of an earlier run: open the address that tabiya serve printed.")

    def _welcome(self, scope: Scope) -> Response | None:
        """Return a redirect that removes the token from the address, and sets the cookie if the token is correct."""
        query = QueryParams(scope["query_string"])
        if _is_below(scope["path"], _NEEDS_TOKEN) or "token" not in query or scope["method"] not in _SAFE_METHODS:
            return None
        rest = urlencode([pair for pair in query.multi_items() if pair[0] != "token"])
        path = "/" + scope["path"].lstrip("/\\")
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        if self._rules.is_token(query["token"]):
            answer.set_cookie(self._rules.cookie, self._rules.token, httponly=True, samesite="strict", path="/")
        return answer

    def _preflight(self, scope: Scope, headers: Headers) -> Response | None:
        if scope["method"] == "OPTIONS" and self._is_open(scope, headers.get("origin")):
            return Response(status_code=204, headers=_PREFLIGHT)
        return None

    def _with_headers(self, send: Send, scope: Scope, headers: Headers) -> Send:
        path: str = scope["path"]
        origin = headers.get("origin")

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    answer.setdefault(name, value)
                lasting = path.startswith("/assets/") and message["status"] == 200
                answer.setdefault("cache-control", f"public, max-age={_YEAR}, immutable" if lasting else "no-store")
                if origin is not None and self._is_open(scope, origin):
                    answer["access-control-allow-origin"] = origin
                    answer["cross-origin-resource-policy"] = "cross-origin"
                    answer["vary"] = "Origin"
            await send(message)

        return guarded


def _is_below(path: str, places: Iterable[str]) -> bool:
    return any(path == each or path.startswith(f"{each}/") for each in places)


def _is_explorer(path: str) -> bool:
    return _is_below(path, EXPLORER)


def _host_name(host: str) -> str | None:
    """Return the name in a Host header; None if it is no name with perhaps a port."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return None
    plain = parts.username is None and not parts.path and not parts.query and not parts.fragment
    return parts.hostname if plain else None


def _same_origin(origin: str, headers: Headers) -> bool:
    host = headers.get("host", "").lower()
    return origin.lower() in {f"http://{host}", f"https://{host}"}


def _cookie(headers: Headers, name: str) -> str | None:
    """Return a cookie; those of other servers on this machine are sent too, in any format."""
    return cookie_parser("; ".join(headers.getlist("cookie"))).get(name)


def checked_origins(origins: Iterable[str]) -> tuple[str, ...]:
    """Return origins as browsers spell them: ``https://example.org``, without a path."""
    found = []
    for origin in origins:
        try:
            parts = urlsplit(origin)
        except ValueError:
            parts = urlsplit("")
        if origin != "*" and not (parts.scheme and parts.netloc):
            raise UsageError(f"{origin!r} is not the origin of a site: give it as https://example.org")
        found.append(origin if origin == "*" else f"{parts.scheme}://{parts.netloc}".lower())
    return tuple(found)


def checked_token(token: str | None) -> str | None:
    """Return a token that a user chose; it must be hard to guess, and fit into an address."""
    if token is not None and not _TOKEN.fullmatch(token):
        raise UsageError("the token of the explorer must have 12 to 100 letters, digits, “-” or “_”")
    return token
