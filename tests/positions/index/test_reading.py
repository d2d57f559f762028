"""Asking an index: popular and rare positions, counts that are known, files that are foreign or damaged."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.errors import CorruptError, FormatError, TabiyaError, UnsupportedError
from tabiya.game import GameBatch
from tabiya.positions.index import IndexBuilder, IndexWriter, PositionIndex
from tabiya.positions.index.layout import POSITIONS
from tests.conftest import ROOT, sample_path
from tests.positions.index.naive import PATHS, build, naive, opened, stored

DATA = ROOT / "tests" / "data" / "pgn"
OFTEN = 3000


@pytest.fixture(scope="module")
def popular(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of a few positions that fill several groups of rows each, and of some that do not."""
    folder = tmp_path_factory.mktemp("popular")
    batch = GameBatch.concat(list(tabiya.open(DATA / "games.pgn").batches()))
    build(folder, *[batch] * OFTEN, threads=2)
    return folder


def test_positions_may_fill_many_groups(popular: Path) -> None:
    batch = GameBatch.concat(list(tabiya.open(DATA / "games.pgn").batches()))
    main, _ = naive(batch)
    rows = stored(popular)
    assert len(rows) == OFTEN * len(main)
    with opened(popular) as index:
        for key in {row[0] for row in main}:
            once = [row for row in main if row[0] == key]
            found = index.find(key)
            games = (np.arange(OFTEN)[:, None] * len(batch) + [row[1] for row in once]).reshape(-1)
            assert np.array_equal(found.games, games)
            assert np.array_equal(found.plies, np.tile([row[2] for row in once], OFTEN))
            assert np.array_equal(found.moves, np.tile([row[3] for row in once], OFTEN))
            for other in (key - 1, key + 1):
                assert len(index.find(other).games) == 0


def test_keys_may_be_signed_or_not(popular: Path) -> None:
    key = next(row[0] for row in stored(popular) if row[0] < 0)
    with opened(popular) as index:
        assert np.array_equal(index.find(key).games, index.find(key + (1 << 64)).games)


def test_other_programs_read_the_files(popular: Path) -> None:
    rows = stored(popular)
    path = popular / PATHS[0]
    file = pq.ParquetFile(path)
    mark = json.loads(file.metadata.metadata[b"tabiya"])
    assert mark == {"holds": "positions", "version": 1}
    assert [field.nullable for field in file.schema_arrow] == [False] * 4
    for group in range(file.metadata.num_row_groups):
        found = file.metadata.row_group(group)
        assert found.num_rows == min(16384, len(rows) - group * 16384)
        statistics = found.column(0).statistics
        assert (statistics.min, statistics.max) == (
            rows[group * 16384][0],
            rows[min(group * 16384 + 16384, len(rows)) - 1][0],
        )
        assert [found.column(column).statistics for column in (1, 2, 3)] == [None] * 3
        assert [found.column(column).compression for column in range(4)] == ["LZ4", "UNCOMPRESSED", "LZ4", "LZ4"]
    with duckdb.connect() as connection:
        table = connection.read_parquet(str(path))
        assert table.fetchall() == rows
        assert [str(kind) for kind in table.types] == ["BIGINT", "INTEGER", "SMALLINT", "SMALLINT"]
        key = rows[len(rows) // 2][0]
        one = connection.execute(f"select count(*) from '{path}' where key = {key}").fetchone()
    assert one == (sum(row[0] == key for row in rows),)


def test_fences_are_the_first_keys(popular: Path) -> None:
    with pa.OSFile(str(popular / PATHS[1])) as file:
        fences = pa.ipc.open_file(file).read_all()
    keys = [row[0] for row in stored(popular)]
    assert [
        key for key, table in zip(*(fences[name].to_pylist() for name in ("key", "table")), strict=True) if table == 0
    ] == keys[::16384]


def test_stretches_are_all_rows(popular: Path, tmp_path: Path) -> None:
    """And rows that were sorted elsewhere, by Spark for example, make the same files."""
    paths = [tmp_path / name for name in PATHS[:2]]
    with opened(popular) as index, IndexWriter(*paths, threads=2) as writer:
        writer.write(POSITIONS, index.stretches(threads=2))
        assert writer.commit() == {"positions": index.rows}
    assert paths[0].read_bytes() == (popular / PATHS[0]).read_bytes()


def test_an_index_without_variations_finds_none(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in PATHS[:2]]
    with IndexBuilder(0, memory=1 << 20, threads=1, variations=False) as builder:
        builder.add(next(tabiya.open(DATA / "variations.pgn").batches()))
        assert builder.finish(*paths).variation_rows == 0
    with PositionIndex(*paths) as index:
        assert len(index.find(tabiya.Position().key).games)
        assert len(index.find_variations(tabiya.Position().key).games) == 0
        assert index.variation_rows == 0


def test_an_empty_index_has_nothing(tmp_path: Path) -> None:
    build(tmp_path)
    with opened(tmp_path) as index:
        assert (index.rows, len(index.find(0).games), len(index.find_variations(0).games)) == (0, 0, 0)
    assert stored(tmp_path) == []


def test_counts_of_the_corpus(tmp_path: Path) -> None:
    """The numbers that other programs give for these games."""
    expected = {
        "e4 c5": 36_040,
        "e4 e5 Nf3 Nc6 Bb5 a6": 5_509,
        "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 Be3": 1_137,
    }
    source = tabiya.open(sample_path("pgn/twic-186k-games.pgn.zst"))
    paths = [tmp_path / name for name in PATHS[:2]]
    with IndexBuilder(0, memory=1 << 27, threads=2, variations=False) as builder:
        for batch in source.batches(threads=2):
            builder.add(batch)
        assert builder.finish(*paths).rows == 16_234_937
    with PositionIndex(*paths) as index:
        for moves, games in expected.items():
            position = tabiya.Position()
            for move in moves.split():
                position = position.play(move)
            assert len(index.find(position.key).games) == games


def test_closing_twice_is_fine(popular: Path) -> None:
    index = opened(popular)
    index.close()
    index.close()


def test_games_beyond_the_records_are_damage(popular: Path) -> None:
    paths = [popular / name for name in PATHS]
    key = tabiya.Position().key
    with opened(popular) as index:
        records = int(index.find(key).games.max()) + 1
    with PositionIndex(*paths, records=records) as index:
        assert len(index.find(key).games)
    with PositionIndex(*paths, records=records - 1) as index, pytest.raises(CorruptError, match="column game"):
        index.find(key)


# --- files that are not what they should be --------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Path:
    build(tmp_path, GameBatch.concat(list(tabiya.open(DATA / "variations.pgn").batches())))
    return tmp_path


def shorter(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])


