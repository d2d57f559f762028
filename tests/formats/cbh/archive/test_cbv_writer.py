"""Archives that are written as databases: what is in them is the base that would have been written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import FormatError, UnsupportedError, UsageError
from tabiya.formats import Comparison
from tabiya.formats.cbh.archive.cbv import Archive
from tabiya.game import Game
from tests.faults import CrashError, Mode, failing
from tests.formats.cbh import plain_cbv
from tests.formats.corpus import corpus, long_corpus

Samples = Callable[[str], Path]


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_the_base_inside(tmp_path: Path) -> None:
    """Byte by byte, as a reader sees it that was written from the description alone."""
    (tmp_path / "base").mkdir()
    for path in (tmp_path / "base" / "games.cbh", tmp_path / "games.cbv"):
        with tabiya.create(path) as writer:
            writer.write([corpus(), long_corpus()])
    files = {path.name: path.read_bytes() for path in (tmp_path / "base").iterdir()}
    assert plain_cbv.members((tmp_path / "games.cbv").read_bytes()) == files
    assert names(tmp_path) == {"base", "games.cbv"}
    assert writer.format.name == "cbv"
    assert writer.path == tmp_path / "games.cbv"
    with Archive(tmp_path / "games.cbv") as archive:
        assert {f"{member.modified:%Y-%m-%d %H:%M}" for member in archive.members} == {"1980-01-01 00:00"}


@pytest.mark.parametrize("name", ["hedgehog", "text", "cbhlib_test", "veryold"])
def test_bases_in_any_code_page_stay_as_they_are(samples: Samples, tmp_path: Path, name: str) -> None:
    there, back = tmp_path / "there.cbv", tmp_path / "back.cbh"
    direct = tmp_path / "direct.cbh"
    assert not tabiya.convert(samples(f"cbh/{name}"), there).losses
    assert not tabiya.convert(there, back).losses
    assert not tabiya.convert(samples(f"cbh/{name}"), direct).losses
    for suffix in (".cbg", ".cba", ".cbp"):
        assert back.with_suffix(suffix).read_bytes() == direct.with_suffix(suffix).read_bytes()
    with tabiya.open(samples(f"cbh/{name}")) as old, tabiya.open(there) as new:
        assert list(Comparison(old, new)) == []


def test_passwords(tmp_path: Path) -> None:
    with tabiya.create(tmp_path / "x.cbz", password="secret") as writer:
        writer.write(Game({"White": "A"}))
    with tabiya.open(tmp_path / "x.cbz", password="secret") as base:
        assert base[0].tags["White"] == "A"
    for name, password in (("y.cbz", None), ("y.cbv", "secret")):
        with pytest.raises(UsageError, match=r"needs both a password and a name"):
            tabiya.create(tmp_path / name, password=password)
    with pytest.raises(UsageError):
        tabiya.create(tmp_path / "y.cbz", password="")
    assert names(tmp_path) == {"x.cbz"}


def test_refusals_leave_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="tabiya extract"):
        tabiya.create(tmp_path / "x.cbv", append=True)
    with pytest.raises(UnsupportedError, match="cannot hold the name"):
        tabiya.create(tmp_path / "имя.cbv")
    with pytest.raises(UnsupportedError, match="cannot hold the name"):
        tabiya.create(tmp_path / f"{'x' * 130}.cbv")
    with pytest.raises(FormatError, match="code page"):
        tabiya.create(tmp_path / "x.cbv", encoding="nonsense")
    with pytest.raises(tabiya.TabiyaError, match="no such"):
        tabiya.create(tmp_path / "missing" / "x.cbv")
    assert names(tmp_path) == set()


@pytest.mark.parametrize("mode", Mode)
def test_faults(tmp_path: Path, mode: Mode) -> None:
    path = tmp_path / "x.cbv"

    def change(white: str) -> None:
        with tabiya.create(path, overwrite=True) as writer:
            writer.write(Game({"White": white}))

    change("Old")
    old = path.read_bytes()
    with failing(None) as disk:
        change("New")
    new = path.read_bytes()
    seen = set()
    for step in sorted({*range(1, disk.done, 10), *range(disk.done - 30, disk.done + 1)}):
        path.write_bytes(old)
        failed = False
        with failing(step, mode):
            try:
                change("New")
            except (tabiya.TabiyaError, OSError, CrashError, KeyboardInterrupt):
                failed = True
        assert path.read_bytes() in (old, new), step
        assert failed or path.read_bytes() == new, step
        seen.add(path.read_bytes())
        if mode is Mode.FAULT and step < disk.done - 30:
            assert names(tmp_path) == {"x.cbv"}, step
    assert len(seen) == 2
