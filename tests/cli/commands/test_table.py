"""``tabiya table``."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq

from tests.cli.conftest import Run
from tests.conftest import ROOT

CLASSICS = str(ROOT / "examples" / "classics.pgn")


def test_a_table_of_chosen_games(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "a.parquet"
    result = run("table", CLASSICS, str(target), "--columns", "white, result,san", "--until", "1860", "--json")
    assert json.loads(result.stdout) == {
        "format": "parquet",
        "rows": 3,
        "records": 3,
        "columns": ["white", "result", "san"],
    }
    assert "3 rows of 3 records written to" in result.stderr
    assert pq.read_table(target)["result"].to_pylist() == ["1-0"] * 3


def test_standard_output_takes_text(run: Run) -> None:
    result = run("table", CLASSICS, "-", "--columns", "number,ply_count", "--limit", "2")
    assert result.stdout.splitlines() == ['"number","ply_count"', "1,45", "2,47"]


def test_rows_of_positions(run: Run) -> None:
    result = run("table", CLASSICS, "-", "--rows", "positions", "--columns", "ply,san", "--records", "4", "--to", "tsv")
    assert result.stdout.splitlines()[:2] == ['"ply"\t"san"', '0\t"e4"']


def test_conditions_on_positions(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text('[White "A"]\n\n1. f3 {[%eval -1.2]} *\n\n[White "B"]\n\n1. e4 {[%eval 0.2]} *\n\n' * 2, "utf-8")
    columns = ("--columns", "white,white_blunders")
    assert run("table", path, "-", *columns, "--judged", "mistake").stdout.splitlines()[1:] == ['"A",0', '"A",0']
    limited = run("table", path, "-", *columns, "--judged", "mistake", "--limit", "1").stdout
    assert limited.splitlines()[1:] == ['"A",0']
    assert run("table", path, "-", *columns, "--for", "b").stdout.splitlines()[1:] == ['"B",0', '"B",0']


def test_what_is_refused(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    run("table", CLASSICS, "-", "--json", code=2)
    assert "no column is called 'x'" in run("table", CLASSICS, target, "--columns", "x", code=2).stderr
    run("table", CLASSICS, target)
    assert "already exists" in run("table", CLASSICS, target, code=2).stderr
    run("table", CLASSICS, target, "--force")
