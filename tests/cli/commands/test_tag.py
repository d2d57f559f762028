from __future__ import annotations

import json
from pathlib import Path

import pytest

import tabiya
from tests.cli.conftest import Run


def test_chosen_games(run: Run, games: Path, tmp_path: Path) -> None:
    target = tmp_path / "target.pgn"
    result = run("tag", games, "--player", "morphy", "--set", "Event=X=Y", "--remove", "Opening", "-o", target)
    assert result.stderr.splitlines() == [
        f"{games}: 2 of 3 records changed (Event 2, Opening 1)",
        f"3 records written to {target}",
    ]
    with tabiya.open(target) as database:
        assert [game.tags["Event"] for game in database] == ["X=Y", "Candidates", "X=Y"]
        assert not any("Opening" in game.tags for game in database)


def test_nothing_without_a_target(run: Run, games: Path) -> None:
    before = games.read_bytes()
    assert "would change (Event 3)" in run("tag", games, "--set", "Event=X").stderr
    assert run("tag", games, "--set", "Event=X", "--dry-run").stderr.endswith("nothing was changed\n")
    assert games.read_bytes() == before


def test_in_place_by_number(run: Run, games: Path, tmp_path: Path) -> None:
    base = tmp_path / "base.tabiya"
    tabiya.convert(games, base)
    report = json.loads(run("tag", base, "--records", "2", "--set", "Round=7", "--in-place", "--json").stdout)
    assert (report["changed"], report["what"]) == (1, {"Round": 1})
    with tabiya.open(base) as database:
        assert [game.tags.get("Round") for game in database] == ["?", "7", "2"]


def test_to_standard_output(run: Run, games: Path) -> None:
    assert run("tag", games, "--set", "Source=me", "-o", "-").stdout.count('[Source "me"]') == 3


@pytest.mark.parametrize("options", ["", "--set Event", "--set FEN=x", "--set A=b --json -o -"])
def test_what_makes_no_sense(run: Run, games: Path, options: str) -> None:
    assert run("tag", games, *options.split(), code=2).stdout == ""


def test_in_place(run: Run, games: Path, tmp_path: Path) -> None:
    tabiya.convert(games, tmp_path / "games.bcgn")
    assert "formats that can: " in run("tag", tmp_path / "games.bcgn", "--set", "A=b", "--in-place", code=2).stderr
    run("tag", games, "--set", "A=b", "--in-place")
    assert games.read_text("utf-8").count('[A "b"]') == 3
