"""The connection to jose's server: MySQL or MariaDB through PyMySQL. Passwords are never shown."""

from __future__ import annotations

import configparser
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tabiya.errors import TabiyaError, UnsupportedError, UsageError

if TYPE_CHECKING:
    from tabiya.formats.url import Url

Password: TypeAlias = "str | Callable[[], str] | None"

MAX_STATEMENT: Final = 1_000_000
"""jose's server accepts packets of one megabyte."""
_OPTIONS: Final = ("unix_socket", "defaults_file", "collection")
_PASSWORD: Final = "MYSQL_PWD"
_DEFAULT_NAME: Final = "jose"
_TIMEOUT: Final = 10
_NEEDED: Final = ("Game", "MoreGame", "Player", "Event", "Site", "Opening", "Collection")
_NO_BASE: Final = 1049
_DENIED: Final = 1045
_REMEDY: Final = "; create=True creates what is missing"


class Server:
    """One connection; ``rows`` reads, ``run`` writes. Errors of the driver become errors of tabiya.

    The user, host and base come from the URL; the password from the URL, from ``password``, from the environment
    variable ``MYSQL_PWD``, or from an option file (``?defaults_file=/home/me/.my.cnf``). A function as ``password`` is
    called if there is none, and the server requires one.
    """

    def __init__(self, url: Url, *, password: Password = None, create: bool | None = None) -> None:
        """``create``: the base will be created if it is missing; False: it could be, and an error mentions it."""
        try:
            import pymysql  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise UnsupportedError("this needs PyMySQL: pip install tabiya[mysql]", path=str(url)) from error
        if url.options.keys() - set(_OPTIONS):  # not quoted: it may contain a secret
            raise UsageError(f"the URL has an option that is not known; known: {', '.join(_OPTIONS)}", path=str(url))
        self.url = url
        self._remedy = _REMEDY if create is False else ""
        self.name = url.path or _DEFAULT_NAME
        self._driver: Any = pymysql
        options_file = url.options.get("defaults_file")
        if options_file is not None and not (Path(options_file).is_file() and os.access(options_file, os.R_OK)):
            raise UsageError(f"the option file {options_file!r} is missing, or you may not read it", path=str(url))
        stated = None if callable(password) else password
        known = next((each for each in (url.password, stated, os.environ.get(_PASSWORD)) if each is not None), "")
        given: dict[str, Any] = {
            "host": url.host or None,
            "port": url.port or 0,
            "user": url.user or None,
            "password": known,
            "unix_socket": url.options.get("unix_socket"),
            "read_default_file": options_file,
        }
        given |= {
            "database": None if create else self.name,
            "charset": "utf8mb4",
            "connect_timeout": _TIMEOUT,
            "autocommit": True,
            "init_command": "SET SESSION sql_mode='ALLOW_INVALID_DATES,NO_ZERO_DATE'",
        }
        try:
            with self._errors():
                try:
                    self._connection = pymysql.connect(**given)
                except pymysql.MySQLError as error:
                    if known or not callable(password) or error.args[:1] != (_DENIED,):
                        raise
                    self._connection = pymysql.connect(**{**given, "password": password()})
        except (ValueError, configparser.Error):
            # The message may quote the option file, with its password.
            sentence = "the driver rejects the user, host, socket or option file"
            raise UsageError(sentence, path=str(url)) from None

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (self._driver.MySQLError, OSError, RuntimeError) as error:
            # The driver's message may quote statements with data; code and first line are sufficient.
            code, *words = error.args if error.args else (type(error).__name__,)
            sentence = str(words[0]).partition("\n")[0] if words else str(code)
            message = sentence or "the connection is lost"
            remedy = self._remedy if code == _NO_BASE else ""
            raise TabiyaError(f"the server reports: {message} ({code}){remedy}", path=str(self.url)) from None

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a statement."""
        with self._errors(), self._connection.cursor() as cursor:
            cursor.execute(statement, values)
            return list(cursor.fetchall())

    def value(self, statement: str, values: Sequence[object] = ()) -> Any:
        """Return the first value of the first row, or None."""
        rows = self.rows(statement, values)
        return rows[0][0] if rows else None

    def run(self, statement: str, values: Sequence[object] = ()) -> None:
        """Run a statement without a result."""
        self.rows(statement, values)

    def run_many(self, statement: str, rows: Iterable[Sequence[object]]) -> None:
        """Run an ``INSERT … VALUES (…)`` for many rows, with many rows in each statement."""
        with self._errors(), self._connection.cursor() as cursor:
            cursor.max_stmt_length = MAX_STATEMENT
            cursor.executemany(statement, rows)

    def columns(self, table: str) -> set[str]:
        """Return the columns of a table of this base, empty if it does not exist."""
        found = self.rows(
            "SELECT column_name FROM information_schema.columns WHERE table_schema = %s AND table_name = %s",
            (self.name, table),
        )
        return {str(name) for (name,) in found}

    def check_tables(self) -> None:
        """Raise UsageError unless this is a database of jose."""
        missing = [table for table in _NEEDED if not self.columns(table)]
        if missing:
            message = f"is not a jose database: the table {missing[0]} is missing, or you may not read it"
            if not self.value("SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() LIMIT 1"):
                message += self._remedy
            raise UsageError(message, path=str(self.url))

    def create_tables(self) -> Callable[[], None]:
        """Create the base if it does not exist, and jose's tables if it is empty; return a function that undoes this.

        A base with other tables is not changed: games do not belong there.
        """
        base = f"`{self.name.replace('`', '``')}`"
        exists = self.value("SELECT 1 FROM information_schema.schemata WHERE schema_name = %s", (self.name,))
        if not exists:
            self.run(f"CREATE DATABASE {base} CHARACTER SET utf8mb3")
        self.run(f"USE {base}")
        if self.value("SELECT 1 FROM information_schema.tables WHERE table_schema = %s LIMIT 1", (self.name,)):
            return lambda: None
        text = (resources.files("tabiya.formats.jose") / "templates" / "database.sql").read_text("utf-8")
        statements = [part for part in re.sub(r"(?m)^--.*$", "", text).split(";\n") if part.strip()]
        made = re.findall(r"(?m)^CREATE TABLE (\w+)", text)

        def take_back() -> None:
            self.run(f"DROP TABLE IF EXISTS {', '.join(made)}" if exists else f"DROP DATABASE IF EXISTS {base}")

        try:
            for statement in statements:
                self.run(statement)
        except BaseException:
            take_back()
            raise
        return take_back

    def close(self) -> None:
        """Close the connection."""
        try:
            self._connection.close()
        except (self._driver.MySQLError, OSError):
            return  # it was lost before
