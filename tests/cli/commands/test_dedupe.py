from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import tabiya
from tests.cli.conftest import Run

REST = " - Duke Karl / Count Isouard, Paris 1858.??.??, 1-0, 8 plies, 9 annotations"


@pytest.fixture
def twice(games: Path) -> Path:
    path = games.with_name("twice.pgn")
    path.write_bytes(games.read_bytes() + b"\n" + games.read_bytes().replace(b"Morphy, Paul", b"Morphy, P."))
    return path


def test_the_report(run: Run, twice: Path) -> None:
    before = twice.read_bytes()
    result = run("dedupe", twice, "--match", "near", "--least-plies", 4)
    assert result.stdout.splitlines()[:2] == [
        f"kept        1  Morphy, Paul{REST}",
        f"twin        4  Morphy, P.{REST}; other white",
    ]
    assert result.stderr.splitlines() == ["6 games compared: 3 twins of 3 games", "nothing was changed"]
    assert twice.read_bytes() == before
    assert run("dedupe", twice).stderr.startswith("6 games compared: 2 twins of 2 games")
    assert run("dedupe", twice, "--limit", 1).stdout.count("kept") == 1


def test_reports_for_programs(run: Run, twice: Path) -> None:
    rows = list(csv.DictReader(run("dedupe", twice, "--csv").stdout.splitlines()))
    assert [(row["group"], row["role"], row["number"]) for row in rows] == [
        *(("1", "kept", "2"), ("1", "twin", "5"), ("2", "kept", "3"), ("2", "twin", "6")),
    ]
    report = json.loads(run("dedupe", twice, "--json").stdout)
    assert (report["games"], report["twins"], len(report["duplicates"])) == (6, 2, 2)
    assert report["duplicates"][0]["twins"][0]["number"] == 5


def test_reports_of_several_files(run: Run, games: Path) -> None:
    games.with_name("other.pgn").write_bytes(games.read_bytes())
    rows = list(csv.DictReader(run("dedupe", games, games.with_name("other.pgn"), "--csv").stdout.splitlines()))
    assert [(Path(row["source"]).name, row["source_number"]) for row in rows[:2]] == [
        (games.name, "1"),
        ("other.pgn", "1"),
    ]


def test_left_out_after_a_look(run: Run, twice: Path, tmp_path: Path) -> None:
    report, rest, twins = (tmp_path / name for name in ("report.csv", "rest.pgn", "twins.pgn"))
    report.write_text(run("dedupe", twice, "--csv").stdout.replace("2,twin,6", "2,no,6"))
    result = run("dedupe", twice, "--reviewed", report, "-o", rest, "--twins", twins)
    assert result.stderr.splitlines()[0] == f"1 record set aside in {twins}"
    with tabiya.open(rest) as left, tabiya.open(twins) as aside:
        assert (len(left), len(aside)) == (5, 1)


def test_a_report_of_other_files_removes_nothing(run: Run, games: Path, tmp_path: Path) -> None:
    report, other, rest = (tmp_path / name for name in ("report.csv", "other.pgn", "rest.pgn"))
    other.write_bytes(games.read_bytes())
    report.write_text(run("dedupe", games, other, "--csv").stdout)
    assert "same order" in run("dedupe", games, "--reviewed", report, "-o", rest, code=3).stderr
    assert not rest.exists()
    parsed = json.loads(run("dedupe", games, other, "--reviewed", report, "-o", rest, "--json").stdout)
    assert (parsed["removed"], parsed["written"]["written"]) == (3, 3)


def test_twins_and_the_rest_do_not_mix(run: Run, twice: Path) -> None:
    assert run("dedupe", twice, "-o", "-", "--twins", "-", code=2).stdout == ""


def test_marks_and_dry_runs(run: Run, twice: Path, tmp_path: Path) -> None:
    base = tmp_path / "base.cbh"
    tabiya.convert(twice, base)
    assert "2 records would be removed; nothing was changed" in run("dedupe", base, "--mark", "--dry-run").stderr
    assert "tabiya compact" in run("dedupe", base, "--mark").stderr
    with tabiya.open(base) as database:
        assert [game.deleted for game in database] == [False, False, False, False, True, True]


def test_to_standard_output(run: Run, twice: Path) -> None:
    assert run("dedupe", twice, "-o", "-").stdout.count("[Event ") == 4


@pytest.mark.parametrize("options", [["--csv", "--json"], ["--json", "-o", "-"], ["--match", "x"], ["--keep", "best"]])
def test_what_makes_no_sense(run: Run, twice: Path, options: list[str]) -> None:
    assert run("dedupe", twice, *options, code=2).stdout == ""


def test_marks_in_formats_that_have_none_or_cannot_compact(run: Run, twice: Path, tmp_path: Path) -> None:
    tabiya.convert(twice, tmp_path / "twice.bcgn")
    assert "formats that can: " in run("dedupe", tmp_path / "twice.bcgn", "--mark", code=2).stderr
    output = run("dedupe", twice, "--mark").stderr
    assert "tabiya convert --without deleted leaves them out, tabiya undelete brings them back" in output
    assert "tabiya compact" not in output
    assert twice.read_text("utf-8").count('[Deleted "1"]') == 2
