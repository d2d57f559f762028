"""Every published vector through the reader: those that have no test of their own elsewhere, and a list of all."""

from __future__ import annotations

import struct
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.chess.chess960 import start_fen
from tabiya.formats.cbh2.container import HEAD, TAIL, checksum
from tabiya.formats.cbh2.database import Cbh2Database
from tabiya.formats.cbh2.headers import KNOWN_VERSIONS, RECORD_SIZE
from tabiya.game import Extra, Game
from tests.formats.cbh2.by_hand import CHESS960, NO_NOTES, NOTES, Handmade, changed, game, record, stream
from tests.formats.cbh2.spelling import spell
from tests.formats.cbh2.test_database import pages
from tests.formats.cbh2.test_moves import codes, movetext, own_extras, read
from tests.formats.cbh2.test_words import VECTORS
from tests.formats.cbh2.writing import derived
from tests.formats.cbh2.writing.entities import Player

Vector = dict[str, Any]

TESTED_AS_A_WHOLE = {
    "words": "test_words.py",
    "annotations": "test_annotations.py",
    "rating_types": "test_database.py",
    "spare_rounds_probe": "test_the_published_rounds_of_edits",
    "file_sizes_real": "test_published_sizes_of_files",
    "header_tags_in_chessbase_pgn": "test_published_stamps",
    "dates": "test_published_dates",
    "lcd_keys": "test_published_sort_keys",
}
"""Sections that a test takes as they are, so that a new vector is tested, too."""
ONE_BY_ONE = {"streams": 9, "checksums": 4, "records": 3, "entities": 7, "guiding_text": 1}
"""Sections whose vectors have different forms, with the number of those that have tests."""


def test_every_vector_has_a_test() -> None:
    assert set(VECTORS) == {"note", *TESTED_AS_A_WHOLE, *ONE_BY_ONE}
    counts = {name: len(VECTORS[name]) if isinstance(VECTORS[name], list) else 1 for name in ONE_BY_ONE}
    assert counts == ONE_BY_ONE


def opened(path: Path) -> Cbh2Database:
    database = tabiya.open(path)
    assert isinstance(database, Cbh2Database)
    return database


# Streams.


def chess960_start(number: int) -> tabiya.Position:
    return tabiya.Position.from_fen(start_fen(number), chess960=True)


def test_the_published_beginning_of_chess960_566(tmp_path: Path) -> None:
    (vector,) = (each for each in VECTORS["streams"] if each.get("prefix") == "fffb 0236 fffc")
    found = read(stream(vector["prefix"]) + stream("ffff"), tmp_path, CHESS960)
    assert (codes(found), found.root.position) == ([], chess960_start(566))


def test_the_published_header_of_chess960_123(tmp_path: Path) -> None:
    """The ECO field and the flags that ChessBase gave the game, which are in its header only."""
    (vector,) = (each for each in VECTORS["streams"] if "#123" in each.get("meaning", ""))
    words = [part for part in vector["meaning"].replace(",", "").split() if part.isdigit() or part.startswith("0x")]
    eco, flags = (int(word, 0) for word in words[-2:])
    assert (eco, flags) == (64699, 0x08000005)
    base = Handmade()
    base.add(stream(vector["words"]), tag=CHESS960)
    base.headers[0] = changed(changed(base.headers[0], 0x80, struct.pack("<H", eco)), 0x84, struct.pack("<I", flags))
    with tabiya.open(base.write(tmp_path / "games")) as database:
        found = database[0]
        (headers,) = database.headers()
    assert (codes(found), found.extras) == ([], [Extra("cbh.chess960_number", b"123")])
    assert "ECO" not in found.tags
    assert (movetext(found), found.root.position) == ("1. e3 d5", chess960_start(123))
    assert headers["start"].to_pylist() == [found.tags["FEN"]]


# Records.


def test_the_published_prefix_of_a_checksum() -> None:
    (vector,) = (each for each in VECTORS["checksums"] if "stored_prefix" in each)
    content = stream(vector["content_words"])
    assert checksum(content).startswith(bytes.fromhex(vector["stored_prefix"]))


