"""What the documentation shows is what happens: its commands and its Python are run, its tables compared."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from scripts.cli_docs import commands
from tabiya.cli.app import app
from tabiya.formats.matrix import markdown_matrix
from tabiya.formats.pgn.spellings import LANGUAGES, SIGNS
from tabiya.formats.pgn.writer import _LOSSES
from tabiya.game.problems import SENTENCES
from tests.conftest import ROOT

PAGES = [
    "README.md",
    "docs/tutorial.md",
    "docs/how-to/convert.md",
    "docs/how-to/filter.md",
    "docs/how-to/find-problems.md",
    "docs/how-to/tables.md",
    "docs/how-to/opening-books.md",
    "docs/how-to/write-chessbase.md",
]
"""Pages whose examples are run, one after the other, beside the folder ``examples``."""

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
def test_commands_print_what_is_shown(name: str) -> None:
    for block in blocks((ROOT / name).read_text("utf-8"), "console"):
        for (program, *arguments), shown in shown_commands(block):
            assert program == "tabiya"
            result = CliRunner().invoke(app, arguments, prog_name="tabiya")
            assert stripped(result.stdout + result.stderr) == stripped(shown), shlex.join(arguments)


@pytest.mark.usefixtures("beside_examples")
@pytest.mark.parametrize("name", PAGES)
def test_python_prints_what_is_shown(name: str) -> None:
    page = (ROOT / name).read_text("utf-8")
    # One empty line keeps the output of a block apart from the next block; line numbers do not matter.
    source = "\n".join(blocks(page, "pycon"))
    example = doctest.DocTestParser().get_doctest(source, {}, name, name, 0)
    messages: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=messages.append)
    assert not messages, "".join(messages)


@pytest.mark.parametrize("path", ALL_PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_commands_and_options_exist(path: Path) -> None:
    known = commands()
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
    assert {int(code): sentence for code, sentence in rows} == SENTENCES


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
    assert [what for what, _ in _LOSSES if f"| `{what}` |" not in page] == []


def test_the_matrix_of_formats_is_up_to_date() -> None:
    assert markdown_matrix() in (ROOT / "docs" / "formats" / "index.md").read_text("utf-8")


def test_the_classics_are_sound() -> None:
    result = CliRunner().invoke(app, ["verify", str(ROOT / "examples" / "classics.pgn")], prog_name="tabiya")
    assert result.exit_code == 0, result.output


def test_the_demonstration_runs() -> None:
    done = subprocess.run([sys.executable, ROOT / "demo" / "run.py"], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode().splitlines()[-1].startswith("demo: ran ")
