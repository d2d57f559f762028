"""The cache of findings: what it finds again, and several processes at a time."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.analysis.cache import AnalysisCache, Effort, default_cache
from tabiya.analysis.findings import FoundLine, decode_lines, encode_lines, named_position, position_name
from tabiya.analysis.limits import Limit
from tabiya.chess import Move, Position
from tabiya.errors import CorruptError, TabiyaError
from tabiya.game.annotations import Evaluation

LINES = (FoundLine(Evaluation(25, depth=16), (Move(796), Move(3364))), FoundLine(Evaluation(-3, 1, 9), ()))
MOVES = st.lists(st.integers(0, 20479).map(Move), max_size=40).map(tuple)
NUMBERS = st.integers(-32768, 32767)
FOUND = st.lists(st.builds(FoundLine, st.builds(Evaluation, NUMBERS, st.integers(0, 255), NUMBERS), MOVES), max_size=5)


@given(FOUND.map(tuple))
def test_lines_survive(lines: tuple[FoundLine, ...]) -> None:
    assert decode_lines(encode_lines(lines)) == lines


@given(st.binary(max_size=60))
def test_damaged_lines(data: bytes) -> None:
    try:
        decode_lines(data)
    except CorruptError:
        return


def test_long_lines_are_cut() -> None:
    (line,) = decode_lines(encode_lines((FoundLine(Evaluation(0), (Move(796),) * 100),)))
    assert len(line.moves) == 40


@pytest.mark.parametrize(
    ("fen", "name"),
    [
        ("8/8/8/8/8/5k2/4p3/4K3 b - - 39 77", "8/8/8/8/8/5k2/4p3/4K3 b - -"),
        ("8/8/8/8/8/5k2/4p3/4K3 b - - 40 77", "8/8/8/8/8/5k2/4p3/4K3 b - - 40"),
        (
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2",
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -",
        ),
    ],
)
def test_names_of_positions(fen: str, name: str) -> None:
    assert position_name(Position(fen)) == name
    assert position_name(named_position(name)) == name
    assert named_position(name).key == Position(fen).key


def test_chess960_is_a_game_of_its_own() -> None:
    position = Position.chess960_start(518)
    assert position_name(position) == f"960 {position_name(Position())}"
    assert named_position(position_name(position)).chess960


def test_more_work_serves_for_less(tmp_path: Path) -> None:
    deep, shallow = LINES[:1], LINES
    with AnalysisCache(tmp_path / "new" / "c.sqlite") as cache:
        cache.store("A", Effort("depth", 16, 1), [("p", deep), ("q", deep)])
        cache.store("A", Effort("depth", 8, 2), [("p", shallow)])
        assert len(cache) == 3
        assert cache.find("A", Effort("depth", 8, 1), ["p", "q", "r"]) == {"p": deep, "q": deep}
        assert cache.find("A", Effort("depth", 8, 2), ["p", "q"]) == {"p": shallow}
        assert cache.known("A", Effort("depth", 8, 1), ["p", "q", "r"]) == {"p", "q"}
        assert cache.known("A", Effort("depth", 8, 2), ["p", "q"]) == {"p"}
        assert cache.find("A", Effort("depth", 17, 1), ["p"]) == {}
        assert cache.find("A", Effort("nodes", 8, 1), ["p"]) == {}
        assert cache.find("B", Effort("depth", 8, 1), ["p"]) == {}
    with AnalysisCache(tmp_path / "new" / "c.sqlite") as cache:
        assert cache.find("A", Effort("depth", 16, 1), map(str, range(3000))) == {}
        assert cache.find("A", Effort("depth", 16, 1), ["p"]) == {"p": deep}
        assert cache.path == tmp_path / "new" / "c.sqlite"


def test_efforts() -> None:
    assert Effort.of(Limit(depth=16), 2) == ("depth", 16, 2)
    assert Effort.of(Limit(time=0.5), 1) == ("movetime", 500, 1)
    assert Effort.of(Limit(depth=16, time=1), 1) == ("depth 16 movetime 1000", 0, 1)


def test_without_a_file() -> None:
    with AnalysisCache(None) as cache:
        cache.store("A", Effort("depth", 1, 1), [("p", LINES)])
        assert cache.find("A", Effort("depth", 1, 1), ["p"]) == {"p": LINES}
    cache.close()


def test_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    path.write_bytes(b"something else, of some length" * 100)
    with pytest.raises(CorruptError, match=r"c\.sqlite: the cache is damaged"):
        AnalysisCache(path)
    path.unlink()
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    with pytest.raises(CorruptError, match="is not a cache of this version of tabiya"):
        AnalysisCache(path)
    with pytest.raises(TabiyaError):
        AnalysisCache(tmp_path)


def test_a_damaged_cache(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    with AnalysisCache(path) as cache:
        cache.store("A", Effort("depth", 1, 1), [(f"{number}", LINES) for number in range(2000)])
    content = path.read_bytes()
    path.write_bytes(content[:5000] + b"\xff" * 20000 + content[25000:])
    with pytest.raises(CorruptError, match="damaged"), AnalysisCache(path) as cache:
        cache.find("A", Effort("depth", 1, 1), [f"{number}" for number in range(2000)])


WORKER = """
import sys
from tabiya.analysis.cache import AnalysisCache, Effort
from tabiya.analysis.findings import FoundLine
from tabiya.game.annotations import Evaluation
with AnalysisCache(sys.argv[1]) as cache:
    for number in range(100):
        cache.store("A", Effort("depth", 1, 1), [(f"{sys.argv[2]} {number}", (FoundLine(Evaluation(number), ()),))])
        assert cache.find("A", Effort("depth", 1, 1), [f"{sys.argv[2]} {number}"])
