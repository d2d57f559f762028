"""Imports point downward, also those that import-linter cannot see: cimports of kernels and ``.pxd`` files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tabiya.lazy import borrowed

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
CIMPORTING = sorted([*SOURCE.rglob("*.pyx"), *SOURCE.rglob("*.pxd")])

FROM_CIMPORT = re.compile(r"^[ \t]*from[ \t]+([\w.]+)[ \t]+cimport[ \t]+(?:\(([^)]*)\)|([^#\n]*))", re.MULTILINE)
CIMPORT = re.compile(r"^[ \t]*cimport[ \t]+([^#\n]*)", re.MULTILINE)


@cache
def layers() -> dict[str, int]:
    """Height of every package, from the contract in pyproject.toml: 0 is the ground."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    (contract,) = (contract for contract in contracts if contract["id"] == "layers")
    return {
        package.strip(" ()"): height
        for height, layer in enumerate(reversed(contract["layers"]))
        for package in layer.split("|")
    }


def imported_names(clause: str) -> list[str]:
    """The names of ``a, b as c``."""
    return [name.split()[0] for name in clause.split(",") if name.strip()]


def absolute(module: str, package: list[str]) -> str:
    """``..game`` as seen from a file in ``package``, written out."""
    name = module.lstrip(".")
    dots = len(module) - len(name)
    return module if dots == 0 else ".".join([*package[: len(package) - dots + 1], *([name] if name else [])])


def cimports_of(text: str, package: list[str]) -> Iterator[str]:
    """Full names that a kernel or ``.pxd`` file cimports."""
    for module, several, one_line in FROM_CIMPORT.findall(text):
        yield from (f"{absolute(module, package)}.{name}" for name in imported_names(several or one_line))
    for clause in CIMPORT.findall(text):
        yield from (absolute(name, package) for name in imported_names(clause))


def upward(package: str, cimports: Iterator[str]) -> list[str]:
    """Those of the cimports that a file of this package may not have."""
    heights = layers()
    return [
        name
        for name in cimports
        if name.split(".")[0] == "tabiya"
        and (target := name.split(".")[1]) != package
        and heights.get(target, len(heights)) >= heights[package]
    ]


def test_cimports_point_downward() -> None:
    wrong = {}
    for path in CIMPORTING:
        package = list(path.relative_to(SOURCE).parent.parts)
        text = path.read_text("utf-8")
        wrong[path.relative_to(SOURCE).as_posix()] = upward(package[1], cimports_of(text, package))
    assert wrong
    assert {name: cimports for name, cimports in wrong.items() if cimports} == {}


@pytest.mark.parametrize(
    ("package", "line", "wrong"),
    [
        ("game", "from tabiya.chess.bits cimport bit", []),
        ("game", "from tabiya.game.tape cimport skip", []),
        ("game", "from libc.stdint cimport uint8_t", []),
        ("chess", "from tabiya.game.tape cimport skip", ["tabiya.game.tape.skip"]),
        ("game", "from tabiya cimport chess, formats", ["tabiya.formats"]),
        ("books", "from tabiya.formats.pgn cimport lex", []),
        ("formats", "from tabiya.books.polyglot cimport find", ["tabiya.books.polyglot.find"]),
        ("books", "from tabiya.positions.frame cimport real_move", []),
        ("positions", "from tabiya.books.ctg.pages cimport Page", ["tabiya.books.ctg.pages.Page"]),
        ("formats", "from tabiya.positions.frame cimport real_move", []),
        ("game", "from tabiya.attic cimport dust", ["tabiya.attic.dust"]),
        ("game", "from . cimport tape", []),
        ("chess", "from tabiya.game.tape cimport skip  # why", ["tabiya.game.tape.skip"]),
        ("chess", "from tabiya.game cimport (\n    tape,\n    tags as t,\n)", ["tabiya.game.tape", "tabiya.game.tags"]),
        ("chess", "cimport cython, tabiya.game.tape as tape", ["tabiya.game.tape"]),
        ("chess", "from ..game.tape cimport skip", ["tabiya.game.tape.skip"]),
    ],
)
def test_the_check_sees_cimports(package: str, line: str, wrong: list[str]) -> None:
    assert upward(package, cimports_of(line, ["tabiya", package])) == wrong


PACKAGES_OF_CHESSBASE = {"files": 0, "entities": 1, "bodies": 1, "reading": 2, "writing": 3, "archive": 4}
"""Their heights. What stands beside the packages (the database, the writer, the editor) may use all of them."""


