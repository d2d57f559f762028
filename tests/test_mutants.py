"""The tool that makes small mistakes: what it changes, what it leaves alone, and what it says about a tiny project."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

from scripts import mutants
from scripts.mistakes import kernel_mistakes, mistakes

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted((ROOT / "src").rglob("*.py"))
KERNELS = sorted((ROOT / "src").rglob("*.pyx"))

MODULE = '''"""A docstring with 1 < 2."""
from __future__ import annotations
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    LIMIT = 5
__all__ = ["grown"]
DEPTH: list[int | None] = [3]
@decorated(7)
def grown(size: int | None, é: str = "ä") -> bool | None:
    """Grow."""
    if not size:
        raise ValueError("1 + 1")
    self.size += 2
    print("é", size >> 1)
    return size <= 4 and (size  # a comment with > in it
        > 1)
'''


def test_mistakes_of_a_module() -> None:
    pieces = [(mistake.line, MODULE[mistake.start : mistake.end], mistake.replacement) for mistake in mistakes(MODULE)]
    assert [piece for piece in pieces if piece[2] != "None"] == [
        (7, "3", "4"),
        (11, "not size", "(not (not size))"),
        (11, "not size", "(size)"),
        (12, 'raise ValueError("1 + 1")', "pass"),
        (13, "self.size += 2", "pass"),
        (13, "2", "3"),
        (14, 'print("é", size >> 1)', "pass"),
        (14, ">>", "<<"),
        (14, "1", "2"),
        (15, "<=", "<"),
        (15, "4", "5"),
        (15, "and", "or"),
        (16, ">", ">="),
        (16, "1", "2"),
    ]
    assert [(line, piece[:9]) for line, piece, replacement in pieces if replacement == "None"] == [(15, "size <= 4")]


KERNEL = '''"""A docstring with 1 < 2."""
from libc.stdint cimport uint8_t

cdef enum:
    LIMIT = 5

cdef int grown(const uint8_t* text, int size) noexcept nogil:
    """Grow."""
    cdef int found = 0
    while size > LIMIT and text[size - 1] != 3:
        found += <int> text[2] * -size  # a comment with > in it
        scan(&found)
        if not found:
            break
    return True
'''


def test_mistakes_of_a_kernel() -> None:
    assert [
        (mistake.line, KERNEL[mistake.start : mistake.end], mistake.replacement) for mistake in kernel_mistakes(KERNEL)
    ] == [
        (5, "5", "6"),
        (10, ">", ">="),
        (10, "and", "or"),
        (10, "-", "+"),
        (10, "1", "2"),
        (10, "!=", "=="),
        (10, "3", "4"),
        (11, "found += <int> text[2] * -size", "pass"),
        (11, "2", "3"),
        (11, "*", "+"),
        (14, "break", "pass"),
        (15, "True", "False"),
    ]


def test_kernels_offer_mistakes() -> None:
    """The words of every kernel can be read."""
    found = {path: len(kernel_mistakes(path.read_text("utf-8"))) for path in KERNELS}
    assert len(found) > 50
    assert [path for path, number in found.items() if number < 2] == []


def test_every_mistake_is_still_python() -> None:
    """Three mistakes of each module. Parsing is slow, so this parses only the statements that contain them."""
    assert MODULES
    for path in MODULES:
        text = path.read_text("utf-8")
        lines, statements = text.split("\n"), ast.parse(text).body
        found = mistakes(text)
        for mistake in found[:: len(found) // 3 + 1]:
            statement = next(each for each in statements if (each.end_lineno or 0) >= mistake.line)
            start, end = min(statement.lineno, mistake.line) - 1, len(lines) - (statement.end_lineno or 0)
            changed = mistake.made(text).split("\n")
            (made,) = ast.parse("\n".join(changed[start : len(changed) - end])).body
            assert ast.dump(made) != ast.dump(statement), (path, mistake)


def test_a_tiny_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    package, tests = tmp_path / "src" / "tabiya" / "small", tmp_path / "tests"
    package.mkdir(parents=True)
    tests.mkdir()
    (package.parent / "__init__.py").touch()
    (package / "thing.py").write_text("def large(size):\n    return size > 10\n\n\nSEEN = True\n")
    (tests / "test_thing.py").write_text(
        "from tabiya.small.thing import large\n\n\ndef test_large():\n    assert large(11)\n    assert not large(10)\n"
    )
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    monkeypatch.setattr("sys.argv", ["mutants", "small", "--jobs", "1"])
    mutants.main()
    output = capsys.readouterr().out
    assert output.count("caught    src/tabiya/small/thing.py:2") == 3  # the comparison, the number, the result
    assert "SURVIVED  src/tabiya/small/thing.py:5\n    - SEEN = True\n    + SEEN = False\n" in output
    assert output.endswith("small: 3 of 4 mistakes were caught\n")
    assert (package / "thing.py").read_text() == "def large(size):\n    return size > 10\n\n\nSEEN = True\n"


COMPILER = """
import os, pathlib, sysconfig
kernel = pathlib.Path(os.environ["TABIYA_KERNEL"])
kernel.with_name(kernel.stem + sysconfig.get_config_var("EXT_SUFFIX")).write_text(kernel.read_text())
"""


def test_one_kernel_is_compiled_and_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, library = tmp_path / "tree", f"src/tabiya/thing_kernel{mutants.LIBRARY}"
    for folder in ("src/tabiya", "tests"):
        (root / folder).mkdir(parents=True)
    (root / "src" / "tabiya" / "thing_kernel.pyx").write_text("SIZE = 1\n")
    (root / library).write_text("SIZE = 1  # as it was\n")
    (root / "setup.py").write_text(COMPILER)
    test = f"from pathlib import Path\n\n\ndef test_size():\n    assert 'SIZE = 1' in Path({library!r}).read_text()\n"
    (root / "tests" / "test_thing.py").write_text(test)
    monkeypatch.setattr(mutants, "ROOT", root)
    (mutant,) = mutants.choose(root / "src" / "tabiya" / "thing_kernel.pyx", 1, 1)
    assert mutants.Tree(tmp_path / "copy").judge(mutant, near=True) == mutants.CAUGHT
    assert (tmp_path / "copy" / library).read_text() == "SIZE = 1  # as it was\n"
