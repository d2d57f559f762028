"""``tabiya split``."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run
from tests.conftest import ROOT

CLASSICS = ROOT / "examples" / "classics.pgn"


def test_a_file_for_each_value(run: Run, tmp_path: Path) -> None:
    result = run("split", CLASSICS, "--by", "event", "-o", tmp_path / "{event}.pgn", "--json")
    report = json.loads(result.stdout)
    assert (report["read"], report["written"], len(report["files"])) == (8, 8, 5)
    assert "8 records written to 5 files" in result.stderr
    assert "Hastings.pgn: 1 record" in result.stderr


def test_many_files_are_not_all_named(run: Run, tmp_path: Path) -> None:
    result = run("split", CLASSICS, CLASSICS.parent, "--games", "1", "-o", tmp_path / "{n}.pgn", "--limit", "8")
    assert result.stderr.count(".pgn: 1 record") == 8


def test_losses_and_refusals(run: Run, tmp_path: Path) -> None:
    run("split", CLASSICS, "--games", "4", "-o", tmp_path / "{n}.bcgn", code=1)
    assert "already exists" in run("split", CLASSICS, "--size", "9", "-o", tmp_path / "{n}.bcgn", code=2).stderr
    assert "choose how to split" in run("split", CLASSICS, "-o", tmp_path / "{n}.pgn", code=2).stderr
