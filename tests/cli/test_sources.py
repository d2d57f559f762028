"""Commands on many sources, and records chosen by number."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

import tabiya
from tests.cli.conftest import GAMES, Run

SOUND = GAMES.replace("2. Ke3", "2. Ke2")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Games in several files, one of them in a folder below, and a file that is no database; to work in."""
    monkeypatch.chdir(tmp_path)
    Path("games/below").mkdir(parents=True)
    Path("games/a.pgn").write_text(SOUND, "utf-8")
    Path("games/below/c.pgn").write_text(SOUND, "utf-8")
    tabiya.convert("games/a.pgn", "games/b.cbh")
    tabiya.convert("games/a.pgn", "games/d.cbh")
    Path("games/notes.txt").write_text("Zero chess\n", "utf-8")
    return tmp_path


def rows(output: str) -> list[tuple[int, str, int]]:
    found = [json.loads(line) for line in output.splitlines()]
    return [(row["number"], row["source"], row["source_number"]) for row in found]


MORPHY = [(1, 1), (3, 3)]


@pytest.mark.usefixtures("folder")
def test_lists_of_files_folders_patterns_and_archives(run: Run) -> None:
    with zipfile.ZipFile("more.zip", "w") as archive:
        archive.write("games/a.pgn", "x.pgn")
    done = run("list", "games", "more.zip", "games/below/*.pgn", "--player", "morphy", "--nl")
    names = ("games/a.pgn", "games/b.cbh", "games/d.cbh", "more.zip/x.pgn", "games/below/c.pgn")
    assert rows(done.stdout) == [
        (3 * index + number, name, number) for index, name in enumerate(names) for number in (1, 3)
    ]
    assert json.loads(done.stderr) == {"note": "1 file that is no database skipped: games/notes.txt"}
    assert run("list", "games/a.pgn", "games/b.cbh", "--limit", "4").stdout.splitlines()[-1].endswith(" games/b.cbh:1")
    titles = run("list", "games/a.pgn", "games/b.cbh", "--csv").stdout.splitlines()[0]
    assert titles.endswith('"start","source","source_number"')
    assert "source" not in run("list", "games/a.pgn", "--csv").stdout
    assert len(run("list", "games", "--recursive").stdout.splitlines()) == 12


@pytest.mark.usefixtures("folder")
def test_names_from_a_list(run: Run) -> None:
    Path("list.txt").write_text("# the games\n\ngames/a.pgn\n; more\ngames/b.cbh\n", "utf-8")
    assert len(run("list", "--files-from", "list.txt").stdout.splitlines()) == 6
    assert len(run("list", "games/d.cbh", "--files-from", "list.txt").stdout.splitlines()) == 9
    assert len(run("list", "--files-from", "-", input="games/a.pgn\0games/d.cbh\0").stdout.splitlines()) == 6
    Path("list.txt").write_text("\n", "utf-8")
    assert (
        "there is nothing to read: name a database; list.txt is empty"
        in run("list", "--files-from", "list.txt", code=2).stderr
    )
    Path("list.txt").write_text("games/*.pgn\n", "utf-8")  # names, not patterns
    assert "games/*.pgn: no such file" in run("list", "--files-from", "list.txt", code=3).stderr
    assert "missing.txt: no such file" in run("list", "--files-from", "missing.txt", code=3).stderr
    assert "standard input cannot be both" in run("list", "-", "--files-from", "-", code=2).stderr


@pytest.mark.usefixtures("folder")
def test_several_sources_need_a_target_of_their_own(run: Run) -> None:
    before = Path("games/b.cbh").read_bytes()
    done = run("convert", "games/a.pgn", "games/below/c.pgn", "games/b.cbh", "--force", code=2)
    assert "several sources need a target: give it with -o" in done.stderr
    assert "there is no target" in run("convert", "games/a.pgn", code=2).stderr
    assert Path("games/b.cbh").read_bytes() == before
    done = run("convert", "games/a.pgn", "games/b.cbh", "games/below", "-o", "all.pgn")
    assert "9 records written to all.pgn (collection to pgn)" in done.stderr
    with tabiya.open("all.pgn") as whole, tabiya.open("games/a.pgn") as part:
        assert list(whole)[:3] == list(part)
    assert "6 records written" in run("convert", "games/*.cbh", "two.pgn").stderr
    assert "is also the source" in run("convert", "games", "-o", "games/a.pgn", "--force", code=2).stderr
    assert "4 records" in run("convert", "all.pgn", "four.pgn", "--records", "2-3,8-", "--limit", "5").stderr


