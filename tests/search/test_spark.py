"""An index built by Spark is the one of a single machine, byte by byte. The tests of Spark itself need Java."""

from __future__ import annotations

import os
import re
import shutil
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tabiya
from tabiya.chess import Position
from tabiya.errors import TabiyaError, UnsupportedError
from tabiya.positions.index import IndexBuilder, PositionIndex, merge_indexes
from tabiya.positions.index.layout import GROUP_ROWS
from tabiya.search import spark as jobs
from tests.conftest import IN_CI, ROOT

DATA = ROOT / "tests" / "data"


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """PGN with set-ups and variations, a ChessBase base with texts and deleted records, Parquet with many games."""
    folder = tmp_path_factory.mktemp("sources")
    choose = Random(1)
    (folder / "games.pgn").write_text("\n\n".join(random_game(choose) for _ in range(300)))
    tabiya.convert(folder / "games.pgn", folder / "games.parquet")
    pgn = DATA / "pgn"
    return [pgn / "starts.pgn", DATA / "cbh" / "handmade.cbh", folder / "games.parquet", pgn / "variations.pgn"]


def random_game(choose: Random) -> str:
    position = Position()
    words: list[str] = []
    while len(words) < 80 and (moves := position.legal_moves()):
        move = choose.choice(moves)
        words.append(position.san(move))
        position = position.play(move)
    return f'[White "{choose.random()}"]\n\n{" ".join(words)} *'


def single_machine(sources: list[Path], folder: Path) -> tuple[bytes, bytes]:
    folder.mkdir()
    files = folder / "positions.parquet", folder / "fences.arrow"
    with IndexBuilder() as builder:
        for source in sources:
            with tabiya.open(source) as database:
                for batch in database.batches():
                    builder.add(batch)
        assert builder.finish(*files).rows > GROUP_ROWS
    return files[0].read_bytes(), files[1].read_bytes()


def emitted(sources: list[Path], piece: int) -> pa.Table:
    """What the workers emit, in one process."""
    pieces = list(jobs._pieces(sources, piece))
    tasks = [pa.RecordBatch.from_pydict({"id": [place]}) for place in range(len(pieces))]
    return pa.Table.from_batches(jobs._played(pieces, tasks))


@pytest.mark.parametrize("piece", [7, 100, 1000])
def test_pieces_make_the_rows_of_a_single_machine(piece: int, sources: list[Path], tmp_path: Path) -> None:
    rows = emitted(sources, piece).sort_by([("key", "ascending"), ("game", "ascending")])
    expected = single_machine(sources, tmp_path / "single")
    half = len(rows) // 2
    parts = []
    for part, some in (("a", rows[:half]), ("b", rows[half:])):
        (tmp_path / part).mkdir()
        (result,) = jobs._written(str(tmp_path / part), some.to_batches(max_chunksize=1000))
        assert result.to_pylist() == [{"part": 0, "rows": len(some)}]
        parts.append(jobs._files_of(tmp_path / part, 0))
    with ExitStack() as opened:
        indexes = [opened.enter_context(PositionIndex(*files)) for files in parts]
        merge_indexes(indexes, tmp_path / "p", tmp_path / "f")
    assert ((tmp_path / "p").read_bytes(), (tmp_path / "f").read_bytes()) == expected
    assert pq.read_table(tmp_path / "single" / "positions.parquet").equals(rows.cast(pq.read_schema(tmp_path / "p")))


def test_rows_survive_being_taken_apart() -> None:
    choose = np.random.default_rng(1)
    words = choose.integers(0, 1 << 63, (1000, 2), np.uint64) << np.uint64(1)
    words[:, 1] >>= np.uint64(1)  # a game is at most 2^31 - 1
    assert (jobs._words(jobs._columns(words)) == words).all()


def test_more_records_than_an_index_holds(sources: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "_MOST_RECORDS", 20)
    with pytest.raises(UnsupportedError, match="an index holds at most 20 records"):
        list(jobs._pieces(sources, 100))


def test_sources_that_are_not_there() -> None:
    with pytest.raises(TabiyaError, match="nowhere"):
        list(jobs._pieces(["nowhere.pgn"], 100))


# --- with Spark -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A session on this machine."""
    if shutil.which("java") is None:
        if IN_CI:
            pytest.fail("Java is missing, which Spark needs", pytrace=False)
        pytest.skip("SKIPPED: this test did not run; it did not pass: Java is missing, which Spark needs")
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of Spark are not ours
        options: dict[str, Any] = {
            "spark.ui.enabled": "false",
            "spark.local.dir": str(folder),
            "spark.sql.shuffle.partitions": "2",
        }
        options["spark.sql.warehouse.dir"] = str(folder)
        session = SparkSession.builder.master("local[2]").config(map=options).getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        yield session
        session.stop()


@pytest.mark.filterwarnings("ignore")
def test_spark_builds_the_index_of_a_single_machine(spark: Any, sources: list[Path], tmp_path: Path) -> None:
    expected = single_machine(sources, tmp_path / "single")
    positions, fences = tmp_path / "positions.parquet", tmp_path / "fences.arrow"
    rows = jobs.build_index(spark, sources, positions, fences, piece=150, partitions=3)
    assert (positions.read_bytes(), fences.read_bytes()) == expected
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fences.arrow", "positions.parquet", "single"]
    with PositionIndex(positions, fences) as index:
        assert index.rows == rows
    theirs = spark.read.parquet(str(positions)).sort("key", "game").collect()
    assert [tuple(row) for row in theirs] == [tuple(row.values()) for row in pq.read_table(positions).to_pylist()]


@pytest.mark.filterwarnings("ignore")
def test_what_workers_cannot_do_is_a_sentence(spark: Any, sources: list[Path], tmp_path: Path) -> None:
    gone = tmp_path / "gone.pgn"
    shutil.copyfile(sources[0], gone)
    rows = jobs.position_rows(spark, [gone])
    gone.unlink()
    with pytest.raises(TabiyaError, match=r"Spark could not finish: .*gone\.pgn"):
        jobs.write_parts(rows, tmp_path / "parts")


@pytest.mark.filterwarnings("ignore")
def test_the_page_does_what_it_shows(
    spark: Any, sources: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "how-to" / "spark.md").read_text("utf-8")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copyfile(sources[2], tmp_path / "more.parquet")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in re.findall(r"^```py\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        exec(compile(block, "page", "exec"), names)
    built, index = re.findall(r"\d+", capsys.readouterr().out)[:2]
    assert built == index
