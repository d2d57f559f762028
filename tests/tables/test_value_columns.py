"""Columns from evaluations: the values of ``MoveValues`` in the right rows."""

from __future__ import annotations

from pathlib import Path

import pytest

import tabiya

GAMES = """[White "A"]

1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Qh5 {[%eval -0.6]} Ke7 {[%eval #1]} 3. Qxe5# 1-0

[White "B"]

1. e4 e5 *

[White "C"]

*
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(GAMES, "utf-8")
    return path


def test_values_of_games(path: Path) -> None:
    names = ["white_accuracy", "white_centipawn_loss", "white_inaccuracies", "black_mistakes", "black_blunders"]
    with tabiya.open(path) as games:
        rows = games.to_arrow(names).read_all().to_pylist()
    assert rows[0]["white_accuracy"] == pytest.approx(80.66, abs=0.01)
    assert rows[0] | {"white_accuracy": 0} == {
        "white_accuracy": 0,
        "white_centipawn_loss": 40.0,
        "white_inaccuracies": 1,
        "black_mistakes": 0,
        "black_blunders": 1,
    }
    assert rows[1:] == [dict.fromkeys(names)] * 2


def test_values_of_moves(path: Path) -> None:
    names = ["number", "ply", "judgement", "phase", "accuracy", "lost", "chances"]
    with tabiya.open(path) as games:
        rows = games.to_arrow(names, rows="positions").read_all().to_pylist()
    first = [row for row in rows if row["number"] == 1]
    assert [row["judgement"] for row in first] == [None, None, None, "inaccuracy", "blunder", None]
    assert [row["phase"] for row in first] == [None, *["opening"] * 5]
    assert [row["accuracy"] is None for row in first] == [True, False, False, False, False, True]
    assert first[4]["lost"] == pytest.approx(53.05, abs=0.01)
    assert first[4]["chances"] == pytest.approx(97.54, abs=0.01)
    others = [row for row in rows if row["number"] > 1]
    assert [row["phase"] for row in others] == [None, "opening", "opening", None]
    assert all(row["judgement"] is row["accuracy"] is row["lost"] is row["chances"] is None for row in others)


def test_an_empty_table(tmp_path: Path) -> None:
    path = tmp_path / "empty.pgn"
    path.write_text('[White "A"]\n\n*\n', "utf-8")
    with tabiya.open(path) as games:
        assert games.to_arrow(["judgement", "accuracy"], rows="positions").read_all().to_pylist() == [
            {"judgement": None, "accuracy": None}
        ]
