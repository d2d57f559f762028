from __future__ import annotations

import json
from pathlib import Path

import tabiya
from tests.cli.conftest import GAMES, Run, with_odd_header
from tests.formats.cbh2.by_hand import Handmade
from tests.formats.cbh2.spelling import spell
from tests.formats.corpus import batch_of, tape
from tests.formats.memory_format import FULL


def test_a_sound_file(run: Run, games: Path) -> None:
    games.write_text(GAMES.replace("2. Ke3", "2. Ke2"), "utf-8")
    result = run("verify", games)
    assert result.stdout == ""
    assert result.stderr == f"{games}: 3 records, 3 games replayed, no problems\n"


def test_problems_of_the_reader(run: Run, games: Path) -> None:
    result = run("verify", games, code=1)
    (line,) = result.stdout.splitlines()
    offset = GAMES.encode().index(b"Ke3")
    assert line.startswith(f"{games}: game 3, offset {offset}: ")
    assert result.stderr == f"{games}: 3 records, 3 games replayed, 1 problem in 1 record\n"


def test_moves_that_cannot_be_played(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.full"
    with tabiya.create(path, format=FULL) as writer:
        writer.write(batch_of([{}, {"moves": tape("e2e4 e7e5 ( c7c5 g1g3 ) g1f3")}]))
    (line,) = run("verify", path, code=1).stdout.splitlines()
    assert line.startswith(f"{path}: game 2: the game cannot be replayed: 2.g1g3 is not a legal move in ")


def test_limit_and_json(run: Run, records: Path) -> None:
    found = json.loads(run("verify", records, "--json", code=1).stdout)
    assert [(each["game"], each["offset"]) for each in found] == [(9, 1234), (10, None), (10, 99)]
    assert all(each["file"] == str(records) for each in found)
    whole = run("verify", records, code=1).stdout.splitlines()
    for limit in range(5):
        result = run("verify", records, "--limit", limit, code=1)
        assert result.stdout.splitlines() == whole[:limit]
        assert "3 problems in 2 records" in result.stderr


def test_standard_input(run: Run) -> None:
    """In words for people, as it was given for programs."""
    assert run("verify", "-", input=GAMES.encode(), code=1).stdout.startswith("standard input: game 3, offset ")
    (found,) = json.loads(run("verify", "-", "--json", input=GAMES.encode(), code=1).stdout)
    assert found["file"] == "-"


def test_several_files(run: Run, games: Path, tmp_path: Path) -> None:
    sound = tmp_path / "sound.pgn"
    sound.write_bytes(b"1. e4 *\n")
    result = run("verify", games, sound, tmp_path / "missing.pgn", code=3)
    assert len(result.stdout.splitlines()) == 1
    assert [line.partition(": ")[2] for line in result.stderr.splitlines()] == [
        "3 records, 3 games replayed, 1 problem in 1 record",
        "1 record, 1 game replayed, no problems",
        f"{tmp_path / 'missing.pgn'}: no such file or folder",
    ]
    assert json.loads(run("verify", sound, "--json").stdout) == []


def test_the_worst_of_several_files_decides(run: Run, games: Path, tmp_path: Path) -> None:
    """Wherever it stands: a sound file behind a bad one makes nothing good."""
    sound, missing = tmp_path / "sound.pgn", tmp_path / "missing.pgn"
    sound.write_bytes(b"1. e4 *\n")
    for files, code in (((games, sound), 1), ((sound, games), 1), ((missing, games, sound), 3), ((sound, sound), 0)):
        run("verify", *files, code=code)
    for files, code in (((missing, sound), 3), ((sound, missing), 3), ((games, sound), 0)):
        run("info", *files, code=code)


def test_problems_of_the_database_as_a_whole_count(run: Run, tmp_path: Path) -> None:
    path = with_odd_header(tmp_path / "odd.bcgn")
    result = run("verify", path, code=1)
    assert len(result.stdout.splitlines()) == 1
    assert result.stderr == f"{path}: 2 records, 2 games replayed, 1 problem in 0 records\n"
    assert [each["game"] for each in json.loads(run("verify", path, "--json", code=1).stdout)] == [None]
    assert "1 in 0 records" in run("info", path).stdout


def test_a_report_has_counts_and_no_contents(run: Run, games: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    run("verify", games, "--report", report, code=1)
    text = report.read_text("utf-8")
    (found,) = json.loads(text)["databases"]
    assert (found["format"], found["records"], found["games"], found["faulty"]) == ("pgn", 3, 3, 1)
    assert [(each["count"], each["games"]) for each in found["problems"]] == [(1, [3])]
    assert "Ke3" not in text
    assert "--force" in run("verify", games, "--report", report, code=2).stderr
    run("verify", games, "--report", report, "--force", code=1)


def test_the_report_of_a_2cbh_counts_bytes(run: Run, tmp_path: Path) -> None:
    base = Handmade()
    base.add(spell("moves Pe2e4 end"))
    run("verify", base.write(tmp_path / "secret"), "--report", tmp_path / "report.json")
    text = (tmp_path / "report.json").read_text("utf-8")
    (found,) = json.loads(text)["databases"]
    assert found["facts"]["bodies"][".2cbg"]["content bytes"] == 6
    assert not [word for word in ("Carlsen", "Caruana", "Casual", "Oslo", "secret") if word in text]
