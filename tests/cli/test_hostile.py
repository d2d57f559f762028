"""Every command against what users mistype and what machines do to them: one clear sentence, a documented exit code.

The calls are made from the program's own list of commands and their arguments, so a new command is tried as well.
"""

from __future__ import annotations

import io
import os
import random
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import typer.main

import tabiya
from tabiya.books import BuildOptions, build_book
from tabiya.cli.app import app
from tabiya.cli.reference import program
from tests.analysis.engines import scripted
from tests.cli.conftest import GAMES, Run
from tests.formats.suite import contents

COMMANDS = {name: command for name, command in program().items() if name not in {"mcp", "serve"}}
"""All but those that go on until they are stopped or their client leaves; see tests/mcp and tests/web."""
SOURCES = ("paths", "source", "base", "file", "files", "a", "b", "book", "library")
"""The names of arguments that are read; those that are written are ``target`` and the like."""
TARGETS = ("target", "folder", "archive")
TARGET_LAST = ("book build", "book merge", "convert", "sort", "table")
"""Commands that take sources and then what they write in one list."""
NEEDED: dict[str, tuple[str, ...]] = {
    "analyse": ("--engine", shlex.join(scripted("good")), "--no-cache"),
    "book edit": ("--set", "e4=1"),
    "crosstable": ("--together",),
    "edit": ("--from", "one.pgn", "--accept"),
    "merge": ("-o", "new.pgn", "--force"),
    "novelties": ("--in", "games.pgn"),
    "puzzles": ("-o", "new.csv", "--force", "--engine", shlex.join(scripted("good"))),
    "search": ("--plies", "0"),
    "sort": ("--by", "date"),
    "split": ("--games", "2", "-o", "new-{n}.pgn", "--force"),
    "tag": ("--set", "Event=Casual game", "--dry-run"),
}
"""Options without which a command has nothing to do."""
PROGRAM: Any = typer.main.get_command(app)

SUFFIXES = ("", ".pgn", ".cbh", ".cbv", ".cbz", ".bcgn", ".jose", ".ctg", ".bin", ".abk", ".tabiya")
ODD_NAMES = ("two\nlines", "\udcff", "-dash", "Петросян 丁", "a b'c\"d", "\x1b[31m")


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one small thing of every kind that commands read."""
    folder = tmp_path_factory.mktemp("made")
    games = folder / "games.pgn"
    games.write_text(GAMES.replace("2. Ke3", "2. Ke2"), "utf-8")
    (folder / "one.pgn").write_text('[White "Morphy"]\n\n1. e4 1-0\n', "utf-8")
    for name in ("base.cbh", "base.cbv", "base.tabiya"):
        tabiya.convert(games, folder / name)
    with tabiya.open(games) as database:
        build_book(database, folder / "book.bin", options=BuildOptions(min_games=1))
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of these, to work in."""
    work = shutil.copytree(made, tmp_path / "work")
    monkeypatch.chdir(work)
    return work


def arguments(name: str) -> Iterator[Any]:
    return (each for each in COMMANDS[name].params if each.param_type_name == "argument")


def options(name: str, *metavars: str) -> list[str]:
    """The options of a command that take a value, or those whose value has one of these names."""
    found = (each for each in COMMANDS[name].params if each.param_type_name == "option" and not each.is_flag)
    return [each.opts[-1] for each in found if not metavars or each.metavar in metavars]


