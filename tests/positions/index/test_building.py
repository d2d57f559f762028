"""Building an index: against a slow one, against python-chess, in any memory and with any number of threads."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

import chess
import chess.polyglot
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.errors import UnsupportedError, UsageError
from tabiya.game import Game, GameBatch
from tabiya.positions.index import IndexBuilder, building
from tests.conftest import ROOT, sample_path
from tests.positions.index.naive import PATHS, build, naive, opened, signed, stored
from tests.strategies import records

DATA = ROOT / "tests" / "data" / "pgn"


def batch_of(*texts: str) -> GameBatch:
    return GameBatch.from_games([Game.from_pgn(text) for text in texts])


@settings(max_examples=60)
@given(st.lists(st.lists(records(), max_size=4), max_size=3), st.integers(0, 1 << 30))
def test_rows_are_those_of_a_slow_replay(batches: list[list[Game]], first: int) -> None:
    found = [GameBatch.from_games(games) for games in batches]
    whole = GameBatch.concat(found)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        counts = build(folder, *found, first=first)
        main, side = naive(whole, first)
        assert stored(folder) == main
        assert stored(folder, PATHS[2]) == side
        assert (counts.records, counts.rows, counts.variation_rows) == (len(whole), len(main), len(side))
        assert counts.games == len({game for _, game, *_ in main})
        with opened(folder) as index:
            assert (index.rows, index.variation_rows) == (len(main), len(side))
            for key in {row[0] for row in (*main, *side)}:
                games, plies, moves = (column.tolist() for column in index.find(key))
                assert [(key, *row) for row in zip(games, plies, moves, strict=True)] == [
                    r for r in main if r[0] == key
                ]
                games, moves = (column.tolist() for column in index.find_variations(key))
                found_side = [(key, *row) for row in zip(games, moves, strict=True)]
                assert found_side == [row for row in side if row[0] == key]


@pytest.mark.parametrize("name", ["games.pgn", "variations.pgn", "starts.pgn"])
def test_files_give_the_rows_of_a_slow_replay(name: str, tmp_path: Path) -> None:
    batch = GameBatch.concat(list(tabiya.open(DATA / name).batches()))
    build(tmp_path, batch)
    main, side = naive(batch)
    assert stored(tmp_path) == main
    assert stored(tmp_path, PATHS[2]) == side
    assert main


def test_a_repeated_position_is_there_once(tmp_path: Path) -> None:
    counts = build(tmp_path, batch_of("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 *"))
    assert counts.rows == 4
    with opened(tmp_path) as index:
        found = index.find(tabiya.Position().key)
    assert [column.tolist() for column in found] == [[0], [0], [6 | 21 << 6]]


def test_the_last_position_says_that_the_game_ends(tmp_path: Path) -> None:
    build(tmp_path, batch_of("1. e4 *", "*", "1. e4 -- 2. d4 *"))
    with opened(tmp_path) as index:
        start = index.find(tabiya.Position().key)
        after = index.find(tabiya.Position().play("e4").key)
    assert [start.games.tolist(), start.moves.tolist()] == [[0, 1, 2], [12 | 28 << 6, -1, 12 | 28 << 6]]
    assert [after.games.tolist(), after.moves.tolist()] == [[0, 2], [-1, 0]]


def test_games_that_have_no_rows_or_not_all_are_counted(tmp_path: Path) -> None:
    other = '[Variant "Chess960"]\n\n1. e4 *\n'
    nowhere = GameBatch.from_games([Game.from_pgn("1. e4 *")])
    records = nowhere.record_batch
    start = records.schema.get_field_index("start")
    nowhere = GameBatch(records.set_column(start, records.schema.field(start), pa.array(["no position"])))
    counts = build(tmp_path, batch_of("1. e4 *", other), nowhere, with_tokens([12 | 28 << 6, 12 | 28 << 6]))
    assert (counts.records, counts.games, counts.rows) == (4, 3, 6)
    assert (counts.chess960, counts.bad_starts, counts.unplayable, counts.too_long) == (1, 1, 1, 0)


def with_tokens(*tapes: list[int]) -> GameBatch:
    """Games with these tokens on their tapes, whatever they are."""
    records = GameBatch.from_games([Game() for _ in tapes]).record_batch
    place = records.schema.get_field_index("moves")
    field = records.schema.field(place)
    return GameBatch(records.set_column(place, field, pa.array(tapes, field.type)))


@given(
    st.lists(st.lists(st.one_of(st.integers(0, 0xFFFF), st.sampled_from([796, 2364, 0x8000, 0x8001, 0]))), max_size=4)
)
def test_senseless_tapes_have_rows_up_to_where_they_make_sense(tapes: list[list[int]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        counts = build(folder, with_tokens(*tapes))
        assert counts.games == len(tapes)
        rows = stored(folder)
        assert [row for row in rows if row[2] == 0] == [row for row in rows if row[0] == signed(tabiya.Position().key)]
        assert len(rows) == len({row[:2] for row in rows})


def test_a_variation_counts_up_to_what_cannot_be_played(tmp_path: Path) -> None:
    e4, d4, d5, e5 = 12 | 28 << 6, 11 | 27 << 6, 51 | 35 << 6, 52 | 36 << 6
    build(tmp_path, with_tokens([e4, 0x8000, d4, e5, d4, 0x8000, d5, 0x8001, d5, 0x8001, e5, 0x8000, d5, 0x8001]))
    start = tabiya.Position()
    expected = [start.play("d4"), start.play("d4").play("e5"), start.play("e4").play("d5")]
    rows = [(signed(position.key), 0, move) for position, move in zip(expected, (1, 2, 7), strict=True)]
    assert stored(tmp_path, PATHS[2]) == sorted(rows)


def test_a_very_long_game_is_cut(tmp_path: Path) -> None:
    there, back = [6 | 21 << 6, 62 | 45 << 6], [21 | 6 << 6, 45 | 62 << 6]
    e4, e5 = 12 | 28 << 6, 52 | 36 << 6
    counts = build(tmp_path, with_tokens((there + back) * 8191 + there + [e4, e5]))
    assert (counts.too_long, counts.games) == (1, 1)
    assert max(row[2] for row in stored(tmp_path)) == 32767
    assert [row[3] for row in stored(tmp_path) if row[2] == 32767] == [e5]


@pytest.mark.parametrize("most_rows", [3, 100, 1 << 18])
@pytest.mark.parametrize(("memory", "threads"), [(1 << 12, 1), (1 << 16, 2), (1 << 26, 3)])
def test_memory_and_threads_change_nothing(
    memory: int, threads: int, most_rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where a bucket does not fit into memory and is cut by its keys."""
    monkeypatch.setattr(building, "_MOST_ROWS", most_rows)
    shuffled = batch_of("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 *")
    batches = [GameBatch.concat([*tabiya.open(DATA / "games.pgn").batches(), shuffled])] * 40
    build(tmp_path / "usual", *batches)
    build(tmp_path / "other", *batches, memory=memory, threads=threads)
    for name in PATHS:
        assert (tmp_path / "usual" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()


def test_python_chess_finds_the_same(tmp_path: Path) -> None:
    batch = next(tabiya.open(sample_path("pgn/twic-small.pgn")).batches())
    build(tmp_path, batch)
    expected: list[tuple[int, ...]] = []
    for number, tape in enumerate(batch.record_batch["moves"].to_pylist()):
        board = chess.Board()
        seen: dict[int, tuple[int, ...]] = {}
        for ply, token in enumerate([*tape, -1]):
            key = signed(chess.polyglot.zobrist_hash(board))
            seen.setdefault(key, (key, number, ply, token))
            if token >= 0:
                board.push(move_of(board, token))
        expected += seen.values()
    assert stored(tmp_path) == sorted(expected)


def move_of(board: chess.Board, token: int) -> chess.Move:
    source, target, promotion = token & 63, token >> 6 & 63, token >> 12
    if board.kings >> source & board.occupied_co[board.turn] >> target & 1:
        return board.parse_san("O-O" if target > source else "O-O-O")
    return chess.Move(source, target, promotion + 1 if promotion else None)


def test_more_records_than_can_be_counted_are_refused(tmp_path: Path) -> None:
    with IndexBuilder((1 << 31) - 2, memory=1 << 20, threads=1, variations=False) as builder:
        builder.add(batch_of("1. e4 *"))
        with pytest.raises(UnsupportedError, match="at most"):
            builder.add(batch_of("1. e4 *"))
    assert list(tmp_path.iterdir()) == []


def test_variations_need_a_file(tmp_path: Path) -> None:
    with IndexBuilder(0, variations=True) as builder, pytest.raises(UsageError, match="variations"):
        builder.finish(*(tmp_path / name for name in PATHS[:2]))
    assert list(tmp_path.iterdir()) == []


def test_progress_goes_up_to_the_end(tmp_path: Path) -> None:
    seen: list[float] = []
    with IndexBuilder(0, memory=1 << 14, threads=2, variations=True) as builder:
        for batch in tabiya.open(DATA / "variations.pgn").batches():
            builder.add(batch)
        builder.finish(*(tmp_path / name for name in PATHS), progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1
    assert np.all(np.array(seen) > 0)


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    with IndexBuilder(0, memory=1 << 14, threads=2, variations=True, folder=tmp_path) as builder:
        builder.add(next(tabiya.open(DATA / "games.pgn").batches()))
        with pytest.raises(KeyboardInterrupt):
            builder.finish(*(tmp_path / name for name in PATHS), progress=interrupt)
    assert list(tmp_path.iterdir()) == []


def test_the_page_shows_what_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "formats" / "positions.md").read_text("utf-8")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(compile(block, "positions.md", "exec"), {})
    assert capsys.readouterr().out == "330 [0 1 2 4] [2 2 2 2]\n"
