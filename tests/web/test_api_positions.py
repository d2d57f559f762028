from __future__ import annotations

from typing import Any
from urllib.parse import quote

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import QueryParams

from tabiya.web.api.positions import show_position
from tabiya.web.request import Call
from tests.web.conftest import Client


def asked(**told: str) -> Any:
    return show_position(None, Call({}, QueryParams(told)))  # type: ignore[arg-type]  # it needs no site


@given(st.lists(st.integers(0, 200), max_size=60), st.none() | st.integers(0, 959))
def test_moves_are_those_of_python_chess(steps: list[int], start: int | None) -> None:
    board = chess.Board() if start is None else chess.Board.from_chess960_pos(start)
    for step in steps:
        moves = [*board.legal_moves]
        if not moves:
            break
        board.push(moves[step % len(moves)])
    chess960 = start is not None
    answer = asked(fen=board.fen(en_passant="fen"), chess960="1" if chess960 else "")
    found = {move["uci"]: move for move in answer["moves"]}
    assert found.keys() == {
        board.uci(move, chess960=board.chess960 and answer["chess960"]) for move in board.legal_moves
    }
    for move in board.legal_moves:
        reply = found[board.uci(move, chess960=board.chess960 and answer["chess960"])]
        assert reply["san"] == board.san(move)
        assert reply["capture"] == board.is_capture(move)
        assert reply["check"] == board.gives_check(move)
        if board.is_castling(move):
            assert reply["to"][0] == ("g" if board.is_kingside_castling(move) else "c")
            assert chess.parse_square(reply["rook"]) in chess.SquareSet(board.rooks)
    state = "mate" if board.is_checkmate() else "stalemate" if board.is_stalemate() else "playing"
    assert answer["state"] == state
    assert answer["check"] == board.is_check()


def test_a_line(client: Client) -> None:
    answer = client.ask("GET", "/api/position?play=e2e4,c5,Ng1f3")
    assert [(move["san"], move["number"], move["color"]) for move in answer["played"]] == [
        ("e4", 1, "white"),
        ("c5", 1, "black"),
        ("Nf3", 2, "white"),
    ]
    assert answer["opening"]["eco"] == "B27"
    assert answer["null_move"]["san"] == "--"
    assert len(answer["key"]) == 16


def test_promotions_and_null_moves(client: Client) -> None:
    answer = client.ask("GET", f"/api/position?fen={quote('7k/P7/8/8/8/8/8/K7 w - - 0 1')}")
    assert sorted(move["promotion"] for move in answer["moves"] if move["from"] == "a7") == ["b", "n", "q", "r"]
    in_check = client.ask("GET", f"/api/position?fen={quote('k6R/8/8/8/8/8/8/K7 b - - 0 1')}")
    assert in_check["null_move"] is None
    assert client.ask("GET", "/api/position?play=e4,--")["turn"] == "white"


def test_set_ups_are_judged(client: Client) -> None:
    answer = client.ask("GET", f"/api/position?fen={quote('k6R/8/8/8/8/8/8/K7 w - - 0 1')}")
    assert not answer["sound"]
    assert answer["problems"] == ["The side that is not to move is in check."]
    assert client.ask("GET", "/api/position")["sound"]


@pytest.mark.parametrize(
    "asked", ["fen=x", "fen=8/8/8/8/8/8/8/8 w - - 0 1", "play=e5", "play=e4,e4", f"fen={'8' * 500}"]
)
def test_what_is_no_position(client: Client, asked: str) -> None:
    answer = client.ask("GET", f"/api/position?{asked}", 422)
    assert answer["error"]["sentence"].endswith(".")


def test_chess960(client: Client) -> None:
    assert client.ask("GET", "/api/position/chess960?number=518")["fen"].startswith("rnbqkbnr")
    any_of_them = client.ask("GET", "/api/position/chess960")
    assert 0 <= any_of_them["number960"] < 960
    assert len(any_of_them["moves"]) >= 18
