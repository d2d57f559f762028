"""Reports of games: numbers by hand, text, HTML and JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tabiya
from tabiya.evaluations import GameReport, Thresholds, game_report
from tabiya.game import Game

GAME = """[White "<b>A"]
[Black "B"]
[Result "0-1"]
[Date "2024.01.02"]

1. e4 {[%eval 0.2]} e5 {[%eval 0.2]} 2. Ke2 {[%eval -0.35]} Ke7 {[%eval 0.4]} 3. Ke3 {[%eval #-2]} Kf6 0-1
"""


@pytest.fixture(scope="module")
def report() -> GameReport:
    found = game_report(Game.from_pgn(GAME))
    assert found is not None
    return found


def test_numbers(report: GameReport) -> None:
    white, black = report.white, report.black
    assert (white.moves, white.inaccuracies, white.mistakes, white.blunders) == (3, 1, 0, 1)
    assert (black.moves, black.inaccuracies, black.mistakes, black.blunders) == (2, 1, 0, 0)
    assert white.centipawn_loss == round((0 + 55 + 1040) / 3, 1)
    assert black.centipawn_loss == round((0 + 75) / 2, 1)
    assert white.accuracy is not None
    assert black.accuracy is not None
    assert white.accuracy < black.accuracy
    assert list(white.phases) == ["opening"]
    assert white.phases["opening"].blunders == 1


def test_moves(report: GameReport) -> None:
    assert [(move.move, move.judgement) for move in report.judged] == [
        ("2.Ke2", "inaccuracy"),
        ("2...Ke7", "inaccuracy"),
        ("3.Ke3", "blunder"),
    ]
    last = report.moves[-1]
    assert (last.ply, last.before, last.evaluation, last.phase) == (4, "+0.40", "#-2", "opening")
    assert last.chances == 2.5
    assert last.lost == pytest.approx(51.2, abs=0.1)


def test_text(report: GameReport) -> None:
    lines = report.to_text().splitlines()
    assert lines[0] == "1  <b>A – B, 0-1, 2024.01.02"
    assert lines[2:11] == [
        "                             White     Black",
        "accuracy                    23.2 %    81.4 %",
        "  in the opening            63.2 %    87.1 %",
        "centipawn loss                 365        38",
        "  in the opening               365        38",
        "inaccuracies                     1         1",
        "mistakes                         0         0",
        "blunders                         1         0",
        "",
    ]
    assert lines[-1] == "3.Ke3??       +0.40 → #-2, 51 points of win chances"


def test_html(report: GameReport) -> None:
    html = report.to_html()
    assert "&lt;b&gt;A" in html
    assert "<b>A" not in html
    assert html.count("<circle") == 3
    assert html.count('<tr class="phase"><th>in the opening</th>') == 2
    assert report._repr_html_() == html


def test_points_are_rounded_down() -> None:
    """So that no mistake seems to lose the 15 points of a blunder."""
    found = game_report(Game.from_pgn("1. e4 {[%eval -2.82]} e5 {[%eval -2.82]} 2. a4 {[%eval -5.57]} *"))
    assert found is not None
    (_, mistake) = found.judged
    assert (mistake.judgement, mistake.lost) == ("mistake", 14.8)
    assert found.to_text().splitlines()[-1] == "2.a4?         -2.82 → -5.57, 14 points of win chances"


def test_no_negative_zero() -> None:
    found = game_report(Game.from_pgn("1. e4 {[%eval 0.15]} e5 {[%eval 0.15]} *"))
    assert found is not None
    assert '"lost": 0.0' in json.dumps(found.as_dict())
    assert "-0.0" not in json.dumps(found.as_dict())


def test_json(report: GameReport) -> None:
    given = json.loads(json.dumps(report.as_dict()))
    assert given["sides"]["white"]["blunders"] == 1
    assert given["sides"]["black"]["phases"]["opening"]["moves"] == 2
    assert len(given["moves"]) == 5


def test_games_without_evaluations_have_no_report() -> None:
    assert game_report(Game.from_pgn("1. e4 e5 *")) is None
    assert game_report(Game.from_pgn("1. e4 e5 {[%eval 0.1]} *")) is None, "the position before is unknown"
    one = game_report(Game.from_pgn("1. e4 {[%eval 0.1]} *"))
    assert one is not None
    assert one.black.accuracy is None
    assert "–" in one.to_text()
    assert "<svg" in one.to_html()


def test_reports_of_a_database(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text(GAME + "\n1. e4 e5 *\n\n" + GAME, "utf-8")
    assert [report.game.number for report in tabiya.game_reports(path)] == [1, 3]
    assert [report.game.number for report in tabiya.game_reports(path, white="b a", threads=2)] == [1, 3]
    (first, _) = tabiya.game_reports(path, thresholds=Thresholds(4, 5, 60))
    assert [move.judgement for move in first.judged] == ["mistake", "mistake", "blunder"]
