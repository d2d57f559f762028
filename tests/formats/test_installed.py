"""A package that is installed beside tabiya adds a format; one that is broken does no harm."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "how-to" / "add-a-format.md").read_text("utf-8")
GAMES = """toy
["Tal", null, "1-0", ["e4", "e4"], [["toy.note", "7365656e"]]]
["Fischer", "Spassky", "1/2-1/2", ["c4"], []]
"""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def install(name: str, points: str) -> None:
    """Make what pip leaves behind: metadata with entry points."""
    Path(f"{name}-1.0.dist-info").mkdir()
    Path(f"{name}-1.0.dist-info", "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8"
    )
    Path(f"{name}-1.0.dist-info", "entry_points.txt").write_text(f"[tabiya.formats]\n{points}\n", "utf-8")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run Python with the toy of the page installed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    for block in re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        if file := re.match(r"# (toy/\S+\.py)\n", block):
            Path("toy").mkdir(exist_ok=True)
            Path(file[1]).write_text(block, "utf-8")
    (points,) = re.findall(r'entry-points."tabiya.formats"\]\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL)
    install("toy_chess", points.replace('"', ""))
    Path("a.toy").write_text(GAMES, "utf-8")

    def start(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    return start


def test_commands_know_the_format(run: Run) -> None:
    assert "toy      A toy (.toy): read, write" in run("-m", "tabiya", "formats").stdout
    assert "toy" in [each["name"] for each in json.loads(run("-m", "tabiya", "formats", "--json").stdout)]
    verified = run("-m", "tabiya", "verify", "a.toy", code=1)
    assert "game 1: a move cannot be played; the line ends before it" in verified.stdout + verified.stderr
    output = run("-m", "tabiya", "convert", "a.toy", "a.pgn", code=1).stderr
    assert "moves that cannot be played" in output  # Format.left_out
    assert "toy.note" in output, output  # only extras of built-in formats travel as tags
    run("-m", "tabiya", "convert", "a.pgn", "b.toy")
    run("-m", "tabiya", "convert", "a.pgn", "-", "--to", "pgn")
    assert "Fischer" in run("-m", "tabiya", "list", "b.toy").stdout
    run("-m", "tabiya", "diff", "a.pgn", "b.toy")


def test_the_library_knows_the_format(run: Run) -> None:
    run(
        "-c",
        """
import sys, tabiya
from pathlib import Path
with tabiya.open("a.toy") as games:
    assert games.format.name == "toy" and len(games) == 2, games.format
    assert [batch for batch in games.batches(threads=2)][0].games
assert tabiya.open("a.toy", format="TOY").format is tabiya.FORMATS[-1]
Path("copy").write_bytes(Path("a.toy").read_bytes())
assert len(tabiya.open("copy")) == 2  # by its content
assert len(tabiya.open(["a.toy", "copy"])) == 4
tabiya.convert("a.toy", "c.toy", spaces=True)
assert ", " in Path("c.toy").read_text()
try:
    tabiya.create("d.toy", colour="red")
except tabiya.errors.UsageError as error:
    assert "toy has no option 'colour' here; it has: format, overwrite, spaces, strict" in str(error), error
else:
    raise SystemExit("no error")
assert not Path("d.toy").exists()
""",
    )


@pytest.mark.parametrize(
    ("description", "reason"),
    [
        ("raise RuntimeError('no luck')", "no luck"),
        ("import module_that_is_not_there", "No module named module_that_is_not_there"),
        ("FORMAT = 7", "its entry point is not a Format"),
        (
            "FORMAT = replace(toy.FORMAT, name='pgn', suffixes=('.bad',), problems={})",
            "pgn already belongs to the format pgn",
        ),
        (
            "FORMAT = replace(toy.FORMAT, name='bad', suffixes=('.si4',), problems={})",
            ".si4 already belongs to the format scid",
        ),
        (
            "FORMAT = replace(toy.FORMAT, name='bad', suffixes=('.bad',), problems={900: ''})",
            "problem 900 already belongs to the format toy",
        ),
    ],
)
def test_a_broken_package_does_no_harm(run: Run, description: str, reason: str) -> None:
    Path("zbad.py").write_text(f"from dataclasses import replace\nimport toy\n{description}\n", "utf-8")
    install("bad_chess", "zbad = zbad:FORMAT")
    sentence = f"the format zbad of the package bad_chess cannot be used: {reason}"
    listed = run("-m", "tabiya", "formats")
    assert sentence in listed.stderr
    assert "toy      A toy" in listed.stdout
    assert "bad_chess" not in run("-m", "tabiya", "list", "a.toy").stderr
    Path("a.zbad").write_text("?", "utf-8")
    assert sentence in run("-m", "tabiya", "list", "a.zbad", code=3).stderr
    assert sentence in run("-m", "tabiya", "list", "a.toy", "--from", "zbad", code=2).stderr


def test_parts_that_cannot_be_loaded_are_named(run: Run) -> None:
    code = Path("toy/__init__.py").read_text("utf-8").replace("toy.database:ToyDatabase", "toy.database:Missing")
    Path("toy/__init__.py").write_text(
        code.replace("return Match.CERTAIN", "raise KeyError\n    return Match.CERTAIN"), encoding="utf-8"
    )
    output = run("-m", "tabiya", "list", "a.toy", code=3).stderr
    assert "toy.database:Missing cannot be loaded: AttributeError" in output
    Path("notes.txt").write_text("nothing of chess", "utf-8")
    assert "is not a kind of file" in run("-m", "tabiya", "list", "notes.txt", code=3).stderr


def test_packages_are_not_looked_for_without_need(run: Run) -> None:
    Path("a.pgn").write_text('[White "Tal"]\n\n1. e4 1-0\n', "utf-8")
    code = """
import sys, tabiya
assert len(tabiya.open("a.pgn")) == 1
tabiya.convert("a.pgn", "a.si4")
tabiya.open("a.si4", format="scid")
assert tabiya.formats.FORMATS.loaded is tabiya.formats.FORMATS.built_in
"""
    run("-c", code)
    shown = run("-X", "importtime", "-m", "tabiya", "list", "a.pgn").stderr
    assert "toy" not in shown
