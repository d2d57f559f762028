"""What the documentation shows is what happens: its commands and its Python are run, its tables compared."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import tabiya
from tabiya.cli.app import app
from tabiya.cli.reference import program
from tabiya.errors import TabiyaError
from tabiya.formats.matrix import markdown_matrix
from tabiya.formats.pgn.messages import LOSSES
from tabiya.formats.pgn.spellings import LANGUAGES, SIGNS
from tabiya.formats.registry import sentences
from tabiya.game import difference
from tests.analysis.engines import system_engine
from tests.conftest import ROOT
from tests.formats.corpus import batch_of, corpus, cut, rows_of
from tests.formats.oracle import kept, losses
from tests.systems import POSIX

PAGES = [
    "README.md",
    "docs/tutorial.md",
    "docs/search.md",
    *(f"docs/how-to/{path.name}" for path in sorted((ROOT / "docs" / "how-to").glob("*.md"))),
]
"""Pages that are followed from top to bottom, beside the folder ``examples``."""

NEEDS = {"docs/how-to/analyse.md": "stockfish"}
"""Pages that use an engine of the system."""

ALL_PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PGN_PAGE = ROOT / "docs" / "formats" / "pgn.md"


def blocks(page: str, language: str) -> list[str]:
    """The code blocks of a language, without their fences."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def shown_commands(block: str) -> Iterator[tuple[list[str], str]]:
    """The commands of a console block as words, each with the output shown below it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield shlex.split(command), output


def calls(page: str) -> Iterator[list[str]]:
    """The arguments of tabiya wherever a page calls it, in shell scripts too."""
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    lines += re.findall(r"^\$ (.*)", "\n".join(blocks(page, "console")), re.MULTILINE)
    for line in lines:
        words = list(shlex.shlex(line, posix=True, punctuation_chars=True))
        for place, word in enumerate(words):
            if word == "tabiya" and (place == 0 or words[place - 1] in {"|", ";", "&&", "do"}):
                ends = (at for at in range(place, len(words)) if words[at] in {"|", ";", "&&"})
                yield words[place + 1 : next(ends, len(words))]


def stripped(text: str) -> list[str]:
    """Lines without blanks at their end, which editors take away."""
    return [line.rstrip() for line in text.splitlines()]


@pytest.fixture
def beside_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("beside_examples")
@pytest.mark.parametrize("name", PAGES)
def test_a_page_does_what_it_shows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All blocks, in their order, as a reader would follow them: commands, scripts, Python and files to write."""
    monkeypatch.syspath_prepend(Path.cwd())
    monkeypatch.setenv("XDG_CACHE_HOME", str(Path.cwd() / "caches"))
    if name in NEEDS:
        folder = Path(system_engine(NEEDS[name])).parent
        monkeypatch.setenv("PATH", f"{os.environ['PATH']}{os.pathsep}{folder}")
    modules = set(sys.modules)
    names: dict[str, Any] = {}
    try:
        for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", (ROOT / name).read_text("utf-8"), _BLOCKS):
            if language in RUNNERS:
                RUNNERS[language](block, names)
    finally:
        for module in set(sys.modules) - modules:
            if Path(getattr(sys.modules[module], "__file__", None) or ".").is_relative_to(Path.cwd()):
                del sys.modules[module]


