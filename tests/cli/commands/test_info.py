from __future__ import annotations

import json
from pathlib import Path

import pytest

from tabiya.cli.commands.info import _size
from tests.cli.conftest import GAMES, Run


def test_the_facts(run: Run, games: Path) -> None:
    assert run("info", games).stdout.splitlines() == [
        f"{games}: Portable Game Notation",
        "  records     3 (3 games)",
        "  dates       1858.??.?? – 2020.05.17",
        "  players     6",
        "  events      3",
        "  ratings     2400 – 2863",
        "  results     1-0 1, 0-1 1, 1/2-1/2 1",
        "  annotated   2",
        "  variations  in 1",
        "  problems    1 in 1 record",
        f"  size        {games.stat().st_size} bytes",
    ]


def test_records_of_all_kinds(run: Run, records: Path) -> None:
    assert "  records     11 (9 games, 1 text, 1 undecoded record, 1 marked as deleted)" in run("info", records).stdout


def test_json(run: Run, games: Path, records: Path) -> None:
    first, second = json.loads(run("info", games, records, "--json").stdout)
    assert first["path"] == str(games)
    assert first["format"] == "pgn"
    assert first["bytes"] == games.stat().st_size
    assert (first["records"], first["games"], first["players"], first["problems"]) == (3, 3, 6, 1)
    assert (first["first_date"], first["last_date"]) == ("1858.??.??", "2020.05.17")
    assert first["results"] == {"1-0": 1, "0-1": 1, "1/2-1/2": 1}
    assert (second["texts"], second["opaque"], second["deleted"]) == (1, 1, 1)


def test_annotations_by_kind(run: Run, records: Path) -> None:
    shallow = run("info", records).stdout
    deep = run("info", records, "--deep").stdout
    assert deep.startswith(shallow)
    lines = deep.removeprefix(shallow).splitlines()
    assert lines[0] == "  annotations by kind"
    counts = json.loads(run("info", records, "--json").stdout)[0]["annotations"]
    assert {" ".join(line.split()[1:]): int(line.split()[0]) for line in lines[1:]} == counts
    assert list(counts.values()) == sorted(counts.values(), reverse=True)


def test_one_bad_file_does_not_stop_the_others(run: Run, games: Path, tmp_path: Path) -> None:
    result = run("info", tmp_path / "a.pgn", games, code=3)
    assert result.stdout.startswith(f"{games}: ")
    assert result.stderr == f"tabiya: {tmp_path / 'a.pgn'}: no such file or folder\n"
    assert len(json.loads(run("info", tmp_path / "a.pgn", games, "--json", code=3).stdout)) == 1


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (1500, "1.5 kB"),
        (10**6, "1.0 MB"),
        (3 * 10**15, "3000.0 TB"),
    ],
)
def test_sizes(size: int, shown: str) -> None:
    assert _size(size) == shown


def test_what_only_the_format_says_about_itself(run: Run, games: Path, tmp_path: Path) -> None:
    """Numbers with commas, texts made safe, all in one column."""
    run("convert", games, tmp_path / "x.cbv", code=1)
    shown = run("info", tmp_path / "x.cbv").stdout.splitlines()
    details = json.loads(run("info", tmp_path / "x.cbv", "--json").stdout)[0]["details"]
    assert details["files in the archive"] > 10
    width = max(map(len, details))
    for name, fact in details.items():
        assert f"  {name:<{width}}  {f'{fact:,}' if isinstance(fact, int) else fact}" in shown


def test_standard_input(run: Run) -> None:
    lines = run("info", "-", input=GAMES.encode()).stdout.splitlines()
    assert lines[0] == "standard input: Portable Game Notation"
    assert not any(line.startswith("  size") for line in lines)


def test_an_empty_database(run: Run) -> None:
    lines = run("info", "-", "--from", "pgn", input=b"").stdout.splitlines()
    assert "  records     0" in lines
    assert not any(line.startswith("  dates") for line in lines)
