from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabiya.errors import CorruptError, FormatError, TabiyaError, UnsupportedError, UsageError
from tabiya.formats.cbh.archive.cbv import Archive
from tabiya.formats.cbh.archive.packing import files_of_base, pack, pack_files
from tests.conftest import ROOT
from tests.formats.cbh import plain_cbv
from tests.formats.cbh.archives import Entry, archive, block

Samples = Callable[[str], Path]
FIXTURES = ROOT / "tests" / "data" / "cbv"


def contents(path: Path, password: str | None = None) -> dict[str, bytes]:
    with Archive(path, password=password) as opened:
        return {member.name: opened.read(member) for member in opened.members}


# Real archives.


@pytest.mark.parametrize(
    ("name", "password", "base", "count"),
    [
        ("small.cbv", None, "small", 12),
        ("twic1134.cbv", None, "twic1134", 13),
        ("small.cbz", "password", "small", 12),
    ],
)
def test_samples_are_unpacked_bit_by_bit(
    name: str, password: str | None, base: str, count: int, samples: Samples
) -> None:
    found = contents(samples(f"cbh/cbv/{name}"), password)
    assert len(found) == count
    for member, content in found.items():
        assert content == samples(f"cbh/{base}/{member}").read_bytes(), member


def test_what_an_archive_tells(samples: Samples) -> None:
    with Archive(samples("cbh/cbv/small.cbv")) as opened:
        first = opened.members[0]
        assert (first.name, first.offset, first.packed, first.size) == ("small.cbh", 2084, 51, 46)
        assert first.modified == datetime(2016, 8, 6, 15, 18, 7, 120_000)
        assert (opened.packed_size, opened.encrypted) == (2996, False)
        assert opened.read("SMALL.CBH") == opened.read(first)
        assert "12 files" in repr(opened)
        with pytest.raises(UsageError, match="no 'other"):
            opened.read("other.cbh")


@pytest.mark.parametrize(
    ("password", "message"), [(None, "give its password"), ("Password", "wrong"), ("", "empty"), ("passwort", "wrong")]
)
def test_wrong_passwords(password: str | None, message: str, samples: Samples) -> None:
    with pytest.raises(UsageError, match=message):
        Archive(samples("cbh/cbv/small.cbz"), password=password)


# Archives made by hand.


@pytest.fixture
def put(tmp_path: Path) -> Callable[[bytes], Path]:
    def write(data: bytes) -> Path:
        path = tmp_path / "x.cbv"
        path.write_bytes(data)
        return path

    return write


def test_members_of_several_blocks(put: Callable[[bytes], Path]) -> None:
    path = put(archive(Entry(b"a.cbh", [b"abc", b"", b"de"]), Entry(b"b.html\\c.jpg\0rest", [b"x"]), Entry(b"empty")))
    assert contents(path) == {"a.cbh": b"abcde", "b.html/c.jpg": b"x", "empty": b""}


def test_archives_without_the_long_fields(put: Callable[[bytes], Path]) -> None:
    assert contents(put(archive(Entry(b"a", [b"abc"], long=False)))) == {"a": b"abc"}


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        (Entry(b"a", date=0), None),
        (Entry(b"a", date=2016_13_01), None),
        (Entry(b"a", date=2016_12_31, time=25_00_00_00), None),
        (Entry(b"a", date=0xFFFFFFFF, time=0xFFFFFFFF), None),
        (Entry(b"a", date=1999_12_31, time=23_59_59_99), datetime(1999, 12, 31, 23, 59, 59, 990_000)),
    ],
)
def test_dates(entry: Entry, expected: datetime | None, put: Callable[[bytes], Path]) -> None:
    with Archive(put(archive(entry))) as opened:
        assert opened.members[0].modified == expected


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        (b"", FormatError, "not a ChessBase archive"),
        (b"\x08\0\1\0\xad\0\3", FormatError, "not a ChessBase archive"),
        (b"PK\3\4" + bytes(100), FormatError, "not a ChessBase archive"),
        (b"\x08\0\1\0\xad\0\3\0" + bytes(172), CorruptError, "list of its 1 files"),
        (archive(Entry(b"a", [b"abc"], size=4)), CorruptError, "1 bytes too short"),
        (archive(Entry(b"a", [b"abc"], size=2)), CorruptError, "more bytes than it should"),
        (archive(Entry(b"a", [b"abc", b"d"], size=3)), CorruptError, "more blocks"),
        (archive(Entry(b"a", [b"abc"], packed=7)), CorruptError, "is truncated"),
        (archive(Entry(b"a", [b"abc"], packed=3)), CorruptError, "is truncated"),
        (archive(Entry(b"a", [b"abc"], packed=9)), CorruptError, "is truncated"),
        (archive(Entry(b"a", [b"abc"], offset=1 << 40)), CorruptError, "is truncated"),
        (archive(Entry(b"a", size=1 << 60, packed=1 << 60)), CorruptError, "is truncated"),
        (archive(Entry(b"a", [b"abc"]))[:-1] + b"d", CorruptError, "checksum"),
        (archive(Entry(b"a", size=3, packed=7)) + block(b"ab", 4), CorruptError, "unknown way"),
        (archive(Entry(b"a", size=3, packed=8)) + block(b"\0\x80\x30", 1), CorruptError, "block of 'a'"),
    ],
)
def test_damage(data: bytes, error: type[TabiyaError], message: str, put: Callable[[bytes], Path]) -> None:
    with pytest.raises(error, match=message):
        contents(put(data))


