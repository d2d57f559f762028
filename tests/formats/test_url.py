from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

import tabiya
from tabiya.errors import FormatError, UnsupportedError, UsageError
from tabiya.formats.open_and_create import path_of
from tabiya.formats.url import Url, url_of
from tests.formats.memory_format import BARE, FULL

LOCATION = "mysql://me:se%20cret@Host:3307/my%20base?unix_socket=/tmp/a%20b&x="


def test_parts() -> None:
    url = url_of(LOCATION)
    assert url == Url("mysql", "host", 3307, "me", "se cret", "my base", {"unix_socket": "/tmp/a b", "x": ""})
    assert url_of("mariadb:///base") == Url("mariadb", path="base")


def test_passwords_are_not_shown() -> None:
    url = url_of(LOCATION)
    assert "se cret" not in repr(url)
    assert str(url) == "mysql://me@host:3307/my%20base?unix_socket=/tmp/a%20b"
    for wrong in ("mysql://me:secret@host:port/base", "mysql://me:secret@[host/base", "mysql://me:secret@host/b?x"):
        with pytest.raises(UsageError, match="not a URL of the form mysql://") as caught:
            url_of(wrong)
        assert "secret" not in str(caught.value)
        assert caught.value.__cause__ is None


@pytest.mark.parametrize("password", ["12/secret", "12?secret=4", "12#secret", "x@b/secret", "x@b?secret=", "secret@"])
def test_passwords_that_spill_over(password: str) -> None:
    """What stands behind a slash or question mark is shown, so it must not be part of a password."""
    location = f"mysql://me:{password}@host/base"
    try:
        assert "secret" not in str(url_of(location))
    except UsageError as error:
        assert "secret" not in str(error)
        assert "%2F for /" in str(error)


def test_paths_are_no_urls() -> None:
    for path in ("games.pgn", "/a/b", "C:\\x", "C://x", "-", "a:b", "x/mysql://y"):
        assert url_of(path) is None
    assert path_of(LOCATION) is None


def test_a_scheme_chooses_the_format() -> None:
    seen: list[Any] = []

    def open_url(url: Url, /, *, color: str = "") -> Any:
        seen.append((url.path, color))
        return SimpleNamespace()

    def create_url(url: Url, /, *, overwrite: bool = False, strict: bool = False) -> Any:
        seen.append((url.path, overwrite, strict))

    served = replace(FULL, schemes=("mem",), open_url=open_url, create_url=create_url)
    tabiya.open("mem://x/y", formats=(BARE, served), color="red")
    tabiya.create("MEM://x/z", formats=(BARE, served), overwrite=True)
    tabiya.open("other://x/w", format=served, formats=(BARE,))
    assert seen == [("y", "red"), ("z", True, False), ("w", "")]
    assert str(served) == "full (.full .full.old mem://)"
    with pytest.raises(UsageError, match="no option 'colour'"):
        tabiya.open("mem://x/y", formats=(served,), colour="red")


def test_servers_that_nobody_knows() -> None:
    for use in (tabiya.open, tabiya.create):
        with pytest.raises(FormatError, match="no known format uses URLs of the scheme ftp; known: full"):
            use("ftp://me:secret@x/y", formats=(FULL,))
        with pytest.raises(UnsupportedError, match=r"full cannot be .* a server"):
            use("ftp://x/y", format=FULL)
