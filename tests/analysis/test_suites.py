"""Test suites: positions with best moves, run with an engine whose moves are known."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tabiya
from tabiya.analysis import SuiteReport, is_suite, run_suite
from tabiya.errors import UsageError
from tests.analysis.engines import none_remains, system_engine
from tests.analysis.test_databases import ENGINE

SUITE = """\
4k3/8/8/3q4/8/8/8/3RK3 w - - bm Rxd5; id "takes";
4k3/8/8/3q4/8/8/8/3RK3 w - - bm Rd2 Ke2; id "does not";
4k3/8/8/3q4/8/8/8/3RK3 w - - am Rd2; id "avoids";
4k3/8/8/3q4/8/8/8/3RK3 b - - am Qxd1+; id "falls for it";
4k3/8/8/3q4/8/8/8/3RK3 w - - bm Rh8; id "no move";
7k/5Q2/6K1/8/8/8/8/8 b - - bm Kh8; id "over";
4k3/8/8/8/8/8/8/4K3 w - - id "no test";
"""


@pytest.fixture
def suite(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "suite.epd"
    path.write_text(SUITE, "utf-8")
    yield path
    assert none_remains(tmp_path)


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    return [sys.executable, str(ENGINE), str(tmp_path / "log")]


def outcomes(report: SuiteReport) -> dict[str, tuple[bool, str | None]]:
    return {each.name: (each.solved, each.played) for each in report.positions}


@pytest.mark.parametrize("processes", [1, 2])
def test_a_suite(suite: Path, engine: list[str], processes: int) -> None:
    report = run_suite(suite, engine=engine, depth=3, processes=processes)
    assert outcomes(report) == {
        "takes": (True, "Rxd5"),
        "does not": (False, "Rxd5"),
        "avoids": (True, "Rxd5"),
        "falls for it": (False, "Qxd1+"),
        "no move": (False, None),
        "over": (False, None),
    }
    assert (report.engine, report.tested, report.solved) == ("Counter 1", 4, 2)
    problems = [each.problem for each in report.positions if each.problem]
    assert problems == ["'Rh8' (bm) is no move here", "'Kh8' (bm) is no move here"]
    found = report.positions[0].evaluation
    assert found is not None
    assert (found.value, found.depth) == (500, 3)


def test_each_position_once_and_chosen_ones_only(suite: Path, engine: list[str], tmp_path: Path) -> None:
    cache = tmp_path / "cache.sqlite"
    first = run_suite(suite, engine=engine, depth=3, cache=cache)
    assert len((tmp_path / "log").read_text().splitlines()) == 2
    assert outcomes(run_suite(suite, engine=engine, depth=3, cache=cache)) == outcomes(first)
    assert len((tmp_path / "log").read_text().splitlines()) == 2
    chosen = run_suite(suite, engine=engine, depth=3, numbers=np.array([2, 3]))
    assert [each.number for each in chosen.positions] == [2, 3]


def test_what_is_no_suite(tmp_path: Path, engine: list[str], suite: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text("1. e4 *\n", "utf-8")
    with pytest.raises(UsageError, match="depth must be a number from 1"):
        run_suite(suite, engine=engine, depth=0)
    with tabiya.open(path) as database, tabiya.open(suite) as tests:
        assert (is_suite(database), is_suite(tests)) == (False, True)
        with pytest.raises(UsageError, match="best move"):
            run_suite(database, engine=engine, depth=1)


def test_through_pgn(suite: Path, engine: list[str], tmp_path: Path) -> None:
    pgn = tmp_path / "suite.pgn"
    tabiya.convert(suite, pgn)
    reports = [run_suite(path, engine=engine, depth=2) for path in (suite, pgn)]
    assert reports[0] == reports[1]


def test_stockfish(tmp_path: Path) -> None:
    path = tmp_path / "suite.epd"
    path.write_text('6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "back rank";\n', "utf-8")
    report = run_suite(path, engine=system_engine("stockfish"), nodes=5000)
    assert outcomes(report) == {"back rank": (True, "Rd8#")}


def test_records_that_cannot_be_tested(tmp_path: Path, engine: list[str]) -> None:
    path = tmp_path / "suite.pgn"
    starts = ("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1", "8/8/8/8/8/8/8/8 w - - 0 1")
    games = (f'[SetUp "1"]\n[FEN "{start}"]\n[EpdBm "Rxd5"]\n\n*\n\n' for start in starts)
    path.write_text(f"1. e4 *\n\n{''.join(games)}", "utf-8")
    with tabiya.open(path) as database:
        assert is_suite(database)
        report = run_suite(database, engine=engine, depth=1)
    assert [(each.number, each.solved) for each in report.positions if each.played] == [(2, True)]
    assert report.tested == 1
