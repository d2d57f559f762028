"""A MySQL or MariaDB server for the tests: the one that TABIYA_MYSQL names, with a fresh base per test."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pymysql
import pytest

from tabiya.formats.url import Url, url_of
from tests.conftest import ROOT, SAMPLES

OWN_SCHEMA = ROOT / "tests" / "data" / "jose" / "schema.sql"
REAL_SCHEMA = SAMPLES / "jose" / "schema.sql"
_MISSING = "SKIPPED: this test did not run; it did not pass: set TABIYA_MYSQL to the URL of a MySQL or MariaDB server"


def server_url() -> Url:
    """The server of TABIYA_MYSQL; without one the running test skips, in CI too if no server could be installed."""
    url = url_of(os.environ.get("TABIYA_MYSQL", ""))
    if url is None:
        pytest.skip(_MISSING)
    return url


def connect(url: Url, database: str | None = None) -> Any:
    return pymysql.connect(
        host=url.host or None,
        port=url.port or 0,
        user=url.user or None,
        password=url.password or "",
        unix_socket=url.options.get("unix_socket"),
        database=database,
        charset="utf8mb4",
        autocommit=True,
    )


def statements(text: str) -> list[str]:
    return [part.strip() for part in re.sub(r"--[^\n]*", "", text).split(";") if part.strip()]


def schema() -> Path:
    """jose's real schema, with all its keys, where the samples are there; else our own."""
    return REAL_SCHEMA if REAL_SCHEMA.exists() else OWN_SCHEMA


@contextmanager
def fresh_base(tables: Path | None) -> Iterator[Url]:
    """The URL of a new base with the tables of a file, or empty; it is dropped in the end."""
    url = replace(server_url(), path=f"tabiya_{uuid.uuid4().hex[:12]}")
    with connect(url) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {url.path}")
        try:
            cursor.execute(f"USE {url.path}")
            for statement in statements(tables.read_text("utf-8")) if tables else ():
                cursor.execute(statement)
            yield url
        finally:
            cursor.execute(f"DROP DATABASE {url.path}")


def rows(url: Url, statement: str) -> list[tuple[Any, ...]]:
    with connect(url, url.path) as connection, connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())


def location(url: Url) -> str:
    """The URL as users write it."""
    text = str(url)
    return text if url.password is None else text.replace("@", f":{url.password}@", 1)