@pytest.mark.usefixtures("beside_examples")
def test_the_format_of_the_page_keeps_its_promises(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever follows "Add a format" has one in which everything arrives that is not reported lost."""
    monkeypatch.syspath_prepend(Path.cwd())
    names: dict[str, Any] = {}
    for block in blocks((ROOT / "docs" / "how-to" / "add-a-format.md").read_text("utf-8"), "python"):
        run_python(block, names)
    format = importlib.import_module("toy").FORMAT
    monkeypatch.setattr("toy.database.BATCH", 2)
    for writer_class in ("ToyWriter", "CarefulWriter"):
        maker = names.get(writer_class) or importlib.import_module("toy.writer").ToyWriter
        with maker(Path("a.toy"), overwrite=True) as writer:
            writer.write(cut(corpus(), 3), threads=2)
        assert {loss.what: (loss.count, loss.first_game) for loss in writer.losses} == losses(
            rows_of(corpus()), format.keeps
        )
        expected = [row for each in rows_of(corpus()) if (row := kept(each, format.keeps))]
        with tabiya.open("a.toy", format=format) as database:
            found = list(database.batches(threads=3))
            games = [game for batch in found for game in batch]
        assert len(found) > 1
        assert [difference(a, b) for a, b in zip(batch_of(expected), games, strict=True)] == [[]] * len(games)
    for damaged in (b"", b"toy\n{", b"toy\n[]", b"toy\n5", b'toy\n["a", "b", "1-0", ["e5"]]', b"toy\n\xff", b"joy"):
        Path("b.toy").write_bytes(damaged)
        with pytest.raises(TabiyaError):
            list(tabiya.open("b.toy", format=format))
    for name in ("toy.database", "toy.writer", "toy"):
        del sys.modules[name]


LISTED = """
import importlib.util, json, sys
from pathlib import Path

import tabiya.formats

tabiya.formats.__path__.append(str(Path.cwd() / "formats"))
spec = importlib.util.find_spec("tabiya.formats.registry")
module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
exec(compile(Path("listed.py").read_text("utf-8"), spec.origin, "exec"), vars(module))

from typer.testing import CliRunner
from tabiya.cli.app import app

answers = []
for arguments in json.load(sys.stdin):
    result = CliRunner().invoke(app, arguments, prog_name="tabiya", env={"COLUMNS": "200"})
    answers.append([result.exit_code, result.stdout + result.stderr])
json.dump(answers, sys.stdout)
"""
"""A program in which the file ``listed.py`` takes the place of the list of formats, and runs commands."""


@pytest.mark.usefixtures("beside_examples")
def test_a_format_on_the_list_needs_nothing_else() -> None:
    """The page, followed to the letter: its files in a room of their own, its two lines in the list of formats."""
    page = (ROOT / "docs" / "how-to" / "add-a-format.md").read_text("utf-8")
    Path("formats").mkdir()
    for block in blocks(page, "python"):
        if file := re.match(r"# toy/(\S+\.py)\n", block):
            Path("formats/toy").mkdir(exist_ok=True)
            Path("formats/toy", file[1]).write_text(
                re.sub(r'(from |Lazy\(")toy\b', r"\1tabiya.formats.toy", block), "utf-8"
            )
    (change,) = blocks(page, "diff")
    listed = (ROOT / "src" / "tabiya" / "formats" / "registry.py").read_text("utf-8")
    for part in change.split("\n\n"):
        old, new = ("\n".join(line[1:] for line in part.splitlines() if line[0] in f" {sign}") for sign in "-+")
        assert listed.count(old) == 1
        listed = listed.replace(old, new)
    Path("listed.py").write_text(listed, "utf-8")
    Path("a.toy").write_text('toy\n["Tal", null, "1-0", ["e4", "e4"], [["toy.note", "7365656e"]]]\n', "utf-8")
    convert = ["convert", "a.toy", "a.pgn"], ["convert", "a.pgn", "b.toy", "--spaces"], ["convert", "a.pgn", "c.toy"]
    commands = [["formats"], ["convert", "--help"], ["verify", "a.toy"], *convert, ["list", "b.toy", "--spaces"]]
    done = subprocess.run(
        [sys.executable, "-c", LISTED], input=json.dumps(commands), capture_output=True, text=True, check=True
    )
    formats, shown, verified, to_pgn, spaced, close, refused = json.loads(done.stdout)
    assert "toy      A toy (.toy): read, write" in formats[1]
    assert re.search(r"--spaces +Write a space after each comma \(toy\)\.", shown[1])
    assert verified[0] == 1
    assert "game 1: a move cannot be played; the line ends before it: " in verified[1]
    assert "parts of the source that could not be read" in to_pgn[1]
    assert "moves that cannot be played" in to_pgn[1]
    assert '[ToyNote "seen"]' in Path("a.pgn").read_text("utf-8")
    assert (spaced[0], close[0], refused[0]) == (0, 0, 2)
    assert Path("b.toy").read_text("utf-8") == 'toy\n["Tal", null, "1-0", ["e4"], [["toy.note", "7365656e"]]]\n'
    assert Path("c.toy").read_text("utf-8") == Path("b.toy").read_text("utf-8").replace(", ", ",")


def run_commands(block: str, _: dict[str, Any]) -> None:
    """Commands with the output that they print, of which nothing is left out."""
    for (command, *arguments), shown in shown_commands(block):
        assert command == "tabiya"
        result = CliRunner().invoke(app, arguments, prog_name="tabiya")
        assert stripped(result.stdout + result.stderr) == stripped(shown), shlex.join(arguments)


def run_script(block: str, _: dict[str, Any]) -> None:
    """Commands of the shell, whose output is not shown; 1 is the exit code for losses and problems."""
    if block.startswith("make "):
        return  # these tests run in what it has built
    if not POSIX:
        pytest.skip("SKIPPED: this test did not run; it did not pass: it needs a shell of POSIX")
    shim = Path("bin") / "tabiya"
    if not shim.exists():
        shim.parent.mkdir()
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tabiya "$@"\n')
        shim.chmod(0o755)
    environment = {**os.environ, "PATH": f"{shim.parent.resolve()}{os.pathsep}{os.environ['PATH']}"}
    for line in block.splitlines():
        done = subprocess.run(["sh", "-c", line], env=environment, capture_output=True, check=False)
        assert done.returncode in {0, 1}, f"{line}\n{done.stderr.decode()}"
        assert b"Traceback" not in done.stderr


def run_session(block: str, names: dict[str, Any]) -> None:
    """A session of Python, which goes on from block to block."""
    example = doctest.DocTestParser().get_doctest(block, names, "page", "page", 0)
    messages: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=messages.append, clear_globs=False)
    assert not messages, "".join(messages)
    names |= example.globs


def run_python(block: str, names: dict[str, Any]) -> None:
    """A file to write, if the first line names it, or Python to run."""
    if file := re.match(r"# (\S+\.py)\n", block):
        Path(file[1]).parent.mkdir(exist_ok=True)
        Path(file[1]).write_text(block, "utf-8")
    else:
        try:
            exec(compile(block, "page", "exec"), names)
        except ModuleNotFoundError as error:
            assert error.name in {"pandas", "polars"}, error.name  # which tabiya does not need


RUNNERS = {"console": run_commands, "sh": run_script, "pycon": run_session, "python": run_python}
_BLOCKS = re.MULTILINE | re.DOTALL


@pytest.mark.parametrize("path", ALL_PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_commands_and_options_exist(path: Path) -> None:
    known = program()
    for name, *words in calls(path.read_text("utf-8")):
        if any(command.startswith(f"{name} ") for command in known) and words:
            name, *words = f"{name} {words[0]}", *words[1:]  # a command of two words
        if not name.startswith("-"):
            assert name in known, f"there is no command {name}"
            options = {option for parameter in known[name].params for option in parameter.opts}
            given = {word for word in words if re.match(r"--?[a-z]", word)}
            assert given <= options, f"tabiya {name} does not have {given - options}"


@pytest.mark.parametrize("path", ALL_PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_python_without_output_compiles(path: Path) -> None:
    for block in blocks(path.read_text("utf-8"), "python"):
        compile(block, path.name, "exec")


def test_every_problem_is_documented() -> None:
    pages = [page.read_text("utf-8").partition("# Problems\n")[2] for page in PGN_PAGE.parent.glob("*.md")]
    rows = [
        row for page in pages for row in re.findall(r"^\| (\d+) \| (.*?) \|$", page.partition("\n## ")[0], re.MULTILINE)
    ]
    assert {int(code): sentence for code, sentence in rows} == sentences()


def test_every_sign_and_language_is_documented() -> None:
    page = PGN_PAGE.read_text("utf-8")
    cells = re.findall(r"\| \$(\d+) \| (.*?) \|", page)
    shown = {sign: int(nag) for nag, signs in cells for sign in re.findall(r"`(.*?)`", signs)}
    assert shown == {sign: nag for sign, nag in SIGNS.items() if nag}
    silent = next(line for line in page.splitlines() if line.startswith("| no meaning of their own"))
    assert set(re.findall(r"`(.*?)`", silent)) == {sign for sign, nag in SIGNS.items() if not nag} | {"e.p."}
    assert [language for language in LANGUAGES if language != "en" and f"`{language}`" not in page] == []


def test_every_loss_of_pgn_is_documented() -> None:
    page = PGN_PAGE.read_text("utf-8")
    assert [what for what in LOSSES.texts if f"| `{what}` |" not in page] == []


def test_the_matrix_of_formats_is_up_to_date() -> None:
    assert markdown_matrix() in (ROOT / "docs" / "formats" / "index.md").read_text("utf-8")


def test_the_classics_are_sound() -> None:
    result = CliRunner().invoke(app, ["verify", str(ROOT / "examples" / "classics.pgn")], prog_name="tabiya")
    assert result.exit_code == 0, result.output


def test_the_demonstration_runs() -> None:
    done = subprocess.run([sys.executable, ROOT / "demo" / "run.py"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().splitlines()[-1].startswith("demo: ran ")
