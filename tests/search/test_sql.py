"""Functions in SQL: every answer against python-chess, on games, set-ups, Chess960, and tapes that make no sense."""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import chess
import chess.polyglot
import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import UnsupportedError, UsageError
from tabiya.game.tape import BEGIN, END
from tabiya.positions.index import IndexBuilder
from tabiya.search.sql import FUNCTIONS
from tests.conftest import ROOT
from tests.strategies import STARTS
from tests.test_doc_examples import blocks

START = chess.STARTING_FEN
CHESS960 = "1r2k1r1/8/8/8/8/8/8/R4KR1 w KQkq - 0 1"
PINNED = "8/6bb/8/8/R1pP2k1/4P3/P7/K7 b - d3 0 1"
"""Taking on d3 opens the rank to the king: Polyglot's key has the file, the FEN of most programs has not."""
NO_POSITION = "8/8/8/8/8/8/8/8 w - -"


@pytest.fixture(scope="module")
def connection() -> Iterator[Any]:
    with duckdb.connect() as made:
        tabiya.register(made)
        yield made


class Line:
    """A main line as python-chess plays it, up to the first move that is not legal."""

    def __init__(self, start: str | None, tokens: Sequence[int | None]) -> None:
        self.boards = [chess.Board(start or START, chess960=True)]
        self.sans: list[str] = []
        for token in main_line(tokens):
            board = self.boards[-1].copy(stack=False)
            move = played(board, token)
            if move is None:
                break
            self.sans.append(board.san(move))
            board.push(move)
            self.boards.append(board)

    def text(self, plies: int) -> str:
        words = []
        for place, (board, san) in enumerate(zip(self.boards, self.sans[:plies], strict=False)):
            dots = "." if board.turn else "..." if place == 0 else ""
            words += [f"{board.fullmove_number}{dots}"] * bool(dots) + [san]
        return " ".join(words)

    def first(self, wanted: chess.Board) -> int | None:
        """By what FIDE calls the same position."""
        return next((ply for ply, board in enumerate(self.boards) if facts(board) == facts(wanted)), None)


def facts(board: chess.Board) -> tuple[object, ...]:
    ep = board.ep_square if board.has_legal_en_passant() else None
    return board.board_fen(), board.turn, board.clean_castling_rights(), ep


def without_senseless_ep(board: chess.Board) -> chess.Board:
    board = board.copy(stack=False)
    board.ep_square = board.ep_square if board.has_legal_en_passant() else None
    return board


def main_line(tokens: Sequence[int | None]) -> Iterator[int]:
    """The moves; a token that is unsound where it is comes out as a move, which is never legal."""
    depth = 0
    for token in (0xFFFF if token is None else token for token in tokens):
        if token == BEGIN:
            depth += 1
        elif token == END and depth:
            depth -= 1
        elif depth == 0 or token > END:
            yield token


def played(board: chess.Board, token: int) -> chess.Move | None:
    if token == 0:
        return chess.Move.null()
    promotion = token >> 12
    move = chess.Move(token & 63, token >> 6 & 63, promotion + 1 if promotion else None)
    if promotion > 4 or move.to_square in {board.king(True), board.king(False)}:
        return None
    return move if board.is_legal(move) else None


def token_of(move: chess.Move) -> int:
    return move.from_square | move.to_square << 6 | (move.promotion - 1 if move.promotion else 0) << 12


def key_of(board: chess.Board) -> int:
    key = chess.polyglot.zobrist_hash(board)
    return key - (1 << 64) if key >> 63 else key


def keys_of(board: chess.Board) -> set[int]:
    """By Polyglot's rule, and as programs have it that leave out an en passant square where no capture is legal."""
    sound = board.copy(stack=False)
    if not board.has_legal_en_passant():
        sound.ep_square = None
    return {key_of(board), key_of(sound)}


def material_of(board: chess.Board) -> str:
    pieces = sorted(board.piece_map().values(), key=lambda piece: (not piece.color, -piece.piece_type))
    return "".join(piece.symbol().upper() for piece in pieces)


