"""Parquet files of records: foreign, newer and damaged ones, and what other programs see in ours."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import date
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import tabiya
from tabiya.cli.app import app
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
    expected = zip(records.column("white").to_pylist(), map(len, records.column("moves").to_pylist()), strict=True)
    assert found == list(expected)


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


def set_column(table: pa.Table, name: str, values: pa.Array) -> pa.Table:
    return table.set_column(table.schema.get_field_index(name), name, values)


def member_of(table: pa.Table, name: str, member: str, value: object) -> pa.Table:
    """Return a table with another value in the members of a column of lists."""
    values = table[name].to_pylist()
    changed = [[{**each, member: value} for each in row] for row in values]
    assert changed != values
    return set_column(table, name, pa.array(changed, table.schema.field(name).type))


HOSTILE: dict[str, Callable[[pa.Table], pa.Table]] = {
    "kind": lambda it: set_column(it, "kind", pa.array([127] * len(it), pa.uint8())),
    "kind 3": lambda it: set_column(it, "kind", pa.array([3] * len(it), pa.uint8())),
    "kind below 0": lambda it: set_column(it, "kind", pa.array([-1] * len(it), pa.int8())),
    "no kind": lambda it: set_column(it, "kind", pa.nulls(len(it), pa.uint8())),
    "not deleted or not": lambda it: set_column(it, "deleted", pa.nulls(len(it), pa.bool_())),
    "variant": lambda it: set_column(it, "variant", pa.array([2] * len(it), pa.uint8())),
    "result": lambda it: set_column(it, "result", pa.array([9] * len(it), pa.uint8())),
    "side": lambda it: member_of(it, "annotations", "side", 200),
    "a struct": lambda it: set_column(it, "white", pa.array([{"x": "y"}] * len(it))),
    "a list": lambda it: set_column(it, "white", pa.array([["y"]] * len(it))),
    "no list": lambda it: set_column(it, "moves", pa.array([1] * len(it))),
    "a number": lambda it: set_column(it, "black", pa.array([1] * len(it))),
    "a date": lambda it: set_column(it, "year", pa.array([date(2000, 1, 1)] * len(it))),
    "text as a number": lambda it: set_column(it, "white_elo", pa.array(["2700"] * len(it))),
    "a fraction": lambda it: set_column(it, "white_elo", pa.array([0.5] * len(it))),
    "twice": lambda it: it.append_column("white", it["white"]),
    "members": lambda it: set_column(it, "tags", pa.array([[{"name": "a"}]] * len(it))),
    "plain members": lambda it: set_column(it, "tags", pa.array([["a"]] * len(it))),
    "bytes": lambda it: set_column(it, "site", pa.array([b"\xff"] * len(it))),
}
"""Columns that no database has; each was made by somebody who wanted to see what happens."""


def consume(path: Path, folder: Path, *, headers: bool) -> None:
    """Use records in every way that commands do; those that read what is wrong report it."""
    targets = [folder / f"y{suffix}" for suffix in (".pgn", ".cbh", ".si5", ".tabiya", ".bcgn")]
    for words in (
        *([[*("list", path), *more] for more in ([], ["--csv"], ["--json"])] if headers else []),
        ["info", path],
        ["show", path, "1"],
        ["search", path, "--moves", "e4"],
        ["check", path],
        *(["convert", path, target] for target in targets),
    ):
        answer = CliRunner().invoke(app, [str(word) for word in words])
        assert isinstance(answer.exception, SystemExit), (words, answer.exception)
    assert not any(target.exists() for target in targets)


@pytest.mark.parametrize("name", HOSTILE)
def test_columns_that_no_database_has(path: Path, tmp_path: Path, name: str) -> None:
    """They are found when a file is opened or a group of rows is read, and nowhere else."""
    rewritten(path, HOSTILE[name](pq.read_table(path)), GAMES)
    with pytest.raises(CorruptError) as caught:
        open_all(path)
    assert caught.value.path == str(path)
    assert len(str(caught.value).splitlines()) == 1
    consume(path, tmp_path, headers=name != "side")


@pytest.mark.parametrize("kind", [pa.int64(), pa.uint64(), pa.float64()])
def test_numbers_may_be_wider(path: Path, kind: pa.DataType) -> None:
    table = pq.read_table(path)
    wide = [pa.field(each.name, kind) if pa.types.is_integer(each.type) else each for each in table.schema]
    texts = [pa.field(each.name, pa.large_string()) if pa.types.is_string(each.type) else each for each in wide]
    rewritten(path, table.cast(pa.schema(texts)), GAMES)
    assert rows_of(GameBatch.concat(open_all(path))) == rows_of(corpus())


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