def test_the_published_head_of_a_game_is_read(tmp_path: Path) -> None:
    """Only 50 of its 836 bytes are published, so the record is cut off; its moves are there."""
    (vector,) = (each for each in VECTORS["records"] if "A" in each)
    head = bytes.fromhex(vector["bytes"])
    base = Handmade()
    base.add(spell("moves end"))
    base.moves[:] = head
    with tabiya.open(base.write(tmp_path / "games")) as database:
        found = database[0]
    assert codes(found) == [211]
    assert [node.san for node in found.mainline()] == ["d4", "d5", "c4", "c6", "e3", "Bf5", "Nc3", "e6", "Nf3", "Nd7"]
    assert own_extras(found) == {"2cbh.moves": head[24:]}
    total = HEAD.size + vector["A"] + vector["B"] + TAIL
    assert bytes.fromhex(vector["trailer"]) == struct.pack("<q", total)


def test_the_published_header_of_version_3(tmp_path: Path) -> None:
    (vector,) = (each for each in VECTORS["records"] if each["what"].startswith(".2cbh file header"))
    head = bytes.fromhex(vector["bytes"])
    base = Handmade(version=3)
    base.add(spell("moves Pe2e4 end"))
    path = base.write(tmp_path / "games")
    assert path.read_bytes()[: len(head) - 4] == head[:-4]
    path.write_bytes(changed(path.read_bytes(), 0, head))
    with opened(path) as database:
        assert (database.header["generation"], database.header["version"]) in KNOWN_VERSIONS
        assert database.header["next_game"] - 1 == 110_120
        assert [(each.code, each.text) for each in database.problems] == [(227, ".2cbh has 1 of 110120 records")]
        assert movetext(database[0]) == "1. e4"


def test_the_published_beginning_of_games_of_version_3(tmp_path: Path) -> None:
    (vector,) = (each for each in VECTORS["records"] if "content start" in each["what"])
    data = bytes.fromhex(vector["bytes"])
    found = read(data[2:] + stream("ffff"), tmp_path, data[:2])
    assert (codes(found), movetext(found)) == ([], "1. e4")