def owners() -> dict[tuple[str, str], list[str]]:
    """The commands that have an option, by its name and help: several share one declaration."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, command in COMMANDS.items():
        for each in command.params:
            if each.param_type_name == "option":
                found.setdefault((each.opts[-1], each.help), []).append(name)
    return found


OWNERS = owners()


def values(name: str, option: str, texts: Sequence[str]) -> Sequence[str]:
    """All texts for the first command with an option; for the others, which share its declaration, one in turn."""
    (described,) = (each.help for each in COMMANDS[name].params if each.opts[-1] == option)
    place = OWNERS[option, described].index(name)
    return texts if place == 0 else [texts[place % len(texts)]]


def is_source(name: str, argument: str) -> bool:
    return argument in SOURCES or (name, argument) == ("extract", "archive")


def source_of(name: str, argument: str) -> str:
    """What a command reads, by the kind of its argument."""
    if argument == "archive":
        return "base.cbv"
    if argument in {"base", "library"}:
        return "base.cbh" if argument == "base" else "base.tabiya"
    return "book.bin" if name.startswith("book ") and name != "book build" else "games.pgn"


def target_of(name: str) -> str:
    """What a command writes."""
    return {"copy": "new.cbh", "extract": "new", "pack": "new.cbv", "table": "new.csv"}.get(
        name, "new.bin" if name.startswith("book ") else "new.pgn"
    )


def call(name: str, *, source: str | None = None, target: str | None = None) -> list[str]:
    """A command that should work, or would if its source or its target were another."""
    words = name.split()
    target = target_of(name) if target is None else target
    for each in arguments(name):
        if is_source(name, each.name):
            words.append(source_of(name, each.name) if source is None else source)
            if name in TARGET_LAST:
                words.append(target)
        elif each.name in TARGETS:
            words.append(target)
        elif each.metavar == "NAME":
            words.append("morphy")
        elif each.metavar in {"N", "N..."}:
            words.append("1")
        elif each.metavar == "SHELL":
            words.append("bash")
        else:
            assert not each.required, f"say above what {each.name} of tabiya {name} is"
    return [*words, *NEEDED.get(name, ())]


def reads(name: str) -> bool:
    return any(is_source(name, each.name) for each in arguments(name))


def writes_to(name: str, argument: str) -> bool:
    return name in TARGET_LAST or (argument in TARGETS and not is_source(name, argument))


def writes(name: str) -> bool:
    return any(writes_to(name, each.name) for each in arguments(name))


READERS = [name for name in COMMANDS if reads(name)]
WRITERS = [name for name in COMMANDS if writes(name)]


def outcome(words: list[str]) -> tuple[int, str, str]:
    """The exit code of a call and what it prints; anything but an exit is a mistake of the program."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace") for _ in range(2)]
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        try:
            PROGRAM.main(words, prog_name="tabiya")
        except SystemExit as end:
            code = int(end.code or 0)
        except Exception as error:
            raise AssertionError(f"{words}: {type(error).__name__}: {error}") from error
    output, complaint = (_printed(stream) for stream in streams)
    return code, output, complaint