@pytest.mark.parametrize("package", PACKAGES_OF_CHESSBASE)
def test_the_packages_of_chessbase_know_only_lower_ones(package: str) -> None:
    """By what their modules name; import-linter would follow the imports of the packages around them as well."""
    modules = [
        path for path in (SOURCE / "tabiya/formats/cbh" / package).iterdir() if path.suffix in {".py", ".pyx", ".pxd"}
    ]
    named = {
        (path.name, other)
        for path in modules
        for other in re.findall(r"tabiya\.formats\.cbh\.(\w+)", path.read_text("utf-8"))
        if other != package and PACKAGES_OF_CHESSBASE.get(other, -1) >= PACKAGES_OF_CHESSBASE[package]
    }
    assert modules
    assert named == set()


SHARED_BY_FORMATS = {"collection", "operations"}
"""Packages in ``formats/`` that are not formats."""
FORMATS = sorted(
    path.parent.name
    for path in (SOURCE / "tabiya/formats").glob("*/__init__.py")
    if path.parent.name not in SHARED_BY_FORMATS
)


@pytest.mark.parametrize("package", FORMATS)
def test_formats_do_not_know_each_other(package: str) -> None:
    """Neither imports nor cimports: what two formats share stands in lower packages, or beside the formats."""
    modules = [
        path
        for path in (SOURCE / "tabiya/formats" / package).rglob("*")
        if path.suffix in {".py", ".pyx", ".pxd", ".pyi"}
    ]
    named = {
        (path.name, other)
        for path in modules
        for other in re.findall(r"tabiya\.formats\.(\w+)", path.read_text("utf-8"))
        if other in FORMATS and other != package
    }
    assert modules
    assert named == set()


BORROWED = {
    "books.open_and_create.names_a_book": "formats/open_and_create.py",
    "formats.registry.sentence": "game/record.py",
    "formats.pgn.python_chess.from_chess": "game/game.py",
    "formats.pgn.python_chess.to_chess": "game/game.py",
    "formats.pgn.text.format_pgn": "game/game.py",
    "formats.pgn.text.parse_pgn": "game/game.py",
    "maintenance.sorting.sorted_database": "formats/database.py",
    "notebook.display.mimebundle": "game/html.py",
    "search.explorer.explore": "formats/database.py",
    "search.finding.search": "formats/database.py",
    "search.player_view.player": "formats/database.py",
    "tables.streaming.to_arrow": "formats/database.py",
}
"""What lower packages take from higher ones, for a method that people look for there; see ``tabiya.lazy.borrowed``."""


def test_what_is_borrowed_from_above_is_listed_and_there() -> None:
    found = {
        name: path.relative_to(SOURCE / "tabiya").as_posix()
        for path in SOURCE.rglob("*.py")
        for name in re.findall(r'\bborrowed\("([\w.]+)"\)', path.read_text("utf-8"))
    }
    assert found == BORROWED
    assert all(callable(borrowed(name)) for name in found)


LIST_OF_FORMATS = "formats/registry.py"


def named_formats(text: str) -> set[str]:
    """The formats that a module or ``.pxd`` imports from; words in strings do not count."""
    imports = re.findall(
        r"^[ \t]*(?:from|c?import)[ \t]+tabiya\.formats(?:\.(\w+)|[ \t]+c?import[ \t]+(.*))",
        text,
        re.MULTILINE,
    )
    return {name for module, names in imports for name in re.findall(r"\w+", module or names)} & {*FORMATS}


def test_no_package_knows_a_format() -> None:
    """Adding a format changes no other package: only its own modules and the list of formats import from it."""
    strangers = set()
    for path in [*SOURCE.rglob("*.py"), *SOURCE.rglob("*.pyx"), *SOURCE.rglob("*.pxd"), *SOURCE.rglob("*.pyi")]:
        place = path.relative_to(SOURCE / "tabiya").as_posix()
        home = "/".join(place.split("/")[:2])
        if place != LIST_OF_FORMATS:
            named = named_formats(path.read_text("utf-8"))
            strangers |= {(home, format) for format in named if home != f"formats/{format}"}
    assert {"pgn", "cbh", "bcgn", "jose"} <= {*FORMATS}
    assert strangers == set()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("    from tabiya.formats.cbh.compaction import copy_base", {"cbh"}),
        ("from tabiya.formats import pgn, FORMATS", {"pgn"}),
        ("from tabiya.formats.jose.reading cimport Reading", {"jose"}),
        ("from tabiya.formats.bcgn.fields cimport field", {"bcgn"}),
        ("import tabiya.formats.pgn.source", {"pgn"}),
        ("from tabiya.formats.open_and_create import open", set()),
        ('game = borrowed("formats.pgn.text.parse_pgn")', set()),
    ],
)
def test_the_check_sees_formats(line: str, named: set[str]) -> None:
    assert named_formats(line) == named
