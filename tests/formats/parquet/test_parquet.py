"""Parquet files of records: foreign, newer and damaged ones, and what other programs see in ours."""

from __future__ import annotations

import json
import random
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tabiya
from tabiya.errors import CorruptError, FormatError, TabiyaError, UnsupportedError
from tabiya.formats.record_layout import FILE_SCHEMA
from tabiya.game import GameBatch
from tests.formats.corpus import corpus, long_corpus, rows_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "games.parquet"
    with tabiya.create(path) as writer:
        writer.write(corpus())
    return path


def rewritten(path: Path, table: pa.Table, mark: dict[str, object] | None) -> None:
    metadata = None if mark is None else {b"tabiya": json.dumps(mark).encode()}
    pq.write_table(table.replace_schema_metadata(metadata), path)


def open_all(path: Path) -> list[GameBatch]:
    with tabiya.open(path) as database:
        list(database.headers())
        return list(database.batches())


def test_every_column_of_every_record_comes_back(path: Path) -> None:
    with tabiya.open(path) as database:
        found = GameBatch.concat(database.batches())
    assert rows_of(found) == rows_of(corpus())


def test_a_file_has_the_columns_of_the_schema_for_everybody(path: Path) -> None:
    found = duckdb.connect().execute(f"select white, len(moves) as tokens from '{path}' order by number").fetchall()
    records = corpus().record_batch
    wanted = zip(records.column("white").to_pylist(), map(len, records.column("moves").to_pylist()), strict=True)
    assert found == list(wanted)


def test_groups_of_rows_are_found_by_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabiya.formats.record_file.GROUP_RECORDS", 7)
    path = tmp_path / "games.parquet"
    with tabiya.create(path) as writer:
        writer.write(long_corpus(50))
    assert pq.ParquetFile(path).metadata.num_row_groups == 8
    with tabiya.open(path) as database:
        assert rows_of(database.read(5, 23)) == rows_of(long_corpus(50)[5:23])
        assert [database[place].number for place in (0, 6, 7, 48, 49)] == [1, 7, 8, 49, 50]
        assert rows_of(database.read(21, 21)) == []


@pytest.mark.parametrize("mark", [None, {}, {"holds": "games"}, {"version": 1}, {"holds": "games", "version": "x"}, []])
def test_a_table_of_others_is_no_database(path: Path, mark: dict[str, object] | None) -> None:
    rewritten(path, pq.read_table(path), mark)
    with pytest.raises(FormatError, match="not one that tabiya has written as a database"):
        tabiya.open(path)


def test_a_table_made_by_tabiya_is_no_database(path: Path) -> None:
    rewritten(path, pa.table({"san": ["e4"]}), {"holds": "positions", "version": 1})
    with pytest.raises(FormatError, match="a table of positions made by tabiya, not a database"):
        tabiya.open(path)


def test_a_newer_layout_is_refused(path: Path) -> None:
    rewritten(path, pq.read_table(path), {"holds": "games", "version": 2})
    with pytest.raises(UnsupportedError, match="newer tabiya"):
        tabiya.open(path)


GAMES = {"holds": "games", "version": 1}


def test_missing_columns_are_named(path: Path) -> None:
    rewritten(path, pq.read_table(path).drop_columns(["moves"]), GAMES)
    with pytest.raises(CorruptError, match="moves"):
        open_all(path)


def test_gaps_are_found_at_any_depth(path: Path) -> None:
    table = pq.read_table(path)
    gap = pa.array([[None]] + [[]] * (len(table) - 1), pa.list_(pa.uint16()))
    rewritten(path, table.set_column(table.schema.get_field_index("moves"), "moves", gap), GAMES)
    with pytest.raises(CorruptError):
        open_all(path)


def test_text_that_is_not_utf8_is_found(path: Path) -> None:
    table = pq.read_table(path)
    bad = pa.array([b"\xff"] * len(table), pa.binary()).cast(pa.string(), safe=False)
    rewritten(path, table.set_column(table.schema.get_field_index("start"), "start", bad), GAMES)
    with pytest.raises(CorruptError):
        open_all(path)


@pytest.mark.parametrize("seed", range(60))
def test_damage_is_found_and_nothing_else_escapes(path: Path, seed: int) -> None:
    choose = random.Random(seed)
    data = bytearray(path.read_bytes())
    if seed % 3 == 0:
        del data[choose.randrange(4, len(data)) :]
    else:
        for _ in range(choose.randrange(1, 4)):
            data[choose.randrange(4, len(data))] ^= 1 << choose.randrange(8)
    path.write_bytes(data)
    try:
        found = open_all(path)
    except TabiyaError as error:
        assert error.path == str(path)
    else:  # in a part of the file that says nothing about records
        assert rows_of(GameBatch.concat(found)) == rows_of(corpus())


def test_the_mark_is_that_of_the_layout() -> None:
    assert json.loads(FILE_SCHEMA.metadata[b"tabiya"]) == GAMES