"""


def test_several_processes_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    workers = [subprocess.Popen([sys.executable, "-c", WORKER, path, str(number)]) for number in range(4)]
    assert [worker.wait() for worker in workers] == [0] * 4
    with AnalysisCache(path) as cache:
        assert len(cache) == 400


class Disturbed(sqlite3.Connection):
    """A connection that another one disturbs: ``steps`` are called before its statements, one after the other."""

    steps: ClassVar[list[Callable[[], None]]] = []

    def execute(self, *words: Any) -> sqlite3.Cursor:
        if self.steps:
            self.steps.pop(0)()
        return super().execute(*words)


@pytest.mark.parametrize("statement", [1, 2, 3, 4])
def test_another_process_creates_the_cache_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, statement: int
) -> None:
    path = tmp_path / "c.sqlite"
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Disturbed))
    monkeypatch.setattr(Disturbed, "steps", [lambda: None] * (statement - 1) + [lambda: AnalysisCache(path).close()])
    with AnalysisCache(path) as cache:
        cache.store("A", Effort("depth", 1, 1), [("p", LINES)])
        assert len(cache) == 1
    assert Disturbed.steps == []


@pytest.mark.parametrize(("code", "waits"), [(sqlite3.SQLITE_BUSY_RECOVERY, True), (sqlite3.SQLITE_FULL, False)])
def test_another_process_changes_the_journal_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, waits: bool
) -> None:
    """SQLite refuses at once, whatever its timeout is."""

    def refuse() -> None:
        error = sqlite3.OperationalError("database is locked")
        error.sqlite_errorcode = code
        raise error

    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Disturbed))
    monkeypatch.setattr(Disturbed, "steps", [lambda: None] * 3 + [refuse, refuse])
    if waits:
        AnalysisCache(tmp_path / "c.sqlite").close()
    else:
        with pytest.raises(TabiyaError, match="the cache cannot be used: database is locked"):
            AnalysisCache(tmp_path / "c.sqlite")


def test_several_threads_at_a_time() -> None:
    with AnalysisCache(None) as cache:

        def work(name: str) -> None:
            for number in range(50):
                cache.store(name, Effort("depth", 1, 1), [(str(number), LINES)])

        threads = [threading.Thread(target=work, args=(name,)) for name in "ABCD"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(cache) == 200


def test_the_usual_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache() == tmp_path / "tabiya" / "analysis.sqlite"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert default_cache() == Path.home() / ".cache" / "tabiya" / "analysis.sqlite"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert default_cache() == Path.home() / "Library" / "Caches" / "tabiya" / "analysis.sqlite"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert default_cache() == tmp_path / "tabiya" / "analysis.sqlite"
