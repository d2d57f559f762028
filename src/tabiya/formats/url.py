"""Databases that are not files but servers: ``mysql://user@host/base``. A password is never shown."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from tabiya.errors import UsageError

__all__ = ["Url", "url_of"]

_SCHEME: Final = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Url:
    """Where a database is served; ``str`` and ``repr`` leave the password out."""

    scheme: str
    host: str = ""
    port: int | None = None
    user: str = ""
    password: str | None = field(default=None, repr=False)
    path: str = ""
    """Without the slash in front."""
    options: dict[str, str] = field(default_factory=dict, hash=False)
    """What stands behind the question mark."""

    def __str__(self) -> str:
        user = f"{quote(self.user)}@" if self.user else ""
        port = "" if self.port is None else f":{self.port}"
        options = "&".join(f"{name}={quote(value, safe='/')}" for name, value in self.options.items())
        return f"{self.scheme}://{user}{self.host}{port}/{quote(self.path)}" + (f"?{options}" if options else "")


def url_of(location: object) -> Url | None:
    """The URL that a location is; None for paths and streams."""
    if not isinstance(location, str) or not (found := _SCHEME.match(location)):
        return None
    try:
        parts = urlsplit(location)
        host, port = parts.hostname or "", parts.port
        options = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
        # A password with one of /?# in it would spill over into what is shown.
        if parts.fragment or "@" in parts.path + parts.query:
            raise ValueError
    except ValueError:
        # The text of the error may quote the whole URL, with its password.
        raise UsageError(
            f"this is not a URL of the form {found[1]}://user:password@host:port/base?option=value; "
            "inside its parts write %40 for @, %2F for /, %3F for ? and %23 for #"
        ) from None
    return Url(
        scheme=parts.scheme.lower(),
        host=unquote(host),
        port=port,
        user=unquote(parts.username or ""),
        password=None if parts.password is None else unquote(parts.password),
        path=unquote(parts.path.removeprefix("/")),
        options=dict(options),
    )
