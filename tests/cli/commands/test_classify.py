from __future__ import annotations

import json
from pathlib import Path

import pytest

import tabiya
from tests.cli.conftest import Run

AGREEMENT = """\
           1  50.0%  games have the code of their position
           0   0.0%  have another last digit
           0   0.0%  have the same letter only
           1  50.0%  have another letter
           1         have no code
           0         reach no position with a name

       games   tag  position
           1   C60  E60
"""


def test_a_look(run: Run, games: Path) -> None:
    games.write_text(games.read_text("utf-8").replace("E60", "C60"), "utf-8")
    result = run("classify", games)
    assert result.stdout == AGREEMENT
    assert "nothing was changed" in result.stderr


def test_into_a_new_database(run: Run, games: Path, tmp_path: Path) -> None:
    target = tmp_path / "target.pgn"
    run("classify", games, "--facts", "eco, plies", "--only-missing", "-o", target)
    with tabiya.open(target) as database:
        assert [(game.tags["ECO"], game.tags["PlyCount"]) for game in database] == [
            *(("C41", "8"), ("E60", "4"), ("B20", "2")),
        ]
    assert run("classify", games, "-o", "-").stdout.count("[Opening ") == 3


def test_json(run: Run, games: Path) -> None:
    report = json.loads(run("classify", games, "--json", "--records", "1").stdout)
    assert report["agreement"]["compared"] == 1
    assert report["records"] == 3


@pytest.mark.parametrize("options", [["--facts", "elo"], ["--json", "-o", "-"]])
def test_what_makes_no_sense(run: Run, games: Path, options: list[str]) -> None:
    assert run("classify", games, *options, code=2).stdout == ""


def test_in_place(run: Run, games: Path, tmp_path: Path) -> None:
    tabiya.convert(games, tmp_path / "games.bcgn")
    assert "formats that can: " in run("classify", tmp_path / "games.bcgn", "--in-place", code=2).stderr
    run("classify", games, "--in-place")
    with tabiya.open(games) as database:
        assert [game.tags.get("ECO") is not None for game in database] == [True] * 3
