"""The writer of the tests by itself: its files fit together, and its damage is what it should be."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from tabiya.game import Game
from tests.formats.cbh2 import handmade
from tests.formats.cbh2.writing import SUFFIXES, damage, write_2cbh
from tests.formats.cbh2.writing.container import HEADER_SIZE, MAGIC, checksum
from tests.formats.cbh2.writing.repeat import write_repeated


def files_of(path: Path) -> dict[str, bytes]:
    """The files of a base by suffix."""
    stem = path.name.removesuffix(".2cbh")
    return {suffix: path.with_name(stem + suffix).read_bytes() for suffix in SUFFIXES}


def check(files: dict[str, bytes]) -> None:
    """Every body is sound, all lie one behind the other, and the headers know them in their order."""
    count = len(files[".2cbh"]) // 192 - 1
    assert struct.unpack_from("<i", files[".2cbh"], 0x10) == (count + 1,)
    heads = [files[".2cbh"][192 * number : 192 * number + 192] for number in range(1, count + 1)]
    texts = [bool(head[0] & 2) for head in heads]
    known = {
        ".2cbg": [struct.unpack_from("<q", head, 8)[0] for head in heads],
        ".2cba": [struct.unpack_from("<q", head, 16)[0] for head, text in zip(heads, texts, strict=True) if not text],
    }
    for suffix, offsets in known.items():
        data = files[suffix]
        assert struct.unpack_from("<q", data) == (len(data),)
        found, place = [], HEADER_SIZE
        while place < len(data):
            found.append(place)
            size, spare = struct.unpack_from("<ii", data, place + 8)
            content = data[place + 26 : place + 26 + size]
            assert data[place : place + 8] == MAGIC
            assert data[place + 16 : place + 24] == checksum(content)
            place += 34 + size + spare
            assert struct.unpack_from("<q", data, place - 8) == (34 + size + spare,)
        assert found == offsets


def test_fixtures_are_what_the_module_writes(tmp_path: Path) -> None:
    """If this fails after a change of the writer, run ``python -m tests.formats.cbh2.handmade``."""
    for written in handmade.write(tmp_path):
        assert written.left_out == []
        check(files_of(written.path))
    stored = {path.name: path.read_bytes() for path in handmade.FOLDER.iterdir() if path.suffix != ".md"}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == stored


def test_repeated_records(tmp_path: Path) -> None:
    games = [Game.from_pgn("1. e4 e5 *"), Game.from_pgn("1. d4 d5 2. c4 *")]
    written = write_2cbh(games, tmp_path / "small")
    path = write_repeated(written.base, tmp_path / "large 1.5", 1000)
    check(files_of(path))
    once = write_repeated(written.base, tmp_path / "once", 1)
    assert files_of(once) == files_of(written.path)


def test_left_out(tmp_path: Path) -> None:
    game = Game.from_pgn("1. e4 {[%cba 1A AAAA]} e5 *")
    opaque = Game.from_pgn('[Variant "Crazyhouse"]\n\n1. e4 *')
    written = write_2cbh([opaque, game], tmp_path / "base")
    assert written.numbers == [1]
    assert written.left_out == [
        (0, "a record that is neither a game nor a text"),
        (1, "annotations of kind 0x1a"),
    ]


@pytest.mark.parametrize("name", damage.EVERY)
def test_damage_changes_one_file(name: str, tmp_path: Path) -> None:
    files = files_of(write_2cbh(handmade.records(), tmp_path / "base").path)
    before = dict(files)
    damaged = damage.EVERY[name](files, 0)
    assert files == before
    assert [suffix for suffix in files if damaged[suffix] != files[suffix]] != []
    assert all(len(damaged[suffix]) == len(files[suffix]) for suffix in files)
    if not name.startswith(("missing", "negative player", "tag")):
        with pytest.raises((AssertionError, struct.error)):
            check(damaged)


def test_damage_with_a_right_checksum(tmp_path: Path) -> None:
    files = files_of(write_2cbh(handmade.records(), tmp_path / "base").path)
    check(damage.unknown_annotation(files, 0))
    check(damage.with_word(files, 0, 1, 0xC30D))
    assert damage.cut(files, ".2cbg", 20)[".2cbg"] == files[".2cbg"][:20]
    assert ".2cba" not in damage.without(files, ".2cba")
