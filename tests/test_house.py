"""House rules that no linter knows: short modules, silent library rooms, kernels that explain themselves."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
MODULES = sorted(path for suffix in ("py", "pyx", "pxd", "pyi") for path in SOURCE.rglob(f"*.{suffix}"))
KERNELS = [path for path in MODULES if path.suffix == ".pyx"]
CIMPORTING = [path for path in MODULES if path.suffix in {".pyx", ".pxd"}]
TALKING_ROOMS = {"cli", "web"}

LONGEST_MODULE = 450
LONG_FOR_A_REASON: dict[str, str] = {}
"""Modules that may be longer, and why."""


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def room_of(path: Path) -> str:
    """The room of a module; for what stands directly in the package, the module itself."""
    return path.relative_to(SOURCE / "tabiya").parts[0]


def offenders(paths: Iterable[Path], check: Callable[[str], object]) -> dict[str, object]:
    """What a check finds in the texts of these files, by file; files in which it finds nothing are left out."""
    found = {name_of(path): check(path.read_text("utf-8")) for path in paths}
    return {name: faults for name, faults in found.items() if faults}


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
    return re.findall(r"(?:unsigned )?\blong\b", bare)


CIMPORT = re.compile(r"^from \S+ cimport (?:\(([^)]*)\)|(.*))", re.MULTILINE)


def without_prose(text: str) -> str:
    """The code of a kernel or ``.pxd`` file without docstrings and comments."""
    return re.sub(r'""".*?"""|#[^\n]*', "", text, flags=re.DOTALL)


def unused_cimports(text: str) -> list[str]:
    """Names that a file only hands on: they should be cimported from where they are declared."""
    code = without_prose(text)
    used = re.findall(r"\w+", CIMPORT.sub("", code))
    lists = [several or one_line for several, one_line in CIMPORT.findall(code)]
    listed = [name.split()[-1] for names in lists for name in names.split(",") if name.strip()]
    return [name for name in listed if name not in used]


def numbered_characters(text: str) -> list[str]:
    """Comparisons of a character with its number, which a comment has to explain: ``letter == 123:  # "{"``."""
    return re.findall(r"""^.*\b\d{2,3}\b[^#\n]*  # ["'][^\w\s]{1,2}["'].*$""", text, re.MULTILINE)


def test_there_are_modules_to_check() -> None:
    assert KERNELS
    assert len(CIMPORTING) > len(KERNELS)
    assert len(MODULES) > len(CIMPORTING)


def test_modules_are_short() -> None:
    """A module that is longer is listed with its reason, and nothing else is. Kernels are as long as their subject."""
    long = offenders(
        (path for path in MODULES if path not in KERNELS), lambda text: len(text.splitlines()) > LONGEST_MODULE
    )
    assert long.keys() == LONG_FOR_A_REASON.keys()


def test_the_library_does_not_print() -> None:
    silent = [path for path in MODULES if path.suffix == ".py" and room_of(path) not in TALKING_ROOMS]
    assert offenders(silent, talks) == {}


def test_only_packages_list_their_names() -> None:
    """The public names of a package are in its ``__init__``; a list in a module would only repeat its content."""
    modules = [path for path in MODULES if path.suffix == ".py" and path.name != "__init__.py"]
    assert offenders(modules, lambda text: re.findall(r"^__all__", text, re.MULTILINE)) == {}


def test_kernels_explain_themselves() -> None:
    assert offenders(KERNELS, lambda text: not text.startswith('"""')) == {}


def test_kernels_avoid_c_long() -> None:
    assert offenders(CIMPORTING, c_longs) == {}


def test_kernels_use_what_they_cimport() -> None:
    assert offenders(CIMPORTING, unused_cimports) == {}


def test_characters_have_names() -> None:
    assert offenders(KERNELS, numbered_characters) == {}, "tabiya/chess/letters.pxd names them"


def test_build_requirements_are_the_same_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert project["dependency-groups"]["build"] == project["build-system"]["requires"]


def test_quick_tests_touch_every_package_and_format() -> None:
    """``make check`` runs the tests that tests/quick.txt lists."""
    listed = (ROOT / "tests" / "quick.txt").read_text("utf-8").split()
    packages = [path.parent.relative_to(SOURCE / "tabiya") for path in SOURCE.glob("tabiya/*/__init__.py")]
    packages += [path.parent.relative_to(SOURCE / "tabiya") for path in SOURCE.glob("tabiya/formats/*/__init__.py")]
    assert len(packages) > 15
    assert [str(each) for each in packages if not any(f"tests/{each.as_posix()}" in name for name in listed)] == []
    assert [name for name in listed if not (ROOT / name.partition("::")[0]).exists()] == []


def test_the_checks_see_what_they_forbid() -> None:
    assert talks("import sys\nx = 'print(1)'\nprint(x)\nsys.stderr.write(x)\n") == [3, 4]
    assert c_longs("cdef long a\ncdef unsigned long b\n") == ["long", "unsigned long"]
    assert c_longs('cdef long long a  # long\ncdef extern from *:\n    """\n    unsigned long x;\n    """\n') == []
    assert unused_cimports("from a cimport (\n    b, c,\n)\nfrom d cimport e, f  # g\n\ncdef b h(e* i)  # c\n") == [
        "c",
        "f",
    ]
    assert len(numbered_characters('if letter == 123:  # "{"\nput_letter(out, 93)  # "]", the last\n')) == 2
    assert numbered_characters('if letter == OPEN_BRACE:  # "{"\nplace += 10  # digits\n') == []
