"""What the last release offered is still there: names, parameters, options, exit codes, JSON; and its files open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tabiya
from scripts.interface import FOLDER, RECORDED, incompatible, interface
from scripts.release_files import CONTENT, FILES
from tabiya.search import ExactPosition

RECORDS = sorted(FOLDER.glob(RECORDED.format("*")))
RELEASES = sorted(path for path in (FOLDER / "releases").iterdir() if path.is_dir())


@pytest.fixture(scope="module")
def current() -> list[str]:
    return interface()


def test_a_release_is_recorded() -> None:
    assert RECORDS
    assert [path.name for path in RELEASES] == [path.stem.removeprefix("interface-") for path in RECORDS]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_nothing_that_a_release_offered_is_gone(path: Path, current: list[str]) -> None:
    """Before the release itself, ``python -m scripts.interface`` records the change; later it has to wait for 2.0."""
    assert incompatible(path.read_text("utf-8").splitlines(), current) == []


def test_the_interface_is_more_than_its_names(current: list[str]) -> None:
    assert {
        "name tabiya.Game.mainline",
        "parameter tabiya.convert(source, place 0) required",
        "parameter tabiya.convert(threads=) optional",
        "option convert --strict",
        "option convert --to VALUE",
        "choice convert --to pgn",
        "exit code USAGE 2",
        "document info array of Summary",
        "member Summary.games always integer",
    } <= set(current)


OLD = [
    *("name f", "parameter f(a, place 0) required", "parameter f(b=) optional"),
    *("option convert --to VALUE", "member A.b always string"),
]


@pytest.mark.parametrize(
    ("new", "complaints"),
    [
        (OLD, []),
        ([*OLD, "name g", "parameter g(a, place 0) required", "parameter f(c=) optional"], []),
        ([OLD[0], "parameter f(a, place 0) optional", *OLD[2:]], []),
        (OLD[1:], ["gone: name f"]),
        ([*OLD, "parameter f(c=) required"], ["now required: parameter f(c=) required"]),
        (
            [*OLD[:2], "parameter f(b=) required", *OLD[3:]],
            ["gone: parameter f(b=) optional", "now required: parameter f(b=) required"],
        ),
        ([OLD[0], "parameter f(b=) optional", *OLD[3:]], ["gone: parameter f(a, place 0) required"]),
        ([*OLD[:3], "option convert --to", OLD[4]], ["gone: option convert --to VALUE"]),
        ([*OLD[:4], "member A.b sometimes string"], ["gone: member A.b always string"]),
    ],
)
def test_the_comparison_finds_what_breaks_callers(new: list[str], complaints: list[str]) -> None:
    assert incompatible(OLD, new) == complaints


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name)
def test_files_of_a_release_open(release: Path, name: str) -> None:
    """All their games are there as the release wrote them; a library answers from its index."""
    content = json.loads((release / CONTENT).read_text("utf-8"))
    with tabiya.open(release / name) as database:
        assert [*map(str, database)] == content["games"]
        found = database.search(ExactPosition(content["position"]))
        assert [match.number for match in found] == content["found"]
