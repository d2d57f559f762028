"""``tabiya novelties``."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run


def test_text_and_json(run: Run, tmp_path: Path) -> None:
    earlier, games = tmp_path / "earlier.pgn", tmp_path / "games.pgn"
    earlier.write_text('[White "A\x1b[31m"]\n[Black "B"]\n[Date "2000.01.01"]\n\n1. e4 e5 *\n', "utf-8")
    games.write_text('[White "C"]\n[Date "2001.01.01"]\n\n1. e4 c5 *\n\n1. e4 *\n', "utf-8")
    text = run("novelties", games, "--in", earlier).stdout
    assert "\x1b" not in text
    assert text.splitlines()[0].split() == ["1", "1...c5", "C", "–", "?"]
    assert "1 earlier game, the latest number 1: A" in text
    assert "nothing new" in text
    report = json.loads(run("novelties", games, "--in", earlier, "--json", "--limit", "1").stdout)
    assert [each["move"] for each in report] == ["1...c5"]


def test_refusals(run: Run, tmp_path: Path) -> None:
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 *\n", "utf-8")
    assert "name one with --engine" in run("novelties", games, "--in", games, "--depth", "3", code=2).stderr
    run("novelties", games, "--in", games, "--option", "Hash=3")  # perhaps a setting for all commands
    run("novelties", games, "--in", tmp_path / "no.pgn", code=3)
    run("novelties", games, "--in", games, "--engine", str(tmp_path / "no-engine"), code=3)