def test_the_published_rounds_of_edits(tmp_path: Path) -> None:
    """Five games of a base that ChessBase changed three times: offset, content, spare bytes and size of each record."""
    probe = VECTORS["spare_rounds_probe"]
    last: dict[int, list[int]] = {}
    for edit in ("t0", "t1", "t2", "t3"):
        last |= {each["game"]: each[edit] for each in probe if edit in each}
        base = Handmade()
        end = 12
        for _, (offset, size, spare, total) in sorted(last.items()):
            assert (offset, HEAD.size + size + spare + TAIL) == (end, total)
            content = stream("fffc") + (size - 4) // 2 * stream("fffa") + stream("ffff")
            base.headers.append(game(offset, 12 + len(base.notes)))
            base.moves += record(content, b"\1\0", spare)
            base.notes += record(NO_NOTES, NOTES)
            end += total
        with opened(base.write(tmp_path / edit)) as database:
            assert database.problems == ()
            found = list(database)
        assert [each.problems for each in found] == [[]] * 5
        assert [len(list(each.walk())) for each in found] == [(last[number][1] - 4) // 2 for number in sorted(last)]


# Files.


def test_published_sizes_of_files(tmp_path: Path) -> None:
    """Bases whose files have the sizes that ChessBase gave them have no problem."""
    sizes = VECTORS["file_sizes_real"]
    assert list(sizes) == [
        *("AutoSave (2 games, v5)", "History empty (v5)", "History 1 game (v5)", "MyPGNDownloads (110120 games, v3)"),
    ]
    for number, (known, games) in enumerate(zip(sizes.values(), (2, 0, 1), strict=False)):
        count = known["2cbh"] // RECORD_SIZE - 1
        assert count == games
        base = Handmade()
        for place in range(count):
            # One game takes the bytes that are left in .2cbg; records of annotations have 192 spare bytes and more.
            left = known["2cbg"] - 12 - len(base.moves)
            wanted = left if place == count - 1 else left // 2
            base.headers.append(game(12 + len(base.moves), 12 + len(base.notes)))
            base.moves += record(stream("fffc ffff"), b"\1\0", wanted - 38)
            base.notes += record(NO_NOTES, NOTES, 198 if place == 0 else 194)
        path = base.write(tmp_path / f"base {number}")
        found = {suffix: path.with_suffix(f".{suffix}").stat().st_size for suffix in ("2cbh", "2cbg", "2cba")}
        assert found == {suffix: known[suffix] for suffix in found}
        with opened(path) as database:
            assert database.problems == ()
            assert [each.problems for each in database] == [[]] * count
    large = sizes["MyPGNDownloads (110120 games, v3)"]
    assert large["2cbh"] == RECORD_SIZE * (110_120 + 1)
    assert {(known["2lgd"] - 12) % 512 for known in sizes.values() if "2lgd" in known} == {0}
    assert {known["2lcd"] % 4096 for known in sizes.values() if "2lcd" in known} == {0}


def test_the_published_size_of_entities(tmp_path: Path) -> None:
    """Three players, the last of them empty, end the file: 184 + 2 * 4234 + 36 bytes."""
    base = Handmade()
    base.add(spell("moves end"))
    base.entities[0] = [*base.entities[0], struct.pack("<iiiiiiq", 0, 0, 0, 0, -1, 8, -1)]
    path = base.write(tmp_path / "games")
    assert path.with_suffix(".2lid").stat().st_size == VECTORS["file_sizes_real"]["AutoSave (2 games, v5)"]["2lid"]
    with opened(path) as database:
        assert database.problems == ()
        assert [each.name for each in database.players] == ["Carlsen, Magnus", "Caruana, Fabiano", ""]
        assert not database.players[2].deleted


# Headers and entities.


def with_field(place: int, data: bytes, folder: Path) -> Game:
    base = Handmade()
    base.add(spell("moves end"))
    base.headers[0] = changed(base.headers[0], place, data)
    with tabiya.open(base.write(folder / "games")) as database:
        return database[0]


def test_published_stamps(tmp_path: Path) -> None:
    """The tags GameId and Beauty of ChessBase's PGN are the creation and the classification of the header."""
    for vector in VECTORS["header_tags_in_chessbase_pgn"]:
        fields = struct.pack("<q", vector["GameId"]) + bytes(16) + struct.pack("<Q", vector["Beauty"])
        extras = {each.key: each.value.decode() for each in with_field(0x98, fields, tmp_path).extras}
        assert extras["2cbh.created"] == str(vector["GameId"])
        assert extras["2cbh.classification"] == str(vector["Beauty"])
        created = datetime(2008, 12, 1) + timedelta(seconds=int(extras["cbh.created"]) / 1024)
        assert str(created)[:19] == vector["decodes_to"][:19]


def test_published_dates(tmp_path: Path) -> None:
    for number, date in VECTORS["dates"].items():
        found = with_field(0xBC, struct.pack("<i", int(number)), tmp_path)
        assert found.tags["Date"] == date.replace("-", ".")


def test_the_published_title(tmp_path: Path) -> None:
    (vector,) = (each for each in VECTORS["entities"] if each["type"] == "game tag")
    whole = bytes.fromhex(vector["bytes_prefix"]) + b"Tournament Report"
    whole += bytes.fromhex("35 00 00 00 0e 00 00 00") + b"Turnierbericht"
    assert len(whole) == 55
    assert whole[:4] == struct.pack("<i", len(whole) - 4)
    base = Handmade()
    base.add(spell("moves end"))
    base.entities[5] = [whole[4:]]
    with opened(base.write(tmp_path / "games")) as database:
        assert database.game_tags[0].titles == {"english": "Tournament Report", "german": "Turnierbericht"}
        assert [(each.key, each.value) for each in database[0].extras] == [
            ("cbh.tag_english", b"Tournament Report"),
            ("cbh.tag_german", b"Turnierbericht"),
        ]


def test_the_published_guiding_text_is_read(tmp_path: Path) -> None:
    texts = {42: b"x" * 116, 53: b"y" * 82}
    content = pages(*((code, texts.get(code, b"")) for code in (42, 43, 49, 53, 70, 103, 117)))
    vector = VECTORS["guiding_text"]
    assert content.startswith(bytes.fromhex(vector["content_start"]))
    base = Handmade()
    base.add_text(content)
    assert base.moves[24:26] == bytes.fromhex(vector["tag"])
    with tabiya.open(base.write(tmp_path / "games")) as database:
        found = database[0]
    assert (found.problems, found.extras) == ([], [])
    assert [(text.lang, text.body) for text in found.texts] == [(0, texts[42]), (1, texts[53])]


@pytest.mark.parametrize(("name", "key"), VECTORS["lcd_keys"].items())
def test_published_sort_keys(name: str, key: str) -> None:
    """No reader needs the sort order, so this is the writer's."""
    assert derived.sort_key(Player(name)) == int(key, 16)
