from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.cells import cell_len

import tabiya
from tabiya.cli.output import terminal_safe
from tests.cli.conftest import Run
from tests.formats.corpus import batch_of, cut
from tests.formats.memory_format import FULL


def numbers(output: str) -> list[int]:
    return [json.loads(line)["number"] for line in output.splitlines()]


LINES = [
    "       1  Morphy, Paul                  Duke Karl / Count Isoua…      1-0     1858.??.?? C41 Paris",
    "       2  Петросян, Тигран         2650 Bronstein, David         2700 1/2-1/2 1953.09.05 E60 Candidates",
    "       3  Carlsen, Magnus          2863 Morphy Bot               2400 0-1     2020.05.17     Blitz",
]


def test_lines(run: Run, games: Path) -> None:
    assert run("list", games).stdout.splitlines() == LINES


def test_marks(run: Run, records: Path) -> None:
    lines = run("list", records).stdout.splitlines()
    assert [line[8:9].strip() for line in lines] == ["", "", "", "", "", "", "d", "t", "o", "", ""]


def test_wide_letters_keep_the_columns(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_text(f'[White "{"丁立人" * 9}"]\n[Result "1-0"]\n\n1-0\n', "utf-8")
    line = run("list", path).stdout
    assert cell_len(line[: line.index("1-0")]) == LINES[0].index("1-0")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--white", "MORPHY"], [1]),
        (["--black", "morphy"], [3]),
        (["--player", "morphy"], [1, 3]),
        (["--player", "петросян"], [2]),
        (["--player", "/^(carlsen|bronstein),/"], [2, 3]),
        (["--event", "candidates"], [2]),
        (["--site", "zürich"], [2]),
        (["--eco", "c"], [1]),
        (["--eco", "E60"], [2]),
        (["--tag", "Opening=phil"], [1]),
        (["--tag", "Opening"], [1]),
        (["--tag", "WhiteElo"], [2, 3]),
        (["--tag", "Date=/^19|^20/", "--tag", "Round=2"], [3]),
        (["--tag", "Nothing"], []),
        (["--result", "1-0", "--result", "½-½"], [1, 2]),
        (["--min-elo", "2500"], [2]),
        (["--max-elo", "2700"], [2]),
        (["--since", "1953"], [2, 3]),
        (["--since", "1858.11"], [1, 2, 3]),
        (["--until", "1953.09.04"], [1]),
        (["--since", "1900", "--until", "2000-12", "--player", "bronstein"], [2]),
        (["--limit", "2"], [1, 2]),
        (["--limit", "0"], []),
        (["--player", "morphy", "--limit", "1"], [1]),
    ],
)
def test_conditions(run: Run, games: Path, options: list[str], expected: list[int]) -> None:
    assert numbers(run("list", games, "--nl", *options).stdout) == expected


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--since", "may"], "'may' is not a date"),
        (["--until", "????.05"], "is not a date"),
        (["--result", "2-0"], "'2-0' is not a result"),
        (["--player", "/(/"], "cannot be searched for"),
        (["--player", f"/{'(' * 1000}/"], f"/{'(' * 99}… cannot be searched for"),
        (["--tag", "=x"], "is not a tag"),
        (["--csv", "--json"], "cannot be combined"),
    ],
)
def test_conditions_without_sense(run: Run, games: Path, options: list[str], words: str) -> None:
    result = run("list", games, *options, code=2)
    assert words in result.stderr
    assert result.stdout == ""


def test_json(run: Run, games: Path) -> None:
    first, _, third = json.loads(run("list", games, "--json").stdout)
    assert first == {
        "number": 1,
        "kind": "game",
        "deleted": False,
        "white": "Morphy, Paul",
        "white_elo": None,
        "black": "Duke Karl / Count Isouard",
        "black_elo": None,
        "result": "1-0",
        "date": "1858.??.??",
        "eco": "C41",
        "event": "Paris",
        "site": "Paris FRA",
        "round": "?",
        "annotator": None,
        "variant": None,
        "start": None,
        "tags": [{"name": "Opening", "value": "Philidor"}],
    }
    assert third["white_elo"] == 2863
    assert json.loads(run("list", games, "--json", "--limit", "0").stdout) == []


def test_csv(run: Run, games: Path, records: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("list", games, "--csv").stdout)))
    assert [row["white"] for row in rows] == ["Morphy, Paul", "Петросян, Тигран", "Carlsen, Magnus"]
    assert [row["white_elo"] for row in rows] == ["", "2650", "2863"]
    several_batches = run("list", records, "--csv").stdout.splitlines()
    assert len(several_batches) == 12
    assert sum(line.startswith('"number"') for line in several_batches) == 1


def test_csv_has_titles_even_if_nothing_is_found(run: Run, games: Path) -> None:
    assert len(run("list", games, "--csv", "--white", "nobody").stdout.splitlines()) == 1


@pytest.mark.parametrize("records", [1, 2, 3])
def test_the_limit_goes_over_all_batches(run: Run, tmp_path: Path, records: int) -> None:
    path = tmp_path / "a.full"
    with tabiya.create(path, format=FULL) as writer:
        writer.write(cut(batch_of([{"white": name} for name in "ABABABAB"]), records))
    for limit in range(6):
        assert numbers(run("list", path, "--nl", "--limit", limit).stdout) == list(range(1, limit + 1))
        assert numbers(run("list", path, "--nl", "--limit", limit, "--white", "B").stdout) == [2, 4, 6, 8][:limit]
    assert len(run("list", path, "--csv", "--limit", 3).stdout.splitlines()) == 4


HOSTILE = "\x1b]0;owned\x07\x9b31m\u202eeilrahC"


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    path = tmp_path / "hostile.parquet"
    with tabiya.create(path) as writer:
        writer.write([tabiya.Game({"White": HOSTILE, "Black": "=1+1"})])
    return path


def test_csv_on_a_terminal_has_no_control_characters(run: Run, hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = csv.DictReader(io.StringIO(run("list", hostile, "--csv").stdout))
    assert row["white"] == HOSTILE
    monkeypatch.setattr("tabiya.cli.output.sys", SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: True)))
    assert not set("\x1b\x07\x9b\u202e") & set(terminal_safe(HOSTILE))
    assert terminal_safe("a,b\r\n\tc\n") == "a,b\r\n\tc\n"


def test_csv_for_a_spreadsheet(run: Run, hostile: Path) -> None:
    (row,) = csv.DictReader(io.StringIO(run("list", hostile, "--csv", "--spreadsheet").stdout))
    assert row["black"] == "'=1+1"
    assert not set("\x1b\x07\x9b\u202e") & set(row["white"])
    assert "give --csv as well" in run("list", hostile, "--spreadsheet", code=2).stderr


@pytest.mark.parametrize("how", ["--json", "--nl"])
def test_json_escapes_control_characters(run: Run, hostile: Path, how: str) -> None:
    output = run("list", hostile, how).stdout
    assert not set("\x1b\x07\x9b\u202e") & set(output)
    found = json.loads(output)
    assert (found[0] if how == "--json" else found)["white"] == HOSTILE
