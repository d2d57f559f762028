from __future__ import annotations

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chess import Position, back_rank, back_rank_number
from tabiya.errors import FormatError

KNOWN = {
    0: "BBQNNRKR",
    1: "BQNBNRKR",
    518: "RNBQKBNR",
    534: "RNBKQBNR",
    785: "BRQBKNRN",
    959: "RKRNNQBB",
}


@pytest.mark.parametrize(("number", "rank"), KNOWN.items())
def test_known_numbers(number: int, rank: str) -> None:
    assert back_rank(number) == rank
    assert back_rank_number(rank) == number


def test_all_start_positions_are_different_and_sound() -> None:
    ranks = [back_rank(number) for number in range(960)]
    assert len(set(ranks)) == 960
    for number, rank in enumerate(ranks):
        assert back_rank_number(rank) == number
        assert sorted(rank) == sorted("RNBQKBNR")
        assert rank.index("R") < rank.index("K") < rank.rindex("R")
        assert rank.index("B") % 2 != rank.rindex("B") % 2


def test_all_start_positions_agree_with_python_chess() -> None:
    for number in range(960):
        position = Position.chess960_start(number)
        assert position.fen() == chess.Board.from_chess960_pos(number).fen()
        assert position.chess960
        assert position.problems() == []
        assert None not in position.castling()


@pytest.mark.parametrize("number", [-1, 960, 2**40])
def test_numbers_that_are_none(number: int) -> None:
    with pytest.raises(FormatError, match="0 to 959"):
        back_rank(number)
    with pytest.raises(FormatError, match="0 to 959"):
        Position.chess960_start(number)


@pytest.mark.parametrize(
    "rank", ["", "RNBQKBN", "RNBQKBNRR", "rnbqkbnr", "RNBQQBNR", "KRNBQBNR", "RBNBQKNR", "BNBRKQNR"]
)
def test_ranks_that_are_none(rank: str) -> None:
    with pytest.raises(FormatError, match="is not a Chess960 back rank"):
        back_rank_number(rank)


@given(st.text() | st.permutations("RNBQKBNR").map("".join))
def test_any_rank_has_a_number_or_is_refused(rank: str) -> None:
    try:
        assert back_rank(back_rank_number(rank)) == rank
    except FormatError as error:
        assert "is not a Chess960 back rank" in str(error)


def test_the_usual_position_by_both_rules() -> None:
    usual = Position.chess960_start(518)
    assert usual.fen() == Position().fen()
    assert usual.key == Position().key
    assert usual != Position()  # castling is written differently
    assert usual.legal_moves() == Position().legal_moves()


@pytest.mark.parametrize(
    ("fen", "san", "result"),
    [
        ("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", "O-O", "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1"),
        ("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", "O-O-O", "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"),
        ("4k3/8/8/8/8/8/8/1RK4R w KQ - 0 1", "O-O-O", "4k3/8/8/8/8/8/8/2KR3R b - - 1 1"),  # the king stays
        ("4k3/8/8/8/8/8/8/3RKR2 w KQ - 0 1", "O-O", "4k3/8/8/8/8/8/8/3R1RK1 b - - 1 1"),  # the rook stays
        ("4k3/8/8/8/8/8/8/R4KR1 w KQ - 0 1", "O-O", "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1"),  # they change places
        ("1rk4r/8/8/8/8/8/8/4K3 b kq - 4 9", "O-O", "1r3rk1/8/8/8/8/8/8/4K3 w - - 5 10"),
        ("4k3/8/8/8/8/8/8/RR3K1R w KB - 0 1", "O-O-O", "4k3/8/8/8/8/8/8/R1KR3R b - - 1 1"),  # with the inner rook
    ],
)
def test_where_king_and_rook_go(fen: str, san: str, result: str) -> None:
    position = Position.from_fen(fen, chess960=True)
    after = position.play(san)
    assert after.fen() == result
    assert after == Position.from_fen(result, chess960=True)
    assert position.uci(position.parse_san(san)) == str(position.parse_san(san))