def _printed(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def assert_refused(words: list[str]) -> str:
    """A call must end with one sentence and the exit code 2 or 3; gives the sentence."""
    code, output, complaint = outcome(words)
    assert code in {2, 3}, f"{words}: {code}: {output}{complaint}"
    (sentence,) = {line for line in complaint.splitlines() if line.startswith(("tabiya: ", "Error: "))}
    assert not re.search(r"Errno|Error\(|object at 0x|Exception|NoneType|PosixPath|<class", sentence), sentence
    assert output in {"", "[]\n"}
    return sentence


def assert_told(words: list[str]) -> None:
    """A call may succeed, find problems or refuse, but must say so."""
    code, _, complaint = outcome(words)
    assert code in {0, 1, 2, 3}
    if code > 1:
        assert "tabiya: " in complaint or "Error: " in complaint, f"{words}: {complaint}"


def assert_works(words: list[str]) -> None:
    code, output, complaint = outcome(words)
    assert code == 0, f"{words}: {output}{complaint}"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", COMMANDS)
def test_the_calls_below_work(name: str) -> None:
    assert_works(call(name))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", READERS)
class TestSources:
    def test_missing(self, name: str) -> None:
        for suffix in SUFFIXES:
            assert f"missing{suffix}" in assert_refused(call(name, source=f"missing{suffix}"))

    def test_folders(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        for suffix in SUFFIXES:
            Path(f"folder{suffix}").mkdir()
            assert f"folder{suffix}" in assert_refused(call(name, source=f"folder{suffix}"))
        monkeypatch.chdir("folder")
        for place in (".", "./.", ""):
            assert_refused(call(name, source=place))

    @pytest.mark.parametrize("content", [b"", bytes(3000), random.Random(13).randbytes(3000)], ids=["empty", "0", "?"])
    def test_files_without_sense(self, name: str, content: bytes) -> None:
        for suffix in SUFFIXES:
            Path(f"senseless{suffix}").write_bytes(content)
            assert_told(call(name, source=f"senseless{suffix}", target=f"./{suffix}{target_of(name)}"))

    def test_odd_names(self, name: str) -> None:
        kind = next(source_of(name, each.name) for each in arguments(name) if is_source(name, each.name))
        for odd in ODD_NAMES:
            assert_refused(call(name, source=f"./{odd}"))
            if kind != "base.cbh":  # whose many files would all have to be renamed
                copy = shutil.copytree if Path(kind).is_dir() else shutil.copy
                copy(kind, f"{odd}{Path(kind).suffix}")
                assert_works(call(name, source=f"./{odd}{Path(kind).suffix}", target=f"./{odd}{target_of(name)}"))

    def test_names_that_lead_nowhere(self, name: str) -> None:
        assert "too long" in assert_refused(call(name, source="x" * 300 + ".pgn"))
        assert_refused(call(name, source="games.pgn/games.pgn"))


@pytest.mark.parametrize("name", WRITERS)
class TestTargets:
    def test_where_nothing_can_be_written(self, folder: Path, name: str) -> None:
        before = contents(folder)
        suffix = Path(target_of(name)).suffix
        places = [f"games.pgn/new{suffix}", "x" * 300 + suffix]
        if name != "extract":  # which unpacks into a folder, and makes it if it is not there
            places += [f"missing/new{suffix}", ".", ""]
        for place in places:
            assert_refused(call(name, target=place))
        assert contents(folder) == before

    def test_odd_names(self, folder: Path, name: str) -> None:
        for odd in ODD_NAMES:
            target = f"{odd}{Path(target_of(name)).suffix}"
            assert_works(call(name, target=f"./{target}"))
            assert (folder / target).exists()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", COMMANDS)
class TestValues:
    def test_numbers(self, name: str) -> None:
        force = ["--force"] if writes(name) else []
        numbers = ("-1", "0", "99999999999999999999", "4294967297", "1e400", "x")
        for option in options(name, "N", "MB"):
            for number in values(name, option, numbers):
                assert_told([*call(name), *force, option, number])
        words = call(name)
        if words[-1] == "1":
            for number in numbers:
                assert_told([*words[:-1], "--", number])

    def test_texts(self, name: str) -> None:
        force = ["--force"] if writes(name) else []
        texts = ("\udcff", "/\udcff/", "Name=\udcff", "\udcff=x", "", "\n", "x" * 1000)
        for option in options(name):
            for text in values(name, option, texts):
                assert_told([*call(name), *force, option, text])


def test_the_top_folder_is_no_database() -> None:
    assert_refused(["info", "/"])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("words", [*(call(name) for name in COMMANDS), ["--help"], ["--version"]], ids=" ".join)
def test_output_that_cannot_be_written(start: Run, words: list[str]) -> None:
    """A full disk is one sentence; a reader that has gone is none; and who prints nothing has nothing to say."""
    with Path("/dev/full").open("wb") as full, start(*words, stdout=full) as process:
        complaint = process.stderr.read().decode().splitlines()
    if process.returncode:
        assert process.returncode == 3
        assert complaint[-1] == "tabiya: standard output: no space left on device"
    else:
        assert not any(line.startswith("Exception") for line in complaint)


@pytest.mark.skipif(os.name == "nt", reason="streams are closed differently on Windows")
def test_streams_that_are_closed(start: Run, games: Path) -> None:
    for closed, code in ((1, 0), (2, 0)):
        with start("list", games, preexec_fn=lambda fd=closed: os.close(fd)) as process:
            output, complaint = process.communicate()
        assert process.returncode == code
        assert bool(output) == (closed != 1)
        assert complaint == b""
    with start("list", "missing.pgn", preexec_fn=lambda: os.close(2)) as process:
        assert process.communicate() == (b"", b"")
    assert process.returncode == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_complaints_that_cannot_be_written(start: Run) -> None:
    with Path("/dev/full").open("wb") as full, start("list", "missing.pgn", stderr=full) as process:
        assert process.communicate()[0] == b""
    assert process.returncode == 3
