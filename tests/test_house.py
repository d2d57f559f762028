"""House rules that no linter knows: short modules, silent library rooms, kernels that explain themselves."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
MODULES = sorted(path for suffix in ("py", "pxd", "pyi") for path in SOURCE.rglob(f"*.{suffix}"))
KERNELS = [path for path in MODULES if path.name.endswith("_kernel.py")]
TALKING_ROOMS = {"cli", "web"}

LONGEST_MODULE = 450
LONG_FOR_A_REASON: dict[str, str] = {}
"""Modules that may be longer, and why."""


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def room_of(path: Path) -> str:
    """The room of a module; for what stands directly in the package, the module itself."""
    return path.relative_to(SOURCE / "tabiya").parts[0]


def talks(text: str) -> list[int]:
    """Lines that print or touch the standard streams."""
    lines = []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Name(id="print")):
                lines.append(node.lineno)
            case ast.Attribute(value=ast.Name(id="sys"), attr="stdout" | "stderr"):
                lines.append(node.lineno)
    return lines


def c_longs(text: str) -> list[str]:
    """Uses of C's ``long``, which has 32 bits on Windows; C text and comments do not count."""
    bare = re.sub(r'""".*?"""|#[^\n]*', "", text, flags=re.DOTALL).replace("long long", "")
    return re.findall(r"(?:unsigned |cython\.u?)?\blong\b|cython\.ulong\b", bare)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_are_short(path: Path) -> None:
    lines = len(path.read_text("utf-8").splitlines())
    assert lines <= LONGEST_MODULE or name_of(path) in LONG_FOR_A_REASON, f"{lines} lines: cut it, or say why not"


def test_exceptions_are_still_needed() -> None:
    lengths = {name: len((SOURCE / name).read_text("utf-8").splitlines()) for name in LONG_FOR_A_REASON}
    assert [name for name, lines in lengths.items() if lines <= LONGEST_MODULE] == []


@pytest.mark.parametrize("path", [path for path in MODULES if path.suffix == ".py"], ids=name_of)
def test_the_library_does_not_print(path: Path) -> None:
    if room_of(path) not in TALKING_ROOMS:
        assert talks(path.read_text("utf-8")) == []


@pytest.mark.parametrize("path", KERNELS, ids=name_of)
def test_kernels_explain_themselves(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


@pytest.mark.parametrize("path", [*KERNELS, *SOURCE.rglob("*.pxd")], ids=name_of)
def test_kernels_avoid_c_long(path: Path) -> None:
    assert c_longs(path.read_text("utf-8")) == []


def test_build_requirements_are_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["dependency-groups"]["build"] == project["build-system"]["requires"]


def test_the_checks_see_what_they_forbid() -> None:
    assert talks("import sys\nx = 'print(1)'\nprint(x)\nsys.stderr.write(x)\n") == [3, 4]
    assert c_longs("cdef long a\ncdef unsigned long b\nx: cython.long\ny: cython.ulong\n") != []
    assert len(c_longs("cdef long a\nx: cython.ulong\n")) == 2
    assert c_longs('cdef long long a  # long\ncdef extern from *:\n    """\n    unsigned long x;\n    """\n') == []