def test_a_bomb_of_runs_stays_small(put: Callable[[bytes], Path]) -> None:
    run = b"\xff\xff" + b"\x1f\xffx" * 16  # 65 kB in 50 bytes
    data = block(run * 1300, 1)
    path = put(archive(Entry(b"a", size=1 << 40, packed=len(data))) + data)
    with pytest.raises(CorruptError, match="more bytes than it should"):
        contents(path)


def unprotected(data: bytes) -> set[int]:
    """Places of bytes that may change without anybody noticing: the odd last bytes of blocks, which no sum covers."""
    found = set()
    for index in range(data[2]):
        entry = 8 + 173 * index
        place = int.from_bytes(data[entry + 128 : entry + 132], "little")
        end = place + int.from_bytes(data[entry + 132 : entry + 136], "little")
        while place < end:
            length = int.from_bytes(data[place : place + 2], "little")
            place += 4 + length
            if length % 2:
                found.add(place - 1)
    return found


def test_every_flip_of_a_byte_is_noticed(samples: Samples, put: Callable[[bytes], Path]) -> None:
    data = samples("cbh/cbv/small.cbv").read_bytes()
    path = put(data)
    good = set(contents(path).values())
    silent = unprotected(data)
    assert len(silent) == 12
    for place in (*range(0, 2084, 4), *range(2084, len(data), 2)):
        if place in silent:
            continue
        put(data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :])
        try:
            found = contents(path)
        except TabiyaError:
            continue
        assert set(found.values()) <= good, f"wrong content after a change at {place}"


def test_every_truncation_is_noticed(samples: Samples, put: Callable[[bytes], Path]) -> None:
    data = samples("cbh/cbv/small.cbv").read_bytes()
    for size in range(0, len(data), 7):
        with pytest.raises(TabiyaError):
            contents(put(data[:size]))


def test_truncated_and_changed_archives_that_are_encrypted(samples: Samples, put: Callable[[bytes], Path]) -> None:
    data = samples("cbh/cbv/small.cbz").read_bytes()
    for size in range(0, len(data) - 8, 61):
        with pytest.raises(TabiyaError):
            contents(put(data[:size]), "password")
    for place in range(2100, len(data) - 8, 91):
        with pytest.raises(CorruptError):
            contents(put(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]), "password")


# Packing.


@pytest.mark.parametrize("name", ["small/small.cbh", "text/text", "hedgehog/hedgehog.cbh", "World-ch/WORLD-CH.CBH"])
@pytest.mark.parametrize("password", [None, "my long password"])
def test_packing_a_base(name: str, password: str | None, samples: Samples, tmp_path: Path) -> None:
    base = samples(f"cbh/{name.split('/')[0]}") / name.split("/")[1]
    target = tmp_path / "packed.cbv"
    names = pack(base, target, password=password)
    expected = {path for path in base.parent.rglob("*") if path.is_file()}
    found = contents(target, password)
    assert [each.replace("\\", "/") for each in names] == list(found)
    assert {base.parent / each: content for each, content in found.items()} == {
        path: path.read_bytes() for path in expected
    }
    if password is None:
        assert {
            each.replace("\\", "/"): content for each, content in plain_cbv.members(target.read_bytes()).items()
        } == found
    else:
        assert target.stat().st_size % 8 == 0
        with pytest.raises(UsageError):
            Archive(target, password="my wrong password")


