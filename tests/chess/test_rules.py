"""Move generation: perft against published numbers, and the positions in which generators go wrong."""

from __future__ import annotations

import chess
import pytest

from tabiya.chess import Position, Square
from tabiya.errors import FormatError

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

# https://www.chessprogramming.org/Perft_Results
WELL_KNOWN = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": [1, 20, 400, 8902, 197281, 4865609],
    KIWIPETE: [1, 48, 2039, 97862, 4085603],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": [1, 14, 191, 2812, 43238, 674624],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": [1, 6, 264, 9467, 422333],
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1": [1, 6, 264, 9467, 422333],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": [1, 44, 1486, 62379, 2103487],
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": [1, 46, 2079, 89890, 3894594],
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1": [1, 24, 496, 9483, 182838, 3605103],
}

# fischer.epd, as many engines carry it.
CHESS960 = {
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": [1, 21, 528, 12189, 326672],
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9": [1, 21, 807, 18002, 667366],
    "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9": [1, 20, 479, 10471, 273318, 6417013],
    "qbbnnrkr/2pp2pp/p7/1p2pp2/8/P3PP2/1PPP1KPP/QBBNNR1R w hf - 0 9": [1, 22, 593, 13440, 382958],
    "1nbbnrkr/p1p1ppp1/3p4/1p3P1p/3Pq2P/8/PPP1P1P1/QNBBNRKR w HFhf - 0 9": [1, 28, 1120, 31058, 1171749],
    "qnbnr1kr/ppp1b1pp/4p3/3p1p2/8/2NPP3/PPP1BPPP/QNB1R1KR w HEhe - 1 9": [1, 29, 899, 26578, 824055],
    "qbn1brkr/ppp1p1p1/2n4p/3p1p2/P7/6PP/QPPPPP2/1BNNBRKR w HFhf - 0 9": [1, 25, 635, 17054, 465806],
}

