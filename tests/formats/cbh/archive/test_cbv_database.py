from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import FormatError, TabiyaError, UnsupportedError, UsageError
from tabiya.formats.cbh.archive.cbv import Archive
from tabiya.formats.cbh.archive.database import CbvDatabase
from tabiya.formats.cbh.archive.extracting import DAMAGED_MEMBER
from tabiya.formats.cbh.archive.packing import pack
from tests.formats.cbh.archives import Entry, archive
from tests.formats.cbh2.by_hand import Handmade
from tests.formats.cbh2.spelling import spell

SUFFIXES = (".2cbh", ".2cbg", ".2cba", ".2lid")

Samples = Callable[[str], Path]


def test_a_base_in_an_archive_is_the_base(samples: Samples) -> None:
    with (
        tabiya.open(samples("cbh/cbv/twic1134.cbv")) as packed,
        tabiya.open(samples("cbh/twic1134/twic1134.cbh")) as base,
    ):
        assert isinstance(packed, CbvDatabase)
        assert (packed.format.name, packed.path) == ("cbv", samples("cbh/cbv/twic1134.cbv"))
        assert packed.files == (samples("cbh/cbv/twic1134.cbv"),)
        assert len(packed) == len(base) == 6117
        assert packed.problems == base.problems
        assert packed.details() == {"files in the archive": 13, "bytes unpacked": 1_749_596, **base.details()}
        assert packed[100] == base[100]
        assert list(packed.headers()) == list(base.headers())
        assert [each.record_batch for each in packed.batches(threads=2)] == [
            each.record_batch for each in base.batches()
        ]
        assert len(packed.players) == len(base.players)  # type: ignore[attr-defined]
        with pytest.raises(AttributeError):
            packed.nothing  # noqa: B018
        place = packed.base.path
        assert place is not None
        assert place.exists()
    assert not place.parent.exists()
    with pytest.raises(UsageError, match="closed"):
        len(packed)


def test_an_encrypted_archive(samples: Samples) -> None:
    with tabiya.open(samples("cbh/cbv/small.cbz"), password="password") as database:
        assert len(database) == 0
    with pytest.raises(UsageError, match="give its password"):
        tabiya.open(samples("cbh/cbv/small.cbz"))
    with pytest.raises(UsageError, match="wrong"):
        tabiya.open(samples("cbh/cbv/small.cbz"), password="passwort")


def test_an_archive_is_known_by_its_content(samples: Samples, tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_bytes(samples("cbh/cbv/small.cbv").read_bytes())
    with tabiya.open(path) as database:
        assert database.format.name == "cbv"


def test_a_damaged_archive_gives_what_it_can(samples: Samples, tmp_path: Path) -> None:
    path = tmp_path / "text.cbv"
    pack(samples("cbh/hedgehog/Hedgehog.cbh"), path)
    data = bytearray(path.read_bytes())
    with tabiya.open(path) as whole, Archive(path) as opened:
        expected = [repr(game) for game in whole]
        member = opened.member("hedgehog.cba")
    data[member.offset + member.packed - 9] ^= 0x10  # in the last block of the annotations
    path.write_bytes(data)
    with tabiya.open(path) as database:
        assert [problem.code for problem in database.problems][:1] == [DAMAGED_MEMBER]
        assert "Hedgehog.cba" in database.problems[0].text
        assert [repr(game) for game in database] == expected
        assert database[0].problems == []


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([], "holds no ChessBase database"),
        ([Entry(b"x.pgn", [b"x"])], "holds no ChessBase database"),
        ([Entry(b"x.cbh", [b"x"]), Entry(b"y.CBH", [b"y"])], "holds 2 databases"),
        ([Entry(b"x.cbh", [b"x"]), Entry(b"x.2cbh", [b"x"])], "holds 2 databases"),
        ([Entry(b"..\\x.cbh", [b"x"])], "dangerous name"),
    ],
)
def test_archives_without_a_base(entries: list[Entry], message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.cbv"
    path.write_bytes(archive(*entries))
    with pytest.raises(UnsupportedError, match=message):
        tabiya.open(path)


def test_errors_name_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "x.cbv"
    path.write_bytes(archive(Entry(b"x.cbh", [b"x"])))
    with pytest.raises(TabiyaError) as raised:
        tabiya.open(path)
    assert raised.value.path == str(path)
    path.write_bytes(b"nothing like that")
    with pytest.raises(FormatError):
        tabiya.open(path, format="cbv")


def test_the_folder_goes_away_with_the_database(samples: Samples) -> None:
    database = tabiya.open(samples("cbh/cbv/small.cbv"))
    assert isinstance(database, CbvDatabase)
    place = database.base.path
    assert place is not None
    database.close()
    database.close()
    assert not place.parent.exists()


def test_every_truncation_opens_or_says_why_not(samples: Samples, tmp_path: Path) -> None:
    data = samples("cbh/cbv/small.cbv").read_bytes()
    path = tmp_path / "small.cbv"
    for size in range(0, len(data), 97):
        path.write_bytes(data[:size])
        try:
            with tabiya.open(path) as database:
                assert database.problems
                list(database)
        except TabiyaError:
            continue


def test_a_2cbh_database_inside(tmp_path: Path) -> None:
    base = Handmade()
    base.add(spell("moves Pe2e4 end"))
    base.write(tmp_path / "new 1.2")
    entries = [
        Entry(f"new 1.2{suffix}".encode(), [(tmp_path / f"new 1.2{suffix}").read_bytes()]) for suffix in SUFFIXES
    ]
    (tmp_path / "new.cbv").write_bytes(archive(*entries))
    with tabiya.open(tmp_path / "new.cbv") as database:
        assert database.problems == ()
        assert [game.tags["White"] for game in database] == ["Carlsen, Magnus"]
        assert [node.san for node in database[0].walk()] == ["e4"]
        assert "version" in database.details()