@st.composite
def tapes(draw: st.DrawFn, start: str | None) -> list[int | None]:
    """Legal moves, some followed by a variation, and here and there anything."""
    board = chess.Board(start or START, chess960=True)
    tape: list[int | None] = []
    for choice in draw(st.lists(st.integers(0, 999), max_size=40)):
        moves = [token_of(move) for move in board.legal_moves] or [0]
        token = 0 if choice > 990 else moves[choice % len(moves)]
        if choice > 995:
            tape.append(draw(st.integers(0, 0xFFFF) | st.none()))
            continue
        tape.append(token)
        if choice % 10 == 0:
            tape += [BEGIN, draw(st.sampled_from(moves)), *([BEGIN, 0, END] * (choice % 20 == 0)), END]
        move = played(board, token)
        if move is not None:
            board.push(move)
    return tape


games = st.sampled_from([None, *STARTS, PINNED]).flatmap(lambda start: st.tuples(st.just(start), tapes(start)))


def asked(connection: Any, question: str, rows: Sequence[tuple[Any, ...]], **columns: pa.DataType) -> list[Any]:
    """The answers to a question about the rows of a table ``t`` with these columns."""
    arrays = {name: pa.array([row[place] for row in rows], kind) for place, (name, kind) in enumerate(columns.items())}
    connection.register("t", pa.table(arrays))
    answers = connection.execute(f"SELECT {question} FROM t").fetchall()
    connection.unregister("t")
    return [answer[0] if len(answer) == 1 else answer for answer in answers]


GAME = {"start": pa.string(), "moves": pa.list_(pa.uint16())}


@given(st.lists(games, max_size=4), st.integers(-45, 45))
def test_positions_of_lines(connection: Any, rows: list[Any], ply: int) -> None:
    question = ", ".join(f"{name}(moves, {ply}, start)" for name in ("key_at", "fen_at", "material_at", "san_at"))
    question += f", line_to(moves, {ply}, start), main_line(moves, start), plies(moves, start), line_keys(moves, start)"
    answers = asked(connection, question, rows, **GAME)
    for (start, tape), (key, fen, material, san, line_to, line, plies, keys) in zip(rows, answers, strict=True):
        oracle = Line(start, tape)
        count = len(oracle.sans)
        at = ply if ply >= 0 else count + 1 + ply
        there = 0 <= at <= count
        board = oracle.boards[at] if there else chess.Board()
        assert (key, material) == ((key_of(board), material_of(board)) if there else (None, None))
        assert fen == (board.fen(en_passant="fen") if there else None)
        assert san == (oracle.sans[at] if 0 <= at < count else None)
        assert line_to == (oracle.text(at) if at >= 0 else None)
        assert (line, plies, keys) == (oracle.text(count), count, [key_of(board) for board in oracle.boards])


@given(games, games, st.integers(0, 40))
def test_first_plies(connection: Any, game: Any, other: Any, ply: int) -> None:
    """Of a position that the line has, and of one that it may not have; by FEN and by key."""
    for start, tape in (game, other):
        line = Line(start, tape)
        expected = line.boards[min(ply, len(line.sans))]
        question = f"first_ply(moves, '{expected.fen()}', start), first_ply(moves, {key_of(expected)}, start)"
        question += f", first_material_ply(moves, '{material_of(expected)}', start)"
        for by_fen, by_key, by_material in asked(connection, question, [game], **GAME):
            oracle = Line(*game)
            assert by_fen == oracle.first(expected)
            assert by_key == next(
                (at for at, board in enumerate(oracle.boards) if key_of(expected) in keys_of(board)), None
            )
            pieces = [material_of(board) for board in oracle.boards]
            assert by_material == (pieces.index(material_of(expected)) if material_of(expected) in pieces else None)


