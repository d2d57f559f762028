"""Modules and folders that pages, docstrings and comments name are there: a rename shows where it was forgotten."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parent.parent
FOLDERS = ("src", "tests", "scripts", "bench", "fuzz", "docs", "examples")
FOUND = [
    path.relative_to(ROOT)
    for folder in FOLDERS
    for path in (ROOT / folder).rglob("*")
    if "__pycache__" not in path.parts
]
PAGES = [*ROOT.glob("*.md"), *(ROOT / path for path in FOUND if path.suffix == ".md")]
MODULES = [ROOT / path for path in FOUND if path.parts[0] == "src" and path.suffix in {".py", ".pyi", ".pyx", ".pxd"}]
HISTORY = "CHANGELOG.md"
"""It tells of files by the names that they had then."""

MODULE = re.compile(r"(?<![\w/.*<>…-])(?:[\w-]+/)*\w[\w-]*\.(?:pyx|pxd|pyi|py)\b")
FOLDER = re.compile(r"(?<=`)(?:[a-z_0-9]+/)+[a-z_0-9]*(?=`)")
MADE_LATER = {
    *("toy/__init__.py", "toy/database.py", "toy/writer.py", "src/tabiya/formats/toy/"),  # by whoever adds a format
    *("build/fuzz/lib", "build/fuzz/corpus/"),  # by make fuzz
    "build/man",  # by make man
    *("dist/app", "dist/wheels"),  # by make app and make wheels
    "src/tabiya/web/page/",  # by make web
}


def tails(path: PurePosixPath) -> set[str]:
    """What a file may be called: with some or all of the folders it stands in, a module also without its suffix."""
    ends = {"/".join(path.parts[start:]) for start in range(len(path.parts))}
    return ends | {end.removesuffix(path.suffix) for end in ends}


KNOWN = {
    tail
    for path in [*FOUND, *(each.relative_to(ROOT) for each in ROOT.iterdir())]
    for tail in tails(PurePosixPath(path))
}
KNOWN_FOLDERS = {path.parent.name for path in FOUND} | {*FOLDERS}


def missing(text: str) -> list[str]:
    """The modules and folders that a text names although they are not there; of folders those within known ones."""
    folders = [name for name in FOLDER.findall(text) if name.split("/")[0] in KNOWN_FOLDERS]
    return sorted(name for name in {*MODULE.findall(text), *folders} - MADE_LATER if name.rstrip("/") not in KNOWN)


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_pages_docstrings_and_comments() -> None:
    texts = [*(path for path in PAGES if path.name != HISTORY), *MODULES]
    found = {place(path): missing(path.read_text("utf-8")) for path in texts}
    assert {"README.md", "docs/architecture.md", "src/tabiya/errors.py"} <= found.keys()
    assert {name: names for name, names in found.items() if names} == {}


def test_the_check_sees_what_is_missing() -> None:
    assert missing("`formats/guard.py`, `cbh/bodies/moves_tables.py` and `formats/watch`") == [
        "cbh/bodies/moves_tables.py",
        "formats/guard.py",
        "formats/watch",
    ]
    assert missing("`files/file_errors.py`, `chess/bits.pxd`, `game/annotations/`, `formats/progress`; 8 games/s") == []
    assert missing("`<what>_kernel.py` for `a/b` of `1/2`") == []


FOLLOWED = ROOT / "docs" / "architecture.md"
STEP = re.compile(r"^\| (\d+) \| `([^`]+)` \| `([^`]+)` \|", re.MULTILINE)


def test_every_step_of_a_conversion_is_there() -> None:
    """The modules and functions of the section that follows one conversion."""
    steps = STEP.findall(FOLLOWED.read_text("utf-8"))
    assert [int(number) for number, _, _ in steps] == [*range(1, len(steps) + 1)]
    assert len(steps) > 15
    absent = [
        (module, name)
        for _, module, name in steps
        if not re.search(rf"^(?:def |class )?{name}\b", (ROOT / "src/tabiya" / module).read_text("utf-8"), re.MULTILINE)
    ]
    assert absent == []