# One trap each; collected by Peter Ellis Jones and others.
TRAPS = [
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1134888, "en passant uncovers the king on the rank"),
    ("8/8/8/8/k1p4R/8/3P4/3K4 w - - 0 1", 6, 1134888, "the same for the other side"),
    ("8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", 6, 1015133, "en passant uncovers the king on a diagonal"),
    ("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1440467, "en passant while in check"),
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661072, "castling gives check"),
    ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803711, "castling long gives check"),
    ("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1274206, "rooks are taken where they could castle"),
    ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1720476, "castling through attacked squares"),
    ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3821001, "promotion out of check"),
    ("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1004658, "discovered check"),
    ("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217342, "promotion gives check"),
    ("8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92683, "promotion to less than a queen"),
    ("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2217, "stalemate"),
    ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567584, "stalemate and checkmate"),
    ("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23527, "double check"),
]


def targets(position: Position, source: Square) -> set[str]:
    return {move.to_square.text for move in position.legal_moves() if move.from_square == source}


@pytest.mark.parametrize(("fen", "leaves"), WELL_KNOWN.items())
def test_perft_of_the_well_known_positions(fen: str, leaves: list[int]) -> None:
    position = Position.from_fen(fen)
    assert [position.perft(depth) for depth in range(len(leaves))] == leaves


@pytest.mark.parametrize(("fen", "leaves"), CHESS960.items())
def test_perft_of_chess960_positions(fen: str, leaves: list[int]) -> None:
    position = Position.from_fen(fen, chess960=True)
    assert [position.perft(depth) for depth in range(len(leaves))] == leaves


@pytest.mark.parametrize(("fen", "depth", "leaves", "trap"), TRAPS, ids=[trap for *_, trap in TRAPS])
def test_perft_of_positions_with_a_trap(fen: str, depth: int, leaves: int, trap: str) -> None:
    assert Position.from_fen(fen).perft(depth) == leaves


def test_perft_of_the_usual_position_by_the_rules_of_chess960() -> None:
    assert Position.chess960_start(518).perft(4) == 197281


@pytest.mark.parametrize("depth", [-1, 33, 2**40])
def test_perft_refuses_depths_that_never_end(depth: int) -> None:
    with pytest.raises(FormatError, match="perft depth"):
        Position().perft(depth)


@pytest.mark.parametrize("fen", [KIWIPETE, *WELL_KNOWN])
def test_is_legal_agrees_with_the_generator_on_every_token(fen: str) -> None:
    position = Position.from_fen(fen)
    legal = {int(move) for move in position.legal_moves()}
    assert {token for token in range(-1, 0x10001) if position.is_legal(token)} == legal
    assert len(position.legal_moves()) == len(legal)


@pytest.mark.parametrize("token", [2**31 - 1, 2**31, -(2**31) - 1, 2**64, -(2**70)])
def test_is_legal_takes_numbers_of_any_size(token: int) -> None:
    assert not Position().is_legal(token)


def test_castling_is_offered_as_king_takes_rook() -> None:
    assert {"h1", "a1"} <= targets(Position.from_fen(KIWIPETE), Square.E1)


@pytest.mark.parametrize(
    ("fen", "castlings"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", {"a1", "h1"}),
        ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", set()),
        ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", set()),  # in check
        ("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", {"a1"}),  # through check
        ("4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1", {"a1"}),  # into check
        ("4k3/8/8/8/7r/8/8/R3K2R w KQ - 0 1", {"a1", "h1"}),  # the rook may be attacked
        ("4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1", {"a1", "h1"}),  # and pass an attacked square
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", set()),  # pieces in the way, even where the king does not go
    ],
)
def test_when_castling_is_legal(fen: str, castlings: set[str]) -> None:
    assert targets(Position.from_fen(fen), Square.E1) & {"a1", "h1"} == castlings


@pytest.mark.parametrize(
    ("fen", "rooks"),
    [
        ("4k3/8/8/8/8/8/8/1R1K3R w HB - 0 1", {"b1", "h1"}),
        ("4k3/8/8/8/8/8/8/rR1K3R w HB - 0 1", {"h1"}),  # the castling rook was the shield
        ("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", {"b1"}),  # the king stays
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", {"a1"}),  # they jump over each other
        ("4k3/8/8/8/8/8/8/5RKR w HF - 0 1", {"f1"}),  # the f-rook stands where the h-rook would go
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", {"g1"}),
        ("4k3/8/8/8/8/8/8/5K1R w H - 0 1", {"h1"}),
        ("4k3/8/8/8/8/8/8/1K2N1R1 w G - 0 1", set()),
        ("4k3/8/8/2r5/8/8/8/1K4R1 w G - 0 1", set()),  # through check
    ],
)
def test_when_chess960_castling_is_legal(fen: str, rooks: set[str]) -> None:
    position = Position.from_fen(fen, chess960=True)
    assert {move.to_square.text for move in position.legal_moves() if position.san(move).startswith("O")} == rooks


def test_a_promoted_rook_does_not_bring_the_right_back() -> None:
    position = Position.from_fen("4k3/8/8/8/8/8/p6r/RN2K2R b KQ - 0 1").play("Rxh1+").play("Ke2").play("axb1=Q")
    assert position.fen().split()[2] == "-"


@pytest.mark.parametrize(
    ("fen", "check", "mate", "stalemate"),
    [
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", False, False, False),
        ("R6k/8/8/8/8/8/8/K7 b - - 0 1", True, False, False),
        ("R6k/6pp/8/8/8/8/8/K7 b - - 0 1", True, True, False),
        ("k7/2Q5/8/8/8/8/8/K7 b - - 0 1", False, False, True),
        ("k7/2Q5/8/p7/8/8/8/K7 b - - 0 1", False, False, False),  # the pawn can move
        ("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", False, False, True),
        ("8/8/8/1k6/2pP4/8/5K2/8 b - d3 0 1", False, False, False),
    ],
)
def test_ends_of_games(fen: str, check: bool, mate: bool, stalemate: bool) -> None:
    position = Position.from_fen(fen)
    assert (position.is_check(), position.is_checkmate(), position.is_stalemate()) == (check, mate, stalemate)


@pytest.mark.parametrize(
    ("fen", "source", "legal"),
    [
        ("8/8/8/8/1k1Pp2R/8/8/4K3 b - d3 0 1", Square.E4, False),  # both pawns leave the rank at once
        ("8/8/8/8/1k1Pp1N1/8/8/4K3 b - d3 0 1", Square.E4, True),
        ("8/1b6/8/3pP3/8/5K2/8/7k w - d6 0 1", Square.E5, False),  # the taken pawn was the shield
        ("6b1/8/8/3pP3/8/1K6/8/7k w - d6 0 1", Square.E5, False),
        ("8/8/5b2/3pP3/3K4/8/8/7k w - d6 0 1", Square.E5, False),  # the taking pawn is pinned
        ("8/8/8/3pP3/4K3/8/8/7k w - d6 0 1", Square.E5, True),  # takes the pawn that gives check
        ("2r5/8/8/2KpP3/8/8/8/7k w - d6 0 1", Square.E5, False),  # does not help against the check
        ("3k4/8/8/2KpP3/8/8/8/8 w - d6 0 1", Square.E5, True),
    ],
)
def test_when_taking_en_passant_is_legal(fen: str, source: Square, legal: bool) -> None:
    position = Position.from_fen(fen)
    ep_square = position.ep_square
    assert ep_square is not None
    assert (ep_square.text in targets(position, source)) is legal
    assert position.legal_ep_square == (ep_square if legal else None)


@pytest.mark.parametrize("count", [1, 8, 20, 40, 61, 62])
def test_boards_full_of_queens(count: int) -> None:
    """More pieces than a game allows: the move list has room for all of their moves."""
    board = chess.Board(None)
    for square, piece in enumerate(["k", "K", *("Q" * count)]):
        board.set_piece_at(7 * square % 64, chess.Piece.from_symbol(piece))
    position = Position.from_fen(board.fen())
    expected = {move.uci() for move in board.legal_moves if move.to_square != 0}  # we never take a king
    assert {str(move) for move in position.legal_moves()} == expected


def test_no_move_takes_a_king() -> None:
    """The side that is not to move stands in check: python-chess would take the king, we do not."""
    position = Position.from_fen("4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1")
    assert position.problems() == ["the side that is not to move is in check"]
    assert "e8" not in {move.to_square.text for move in position.legal_moves()}
    for text in ("Qxe8", "e2e8", "Qe8", "Qe2xe8"):
        with pytest.raises(FormatError, match="not a legal move"):
            position.parse_san(text)
    pawn = Position.from_fen("4k3/3P4/8/8/8/8/8/4K3 w - - 0 1")
    with pytest.raises(FormatError, match="not a legal move"):
        pawn.parse_san("dxe8=Q")
    assert {move.to_square.text for move in pawn.legal_moves() if move.promotion} == {"d8"}


def test_castling_can_be_the_only_legal_move() -> None:
    position = Position.from_fen("7k/8/8/3r4/8/1p6/1P6/BRK5 w Q - 0 1", chess960=True)
    assert [position.san(move) for move in position.legal_moves()] == ["O-O-O"]
    assert not position.is_stalemate()
    assert position.perft(1) == 1