def foreign(path: Path) -> None:
    path.write_bytes(b"no such thing" * 100)


def empty(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("damage", [shorter, foreign, empty, Path.unlink])
@pytest.mark.parametrize("name", PATHS)
def test_files_that_do_not_belong_together_are_refused(small: Path, name: str, damage: Callable[[Path], None]) -> None:
    damage(small / name)
    with pytest.raises(TabiyaError) as caught:
        opened(small)
    assert caught.value.path == str(small / name)


def test_a_file_of_the_right_size_that_is_no_parquet(small: Path) -> None:
    path = small / PATHS[0]
    path.write_bytes(bytes(path.stat().st_size))
    with pytest.raises(CorruptError, match="not a Parquet file"):
        opened(small)


def rewrite_fences(path: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    with pa.OSFile(str(path)) as file:
        table = change(pa.ipc.open_file(file).read_all())
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table)


def with_mark(**changes: object) -> Callable[[pa.Table], pa.Table]:
    def change(table: pa.Table) -> pa.Table:
        mark = json.loads(table.schema.metadata[b"tabiya"])
        return table.replace_schema_metadata({"tabiya": json.dumps(mark | changes)})

    return change


def with_column(name: str, value: object) -> Callable[[pa.Table], pa.Table]:
    def change(table: pa.Table) -> pa.Table:
        place = table.schema.get_field_index(name)
        field = table.schema.field(place)
        return table.set_column(place, field, pa.array([value] * len(table), field.type))

    return change


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        (with_mark(version=2), UnsupportedError, "newer tabiya"),
        (with_mark(holds="positions"), FormatError, "holds positions, not fences"),
        (with_mark(positions=None), CorruptError, "does not match its fences"),
        (with_mark(positions={"rows": -1}), CorruptError, "does not match its fences"),
        (lambda table: table.replace_schema_metadata(None), FormatError, "not a file of a position index"),
        (lambda table: table.select(["key", "table"]), CorruptError, "not those of fences"),
        (lambda table: table.slice(0, 0), CorruptError, "does not match its fences"),
        (with_column("place", [-1] * 4), CorruptError, "places that do not exist"),
        (with_column("place", [1 << 62] * 4), CorruptError, "places that do not exist"),
        (with_column("stored", [(1 << 31) - 1] * 4), CorruptError, "places that do not exist"),
        (with_column("stored", [-5] * 4), CorruptError, "places that do not exist"),
        (with_column("plain", [(1 << 31) - 1] * 4), CorruptError, "places that do not exist"),
        (with_column("rows", 1 << 30), CorruptError, "does not match its fences"),
    ],
)
def test_fences_that_make_no_sense_are_refused(
    small: Path, change: Callable[[pa.Table], pa.Table], kind: type[TabiyaError], message: str
) -> None:
    rewrite_fences(small / PATHS[1], change)
    with pytest.raises(kind, match=message):
        opened(small)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(PATHS), st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1))
def test_any_damage_gives_an_answer_or_a_sentence(small: Path, name: str, changes: list[tuple[float, int]]) -> None:
    path = small / name
    sound = path.read_bytes()
    keys = [row[0] for row in stored(small)][::40] if name != PATHS[0] else [tabiya.Position().key, 0]
    data = bytearray(sound)
    for where, value in changes:
        data[int(where * len(data))] = value
    try:
        path.write_bytes(data)
        with opened(small) as index:
            for key in keys:
                for found in (index.find(key), index.find_variations(key)):
                    assert (found.games >= 0).all()
                    assert (found.moves >= -1).all()
            list(index.stretches())
    except TabiyaError as error:
        assert error.path is not None
    finally:
        path.write_bytes(sound)
