"""What commands have in common: the order of arguments, options of one name, and what they report."""

from __future__ import annotations

import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import FormatError
from tests.cli.conftest import GAMES, Run

GERMAN = '[White "{name}"]\n\n1. e4 e5 2. Sf3 Sc6 3. Lb5 *\n'


@pytest.fixture
def german(tmp_path: Path) -> Path:
    path = tmp_path / "german.pgn"
    path.write_text(GERMAN.format(name="A"))
    return path


def test_a_player_comes_after_the_files(run: Run, games: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.pgn"
    other.write_text(GAMES, "utf-8")
    new = run("player", games, other, "carlsen")
    old = run("player", "carlsen", games, other)
    assert new.stdout == old.stdout
    assert new.stderr == ""
    assert old.stderr == "the name of the player comes last now: tabiya player FILE... NAME\n"
    assert run("player", "carlsen", f"{tmp_path}/*.pgn").stdout == new.stdout
    listed = tmp_path / "list.txt"
    listed.write_text(f"{games}\n{other}\n")
    assert run("player", "--files-from", listed, "carlsen").stdout == new.stdout
    assert "missing.pgn: no such file or folder" in run("player", tmp_path / "missing.pgn", "carlsen", code=3).stderr


def test_edit_takes_a_game_and_a_format(run: Run, games: Path, german: Path, tmp_path: Path) -> None:
    target = tmp_path / "new.pgn"
    arguments = ["edit", games, 1, "-o", target, "--force"]
    assert "nothing was written" in run(*arguments, "--game", german, code=2).stderr
    run(*arguments, "--game", german, "--language", "de", "--from", "pgn")
    with tabiya.open(target) as database:
        assert database[0].to_pgn().endswith("\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n")
    old = run(*arguments, "--from", german, "--language", "de")
    assert old.stderr.startswith("--from is the format of the database now; the file with the game is --game\n")


def test_count(run: Run, games: Path, tmp_path: Path) -> None:
    assert run("list", games, "--count").stdout == "3\n"
    assert run("list", games, "--count", "--white", "morphy").stdout == "1\n"
    (tmp_path / "more.pgn").write_text(GAMES, "utf-8")
    assert run("list", games, tmp_path / "more.pgn", "--count", "--limit", 5).stdout == "5\n"
    assert run("list", "-", "--count", input=GAMES.encode()).stdout == "3\n"
    assert run("list", games, "--count", "--white", "nobody").stdout == "0\n"
    base = tmp_path / "a.cbh"
    run("convert", games, base, code=1)
    assert run("list", base, "--count").stdout == "3\n"
    assert "cannot be combined" in run("list", games, "--count", "--json", code=2).stderr


def test_books_are_merged_into_what_o_names(run: Run, games: Path, tmp_path: Path) -> None:
    first, second, new, old = (tmp_path / f"{name}.bin" for name in ("a", "b", "new", "old"))
    for book in (first, second):
        run("book", "build", games, book, "--min-games", 1)
    run("book", "merge", first, second, "-o", new)
    run("book", "merge", first, second, old)
    assert new.read_bytes() == old.read_bytes()
    assert "name it with -o" in run("book", "merge", first, code=2).stderr


@pytest.mark.parametrize(("suffix", "noun"), [("bin", "moves"), ("abk", "moves"), ("ctg", "positions")])
def test_books_report_what_is_rare(run: Run, tmp_path: Path, suffix: str, noun: str) -> None:
    games = tmp_path / "games.pgn"
    games.write_text("1. e4 e5 *\n\n" * 3 + "1. d4 d5 2. c4 *\n\n")
    result = run("book", "build", games, tmp_path / f"a.{suffix}", "--json")
    report = json.loads(result.stdout)
    assert report["rare"] == 3
    assert f"3 of {5 if suffix != 'ctg' else 6} {noun} (" in result.stderr
    assert "fewer than 3 games; --min-games 1 keeps all" in result.stderr
    assert "nothing was lost" not in result.stderr
    complete = run("book", "build", games, tmp_path / f"b.{suffix}", "--min-games", 1)
    assert complete.stderr.endswith("nothing was lost\n")
    empty = run("book", "build", games, tmp_path / f"c.{suffix}", "--white", "nobody").stderr
    assert "there were no games to build a book from" in empty
    assert "nothing was lost" not in empty


@pytest.mark.parametrize(("format", "suffix"), [("cbh", ".cbh"), ("scid", ".si4"), ("scid5", ".si5"), ("bcgn", "")])
@pytest.mark.parametrize("command", ["convert", "sort", "merge", "dedupe", "tag", "search"])
def test_the_file_that_was_written_is_named(run: Run, tmp_path: Path, command: str, format: str, suffix: str) -> None:
    games, target = tmp_path / "games.pgn", tmp_path / "games.other"
    games.write_text('[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 1-0\n')
    more = {"sort": ["--by", "white"], "tag": ["--set", "Event=x"], "search": ["--moves", "e4"]}.get(command, [])
    output = run(command, games, "-o", target, "--to", format, *more).stderr
    assert f" {target}{suffix}\n" in output or f" {target}{suffix} (" in output
    assert Path(f"{target}{suffix}").exists()


@pytest.mark.parametrize("command", [["convert"], ["merge"], ["merge", "--by", "white"], ["sort", "--by", "white"]])
def test_problems_of_several_sources_name_the_file(
    run: Run, games: Path, german: Path, tmp_path: Path, command: list[str]
) -> None:
    result = run(*command, games, german, "-o", tmp_path / "out.pgn", "--json", code=1)
    notes = [json.loads(line)["note"] for line in result.stderr.splitlines()]
    assert any(note.startswith(f"  {german}, game 1, offset ") for note in notes)
    assert any(note.startswith(f"  {games}, game 3, offset ") for note in notes)
    problems = json.loads(result.stdout)["first_problems"]
    origins = {(each["game"], each["source"], each["source_number"]) for each in problems}
    assert origins == {(3, str(games), 3), (4, str(german), 1)}


def test_piece_letters_of_another_language(run: Run, german: Path, tmp_path: Path) -> None:
    output = run("convert", german, tmp_path / "a.pgn", code=1).stderr
    assert "Sf3 (piece letters of another language? try --language de or --language pl)\n" in output
    assert "--language de" in run("show", german, 1).stdout
    report = tmp_path / "report.json"
    printed = run("convert", german, tmp_path / "b.pgn", "--json", "--report", report, code=1).stdout
    for text in (printed, report.read_text(), run("verify", german, "--json", code=1).stdout):
        assert "try --language de" in text
        assert "language='" not in text
    with tabiya.open(german) as database:
        assert "try language='de'" in database[0].problems[0].sentence
    french = tmp_path / "french.pgn"
    french.write_text("1. e4 e5 2. Cf3 *\n")
    assert "--language fr or --language es" in run("verify", french, code=1).stdout
    french.write_text("1. e4 e5 2. what *\n")
    assert "language" not in run("verify", french, code=1).stdout


@pytest.mark.parametrize("suffix", ["si4", "si5", "cbh", "cbv", "cbz", "bcgn", "tabiya", "jose", "parquet"])
def test_an_empty_file_is_empty(run: Run, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(b"")
    password = ["--password", "x"] if suffix == "cbz" else []
    assert run("info", path, *password, code=3).stderr == f"tabiya: {path}: is empty\n"


def test_an_empty_index_with_its_sisters_is_empty(run: Run, tmp_path: Path) -> None:
    for suffix in ("si4", "sg4", "sn4"):
        (tmp_path / f"a.{suffix}").write_bytes(b"")
    assert run("list", tmp_path / "a.si4", code=3).stderr.endswith("a.si4: is empty\n")
    (tmp_path / "a.sn4").unlink()
    (tmp_path / "a.si4").write_bytes(b"Scid.si\0")
    assert "and a.sn4 is missing" in run("list", tmp_path / "a.si4", code=3).stderr


@pytest.mark.parametrize("seed", range(5))
def test_random_bytes_are_no_games(run: Run, tmp_path: Path, seed: int) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes(random.Random(seed).randbytes(50_000))
    for command in (["info", path], ["list", path], ["convert", path, tmp_path / "b.pgn"]):
        assert "holds something else" in run(*command, code=3).stderr
    run("list", path, "--from", "pgn")  # whoever insists can have it


def test_random_bytes_among_others_are_skipped(run: Run, games: Path, tmp_path: Path) -> None:
    noise = games.with_name("noise.pgn")
    noise.write_bytes(random.Random(1).randbytes(50_000))
    archive = tmp_path / "packed" / "all.zip"
    archive.parent.mkdir()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(games, "games.pgn")
        packed.write(noise, "noise.pgn")
    for source in (games.parent, f"{games.parent}/*.pgn", archive):
        listed = run("list", source, "--count")
        assert listed.stdout == "3\n"
        assert "skipped: " in listed.stderr
        assert "noise.pgn" in listed.stderr


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello\n",
        b"1. e4 *\n",
        "1. e4 {Гамбит} *\n".encode("cp1251"),
        '\ufeff[White "A"]\n\n1. e4 *\n'.encode("utf-16-le"),
        b"\0" * 100 + b'\n[White "A"]\n\n1. e4 *\n',
    ],
)
def test_texts_that_are_hardly_pgn_are_still_read(run: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.pgn"
    path.write_bytes(content)
    run("list", path)


def test_a_base_without_moves_names_the_file(run: Run, samples: Callable[[str], Path]) -> None:
    base = samples("cbh/World-ch") / "World-ch.cbh"
    result = run("list", base, "--limit", 1)
    assert "World-ch.cbg is missing" in result.stderr
    with tabiya.open(base) as database:
        assert database.remarks == (
            f"{database.name}: World-ch.cbg is missing; without the .cbg file there are no moves",
        )
        assert [problem.text for problem in database.problems] == ["World-ch.cbg"]
    assert "the .cbg file is missing or too short" in run("show", base, 1).stdout


def test_a_file_of_a_base_without_its_main_file(tmp_path: Path) -> None:
    (tmp_path / "a.cbg").write_bytes(b"\0" * 100)
    with pytest.raises(FormatError, match=r"a\.cbh is missing, without which"):
        tabiya.open(tmp_path / "a.cbg")