def test_packing_beats_the_original(samples: Samples, tmp_path: Path) -> None:
    target = tmp_path / "twic1134.cbv"
    pack(samples("cbh/twic1134/twic1134.cbh"), target)
    assert target.stat().st_size < samples("cbh/cbv/twic1134.cbv").stat().st_size
    assert contents(target) == contents(samples("cbh/cbv/twic1134.cbv"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(
    files=st.dictionaries(
        st.text("abcxyzäß ._", min_size=1, max_size=20).map(lambda name: f"n{name.casefold()}n"),
        st.binary(max_size=300) | st.binary(min_size=1, max_size=9).map(lambda piece: piece * 20_000),
        max_size=5,
    ),
    password=st.none() | st.text("abcABC123", min_size=1, max_size=20),
)
def test_pack_and_unpack(files: dict[str, bytes], password: str | None, tmp_path: Path) -> None:
    sources = []
    for number, (name, data) in enumerate(files.items()):
        path = tmp_path / str(number)
        path.write_bytes(data)
        sources.append((name, path))
    target = tmp_path / "target"
    pack_files(sources, target, overwrite=True, password=password)
    assert contents(target, password) == files


def test_packing_is_the_same_every_time(samples: Samples, tmp_path: Path) -> None:
    for name in ("one.cbv", "two.cbv"):
        pack(samples("cbh/text/text.cbh"), tmp_path / name)
    assert (tmp_path / "one.cbv").read_bytes() == (tmp_path / "two.cbv").read_bytes()


def test_times_are_kept(tmp_path: Path) -> None:
    source, target = tmp_path / "x.cbh", tmp_path / "x.cbv"
    source.write_bytes(b"")
    changed = datetime(2024, 2, 29, 12, 34, 56, 780_000)
    os.utime(source, (changed.timestamp(), changed.timestamp()))
    pack(source, target)
    with Archive(target) as opened:
        assert opened.members[0].modified == changed


def test_only_files_of_the_base_are_packed(tmp_path: Path) -> None:
    for name in (
        "Games.CBH",
        "games.cbg",
        "games.pgn",
        "games.cbv",
        "other.cbg",
        "games2.cbg",
        "games.html/sub/b",
        "games.html/a.jpg",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_bytes(b"")
    assert [name for name, _ in files_of_base(tmp_path / "games.cbh")] == [
        "Games.CBH",
        "games.html\\a.jpg",
        "games.html\\sub\\b",
        "games.cbg",
    ]


def test_what_cannot_be_packed(tmp_path: Path) -> None:
    (tmp_path / "x.cbh").write_bytes(b"")
    (tmp_path / "there.cbv").write_bytes(b"old")
    with pytest.raises(UsageError, match="is not a ChessBase database"):
        pack(tmp_path / "y.cbh", tmp_path / "y.cbv")
    with pytest.raises(TabiyaError, match="no such"):
        pack(tmp_path / "missing" / "y.cbh", tmp_path / "y.cbv")
    with pytest.raises(UsageError, match="already exists"):
        pack(tmp_path / "x.cbh", tmp_path / "there.cbv")
    for name in ("x" * 128, "Ж", "..\\x", "C:\\x", "/x"):
        with pytest.raises(UnsupportedError):
            pack_files([(name, tmp_path / "x.cbh")], tmp_path / "y.cbv")
    with pytest.raises(TabiyaError, match="no such"):
        pack_files([("x", tmp_path / "gone")], tmp_path / "y.cbv")
    with pytest.raises(UsageError, match="letter"):
        pack(tmp_path / "x.cbh", tmp_path / "y.cbz", password="Ж")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["there.cbv", "x.cbh"]
    assert (tmp_path / "there.cbv").read_bytes() == b"old"


# Our own archives, which also pin what was once written.


@pytest.mark.parametrize(("name", "password"), [("tiny.cbv", None), ("tiny.cbz", "tabiya")])
def test_fixtures(name: str, password: str | None) -> None:
    found = contents(FIXTURES / name, password)
    assert found == {
        "tiny.cbh": b"\0" * 46,
        "tiny.html/board.txt": b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\n" * 40,
        "tiny.ini": b"[DescrCBG]\r\nTitle=Tiny\r\n",
    }
