from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.errors import CorruptError, TabiyaError, UnsupportedError, UsageError
from tabiya.files.safe_names import safe_parts
from tabiya.formats.cbh.archive import extracting
from tabiya.formats.cbh.archive.cbv import Archive
from tabiya.formats.cbh.archive.extracting import DAMAGED_MEMBER, extract, salvage
from tests.formats.cbh.archives import Entry, archive
from tests.systems import needs_links

Samples = Callable[[str], Path]
GOOD = archive(Entry(b"x.cbh", [b"new"]), Entry(b"x.html\\a.jpg", [b"picture"]), Entry(b"x.cbg", [b"moves"]))


def tree(folder: Path) -> dict[str, bytes]:
    """Everything in a folder, hidden files included."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def opened(tmp_path: Path) -> Callable[[bytes], Archive]:
    (tmp_path / "work").mkdir()

    def open_archive(data: bytes) -> Archive:
        path = tmp_path / "x.cbv"
        path.write_bytes(data)
        return Archive(path)

    return open_archive


Opened = Callable[[bytes], Archive]


@pytest.mark.parametrize("name", ["small.cbv", "twic1134.cbv"])
def test_samples(name: str, samples: Samples, tmp_path: Path) -> None:
    with Archive(samples(f"cbh/cbv/{name}")) as source:
        files, _ = extract(source, tmp_path / "out")
    base = samples(f"cbh/{name.removesuffix('.cbv')}")
    assert tree(tmp_path / "out") == {path.name: (base / path.name).read_bytes() for path in files}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_new_folder(opened: Opened, tmp_path: Path) -> None:
    with opened(GOOD) as source:
        files, _ = extract(source, tmp_path / "work" / "out")
    assert files == [tmp_path / "work" / "out" / name for name in ("x.cbh", "x.html/a.jpg", "x.cbg")]
    assert tree(tmp_path / "work") == {"out/x.cbh": b"new", "out/x.html/a.jpg": b"picture", "out/x.cbg": b"moves"}
    assert datetime.fromtimestamp(files[0].stat().st_mtime) == datetime(2016, 8, 6, 15, 18, 7, 120_000)


def test_a_folder_with_other_files(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "work" / "mine.txt").write_bytes(b"mine")
    with opened(GOOD) as source:
        extract(source, tmp_path / "work")
        assert tree(tmp_path / "work")["mine.txt"] == b"mine"
        before = tree(tmp_path / "work")
        (tmp_path / "work" / "x.cbg").write_bytes(b"edited")
        with pytest.raises(UsageError, match="already exists"):
            extract(source, tmp_path / "work")
        assert tree(tmp_path / "work") == {**before, "x.cbg": b"edited"}
        extract(source, tmp_path / "work", overwrite=True)
    assert tree(tmp_path / "work") == before


def test_files_of_a_base_that_is_replaced(opened: Opened, tmp_path: Path) -> None:
    """An old booster or an old file of annotations beside new games would be taken for theirs."""
    old = ("x.cbh", "X.CBA", "x.cit", "x.cko", "xy.cit", "x.txt")
    for name in old:
        (tmp_path / "work" / name).write_bytes(b"old")
    with opened(GOOD) as source:
        _, remarks = extract(source, tmp_path / "work", overwrite=True)
    assert set(tree(tmp_path / "work")) == {"x.cbh", "x.cbg", "x.html/a.jpg", "x.cko", "xy.cit", "x.txt"}
    assert remarks == (
        "2 files removed as outdated: X.CBA, x.cit",
        "1 file kept unread, perhaps outdated now: x.cko",
    )


def test_nothing_is_removed_that_need_not_be_replaced(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "work" / "x.cit").write_bytes(b"old")
    with opened(GOOD) as source:
        _, remarks = extract(source, tmp_path / "work")
    assert tree(tmp_path / "work")["x.cit"] == b"old"
    assert remarks == ()


def test_nothing_stays_of_a_damaged_archive(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "work" / "x.cbh").write_bytes(b"old")
    with opened(GOOD[:-1]) as source:
        with pytest.raises(CorruptError):
            extract(source, tmp_path / "work", overwrite=True)
        with pytest.raises(CorruptError):
            extract(source, tmp_path / "other")
    assert tree(tmp_path / "work") == {"x.cbh": b"old"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["work", "x.cbv"]


@pytest.mark.parametrize("failing", range(1, 5))
def test_nothing_stays_when_moving_fails(
    failing: int, opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work" / "x.cbh").write_bytes(b"old")
    (tmp_path / "work" / "x.cbg").write_bytes(b"old")
    (tmp_path / "work" / "x.cit").write_bytes(b"old")
    replace = Path.replace
    calls = 0

    def fail(self: Path, target: Path) -> Path:
        nonlocal calls
        calls += 1
        if calls == failing:
            raise OSError(28, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fail)
    with opened(GOOD) as source, pytest.raises(TabiyaError, match="no space"):
        extract(source, tmp_path / "work", overwrite=True)
    assert tree(tmp_path / "work") == {"x.cbh": b"old", "x.cbg": b"old", "x.cit": b"old"}
    assert not (tmp_path / "work" / "x.html").exists()


OWN = [
    ".tabiya-journal",
    ".x.tabiya-journal",
    ".tabiya-01234567-0123456789abcdef.tmp\\new\\x.cbh",
]
"""Names that tabiya gives to its own files: a journal would be obeyed."""
EVIL = [
    "..\\evil",
    "../evil",
    "a\\..\\..\\evil",
    "\\evil",
    "/etc/passwd",
    "C:\\evil",
    "C:evil",
    "\\\\server\\share\\evil",
    "x.cbh:stream",
    "a\\\\b",
    "a\\",
    "",
    ".",
    "..",
    "...",
    "a\\. .",
    ".. ",
    "evil.",
    "con",
    "NUL.txt",
    "a\\Com1.cbh",
    "a\nb",
    "a\x1bb",
    "a*",
    "a?b",
]


@pytest.mark.parametrize("name", OWN)
def test_names_of_files_of_tabiya(name: str, opened: Opened, tmp_path: Path) -> None:
    with (
        opened(archive(Entry(name.encode(), [b"evil"]))) as source,
        pytest.raises(UnsupportedError, match="dangerous"),
    ):
        extract(source, tmp_path / "work", overwrite=True)
    assert tree(tmp_path / "work") == {}


@pytest.mark.parametrize("name", EVIL)
def test_evil_names(name: str, opened: Opened, tmp_path: Path) -> None:
    assert safe_parts(name) is None
    with opened(archive(Entry(b"good", [b"good"]), Entry(name.encode(), [b"evil"]))) as source:
        with pytest.raises(UnsupportedError, match="dangerous name"):
            extract(source, tmp_path / "work" / "out")
        with pytest.raises(UnsupportedError, match="dangerous name"):
            salvage(source, tmp_path / "work")
    assert tree(tmp_path) == {"x.cbv": source.path.read_bytes()}


@given(
    st.text(max_size=12) | st.lists(st.sampled_from(["..", ".", "a", "", "C:", "\\", "/"]), max_size=6).map("/".join)
)
def test_no_name_escapes(name: str) -> None:
    parts = safe_parts(name)
    if parts is not None:
        folder = Path("/base/folder")
        path = folder.joinpath(*parts)
        assert Path(os.path.normpath(path)) == path
        assert path.is_relative_to(folder)
        assert path != folder


@pytest.mark.parametrize(
    "name", ["x.cbh", "Mega Database 2025.html/Bild 1.jpg", "Ünï.cbg", ".hidden", "a.b.c", "consul"]
)
def test_names_that_are_fine(name: str) -> None:
    assert safe_parts(name) == tuple(name.split("/"))


@pytest.mark.parametrize("names", [("a", "a"), ("a", "A"), ("a", "a\\b"), ("a\\b", "A"), ("a\\b", "a/B")])
def test_names_that_collide(names: tuple[str, ...], opened: Opened, tmp_path: Path) -> None:
    data = archive(*(Entry(name.encode(), [b"x"]) for name in names))
    with opened(data) as source, pytest.raises(UnsupportedError, match="two files"):
        extract(source, tmp_path / "work")
    assert tree(tmp_path / "work") == {}


@needs_links
def test_links_are_not_followed(opened: Opened, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.jpg").write_bytes(b"precious")
    with opened(GOOD) as source:
        (tmp_path / "work" / "x.html").symlink_to(outside)
        with pytest.raises(UsageError, match="cannot be replaced"):
            extract(source, tmp_path / "work", overwrite=True)
        (tmp_path / "work" / "x.html").unlink()
        (tmp_path / "work" / "x.cbg").symlink_to(outside / "a.jpg")
        with pytest.raises(UsageError, match="cannot be replaced"):
            extract(source, tmp_path / "work", overwrite=True)
    assert tree(outside) == {"a.jpg": b"precious"}


@pytest.mark.parametrize("obstacle", ["x.cbh/", "x.html"])
def test_obstacles(obstacle: str, opened: Opened, tmp_path: Path) -> None:
    path = tmp_path / "work" / obstacle
    if obstacle.endswith("/"):
        path.mkdir()
    else:
        path.write_bytes(b"")
    with opened(GOOD) as source, pytest.raises(UsageError, match="cannot be replaced"):
        extract(source, tmp_path / "work", overwrite=True)
    with opened(GOOD) as source, pytest.raises(UsageError, match="not a folder"):
        extract(source, source.path)
    with opened(GOOD) as source, pytest.raises(TabiyaError, match="no such"):
        extract(source, tmp_path / "missing" / "folder")


def test_bombs(opened: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    liar = archive(Entry(b"a", [b"x"], size=1 << 45))
    with opened(liar) as source, pytest.raises(UnsupportedError, match="claims to hold"):
        extract(source, tmp_path / "work")
    # Many members that share the same blocks: each is fine, all together are too much.
    head = archive(Entry(b"a", [bytes(60_000)]))
    shared = [Entry(b"m%d" % number, size=60_000, offset=8 + 173 * 200, packed=60_005) for number in range(200)]
    data = archive(*shared) + head[181:]
    monkeypatch.setattr(extracting, "MOST_BYTES", 1 << 20)
    with opened(data) as source:
        with pytest.raises(UnsupportedError, match="12,000,000 bytes"):
            extract(source, tmp_path / "work")
        with pytest.raises(UnsupportedError, match="12,000,000 bytes"):
            extract(source, tmp_path / "work", limit=11_999_999)
        assert tree(tmp_path / "work") == {}
        extract(source, tmp_path / "work", limit=12_000_000)
        assert len(tree(tmp_path / "work")) == 200


def test_salvage_keeps_what_stands_before_the_damage(opened: Opened, tmp_path: Path) -> None:
    data = bytearray(archive(Entry(b"a", [b"one", b"two", b"three"]), Entry(b"b", [b"fine"])))
    data[data.index(b"two")] ^= 1
    with opened(bytes(data)) as source:
        problems = salvage(source, tmp_path / "work")
    assert tree(tmp_path / "work") == {"a": b"one", "b": b"fine"}
    assert [(problem.code, problem.offset) for problem in problems] == [(DAMAGED_MEMBER, 8 + 2 * 173 + 8)]
    assert "checksum" in problems[0].sentence
