"""Tables as files: what is in them, that they are whole or not there, and that nobody takes them for a database."""

from __future__ import annotations

import csv
import gc
import io
import re
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

import tabiya
from tabiya.errors import FormatError, TabiyaError, UsageError
from tabiya.formats import Progress
from tabiya.tables import USUAL_COLUMNS, table_files
from tests.conftest import ROOT

CLASSICS = ROOT / "examples" / "classics.pgn"
CLOCKS = '[White "A, \\"B\\""]\n[Result "1/2-1/2"]\n\n1. e4 {[%clk 0:01:00]} e5 2. Nf3 {[%clk 0:00:58.5]} 1/2-1/2\n'


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ","))


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    report = tabiya.write_table(CLASSICS, path)
    assert report == tabiya.TableReport(format="parquet", rows=8, records=8, columns=USUAL_COLUMNS["games"])
    with tabiya.open(CLASSICS) as database:
        expected = database.to_arrow(["white", "san", "date"]).read_all().to_pylist()
    table = pq.read_table(path)
    assert table.select(["white", "san", "date"]).to_pylist() == expected
    assert {*table["result"].to_pylist()} == {"1-0", "1/2-1/2"}
    with duckdb.connect() as connection:
        requested = connection.execute(f"select white, san[1], date from '{path}' where len(san) = 21").fetchall()
    assert requested == [("Réti, Richard", "e4", None)]


@pytest.mark.parametrize("rows", ["games", "positions"])
def test_a_table_says_that_it_is_no_database(rows: str, tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    tabiya.write_table(CLASSICS, path, rows=rows)
    assert b"chosen columns" in pq.read_metadata(path).metadata[b"tabiya"]
    sentence = f"is a table of chosen columns of {rows} made by tabiya, not a database; read it with DuckDB or pandas"
    with pytest.raises(FormatError, match=sentence):
        tabiya.open(path)


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_text(suffix: str, tmp_path: Path) -> None:
    source, path = tmp_path / "a.pgn", tmp_path / f"a.{suffix}"
    source.write_text(CLOCKS)
    names = ["white", "result", "clocks", "san", "evaluations", "kind", "variant", "deleted"]
    assert tabiya.write_table(source, path, names).rows == 1
    assert rows_of(path) == [
        {
            "white": 'A, "B"',
            "result": "1/2-1/2",
            "clocks": "60 ? 58.5",
            "san": "e4 e5 Nf3",
            "evaluations": "",
            "kind": "game",
            "variant": "standard",
            "deleted": "false",
        }
    ]


def test_positions_as_text(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    report = tabiya.write_table(CLASSICS, path, rows="positions")
    rows = rows_of(path)
    assert (report.records, report.rows) == (8, len(rows))
    assert [*rows[0]] == [*USUAL_COLUMNS["positions"]]
    assert rows[1]["fen"] == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"


def test_no_games_are_a_table_too(tmp_path: Path) -> None:
    with tabiya.open(CLASSICS) as database:
        none = database.filter(white="nobody")
        for name in ("a.parquet", "a.csv"):
            assert tabiya.write_table(none, tmp_path / name, ["white", "san", "fen"]).rows == 0
    assert pq.read_table(tmp_path / "a.parquet").column_names == ["white", "san", "fen"]
    assert (tmp_path / "a.csv").read_text().strip() == '"white","san","fen"'


def test_groups_of_rows_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_files, "_GROUP_ROWS", 3)
    monkeypatch.setattr("tabiya.tables.streaming._MOST_TOKENS", 60)
    path = tmp_path / "a.parquet"
    tabiya.write_table(CLASSICS, path, ["white", "ply_count"])
    assert pq.read_metadata(path).num_row_groups > 1
    assert pq.read_table(path).num_rows == 8


def test_a_stream_takes_a_table_and_progress_is_told() -> None:
    collected: list[Progress] = []
    stream = io.BytesIO()
    tabiya.write_table(CLASSICS, stream, ["white"], format="csv", progress=collected.append)
    assert stream.getvalue().decode().splitlines()[1] == '"Anderssen, Adolf"'
    assert collected[-1].records == 8


@pytest.mark.parametrize(
    ("target", "told", "sentence"),
    [
        ("a.txt", {}, "the suffix does not give the format of a table; known: parquet, csv, tsv"),
        ("a.csv", {"format": "xml"}, "a table cannot be written as 'xml'"),
        ("a.csv", {"columns": ["tags"]}, "the column 'tags' cannot be written as text: write Parquet instead"),
        ("a.csv", {"columns": ["whit"]}, "no column is called 'whit'"),
        ("a.csv", {"threads": 0}, "the number of threads"),
        ("old.csv", {}, "already exists"),
    ],
)
def test_what_is_refused_leaves_nothing(target: str, told: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    (tmp_path / "old.csv").write_text("mine")
    with pytest.raises(UsageError, match=re.escape(sentence)):
        tabiya.write_table(CLASSICS, tmp_path / target, **told)
    assert [path.name for path in tmp_path.iterdir()] == ["old.csv"]
    assert (tmp_path / "old.csv").read_text() == "mine"


def test_streams_need_a_format_and_targets_to_be_places() -> None:
    with pytest.raises(UsageError, match="a stream has no suffix"):
        tabiya.write_table(CLASSICS, io.BytesIO())
    with pytest.raises(UsageError, match="expected a path or a file object"):
        tabiya.write_table(CLASSICS, 3, format="csv")  # type: ignore[arg-type]


def test_the_source_is_not_the_target(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    tabiya.convert(CLASSICS, path)
    before = path.read_bytes()
    with pytest.raises(UsageError, match="is also the source"):
        tabiya.write_table(path, path, overwrite=True)
    assert path.read_bytes() == before


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_source_that_breaks_leaves_no_target(tmp_path: Path, suffix: str) -> None:
    source = tmp_path / "games.parquet"
    tabiya.convert(CLASSICS, source)
    data = bytearray(source.read_bytes())
    data[100:400] = bytes(300)
    source.write_bytes(data)
    with pytest.raises(TabiyaError):
        tabiya.write_table(source, tmp_path / f"a.{suffix}", ["san"])
    gc.collect()
    assert [path.name for path in tmp_path.iterdir()] == ["games.parquet"]


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_no_text_is_a_formula_in_a_spreadsheet(tmp_path: Path, suffix: str) -> None:
    names = ["=1+1", "@SUM(A1)", "+1", "-1", "\t=1", "A=1", "1-0", "\x1b[31mred\u202edlo", "Müller"]
    source, path = tmp_path / "in.parquet", tmp_path / f"out.{suffix}"
    with tabiya.create(source) as writer:
        writer.write(tabiya.Game({"White": name, "WhiteElo": "2700"}) for name in names)
    tabiya.write_table(source, path, ["white", "white_elo"], spreadsheet=True)
    shown = ["'=1+1", "'@SUM(A1)", "'+1", "'-1", "'\t=1", "A=1", "1-0", "\ufffd[31mred\ufffddlo", "Müller"]
    assert [row["white"] for row in rows_of(path)] == shown
    assert {row["white_elo"] for row in rows_of(path)} == {"2700"}
    tabiya.write_table(source, path, ["white"], overwrite=True)
    assert [row["white"] for row in rows_of(path)] == names
    with pytest.raises(UsageError, match="is for csv and tsv"):
        tabiya.write_table(source, tmp_path / "out.parquet", spreadsheet=True)