@pytest.mark.usefixtures("folder")
def test_appending(run: Run) -> None:
    for count in (3, 6):
        run("convert", "games/a.pgn", "all.pgn.xz", "--append")
        assert len(run("list", "all.pgn.xz").stdout.splitlines()) == count


@pytest.mark.usefixtures("folder")
def test_other_commands(run: Run) -> None:
    shown = run("show", "games/a.pgn", "games/b.cbh", 5)
    assert "Bronstein" in shown.stdout
    assert shown.stdout.endswith("record 2 of games/b.cbh\n")
    assert json.loads(run("show", "games", 5, "--json").stdout)["source_number"] == 2
    text = run("show", "games/a.pgn", 1, "--pgn").stdout
    with tabiya.open("games/a.pgn") as database:
        assert text == database[0].to_pgn()
    assert "cannot be combined" in run("show", "games/a.pgn", 1, "--pgn", "--json", code=2).stderr
    summary = json.loads(run("info", "games", "--recursive", "--json").stdout)[0]
    assert (summary["records"], summary["format"]) == (12, "collection")
    assert summary["details"]["formats"] == "2 pgn, 2 cbh"
    run("verify", "games")
    assert "no differences" in run("diff", "games/b.cbh", "games/b.*").stderr
    run("book", "build", "games/a.pgn", "games/*.cbh", "-o", "book.bin", "--min-games", "3")
    assert "several sources need" in run("book", "build", "a", "b", "c.bin", code=2).stderr


@pytest.mark.usefixtures("folder")
def test_problems_name_their_file(run: Run) -> None:
    Path("games/x.pgn").write_text(GAMES, "utf-8")
    line = run("verify", "games", code=1).stdout.splitlines()[0]
    assert line.startswith("games/x.pgn: game 3, offset")
    (found,) = json.loads(run("verify", "games", "--json", code=1).stdout)[:1]
    assert (found["file"], found["game"]) == ("games/x.pgn", 3)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        (["--records", "2"], [2]),
        (["--records", "3-"], [3, 4, 5, 6]),
        (["--records", "2-5", "--player", "morphy"], [3, 4]),
        (["--player", "morphy", "--player", "carlsen"], [3, 6]),
        (["--player", "petrosian"], []),
        (["--player", "петросян", "--eco", "E00-E99"], [2, 5]),
        (["--eco", "philidor"], [1, 4]),
        (["--min-elo", "2800", "--elo-of", "either"], [3, 6]),
        (["--min-plies", "5"], [1, 4]),
        (["--max-plies", "5", "--without", "symbols", "--limit", "2"], [2, 3]),
        (["--has", "variations", "--has", "comments"], [1, 4]),
        (["--comment", "weak move"], [1, 4]),
        (["--site", "zurich"], [2, 5]),
        (["--site", "zurich", "--exact"], []),
        (["--time-control", "unknown", "--records", "1-2"], [1, 2]),
        (["--annotator", "nobody"], []),
    ],
)
def test_choices(run: Run, options: list[str], numbers: list[int]) -> None:
    done = run("list", "games/a.pgn", "games/b.cbh", "--nl", *options)
    assert [json.loads(line)["number"] for line in done.stdout.splitlines()] == numbers
    assert ("no records found" in done.stderr) == (not numbers)


@pytest.mark.usefixtures("folder")
def test_samples(run: Run) -> None:
    first = run("list", "games", "--sample", "4", "--seed", "5").stdout
    assert len(first.splitlines()) == 4
    assert run("list", "games", "--sample", "4", "--seed", "5").stdout == first
    assert "2 records written" in run("convert", "games", "-o", "two.pgn", "--sample", "2").stderr
    assert "a seed needs a sample" in run("list", "games", "--seed", "5", code=2).stderr
    assert "does not name records" in run("list", "games", "--records", "x", code=2).stderr


@pytest.mark.usefixtures("folder")
def test_nothing_there(run: Run) -> None:
    Path("empty").mkdir()
    assert "empty: holds no database" in run("list", "empty", code=3).stderr
    assert "no*such: no database matches this pattern" in run("list", "no*such", code=2).stderr
    assert "there is nothing to read" in run("list", code=2).stderr
    assert run("list", "games/a.pgn", "--white", "nobody", "--json").stdout == "[]\n"
