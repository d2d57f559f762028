"""What type checkers make of a program that uses tabiya: they know its names, and notice those that do not exist."""

from __future__ import annotations

import inspect
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tabiya

SOURCE = Path(__file__).parent.parent / "src"

PROGRAM = """\
import tabiya
from tabiya import *
game: tabiya.Game = Game()
database = tabiya.open("games.pgn")
for match in database.search(player="carlsen"):
    print(match.number, match.nubmer)
for match in tabiya.search("games.pgn"):
    print(match.game.whtie)
database[0].resutl
database.explore("e4").mvoes
database.player("carlsen").gmaes
tabiya.convert("a.pgn", "b.cbh").lossess
tabiya.FORMATS[0].problmes
with tabiya.edit("x.cbh") as editor:
    editor.delete([1])
    editor.losssse
game.white_elo, game.date = 2700, "2020"
game.white_elo = 2.5
game.white.foo
tabiya.checkmate
"""
"""With ``mypy --strict``, there is an error in every line with a slip of the pen, and in no other."""

WRONG = {
    6: "nubmer",
    8: "whtie",
    9: "resutl",
    10: "mvoes",
    11: "gmaes",
    12: "lossess",
    13: "problmes",
    16: "losssse",
    18: "float",
    19: "foo",
    20: "checkmate",
}


def mypy(program: Path) -> dict[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={program.parent}", program.name],
        cwd=program.parent,
        env={"MYPYPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.findall(rf"^{program.name}:(\d+): error: (.*)", done.stdout, re.MULTILINE)
    return {int(line): message for line, message in found}


def pyright(program: Path) -> dict[int, str]:
    command = shutil.which("basedpyright", path=str(Path(sys.executable).parent)) or shutil.which("pyright")
    if command is None:
        pytest.skip("neither basedpyright (of the dev group) nor pyright is installed")
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(SOURCE)], "reportUnusedExpression": False}
    (program.parent / "pyrightconfig.json").write_text(json.dumps(settings))
    done = subprocess.run(
        [command, "--outputjson", "--pythonpath", sys.executable, "--project", str(program.parent)],
        cwd=program.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    report = json.loads(done.stdout)
    return {
        each["range"]["start"]["line"] + 1: each["message"]
        for each in report["generalDiagnostics"]
        if each["severity"] == "error"
    }


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_slips_of_the_pen_are_noticed(checker, tmp_path: Path) -> None:
    program = tmp_path / "theirs.py"
    program.write_text(PROGRAM)
    found = checker(program)
    assert found.keys() == WRONG.keys(), found
    assert {line: word for line, word in WRONG.items() if word not in found[line]} == {}, found


@pytest.mark.parametrize("name", sorted(name for name in vars(tabiya)["__all__"] if callable(getattr(tabiya, name))))
def test_help_shows_a_signature_that_can_be_read(name: str) -> None:
    """Not the repr of every format, which took 23,554 characters."""
    try:
        signature = str(inspect.signature(getattr(tabiya, name)))
    except ValueError:  # of a class that is compiled
        return
    assert len(signature) < 800, signature
    assert "<function" not in signature
