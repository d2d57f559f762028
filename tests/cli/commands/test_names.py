from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import tabiya
from tests.cli.conftest import Run

PGN = """\
[White "Polgar, Judit"]
[Black "Tal, M"]
[Date "1988.??.??"]
[WhiteElo "2555"]

1. e4 *

[White "Anand, V"]
[Black "POLGAR, J"]
[Date "1994.??.??"]
[BlackElo "2630"]

1. e4 *
"""


@pytest.fixture
def spelled(tmp_path: Path) -> Path:
    path = tmp_path / "spelled.pgn"
    path.write_text(PGN)
    return path


def test_the_list(run: Run, spelled: Path) -> None:
    result = run("names", spelled)
    assert result.stdout.splitlines() == [
        "Polgar, Judit: 1 game, 1988, rated 2555",
        "  POLGAR, J: 1 game, 1994, rated 2630; initials",
    ]
    assert result.stderr == f"{spelled}: 1 spelling that may be 1 other\n"
    assert json.loads(run("names", spelled, "--json").stdout)[0]["others"][0]["name"] == "POLGAR, J"
    assert run("names", spelled, "--until", "1990").stdout == ""


def test_a_table_that_was_checked(run: Run, spelled: Path, tmp_path: Path) -> None:
    table, target = tmp_path / "names.csv", tmp_path / "target.pgn"
    table.write_text(run("names", spelled, "--csv").stdout)
    (row,) = csv.DictReader(table.read_text().splitlines())
    assert (row["from"], row["to"], row["years"], row["to_ratings"]) == ("POLGAR, J", "Polgar, Judit", "1994", "2555")
    assert "1 of 2 records would change (Black 1)" in run("names", spelled, "--apply", table, "--dry-run").stderr
    run("names", spelled, "--apply", table, "-o", target)
    with tabiya.open(target) as database:
        assert database[1].tags["Black"] == "Polgar, Judit"
    assert json.loads(run("names", spelled, "--apply", table, "--json").stdout)["changed"] == 1


def test_a_file_that_is_no_table(run: Run, spelled: Path) -> None:
    assert "no columns from and to" in run("names", spelled, "--apply", spelled, code=3).stderr


@pytest.mark.parametrize("options", ["--csv --json", "-o x.pgn", "--in-place", "--apply x --json -o -"])
def test_what_makes_no_sense(run: Run, spelled: Path, options: str) -> None:
    assert run("names", spelled, *options.split(), code=2).stdout == ""


def test_an_encoding_that_the_editor_does_not_know(run: Run, tmp_path: Path) -> None:
    source, base, table = (tmp_path / name for name in ("games.pgn", "base.cbh", "names.csv"))
    source.write_text('[White "Петросян"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 1-0\n', "utf-8")
    tabiya.convert(source, base, encoding="cp1251")
    with tabiya.open(base, encoding="cp1252") as database:
        table.write_text(f'from,to\n"{database[0].tags["White"]}",Petrosian\n', "utf-8")
    arguments = ["names", base, "--encoding", "cp1252", "--apply", table]
    run(*arguments, "-o", tmp_path / "target.pgn")
    assert "encoding" in run(*arguments, "--in-place", code=2).stderr
    with tabiya.open(base) as database:
        assert database[0].tags["White"] == "Петросян"
