"""``tabiya puzzles``."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

import tabiya
from tabiya.analysis import Puzzle, puzzles
from tests.analysis.engines import scripted, system_engine
from tests.analysis.test_puzzles import DAMIANO, KnownPositions
from tests.cli.conftest import Run


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(DAMIANO, "utf-8")
    return path


def test_puzzles(run: Run, games: Path, tmp_path: Path) -> None:
    how = ("--engine", system_engine("stockfish"), "--depth", "10", "--verify-depth", "12")
    result = run("puzzles", games, "-o", "-", *how)
    assert "1 puzzle written to standard output" in result.stderr
    assert result.stdout.splitlines()[1].split(",")[2].startswith("f6e5 d1h5")
    run("puzzles", games, "-o", tmp_path / "puzzles.pgn", *how)
    assert "[PuzzleThemes " in (tmp_path / "puzzles.pgn").read_text("utf-8")
    assert "already exists" in run("puzzles", games, "-o", tmp_path / "puzzles.pgn", *how, code=2).stderr
    assert run("puzzles", games, "-o", "-", *how, "--limit", "0").stdout.count("\n") == 1


def test_an_interrupt_keeps_what_is_found(
    run: Run, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> Iterator[Puzzle]:
        yield from puzzles(games, KnownPositions())
        raise KeyboardInterrupt

    monkeypatch.setattr(tabiya, "puzzles", interrupted)
    target = tmp_path / "puzzles.pgn"
    result = run("puzzles", games, "-o", target, "--engine", shlex.join(scripted("good")), code=130)
    assert f"1 puzzle written to {target}" in result.stderr
    assert "interrupted: only a part of the games was searched" in result.stderr
    assert "[PuzzleThemes " in target.read_text("utf-8")


def test_refusals(run: Run, games: Path, tmp_path: Path) -> None:
    odd = ("--engine", shlex.join(scripted("good")), "--option", "Hush=3")
    assert "has no option 'Hush'" in run("puzzles", games, "-o", tmp_path / "a.csv", *odd, code=2).stderr
    missing = ("--engine", tmp_path / "no-engine")
    assert "no-engine" in run("puzzles", games, "-o", tmp_path / "a.csv", *missing, code=3).stderr
    assert not (tmp_path / "a.csv").exists()
