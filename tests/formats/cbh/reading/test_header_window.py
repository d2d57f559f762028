"""Records to columns, tags and extras, and back: on every sample all fields that are content come back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.chessbase.game_flags import KNOWN_FLAGS
from tabiya.chessbase.record_marks import is_text
from tabiya.chessbase.strings import decode_field
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.formats.cbh.files.cbh import GAME, TEXT
from tabiya.formats.cbh.files.cbj import RECORD as CBJ
from tabiya.formats.cbh.reading.header_window import Entries, Window
from tabiya.formats.cbh.reading.keyed_members import EXTRA_KEYS, TAG_KEYS, Items
from tabiya.formats.cbh.writing.header_records import Group, Headers, encode_headers
from tabiya.game import Game, GameBatch
from tabiya.game.annotations import CP1252, TextEncoding
from tabiya.game.record import Extra
from tests.formats.cbh import handmade
from tests.formats.cbh.files.test_facts import COUNTS
from tests.strategies import games as any_games

GAME_FIELDS = (
    "marks",
    "date",
    "result",
    "line_evaluation",
    "round",
    "subround",
    "white_elo",
    "black_elo",
    "eco",
    "medals",
)
TEXT_FIELDS = ("marks", "round", "subround", "flags", "unknown_5", "unknown_22")
CBJ_FIELDS = (
    *("white_rating_type", "black_rating_type", "material_1", "material_2", "unknown_70", "unknown_74"),
    *("version", "created", "endgames", "saved"),
)
NO_CONTENT = {"left", "right", "balance", "games", "first_game"}


def _encoded(records: pa.RecordBatch, encoding: TextEncoding) -> Headers:
    tags, extras = Items.of(records["tags"], TAG_KEYS), Items.of(records["extras"], EXTRA_KEYS)
    return encode_headers(records, tags, extras, encoding)


def assert_the_same_records(base: CbhDatabase, batch: pa.RecordBatch | None = None) -> None:
    """That the batch, if not the one that was read, makes the records of the base."""
    window = Window(base._source, 0, len(base))
    batch = base.read(0, len(base)).record_batch if batch is None else batch
    headers = _encoded(batch, base.name_encoding)
    texts = is_text(GAME.column(window.records, "marks"))
    for name in GAME_FIELDS:
        found, expected = GAME.column(headers.games, name), GAME.column(window.records, name)
        assert found[~texts].tolist() == expected[~texts].tolist(), name
    unknown = np.uint32(0xFFFFFFFF & ~KNOWN_FLAGS)
    expected = GAME.column(window.records, "flags")[~texts] & unknown
    assert GAME.column(headers.games, "flags")[~texts].tolist() == expected.tolist()
    for name in TEXT_FIELDS:
        found, expected = (TEXT.column(each[texts].view(TEXT.dtype), name) for each in (headers.games, window.records))
        assert found.tolist() == expected.tolist(), name
    stored = len(base._source.cbj[: len(base)])
    for name in CBJ_FIELDS:
        if name in base._source.cbj_layout:
            found, expected = CBJ.column(headers.cbj, name), window.cbj[name]
            assert found[:stored].tolist() == expected[:stored].tolist(), name
    for group in headers.groups:
        if (entries := base._source.entries.get(group.role.suffix)) is not None:
            assert_the_same_entities(group, entries, window._ids[group.role.reference], base)


def assert_the_same_entities(group: Group, entries: Entries, ids: Any, base: CbhDatabase) -> None:
    pairs = {(int(number), int(place)) for number, place in zip(ids, group.of_record, strict=True)}
    fields = group.fields(base.name_encoding)
    for number, place in pairs:
        if not 0 <= number < len(entries):
            continue
        layout = entries.table.layout.cut(entries.table.records.dtype.itemsize)
        stored = layout.decode(entries.table.records[number].tobytes())
        found = layout.decode(layout.encode(fields[place] if place >= 0 else {}))
        for name in stored.keys() - NO_CONTENT:
            expected, value = stored[name], found[name]
            if isinstance(expected, bytes) and isinstance(value, bytes) and group.role.suffix != ".cbtt":
                assert decode_field(value, base.name_encoding) == decode_field(expected, base.name_encoding)
            else:
                assert value == expected, (group.role.suffix, number, name)


@pytest.mark.parametrize("name", [name for name in COUNTS if name != "small"])
def test_samples(samples: Callable[[str], Path], name: str) -> None:
    base = tabiya.open(samples(f"cbh/{name}"))
    assert isinstance(base, CbhDatabase)
    with base:
        assert_the_same_records(base)


def test_by_hand(tmp_path: Path) -> None:
    base = tabiya.open(handmade.write(tmp_path))
    assert isinstance(base, CbhDatabase)
    with base:
        assert_the_same_records(base)


@pytest.mark.parametrize("name", ["handmade", "cbhlib_test", "text", "veryold", "cbh_cbj_test", "hedgehog"])
def test_through_pgn(samples: Callable[[str], Path], name: str, tmp_path: Path) -> None:
    source = handmade.FOLDER if name == "handmade" else samples(f"cbh/{name}")
    target = tmp_path / "games.pgn"
    report = tabiya.convert(source, target)
    assert [loss.what for loss in report.losses] == []
    base = tabiya.open(source)
    assert isinstance(base, CbhDatabase)
    with base, tabiya.open(target) as pgn:
        assert_the_same_records(base, GameBatch.concat(pgn.batches()).record_batch)
        assert list(pgn) == list(base)


@settings(max_examples=40)
@given(st.lists(st.binary(min_size=46, max_size=46), min_size=1, max_size=8), st.binary(min_size=480, max_size=480))
def test_any_record(tmp_path_factory: pytest.TempPathFactory, records: list[bytes], extended: bytes) -> None:
    path = handmade.write(tmp_path_factory.mktemp("base"))
    data = handmade.base()
    path.write_bytes(data[".cbh"][:6] + (len(records) + 1).to_bytes(4, "big") + data[".cbh"][10:46] + b"".join(records))
    path.with_suffix(".cbj").write_bytes(data[".cbj"][:8] + (4).to_bytes(4, "little") + data[".cbj"][12:32] + extended)
    base = tabiya.open(path)
    assert isinstance(base, CbhDatabase)
    with base:
        assert_the_same_records(base)


def test_a_column_counts_more_than_an_extra(tmp_path: Path) -> None:
    with tabiya.open(handmade.write(tmp_path)) as base:
        game = base[3]
    game.tags["Date"] = "2021.01.01"
    game.tags["ECO"] = "B01"
    game.tags["Result"] = "1-0"
    headers = _encoded(GameBatch.from_games([game]).record_batch, base.name_encoding)  # type: ignore[attr-defined]
    assert GAME.column(headers.games, "date").tolist() == [handmade.date(2021, 1, 1)]
    assert GAME.column(headers.games, "eco").tolist() == [102 << 7]
    assert GAME.column(headers.games, "result").tolist() == [2]


def test_what_has_no_place_is_named() -> None:
    games = [Game({"Round": "1.2.3"}), Game({"Round": "5", "ECO": "B97b"}), Game({"ECO": "E00"}), Game({"ECO": "x"})]
    headers = _encoded(GameBatch.from_games(games).record_batch, CP1252)
    assert headers.lost_rounds.tolist() == [0]
    assert headers.lost_ecos.tolist() == [1, 3]
    assert GAME.column(headers.games, "result").tolist() == [3, 3, 3, 3]


@settings(max_examples=40)
@given(st.lists(any_games(), max_size=5))
def test_games_of_any_kind(games: list[Game]) -> None:
    """Whatever stands in tags and extras, there is a record for it."""
    batch = GameBatch.from_games(games)
    headers = _encoded(batch.record_batch, CP1252)
    assert len(headers.games) == len(headers.cbj) == len(games)
    for group in headers.groups:
        assert all(-1 <= place < len(group.fields(CP1252)) for place in group.of_record.tolist())


def test_numbers_without_room_are_passed_over() -> None:
    game = Game({"EventRounds": "999", "EventCategory": "3", "ECO": "B01", "White": "A"})
    game.extras = [Extra("cbh.version", b"70000"), Extra("cbh.eco_sub", b"100"), Extra("cbh.medals", b"\xff")]
    headers = _encoded(GameBatch.from_games([game]).record_batch, CP1252)
    assert CBJ.column(headers.cbj, "version").tolist() == [1]
    assert GAME.column(headers.games, "eco").tolist() == [102 << 7]
    assert next(group.fields(CP1252) for group in headers.groups if group.role.suffix == ".cbt") == [{"category": 3}]


def test_keys_as_columns() -> None:
    games = [Game([("B", "1"), ("C", "0"), ("A", "2"), ("A", "3")]), Game(), Game({"A": "4"})]
    items = Items.of(GameBatch.from_games(games).record_batch["tags"], ("A", "B", "D"))
    assert items.known == ("A", "B")
    assert {key: column.to_pylist() for key, column in items.columns().items()} == {
        "A": ["2", None, "4"],
        "B": ["1", None, None],
    }
    assert pa.types.is_string(items.column("A").type)
    assert items.repeated.tolist() == [False, False, False, True, False]
    assert items.is_known.tolist() == [True, False, True, True, True]
    assert items.rows.tolist() == [0, 0, 0, 0, 2]
    assert items.disordered(items.repeated).tolist() == [False, False, True, False, False]
    assert items.names(items.repeated) == ["A"]


@given(st.lists(st.lists(st.sampled_from("ABCDE"))), st.permutations("ABCD"))
def test_keys_as_one_would_find_them(lists: list[list[str]], order: list[str]) -> None:
    games = [Game([(key, "") for key in keys]) for keys in lists]
    items = Items.of(GameBatch.from_games(games).record_batch["tags"], tuple(order))
    flat = [(row, place, key) for row, keys in enumerate(lists) for place, key in enumerate(keys)]
    assert items.repeated.tolist() == [key in order and key in lists[row][:place] for row, place, key in flat]
    behind = [
        key in order and any(order.index(other) > order.index(key) for other in lists[row][:place] if other in order)
        for row, place, key in flat
    ]
    assert items.disordered(np.zeros(len(flat), np.bool_)).tolist() == behind
