"""Findings on disk: one SQLite file, which several processes may use at the same time."""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final, NamedTuple

from tabiya.analysis.findings import FoundLine, decode_lines, encode_lines
from tabiya.errors import CorruptError, TabiyaError
from tabiya.files.closing import Closing
from tabiya.files.file_errors import errors_of
from tabiya.files.user_folders import user_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from tabiya.analysis.engine import Engine
    from tabiya.analysis.limits import Limit
    from tabiya.analysis.options import OptionValue

_APPLICATION: Final = 0x7462_6961
"""``tbia``, in the header of the file."""
_VERSION: Final = 1
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS engine (id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS finding (
    position TEXT NOT NULL,
    engine INTEGER NOT NULL REFERENCES engine,
    measure TEXT NOT NULL,
    amount INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    found BLOB NOT NULL,
    PRIMARY KEY (position, engine, measure, amount, lines)
) WITHOUT ROWID;
"""
_LOOKUP: Final = """
SELECT position, found FROM finding
WHERE engine = ? AND measure = ? AND amount >= ? AND lines >= ? AND position IN ({places})
ORDER BY amount, lines
"""
_STORE: Final = "INSERT OR REPLACE INTO finding VALUES (?, ?, ?, ?, ?, ?)"
_POSITIONS_AT_ONCE: Final = 500
_PATIENCE: Final = 60.0
"""Seconds to wait for another process that writes."""
_TURN: Final = 0.01
_MAIN_CODE: Final = 0xFF
"""The part of an error code without its details."""


class Effort(NamedTuple):
    """How much work is put into a position: findings of more work serve as well as those of exactly this."""

    measure: str
    amount: int
    lines: int

    @classmethod
    def of(cls, limit: Limit, lines: int) -> Effort:
        """Return the effort of a search. Only a single limit can be compared; several are a measure of their own."""
        words = limit.words().split()
        if len(words) != 2:
            return cls(" ".join(words), 0, lines)
        return cls(words[0], int(words[1]), lines)


def identity_of(engine: Engine, options: Mapping[str, OptionValue]) -> str:
    """Return the text that identifies an engine and its settings: name, arguments and options, but no path."""
    settings = {name.lower(): str(value) for name, value in options.items()}
    return json.dumps([engine.name, list(engine.command[1:]), sorted(settings.items())], ensure_ascii=False)


def default_cache() -> Path:
    """Return the usual place of the cache of this user."""
    return user_folder("cache") / "analysis.sqlite"


class AnalysisCache(Closing):
    """Findings of engines by position, engine, options and effort. Any thread may use it."""

    def __init__(self, path: str | PathLike[str] | None) -> None:
        """Open a cache, which is created if it does not exist; None is one that is gone when it is closed.

        Raises:
            CorruptError: The file is something else, or damaged.
        """
        self._path = None if path is None else Path(path).expanduser()
        self._lock = threading.Lock()
        self._engines: dict[str, int] = {}
        with self._guarded():
            if self._path is not None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
            # Several threads use the connection, one after the other.
            self._connection = sqlite3.connect(
                self._path or "", timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self) -> None:
        connection = self._connection
        # The tables first: another process may create them, with their mark, between these questions.
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if tables and (application != _APPLICATION or version != _VERSION):
            raise CorruptError("is not a cache of this version of tabiya; name another file, or remove it")
        self._write_ahead()
        connection.execute("PRAGMA synchronous = NORMAL")
        if not tables:
            connection.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {_VERSION}")
            connection.execute("COMMIT")

    def _write_ahead(self) -> None:
        """Choose the journal in which readers and a writer do not block each other.

        SQLite does not wait for other processes here, whatever its timeout is.
        """
        end = monotonic() + _PATIENCE
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & _MAIN_CODE != sqlite3.SQLITE_BUSY or monotonic() >= end:
                    raise
                sleep(_TURN)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Turn errors of SQLite into errors of tabiya."""
        with errors_of(self._path):
            try:
                yield
            except sqlite3.OperationalError as error:
                raise TabiyaError(f"the cache cannot be used: {error}") from error
            except sqlite3.DatabaseError as error:
                raise CorruptError(f"the cache is damaged: {error}; remove it to begin a new one") from error

    @property
    def path(self) -> Path | None:
        """The file; None if there is none."""
        return self._path

    def __len__(self) -> int:
        """Return the number of findings."""
        with self._lock, self._guarded():
            (count,) = self._connection.execute("SELECT count(*) FROM finding").fetchone()
        return int(count)

    def find(self, identity: str, effort: Effort, positions: Iterable[str]) -> dict[str, tuple[FoundLine, ...]]:
        """Return the findings about these positions of at least this effort, the best ones, by position."""
        with self._lock, self._guarded():
            best = dict(self._rows(identity, effort, list(positions)))
        with errors_of(self._path):
            return {position: decode_lines(data) for position, data in best.items()}

    def known(self, identity: str, effort: Effort, positions: Iterable[str]) -> set[str]:
        """Return the positions that ``find`` would find."""
        with self._lock, self._guarded():
            return {position for position, _ in self._rows(identity, effort, list(positions))}

    def _rows(self, identity: str, effort: Effort, wanted: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Yield positions with findings about them, the best one last."""
        engine = self._engine(identity)
        for start in range(0, len(wanted), _POSITIONS_AT_ONCE):
            some = wanted[start : start + _POSITIONS_AT_ONCE]
            query = _LOOKUP.format(places=",".join("?" * len(some)))
            yield from self._connection.execute(query, (engine, *effort, *some))

    def store(self, identity: str, effort: Effort, findings: Sequence[tuple[str, tuple[FoundLine, ...]]]) -> None:
        """Add findings."""
        with self._lock, self._guarded():
            engine = self._engine(identity)
            rows = [(position, engine, *effort, encode_lines(lines)) for position, lines in findings]
            self._connection.execute("BEGIN IMMEDIATE")  # no transaction stays open: others may wait for it
            try:
                self._connection.executemany(_STORE, rows)
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def _engine(self, identity: str) -> int:
        if identity not in self._engines:
            self._connection.execute("INSERT OR IGNORE INTO engine (identity) VALUES (?)", (identity,))
            row = self._connection.execute("SELECT id FROM engine WHERE identity = ?", (identity,)).fetchone()
            self._engines[identity] = int(row[0])
        return self._engines[identity]

    def close(self) -> None:
        """Close the file. May be called twice."""
        with self._lock, self._guarded():
            self._connection.close()