def test_chess960(connection: Any) -> None:
    """Castling by the rules of Chess960 if the variant or the FEN says so."""
    board = chess.Board(CHESS960, chess960=True)
    board.push(castling := board.parse_san("O-O-O"))
    games = [(CHESS960, 1), (CHESS960.replace("KQkq", "GAgb"), 0), (CHESS960, 0)]
    rows = [(start, [token_of(castling)], variant) for start, variant in games]
    question = "san_at(moves, 0, start, variant), key_at(moves, 1, start, variant), line_to(moves, 1, start, variant)"
    *castled, other = asked(connection, question, rows, **GAME, variant=pa.int32())
    assert castled == [("O-O-O", key_of(board), "1. O-O-O")] * 2
    assert other == (None, None, "")


def test_an_en_passant_that_is_not_legal_is_none(connection: Any) -> None:
    plain = PINNED.replace("d3", "-")
    for fen in (PINNED, plain):
        assert connection.execute("SELECT first_ply([]::USMALLINT[], ?, ?)", [fen, PINNED]).fetchall() == [(0,)]
    assert connection.execute("SELECT position_key(?) = position_key(?)", [PINNED, plain]).fetchall() == [(False,)]


@pytest.mark.parametrize("position", ["", "1.e4 c5 2.Nf3", "e2e4 c7c5", *STARTS])
def test_positions_as_people_type_them(connection: Any, position: str) -> None:
    board = chess.Board(position if "/" in position else START)
    for word in position.split() if "/" not in position else ():
        board.push(board.parse_san(re.sub(r"^\d+\.", "", word)))
    assert connection.execute("SELECT position_key(?)", [position]).fetchall() == [(key_of(board),)]
    for move in [*board.legal_moves][:5]:
        token = token_of(move)
        assert connection.execute("SELECT move_san(?, ?)", [position, token]).fetchall() == [(board.san(move),)]
    senseless = "move_san(?, -1), move_san(?, NULL), move_san(?, 0), move_san(?, 65535), move_san(?, 70000)"
    assert connection.execute(f"SELECT {senseless}", [position] * 5).fetchall() == [(None, None, "--", None, None)]


def test_nothing_is_known_of_null(connection: Any) -> None:
    for name, function in FUNCTIONS.items():
        least, most = function.limits()
        for count in range(least, most + 1):
            nulls = ", ".join(["NULL"] * count)
            assert connection.sql(f"SELECT {name}({nulls})").fetchall() == [(None,)], name
    for name in ("key_at", "fen_at", "material_at", "san_at", "line_to"):
        assert connection.sql(f"SELECT {name}([], 0, '{NO_POSITION}'), {name}([], NULL)").fetchall() == [(None, None)]
    for name in ("line_keys", "main_line", "plies"):
        assert connection.sql(f"SELECT {name}([], '{NO_POSITION}')").fetchall() == [(None,)]
    assert connection.sql(f"SELECT first_ply([], '', '{NO_POSITION}')").fetchall() == [(None,)]
    assert connection.sql("SELECT plies(moves) FROM (SELECT []::USMALLINT[] AS moves) WHERE false").fetchall() == []


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (f"position_key('{NO_POSITION}')", "FormatError: each side must have exactly one king"),
        ("first_ply([], '1.e5')", "FormatError: '1.e5' is neither a FEN nor a line of moves: e5 is not a legal move"),
        ("move_san('xx/yy', 1)", "FormatError: the FEN has a letter that is not a piece"),
        ("first_material_ply([], 'QQ')", "'QQ' is not a material such as KRPPKRP"),
        ("fen_at([])", r"fen_at takes other arguments: fen_at\(moves, ply\[, start\[, variant\]\]\)"),
        ("plies()", "No function matches the given name and argument types"),  # DuckDB's own words
        ("plies([], NULL, 1, 2)", "plies takes other arguments"),
        ("fen_at(1, 2)", "an argument has another type than fen_at"),
        ("fen_at([70000], 2)", "an argument has another type than fen_at"),
        ("fen_at([1], 'two')", "an argument has another type than fen_at"),
    ],
)
def test_wrong_questions_are_errors(connection: Any, question: str, sentence: str) -> None:
    with pytest.raises(duckdb.Error, match=sentence):
        connection.sql(f"SELECT {question}").fetchall()


