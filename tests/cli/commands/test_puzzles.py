"""``tabiya puzzles``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.engines import system_engine
from tests.analysis.test_puzzles import DAMIANO
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


def test_refusals(run: Run, games: Path, tmp_path: Path) -> None:
    missing = ("--engine", tmp_path / "no-engine")
    assert "no-engine" in run("puzzles", games, "-o", tmp_path / "a.csv", *missing, code=3).stderr
    assert not (tmp_path / "a.csv").exists()
