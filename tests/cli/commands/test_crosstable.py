"""``tabiya crosstable``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

GAMES = "".join(
    f'[Event "Cup"]\n[Round "1"]\n[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n\n{result}\n\n'
    for white, black, result in (("A", "B", "1-0"), ("B", "C\x1b[31m", "1/2-1/2"), ("C\x1b[31m", "A", "0-1"))
)


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    path = tmp_path / "cup.pgn"
    path.write_text(GAMES, "utf-8")
    return path


def test_text_html_json(run: Run, cup: Path) -> None:
    text = run("crosstable", cup).stdout
    assert text.splitlines()[0] == "Cup (round robin, 3 players, 3 games)"
    assert "\x1b" not in text
    assert run("crosstable", cup, "--html").stdout.startswith("<table><caption>Cup")
    report = json.loads(run("crosstable", cup, "--json", "--tie-breaks", "wins, koya").stdout)
    assert (report["standings"][0]["name"], report["tie_breaks"]) == ("A", ["wins", "koya"])


def test_conditions_and_refusals(run: Run, cup: Path) -> None:
    assert "2 players" in run("crosstable", cup, "--white", "A").stdout
    assert "is not a tie-break" in run("crosstable", cup, "--tie-breaks", "x", code=2).stderr
    run("crosstable", cup, "--html", "--json", code=2)
    assert "swiss" in run("crosstable", cup, "--kind", "swiss", "--together").stdout
