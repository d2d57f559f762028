"""``tabiya sort``."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run
from tests.conftest import ROOT

CLASSICS = ROOT / "examples" / "classics.pgn"


def test_records_in_order(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "a.pgn"
    result = run("sort", CLASSICS, target, "--by", "-year,white", "--until", "1900", "--json")
    assert json.loads(result.stdout)["written"] == 5
    listed = run("list", target, "--nl").stdout.splitlines()
    assert [json.loads(line)["date"][:4] for line in listed] == ["1895", "1895", "1858", "1852", "1851"]


def test_standard_output_and_what_is_refused(run: Run, tmp_path: Path) -> None:
    assert run("sort", CLASSICS, "-", "--by", "ply_count", "--limit", "2").stdout.count("[Event ") == 2
    run("sort", CLASSICS, "-", "--by", "white", "--json", code=2)
    assert "is not a field to sort or split by" in run("sort", CLASSICS, tmp_path / "a.pgn", "--by", "x", code=2).stderr
    run("sort", CLASSICS, tmp_path / "a.pgn", code=2)


def test_a_loss_is_told(run: Run, tmp_path: Path) -> None:
    run("sort", CLASSICS, tmp_path / "a.bcgn", "--by", "white", code=1)
