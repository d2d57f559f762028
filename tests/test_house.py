"""House rules that no linter knows: short modules, silent library rooms, kernels that explain themselves."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
MODULES = sorted(path for suffix in ("py", "pxd", "pyi") for path in SOURCE.rglob(f"*.{suffix}"))
KERNELS = [path for path in MODULES if path.name.endswith("_kernel.py")]
CIMPORTING = [*KERNELS, *(path for path in MODULES if path.suffix == ".pxd")]
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
    return re.findall(r"(?:unsigned |cython\.u?)?\blong\b|cython\.ulong\b", bare)


CIMPORT = re.compile(r"^from \S+ cimport (?:\(([^)]*)\)|(.*))", re.MULTILINE)


def without_prose(pxd: str) -> str:
    """The code of a ``.pxd`` file without docstrings and comments."""
    return re.sub(r'""".*?"""|#[^\n]*', "", pxd, flags=re.DOTALL)


def unused_cimports(kernel: str = "", pxd: str = "") -> list[str]:
    """Names that a kernel or its ``.pxd`` file cimports although neither uses them.

    What the ``.pxd`` file cimports is there for both. A name that it only hands on counts as unused: it should be
    cimported from where it is declared.
    """
    tree = ast.parse(kernel)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="cast"), args=[ast.Constant(value=str(c_type)), _]):
                used |= set(re.findall(r"\w+", c_type))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    taken = [alias.asname or alias.name for node in imports for alias in node.names]
    code = without_prose(pxd)
    declared = re.findall(r"\w+", CIMPORT.sub("", code)) + list(used)
    lists = [several or one_line for several, one_line in CIMPORT.findall(code)]
    listed = [name.split()[-1] for names in lists for name in names.split(",") if name.strip()]
    return [name for name in taken if name not in used] + [name for name in listed if name not in declared]


def numbered_characters(text: str) -> list[str]:
    """Comparisons of a character with its number, which a comment has to explain: ``letter == 123:  # "{"``."""
    return re.findall(r"""^.*\b\d{2,3}\b[^#\n]*  # ["'][^\w\s]{1,2}["'].*$""", text, re.MULTILINE)


def test_there_are_modules_to_check() -> None:
    assert KERNELS
    assert len(CIMPORTING) > len(KERNELS)
    assert len(MODULES) > len(CIMPORTING)


def test_modules_are_short() -> None:
    """A module that is longer is listed with its reason, and nothing else is listed."""
    long = offenders(MODULES, lambda text: len(text.splitlines()) > LONGEST_MODULE)
    assert long.keys() == LONG_FOR_A_REASON.keys()


def test_the_library_does_not_print() -> None:
    silent = [path for path in MODULES if path.suffix == ".py" and room_of(path) not in TALKING_ROOMS]
    assert offenders(silent, talks) == {}


def test_kernels_explain_themselves() -> None:
    assert offenders(KERNELS, lambda text: not ast.get_docstring(ast.parse(text))) == {}


def test_kernels_avoid_c_long() -> None:
    assert offenders(CIMPORTING, c_longs) == {}


def test_kernels_use_what_they_cimport() -> None:
    unused = {}
    for path in CIMPORTING:
        files = [path.with_suffix(suffix) for suffix in (".py", ".pxd")]
        texts = [file.read_text("utf-8") if file in CIMPORTING else "" for file in files]
        unused[name_of(path)] = unused_cimports(*texts)
    assert {name: names for name, names in unused.items() if names} == {}


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
    assert c_longs("cdef long a\ncdef unsigned long b\nx: cython.long\ny: cython.ulong\n") != []
    assert len(c_longs("cdef long a\nx: cython.ulong\n")) == 2
    assert c_longs('cdef long long a  # long\ncdef extern from *:\n    """\n    unsigned long x;\n    """\n') == []
    pxd = "from a cimport (\n    b, c,\n)\nfrom d cimport e, f  # g\n\ncdef b h(e* i)  # c\n"
    assert unused_cimports(pxd=pxd) == ["c", "f"]
    assert unused_cimports("from cython.cimports.j import k, l\n\nx: k = f\n", pxd) == ["l", "c"]
    assert unused_cimports('cython.cast("const c*", f)\n', pxd) == []
    assert len(numbered_characters('if letter == 123:  # "{"\nput_letter(out, 93)  # "]", the last\n')) == 2
    assert numbered_characters('if letter == OPEN_BRACE:  # "{"\nplace += 10  # digits\n') == []