def test_a_file_of_games(connection: Any, tmp_path: Path) -> None:
    """In threads, over more rows than DuckDB hands over at a time; names that are taken are replaced."""
    tabiya.register(connection)
    tabiya.convert(ROOT / "examples" / "classics.pgn", tmp_path / "games.parquet")
    games = f"(SELECT * FROM '{tmp_path / 'games.parquet'}', range(1000))"
    question = f"SELECT material_at(moves, -1, start), count(*) FROM {games} GROUP BY ALL ORDER BY ALL"
    answers = connection.sql(question).fetchall()
    assert sum(count for _, count in answers) == 8000
    assert ("KRKR", 1000) in answers


def test_an_index_of_positions(connection: Any, tmp_path: Path) -> None:
    """The question of the page about the files of a library, on games in which all moves after 1.e4 c5 are known."""
    replies = {"Nf3": 3, "Nc3": 2, "d4": 1}
    text = "".join(f"1. e4 c5 2. {move} *\n\n" * count for move, count in replies.items())
    (tmp_path / "games.pgn").write_text(f"{text}1. c4 c5 2. e4 *\n\n1. e4 c5 *\n")
    with IndexBuilder() as builder, tabiya.open(tmp_path / "games.pgn") as database:
        for batch in database.batches():
            builder.add(batch)
        builder.finish(tmp_path / "positions-1.parquet", tmp_path / "fences-1.arrow")
    (question,) = blocks((ROOT / "docs" / "how-to" / "sql.md").read_text("utf-8"), "sql")
    answers = connection.sql(question.replace("mega.tabiya", str(tmp_path))).fetchall()
    assert sorted(answers, key=str) == sorted([*replies.items(), (None, 1)], key=str)


def test_another_cursor_knows_them(connection: Any) -> None:
    assert connection.cursor().sql("SELECT plies([])").fetchall() == [(0,)]


def test_only_connections_of_duckdb(monkeypatch: pytest.MonkeyPatch) -> None:
    with sqlite3.connect(":memory:") as other, pytest.raises(UsageError, match="a connection of DuckDB"):
        tabiya.register(other)  # type: ignore[arg-type]
    other.close()
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(UnsupportedError, match=r"pip install 'tabiya\[sql\]'"):
        tabiya.register(None)  # type: ignore[arg-type]


def test_the_page_shows_every_function() -> None:
    page = (ROOT / "docs" / "how-to" / "sql.md").read_text("utf-8")
    rows = [f"| `{name}({each.arguments})` | `{each.returns}` | {each.meaning} |" for name, each in FUNCTIONS.items()]
    assert "\n".join(rows) in page


def test_codes_of_results_and_words_of_tables(connection: Any) -> None:
    requested = "SELECT result_text(code) FROM (VALUES (0), (1), (2), (3), (9), (-1), (NULL)) AS codes(code)"
    assert connection.sql(requested).fetchall() == [("*",), ("1-0",), ("0-1",), ("1/2-1/2",), (None,), (None,), (None,)]
    with tabiya.open(ROOT / "examples" / "classics.pgn") as games:
        table = games.to_arrow(["moves", "start", "variant", "variant_code"]).read_all()  # noqa: F841 - DuckDB finds it
        whole = "SELECT count(*) FROM table WHERE fen_at(moves, 0, start, variant) = fen_at(moves, 0, start, {})"
        assert connection.sql(whole.replace("table", '"table"').format("variant_code")).fetchall() == [(8,)]
    played = FUNCTIONS["fen_at"].answer
    moves, ply, start = pa.array([[0]], pa.list_(pa.uint16())), pa.array([0]), pa.array([CHESS960])
    texts = [played([moves, ply, start, pa.array([word])]).to_pylist() for word in ("chess960", "standard", 1, 0)]
    assert texts[:2] == texts[2:]
