"""Columns of a database as Arrow: names, types, null, threads, and what is refused."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import UsageError
from tabiya.game import RECORD_SCHEMA, Game, GameBatch, RecordKind
from tabiya.game.tag_texts import tag_texts
from tabiya.tables import COLUMNS, POSITION_COLUMNS, streaming
from tabiya.tables.columns import column_of
from tests import strategies
from tests.conftest import ROOT
from tests.search.test_sql import Line, key_of, material_of

CLASSICS = ROOT / "examples" / "classics.pgn"


def column(games: list[Game], name: str, tmp_path: Path) -> list[Any]:
    path = tmp_path / "games.parquet"
    with tabiya.create(path, overwrite=True) as writer:
        writer.write(games)
    with tabiya.open(path) as database:
        table = database.to_arrow(name).read_all()
    table.validate(full=True)
    values: list[Any] = table.column(0).to_pylist()
    return values


def test_the_columns_of_the_issue() -> None:
    with tabiya.open(CLASSICS) as database:
        table = database.to_arrow(["white", "san", "tag:TimeControl", "tag:White"]).read_all()
    assert table.column_names == ["white", "san", "tag:TimeControl", "tag:White"]
    assert table["white"].to_pylist() == table["tag:White"].to_pylist()
    assert table["san"][0].as_py()[:4] == ["e4", "e5", "f4", "exf4"]
    assert table["tag:TimeControl"].null_count == len(table)


@pytest.mark.parametrize("ply", [None, 0, 3, 20, -1, -4, 5000])
def test_positions_at_a_ply(ply: int | None) -> None:
    ending = "" if ply is None else f":{ply}"
    with tabiya.open(CLASSICS) as database:
        table = database.to_arrow([f"fen{ending}", f"key{ending}", f"material{ending}", "start", "moves"]).read_all()
    for fen, key, material, start, moves in zip(*(table[name].to_pylist() for name in table.column_names), strict=True):
        boards = Line(start, moves).boards
        place = -1 if ply is None else ply
        if -len(boards) <= place < len(boards):
            board = boards[place]
            assert (fen, key, material) == (board.fen(en_passant="fen"), key_of(board), material_of(board))
        else:
            assert (fen, key, material) == (None, None, None)


@given(st.lists(strategies.records(), max_size=4), st.sampled_from(["Date", "WhiteElo", "Event", "PlyCount", "SetUp"]))
def test_tags_are_those_of_the_games(records: list[Game], name: str) -> None:
    batch = GameBatch.from_games(records)
    assert tag_texts(batch.record_batch, name).to_pylist() == [game.tags.get(name) for game in batch.games()]


def test_dates_are_days_that_exist(tmp_path: Path) -> None:
    texts = ["2024.02.29", "2023.02.29", "1851.06.21", "2023.??.01", "????.??.??", "0001.01.01", "2023.04.31", "x"]
    games = [Game.from_pgn(f'[Date "{text}"]\n\n*') for text in texts]
    expected = [dt.date(2024, 2, 29), None, dt.date(1851, 6, 21), None, None, dt.date(1, 1, 1), None, None]
    assert column(games, "date", tmp_path) == expected


def test_what_is_no_game_has_no_moves(tmp_path: Path) -> None:
    text = Game()
    text.kind = RecordKind.TEXT
    for name in ("san", "ply_count", "fen", "key", "material", "movetext", "keys"):
        assert column([text, Game.from_pgn("1. e4 *")], name, tmp_path)[0] is None


def test_null_moves_and_set_ups(tmp_path: Path) -> None:
    game = Game.from_pgn('[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 40"]\n\n40. -- Kf7 41. a8=Q *')
    assert column([game], "uci", tmp_path) == [["0000", "e8f7", "a7a8q"]]
    assert column([game], "movetext", tmp_path) == ["40. -- Kf7 41. a8=Q"]


@pytest.mark.parametrize("rows", ["games", "positions"])
def test_rows_are_the_same_for_any_threads_and_pieces(rows: str, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["number", "white", "ply_count", "san", "key", "date", "tag:ECO", "source"]
    with tabiya.open(CLASSICS) as database:
        whole = database.to_arrow(names, rows=rows).read_all()
        threaded = database.to_arrow(names, rows=rows, threads=3).read_all()
        monkeypatch.setattr(streaming, "_MOST_TOKENS", 50)
        pieces = database.to_arrow(names, rows=rows, threads=2).read_all()
    assert whole.to_pylist() == threaded.to_pylist() == pieces.to_pylist()
    assert pieces.column("san").num_chunks > whole.column("san").num_chunks


def test_a_row_for_every_position() -> None:
    names = ["number", "ply", "key", "fen", "san", "result", "black"]
    with tabiya.open(CLASSICS) as database:
        rows = database.to_arrow(names, rows="positions").read_all().to_pylist()
        games = database.to_arrow(["number", "keys", "fens", "san", "result", "black"]).read_all().to_pylist()
    expected = [
        {
            "number": game["number"],
            "ply": ply,
            "key": key,
            "fen": fen,
            "san": san,
            "result": game["result"],
            "black": game["black"],
        }
        for game in games
        for ply, (key, fen, san) in enumerate(zip(game["keys"], game["fens"], [*game["san"], None], strict=True))
    ]
    assert rows == expected


def test_a_selection_has_columns_too() -> None:
    with tabiya.open(CLASSICS) as database:
        chosen = database.filter(white="steinitz").to_arrow(["number", "ply_count"]).read_all()
    assert chosen.to_pylist() == [{"number": 5, "ply_count": 49}]


def test_headers_are_enough_for_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    with tabiya.open(CLASSICS) as database:
        monkeypatch.setattr(database, "batches", lambda **_: pytest.fail("moves were read"))
        assert database.to_arrow(["white", "date", "tag:Round", "source"]).read_all().num_rows == 8


@pytest.mark.parametrize(
    ("columns", "rows", "sentence"),
    [
        (["nothing"], "games", "no column is called 'nothing'; known: number,"),
        (["san:3"], "games", "no column is called 'san:3'"),
        (["fen:x"], "games", "'fen:x' names no ply: give a number of half-moves, fen:20"),
        (["fen:"], "games", "'fen:' names no ply"),
        (["tag:"], "games", "a column of a tag needs its name: tag:TimeControl"),
        (["tag"], "games", "a column of a tag needs its name"),
        (["white", "white"], "games", "the column 'white' is requested twice"),
        (["moves"], "positions", "no column is called 'moves'"),
        (["keys"], "positions", "no column is called 'keys'"),
        (["white"], "moves", "the rows of a table are games or positions, not 'moves'"),
    ],
)
def test_what_makes_no_sense_is_said(columns: list[str], rows: str, sentence: str) -> None:
    with tabiya.open(CLASSICS) as database, pytest.raises(UsageError, match=re.escape(sentence)) as raised:
        database.to_arrow(columns, rows=rows)
    assert raised.value.path == str(CLASSICS)


@pytest.mark.parametrize("rows", ["games", "positions"])
def test_every_column_keeps_its_promise(rows: str) -> None:
    """The type that it declares, and null instead of an error for a game without moves."""
    columns = COLUMNS if rows == "games" else POSITION_COLUMNS
    names = [f"{name}:Event" if name == "tag" else name for name in columns]
    with tabiya.open(CLASSICS) as database:
        table = database.to_arrow(names, rows=rows).read_all()
    table.validate(full=True)
    assert [field.type for field in table.schema] == [each.type for each in columns.values()]


@pytest.mark.parametrize("rows", ["games", "positions"])
def test_results_are_texts_and_their_codes_have_another_name(tmp_path: Path, rows: str) -> None:
    """People took 0 for a draw."""
    words = pa.dictionary(pa.int32(), pa.string())
    codes = ["result_code", "kind_code", "variant_code"]
    for name in codes:
        assert column_of(name.removesuffix("_code"), rows).field.type == words
        assert column_of(name, rows).field.type == pa.uint8()
    games = [Game.from_pgn(f'[Result "{text}"]\n\n1. e4 {text}') for text in ("1-0", "0-1", "1/2-1/2", "*")]
    games += [Game(), Game({"Variant": "Chess960", "Result": "0-0"})]
    path = tmp_path / "games.parquet"
    with tabiya.create(path) as writer:
        writer.write(games)
    with tabiya.open(path) as database:
        found = database.to_arrow(["result", "variant", *codes], rows=rows).read_all().to_pylist()
    pairs = {(row["result"], row["result_code"]) for row in found}
    assert pairs == {("1-0", 1), ("0-1", 2), ("1/2-1/2", 3), ("*", 0), (None, None), ("0-0", 8)}
    assert {(row["variant"], row["variant_code"]) for row in found} == {("standard", 0), ("chess960", 1)}


def test_a_database_as_a_table_has_texts() -> None:
    with tabiya.open(CLASSICS) as database:
        table = pa.table(database)
        assert {*table["result"].to_pylist()} == {"1-0", "1/2-1/2"}
        assert table.select(["kind"]).to_pandas()["kind"].unique().tolist() == ["game"]
        assert table.column_names == RECORD_SCHEMA.names


@pytest.mark.parametrize(("columns", "heading"), [(COLUMNS, "Computed"), (POSITION_COLUMNS, "per position")])
def test_the_page_lists_all_columns(columns: dict[str, Any], heading: str) -> None:
    page = (ROOT / "docs" / "how-to" / "tables.md").read_text("utf-8")
    section = next(part for part in page.split("\n## ") if heading in part.splitlines()[0])
    listed = {
        names: (kind, what) for names, kind, what in re.findall(r"^\| (`.*?) \| `(.*?)` \| (.*) \|$", section, re.M)
    }
    shown = {"PLY": "`{0}`, `{0}:PLY`", "NAME": "`{0}:NAME`", "": "`{0}`"}
    assert listed == {
        shown[each.argument].format(name): (str(each.type).replace("item: ", ""), each.meaning)
        for name, each in columns.items()
    }
