"""``tabiya report``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

GAME = '[White "A\x1b[31m"]\n[Black "B"]\n\n1. f3 {[%eval -0.7]} e5 {[%eval -0.8]} 2. g4 {[%eval #-1]} Qh4# 0-1\n\n'


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(GAME + "1. e4 *\n\n" + GAME, "utf-8")
    return path


def test_text_html_json(run: Run, games: Path) -> None:
    text = run("report", games).stdout
    assert "\x1b" not in text
    assert text.count("2.g4??") == 2
    page = run("report", games, "--html", "--limit", "1").stdout
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<section") == 1
    report = json.loads(run("report", games, "--json").stdout)
    assert [each["number"] for each in report] == [1, 3]
    assert report[0]["sides"]["white"]["blunders"] == 1


def test_thresholds_and_refusals(run: Run, games: Path) -> None:
    assert "1.f3?" in run("report", games, "--judge", "1,5,20").stdout
    assert "three numbers" in run("report", games, "--judge", "a", code=2).stderr
    assert "ascending order" in run("report", games, "--judge", "9,5,20", code=2).stderr
    run("report", games, "--html", "--json", code=2)
    assert "no game has evaluated moves" in run("report", games, "--records", "2").stderr
