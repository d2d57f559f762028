from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import GAMES, Run


@pytest.fixture
def other(tmp_path: Path) -> Path:
    path = tmp_path / "other.pgn"
    path.write_text(GAMES.replace("weak", "strong").replace("Candidates", "Interzonal"), "utf-8")
    return path


def test_equal(run: Run, games: Path) -> None:
    result = run("diff", games, games)
    assert (result.stdout, result.stderr) == ("", "3 records compared, no differences\n")


def test_different(run: Run, games: Path, other: Path) -> None:
    result = run("diff", games, other, code=1)
    assert result.stdout.splitlines() == [
        "record 1: Morphy, Paul – Duke Karl / Count Isouard",
        "  3...Bg4: text differs: 'A weak move.' / 'A strong move.'.",
        "record 2: Петросян, Тигран – Bronstein, David",
        "  Tag Event differs: 'Candidates' / 'Interzonal'.",
    ]
    assert result.stderr == "3 records compared, 2 different\n"


def test_left_out(run: Run, games: Path, tmp_path: Path) -> None:
    shorter = tmp_path / "shorter.pgn"
    shorter.write_text(GAMES[: GAMES.index('[Event "Cand')] + GAMES[GAMES.index('[Event "Blitz') :], "utf-8")
    result = run("diff", games, shorter, code=1)
    assert result.stdout == f"only in {games}: record 2: Петросян, Тигран – Bronstein, David\n"
    assert result.stderr == f"2 records compared, 0 different, 1 only in {games}\n"
    assert run("diff", shorter, games, code=1).stderr == f"2 records compared, 0 different, 1 only in {games}\n"


def test_limit_and_json(run: Run, games: Path, other: Path) -> None:
    found = json.loads(run("diff", games, other, "--json", code=1).stdout)
    assert [(each["a"], each["b"]) for each in found] == [(1, 1), (2, 2)]
    assert found[1]["differences"] == ["Tag Event differs: 'Candidates' / 'Interzonal'."]
    result = run("diff", games, other, "--limit", 1, code=1)
    assert result.stdout.count("record") == 1
    assert result.stderr.endswith("; stopped there\n")
    assert run("diff", games, other, "--limit", 0).stdout == ""
    assert run("diff", games, other, "--limit", 3, code=1).stderr == "3 records compared, 2 different\n"
    assert json.loads(run("diff", games, games, "--json").stdout) == []


def test_other_formats(run: Run, games: Path, tmp_path: Path) -> None:
    run("convert", games, tmp_path / "a.full", code=1)
    run("diff", games, tmp_path / "a.full")
    run("convert", games, tmp_path / "a.bare", code=1)
    assert "The moves differ after 3...Bg4: start of a variation / 4.dxe5." in (
        run("diff", games, tmp_path / "a.bare", code=1).stdout
    )


def test_standard_input(run: Run, games: Path) -> None:
    run("diff", "-", games, input=GAMES.encode())
    assert "only one of the databases" in run("diff", "-", "-", input=b"", code=2).stderr
