"""Databases on servers instead of in files: ``mysql://user@host/base``. A password is never shown.

This module also turns text given by a user into a path. Text that looks like a URL is never a path, so that no message
of the operating system, and no part of a path, can show the password in it.
"""

from __future__ import annotations

import os.path
import re
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlsplit

from tabiya.errors import UsageError

_SCHEME: Final = re.compile(r"([a-z][a-z0-9+.-]+)://", re.IGNORECASE)
_MEANT: Final = re.compile(
    r"\s*(?:jdbc:)?(?:[a-z][a-z0-9+.-]+:[/\\].*@|(?:mysql|mariadb)(?::[/\\]|[:;/\\]+.*:.*@))", re.IGNORECASE | re.DOTALL
)
"""Text intended as a URL: with a slash missing, a leading blank, and so on."""
_BARE: Final = re.compile(r"[\w.%+-]+:[^/\\\s]+@[\w.-]+(?::\d+)?/\w*")
"""A URL without its scheme; a file may have such a name, too."""
_SECRET_OPTION: Final = re.compile(r"pass|pwd", re.IGNORECASE)
_SAFE_OPTIONS: Final = ("collection", "defaults_file", "unix_socket")
"""Options that are names; any other may be a secret in the wrong place."""
_USUAL_SCHEME: Final = "mysql"


@dataclass(frozen=True, slots=True)
class Url:
    """Location of a database on a server; ``str`` and ``repr`` omit the password, and options that may hold secrets."""

    scheme: str
    host: str = ""
    port: int | None = None
    user: str = ""
    password: str | None = field(default=None, repr=False)
    path: str = ""
    """Without the leading slash."""
    options: dict[str, str] = field(default_factory=dict, hash=False, repr=False)
    """The options after the question mark."""

    def __str__(self) -> str:
        user = f"{quote(self.user)}@" if self.user else ""
        port = "" if self.port is None else f":{self.port}"
        safe = {name: value for name, value in self.options.items() if name in _SAFE_OPTIONS}
        options = "&".join(f"{name}={quote(value, safe='/')}" for name, value in safe.items())
        return f"{self.scheme}://{user}{self.host}{port}/{quote(self.path)}" + (f"?{options}" if options else "")


def url_of(location: object) -> Url | None:
    """Return the URL of a location; None for paths and streams.

    Raises:
        UsageError: The text looks like a URL, but is not valid.
    """
    if not isinstance(location, str):
        return None
    found = _SCHEME.match(location)
    if found is None:
        if _MEANT.match(location) or (_BARE.fullmatch(location) and not os.path.lexists(location)):
            raise _no_url(_USUAL_SCHEME)
        return None
    try:
        parts = urlsplit(location)
        host, port = parts.hostname or "", parts.port
        options = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
        # A password that contains one of /?# would become part of the displayed URL.
        spilled = parts.fragment or "@" in parts.path + parts.query or ":" in unquote(parts.username or "")
        if spilled or any(_SECRET_OPTION.match(name) for name, _ in options):
            raise ValueError
    except ValueError:
        # The text of the error may quote the whole URL, with its password.
        raise _no_url(found[1]) from None
    return Url(
        scheme=parts.scheme.lower(),
        host=unquote(host),
        port=port,
        user=unquote(parts.username or ""),
        password=None if parts.password is None else unquote(parts.password),
        path=unquote(parts.path.removeprefix("/")),
        options=dict(options),
    )


def _no_url(scheme: str) -> UsageError:
    return UsageError(
        f"this is not a URL of the form {scheme}://user:password@host:port/base?option=value; inside its parts write "
        "%40 for @, %2F for /, %3F for ? and %23 for #, and before the name of a file that looks like a URL write ./"
    )


def local_path(location: str | PathLike[str]) -> Path:
    """Return the path that a user gave, where only a file or folder is possible.

    Raises:
        UsageError: The text is or looks like a URL, is empty, or contains a NUL.
    """
    if not fspath(location):
        raise UsageError("the path is empty")
    url = url_of(location)
    if url is not None:
        raise UsageError("is a database on a server; a file or folder is expected here", path=str(url))
    path = Path(location)
    if "\0" in str(path):
        raise UsageError(f"a path cannot contain a NUL: {str(path)!r}")
    return path
