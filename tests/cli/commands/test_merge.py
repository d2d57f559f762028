"""``tabiya merge``."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run
from tests.conftest import ROOT

CLASSICS = ROOT / "examples" / "classics.pgn"


def test_games_once_and_in_order(run: Run, tmp_path: Path) -> None:
    copy = tmp_path / "copy.pgn"
    run("convert", CLASSICS, copy, "--records", "1-3")
    result = run("merge", CLASSICS, copy, "-o", tmp_path / "a.pgn", "--dedupe", "near", "--by", "year", "--json")
    report = json.loads(result.stdout)
    assert (report["written"], report["duplicates"]["twins"]) == (8, 3)
    assert "3 duplicates left out" in result.stderr


def test_what_is_refused(run: Run, tmp_path: Path) -> None:
    run("merge", CLASSICS, "-o", "-", "--json", code=2)
    assert "needs --dedupe" in run("merge", CLASSICS, "-o", tmp_path / "a.pgn", "--keep", "first", code=2).stderr
    assert "not a way to compare" in run("merge", CLASSICS, "-o", tmp_path / "a.pgn", "--dedupe", "x", code=2).stderr
    run("merge", CLASSICS, "-o", tmp_path / "a.bcgn", "--keep", "first", "--dedupe", "exact", code=1)
