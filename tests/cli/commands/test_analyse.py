from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

import tabiya
from tests.analysis.test_databases import ENGINE
from tests.analysis.test_suites import SUITE
from tests.cli.conftest import Run


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The command of the counting engine; the usual cache is in the temporary folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    return shlex.join([sys.executable, str(ENGINE), str(tmp_path / "log")])


def test_into_a_new_database(run: Run, games: Path, tmp_path: Path, engine: str) -> None:
    target = tmp_path / "target.pgn"
    result = run("analyse", games, "-o", target, "--engine", engine, "--depth", 3)
    assert result.stdout == ""
    assert result.stderr.splitlines() == [
        f"{games}: Counter 1 analysed 14 positions of 17",
        "3 of 3 records changed: 14 evaluations, 1 inaccuracy, 3 blunders, 2 better lines",
        f"3 records written to {target}",
    ]
    assert (tmp_path / "caches" / "tabiya" / "analysis.sqlite").exists()
    with tabiya.open(target) as database:
        assert database[1].root.children[0].eval is not None
    result = run("analyse", games, "-o", target, "--force", "--engine", engine, "--depth", 3)
    assert "analysed 0 positions of 17" in result.stderr
    assert run("analyse", games, "-o", target, "--engine", engine, code=2).stderr.count("already exists") == 1


def test_standard_output_and_options(run: Run, games: Path, tmp_path: Path, engine: str) -> None:
    options = ["--option", "Hash=9", "--option", "Threads = two", "--nodes", "5", "--cache", tmp_path / "mine.sqlite"]
    result = run(
        "analyse", games, "-o", "-", "--engine", engine, *options, "--no-symbols", "--no-lines", "--records", "2"
    )
    assert result.stdout.count("[%eval ") == 4
    assert "$4" not in result.stdout
    assert (tmp_path / "mine.sqlite").exists()
    assert not (tmp_path / "caches").exists()


def test_a_look(run: Run, games: Path, engine: str) -> None:
    result = run("analyse", games, "--engine", engine, "--no-cache")
    assert f"{games}: 17 positions of 3 games to analyse\n" in result.stderr
    assert "nothing was analysed: give --in-place or -o" in result.stderr
    result = run("analyse", games, "--engine", engine, "--no-cache", "--in-place", "--dry-run")
    assert result.stderr.endswith("nothing was analysed\n")


def test_records_that_are_not_chosen_do_not_count(run: Run, games: Path, engine: str) -> None:
    result = run("analyse", games, "--engine", engine, "--no-cache", "--records", "2")
    assert " positions of 1 game to analyse\n" in result.stderr


def test_other_thresholds(run: Run, games: Path, tmp_path: Path, engine: str) -> None:
    result = run("analyse", games, "-o", tmp_path / "a.pgn", "--engine", engine, "--depth", 3, "--judge", "90,95,99")
    assert "3 of 3 records changed: 14 evaluations\n" in result.stderr
    assert "three numbers" in run("analyse", games, "--engine", engine, "--judge", "a", code=2).stderr


def test_the_usual_engine_is_stockfish(run: Run, games: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "stockfish: there is no such program" in run("analyse", games, code=3).stderr


def test_other_variants_are_reported(run: Run, tmp_path: Path, engine: str) -> None:
    source = tmp_path / "games.pgn"
    source.write_text('[Variant "Antichess"]\n\n1. e3 *\n\n1. e4 *\n', "utf-8")
    result = run("analyse", source, "-o", tmp_path / "a.pgn", "--engine", engine, "--depth", 3)
    assert "\n1 record skipped: texts, other variants, or moves that cannot be played\n" in result.stderr


def test_in_place_and_json(run: Run, games: Path, tmp_path: Path, engine: str) -> None:
    report = json.loads(run("analyse", games, "--in-place", "--engine", engine, "--json").stdout)
    assert (report["engine"], report["games"], report["positions"], report["changed"]) == ("Counter 1", 3, 17, 3)
    assert report["added"]["evaluations"] == 14
    assert run("analyse", games, "--in-place", "--engine", engine).stderr.count("0 of 3 records changed") == 1


def test_positions_that_end_the_engine(run: Run, games: Path, tmp_path: Path, engine: str) -> None:
    target = tmp_path / "target.pgn"
    crashing = f"{engine} rnbqkb1r/pppppppp/5n2/8/3P4"
    result = run("analyse", games, "-o", target, "--engine", crashing, "--no-cache", code=1)
    assert "1 position could not be analysed: " in result.stderr
    assert "ended with exit code 5" in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--option", "=3"], "--option takes NAME=VALUE"),
        (["--option", "Hush=3"], "has no option 'Hush'"),
        (["--option", "Hash"], "is a number, not None"),
        (["--no-cache", "--cache", "x"], "exclude each other"),
        (["--depth", "0"], "--depth"),
        (["--lines", "99"], "lines must be a number from 1 to 20"),
        (["--in-place"], "in place or written to a new database"),
    ],
)
def test_what_makes_no_sense(
    run: Run, games: Path, tmp_path: Path, engine: str, options: list[str], message: str
) -> None:
    result = run("analyse", games, "-o", tmp_path / "t.pgn", "--engine", engine, *options, code=2)
    assert message in result.stderr


def test_an_engine_that_is_missing(run: Run, games: Path) -> None:
    result = run("analyse", games, "--engine", "no-such-engine", code=3)
    assert result.stderr == (
        "tabiya: no-such-engine: there is no such program; install the engine, or give the path of its program\n"
    )


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "suite.epd"
    path.write_text(SUITE, "utf-8")
    return path


def test_a_suite(run: Run, suite: Path, engine: str) -> None:
    words = ("analyse", suite, "--engine", engine, "--depth", 3)
    result = run(*words)
    assert result.stdout.splitlines()[:2] == [
        "     1  solved    Rxd5     +5.00/3     Rxd5          takes",
        "     2  failed    Rxd5     +5.00/3     Rd2 Ke2       does not",
    ]
    assert "     5  untested" in result.stdout
    assert result.stderr.splitlines() == [
        f"{suite}: Counter 1 solved 2 of 6 positions",
        "2 positions could not be tested: 'Rh8' (bm) is no move here",
    ]
    report = json.loads(run(*words, "--json").stdout)
    assert (report["engine"], report["tested"], report["solved"]) == ("Counter 1", 4, 2)
    assert report["positions"][0] == {
        "number": 1,
        "name": "takes",
        "best": ["Rxd5"],
        "avoid": [],
        "played": "Rxd5",
        "evaluation": "+5.00/3",
        "solved": True,
        "problem": "",
    }


def test_positions_get_an_evaluation_and_a_line(run: Run, suite: Path, engine: str, tmp_path: Path) -> None:
    target = tmp_path / "done.epd"
    result = run("analyse", suite, "-o", target, "--engine", engine, "--depth", 3)
    assert "6 evaluations, 6 lines" in result.stderr
    lines = target.read_text("utf-8").splitlines()
    assert lines[0].startswith('4k3/8/8/3q4/8/8/8/3RK3 w - - bm Rxd5; acd 3; ce 500; id "takes"; pv Rxd5 K')
    assert lines[5] == '7k/5Q2/6K1/8/8/8/8/8 b - - bm Kh8; id "over";'  # nothing can be played there
