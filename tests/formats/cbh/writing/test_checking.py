"""The inspector: silent about sound bases, and each kind of damage is named."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import tabiya
from tabiya.formats.cbh.checking import check_base
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.game import Game
from tests.formats.cbh.writing.test_editing import game
from tests.formats.cbh.writing.test_writer import written

KNOWN = {
    "small": [],
    "twic1134": [],
    "hedgehog": [],
    "veryold": [(173, None)] * 3,
    "cbhlib_test": [],
    "cbmplayertest": [],
    "text": [],
    "test-annotations": [(175, number) for number in range(1, 7)],
    "cbh_cbj_test": [],
}
"""Wrong counters in headers of an old base, and checksums that another program did not know."""


def problems(path: Path) -> list[tuple[int, int | None]]:
    base = tabiya.open(path)
    assert isinstance(base, CbhDatabase)
    with base:
        return [(each.problem.code, each.game) for each in check_base(base)]


@pytest.mark.parametrize("name", KNOWN)
def test_samples(samples: Callable[[str], Path], name: str) -> None:
    assert problems(samples(f"cbh/{name}")) == KNOWN[name]


@pytest.mark.parametrize("name", ["twic1134", "hedgehog", "veryold", "cbhlib_test", "text"])
def test_what_tabiya_writes_is_sound(samples: Callable[[str], Path], tmp_path: Path, name: str) -> None:
    tabiya.convert(samples(f"cbh/{name}"), tmp_path / "copy.cbh")
    assert problems(tmp_path / "copy.cbh") == []


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "x.cbh"
    written(path, [game(name, comments=i % 2) for i, name in enumerate("ABCDE")])
    assert problems(path) == []
    return path


def damage(path: Path, suffix: str, offset: int, data: bytes) -> None:
    file = path.with_suffix(suffix)
    content = file.read_bytes()
    file.write_bytes(content[:offset] + data + content[offset + len(data) :])


@pytest.mark.parametrize(
    ("suffix", "offset", "data", "code", "number"),
    [
        (".cbg", 2, (30).to_bytes(4, "big"), 170, None),
        (".cbg", 10, bytes(8), 170, None),
        (".cbh", 46 * 2 + 1, bytes(4), 171, 2),
        (".cbh", 46 * 3 + 1, (26).to_bytes(4, "big"), 172, 3),
        (".cbp", 32 + 4, (99).to_bytes(4, "little"), 173, None),
        (".cbp", 32 + 8, b"\1", 173, None),
        (".cbp", 32 + 9, b"Z", 173, None),
        (".cbp", 20, b"\7", 173, None),
        (".cbp", 32 + 9 + 50, b"\7", 174, None),
        (".cbj", 32 + 28, b"\0\0", 175, 1),
        (".cbh", 46 + 42, b"\2", 176, 1),
        (".cbh", 46 + 45, b"\7", 176, 1),
        (".cbj", 32 + 30, (9999).to_bytes(8, "big"), 178, 1),
    ],
)
def test_damage_is_named(path: Path, suffix: str, offset: int, data: bytes, code: int, number: int | None) -> None:
    damage(path, suffix, offset, data)
    assert (code, number) in problems(path)


def test_orphans(path: Path) -> None:
    damage(path, ".cbh", 46 + 9, bytes.fromhex("000001"))  # White of game 1 is Black, too
    assert {code for code, _ in problems(path)} == {174, 177}


def test_any_byte(path: Path, tmp_path: Path) -> None:
    """Whatever is damaged, the inspector comes to an end."""
    for suffix in (".cbh", ".cbg", ".cba", ".cbp", ".cbj", ".cbtt", ".cbm"):
        size = path.with_suffix(suffix).stat().st_size
        for offset in range(0, size, max(1, size // 12)):
            folder = tmp_path / f"{suffix}{offset}"
            folder.mkdir()
            for each in tmp_path.glob("x.*"):
                shutil.copyfile(each, folder / each.name)
            damage(folder / "x.cbh", suffix, offset, b"\xff\x80\x00\x7f"[: size - offset])
            try:
                problems(folder / "x.cbh")
            except tabiya.TabiyaError as error:
                assert suffix == ".cbh", error


def test_a_repaired_copy_is_sound(path: Path, tmp_path: Path) -> None:
    damage(path, ".cbp", 32 + 4, (99).to_bytes(4, "little"))
    damage(path, ".cbj", 32 + 28, b"\0\0")
    assert problems(path)
    tabiya.convert(path, tmp_path / "repaired.cbh")
    assert problems(tmp_path / "repaired.cbh") == []
    with tabiya.open(tmp_path / "repaired.cbh") as base:
        assert [each.tags["White"] for each in base] == list("ABCDE")


def test_no_games(tmp_path: Path) -> None:
    written(tmp_path / "x.cbh", [])
    assert problems(tmp_path / "x.cbh") == []
    written(tmp_path / "y.cbh", [Game()])
    assert problems(tmp_path / "y.cbh") == []
