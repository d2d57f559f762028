from __future__ import annotations

import json
from pathlib import Path

import pytest

import tabiya
from tests.cli.conftest import GAMES, Run, with_odd_header
from tests.formats.suite import contents


def test_nothing_lost(run: Run, games: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.pgn"
    result = run("convert", games, target, "--result", "1-0")
    assert result.stdout == ""
    assert result.stderr.splitlines() == [f"1 record written to {target} (pgn to pgn)", "nothing was lost"]
    assert run("diff", target, target).stderr == "1 record compared, no differences\n"


def test_problems_are_told(run: Run, games: Path, tmp_path: Path) -> None:
    lines = run("convert", games, tmp_path / "copy.pgn", code=1).stderr.splitlines()
    assert lines[2] == "the source has 1 problem:"
    assert lines[3].startswith("  game 3, offset ")
    assert "Ke3" in lines[3]


@pytest.mark.parametrize(("bad", "more"), [(5, ":"), (6, ", the first of them:")])
def test_of_many_problems_the_first_are_told(run: Run, tmp_path: Path, bad: int, more: str) -> None:
    (tmp_path / "a.pgn").write_text("1. e4 e4 *\n\n" * bad)
    lines = run("convert", tmp_path / "a.pgn", tmp_path / "b.pgn", code=1).stderr.splitlines()
    place = lines.index(f"the source has {bad} problems{more}")
    assert [line[: len("  game 1")] for line in lines[place + 1 :]] == [f"  game {number}" for number in range(1, 6)]


def test_losses_are_a_table(run: Run, records: Path, tmp_path: Path) -> None:
    lines = run("convert", records, tmp_path / "a.bare", code=1).stderr.splitlines()
    assert lines[0] == f"7 records written to {tmp_path / 'a.bare'} (full to bare)"
    assert lines[1].split() == ["lost", "count", "first", "game"]
    assert any(line.split() == ["variations", "4", "2"] for line in lines)


def test_the_report_as_json(run: Run, records: Path, tmp_path: Path) -> None:
    report = json.loads(run("convert", records, tmp_path / "a.bare", "--json", code=1).stdout)
    assert report["read"] == 11
    assert report["losses"]["variations"]["count"] == 4
    assert report["first_problems"][0]["game"] == 9


def test_strict(run: Run, records: Path, tmp_path: Path) -> None:
    before = contents(tmp_path)
    result = run("convert", records, tmp_path / "a.bare", "--strict", code=3)
    assert "nothing was written, because this would be lost" in result.stderr
    assert contents(tmp_path) == before
    run("convert", records, tmp_path / "a.full", "--strict", "--white", "Morphy")


def test_an_existing_target(run: Run, games: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.pgn"
    target.write_bytes(b"old")
    assert "already exists" in run("convert", games, target, code=2).stderr
    assert target.read_bytes() == b"old"
    run("convert", games, target, "--force", "--white", "Morphy")
    assert target.read_bytes() != b"old"


def test_source_and_target_are_the_same(run: Run, games: Path) -> None:
    assert "is also the source" in run("convert", games, games, "--force", code=2).stderr
    assert games.read_text("utf-8") == GAMES


def test_conditions(run: Run, games: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.pgn"
    run("convert", games, target, "--player", "morphy", "--until", "1900", "--tag", "Opening")
    assert [game.tags["Event"] for game in tabiya.open(target)] == ["Paris"]


def test_streams(run: Run) -> None:
    result = run("convert", "-", "-", "--to", "pgn", "--from", "pgn", "--eco", "E", input=GAMES.encode())
    assert result.stdout.startswith('[Event "Candidates"]')
    assert result.stderr.startswith("1 record written to standard output")
    assert (
        run("convert", "-", "-", "--eco", "E", input=GAMES.encode()).stdout == result.stdout
    )  # PGN if nothing is said
    assert "cannot be combined" in run("convert", "-", "-", "--to", "pgn", "--json", input=b"", code=2).stderr


@pytest.mark.parametrize("profile", ["lossless", "plain"])
def test_profiles(run: Run, games: Path, tmp_path: Path, profile: str) -> None:
    run("convert", games, tmp_path / "copy.pgn", "--profile", profile, "--white", "Morphy")
    assert "no profile of PGN" in run("convert", games, tmp_path / "b.pgn", "--profile", "fancy", code=2).stderr


def test_layout(run: Run, games: Path, tmp_path: Path) -> None:
    run("convert", games, tmp_path / "copy.pgn", "--layout", "lines", "--white", "Morphy")
    lines = (tmp_path / "copy.pgn").read_text("utf-8").splitlines()
    assert any(line.startswith("1. e4 e5") and line.endswith("4. dxe5 Bxf3 1-0") for line in lines)


def test_encoding(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_bytes('[White "Петросян"]\n\n1. e4 *\n'.encode("cp1251"))
    run("convert", tmp_path / "a.pgn", tmp_path / "b.pgn", "--encoding", "cp1251")
    assert tabiya.open(tmp_path / "b.pgn")[0].tags["White"] == "Петросян"


def test_language(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_bytes(b"1. e4 e5 2. Sf3 Sc6 *\n")
    run("convert", tmp_path / "a.pgn", tmp_path / "b.pgn", "--language", "de")
    assert "2. Nf3 Nc6" in (tmp_path / "b.pgn").read_text("utf-8")


def test_threads_make_no_difference(run: Run, records: Path, tmp_path: Path) -> None:
    for threads in (1, 3):
        run("convert", records, tmp_path / f"{threads}.full", "--threads", threads, code=1)
    assert (tmp_path / "1.full").read_bytes() == (tmp_path / "3.full").read_bytes()
    run("convert", records, tmp_path / "0.full", "--threads", 0, code=2)


def test_problems_of_the_database_as_a_whole_count(run: Run, tmp_path: Path) -> None:
    path = with_odd_header(tmp_path / "odd.bcgn")
    result = run("convert", path, tmp_path / "a.pgn", code=1)
    assert "the source has 1 problem:\n" in result.stderr
    report = tabiya.convert(path, tmp_path / "b.pgn")
    assert (report.problems, len(report.first_problems), report.clean) == (1, 1, False)
    assert report.first_problems[0].game is None


def test_the_title_is_that_of_the_whole_base_only(run: Run, tmp_path: Path) -> None:
    with tabiya.create(tmp_path / "source.cbh", title="Everything") as writer:
        writer.write([tabiya.Game({"White": name}) for name in ("A", "B")])
    run("convert", tmp_path / "source.cbh", tmp_path / "all.cbh")
    run("convert", tmp_path / "source.cbh", tmp_path / "some.cbh", "--white", "A")
    titles = []
    for name in ("all", "some"):
        with tabiya.open(tmp_path / f"{name}.cbh") as base:
            titles.append(base.details()["title"])
    assert titles == ["Everything", "some"]
