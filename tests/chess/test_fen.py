"""FEN in all its forms, in and out; the errors; and hostile texts."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tabiya.chess import Color, Position, Square
from tabiya.chess.fen import _SENTENCES
from tabiya.errors import FormatError

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BARE = "4k3/8/8/8/8/8/8/4K3"

SAMPLES = [
    START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "1r1k2r1/8/8/8/8/8/8/RR1K2RR b GBgb - 12 345",
    "8/8/8/8/8/8/8/Kk6 b - - 65535 65535",
]


def castling_of(fen: str, *, chess960: bool = False) -> str:
    return Position.from_fen(fen, chess960=chess960).fen().split()[2]


# --- forms -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("fen", [SAMPLES[0], SAMPLES[1], SAMPLES[2], SAMPLES[5]])
def test_a_full_fen_comes_back_as_it_was(fen: str) -> None:
    position = Position.from_fen(fen)
    assert position.fen() == fen
    assert Position.from_fen(position.fen()) == position


def test_missing_fields_have_their_usual_values() -> None:
    fields = START.split()
    whole = ["w", "-", "-", "0", "1"]
    for count in range(1, 7):
        position = Position.from_fen(" ".join(fields[:count]))
        assert position.fen().split() == [*fields[:count], *whole[count - 1 :]]
    assert Position.from_fen(f"{BARE} b").turn == Color.BLACK


@pytest.mark.parametrize(
    "fen",
    [
        f"  {BARE} w - - 3 7",
        f"{BARE}\tw\t-\t-\t3\t7",
        f"{BARE}   w  -  -  3  7   ",
        f"\n{BARE} w - - 3 7\n",
        f"{BARE} w - - 3 7\r\n",
        f"{BARE}\nw\n-\n-\n3\n7",
    ],
)
def test_blanks_do_not_matter(fen: str) -> None:
    assert Position.from_fen(fen).fen() == f"{BARE} w - - 3 7"


def test_empty_squares_may_be_counted_in_parts() -> None:
    assert Position.from_fen("4k3/11111111/44/8/2222/71/8/4K3 w").fen() == f"{BARE} w - - 0 1"


def test_a_hyphen_stands_for_a_missing_clock() -> None:
    assert Position.from_fen(f"{BARE} w - - - -").fen() == f"{BARE} w - - 0 1"
    assert Position.from_fen(f"{BARE} w - - - 40").fen() == f"{BARE} w - - 0 40"


def test_counters_stop_where_a_fen_ends() -> None:
    position = Position.from_fen("8/8/8/8/8/8/8/K6k b - - 65535 65535").play("Kh2")
    assert (position.halfmove_clock, position.fullmove_number) == (65535, 65535)
    assert Position.from_fen(position.fen()) == position


# --- castling --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "rights"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "KQkq"),  # any order
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "KQkq"),  # Shredder
        ("r3k2r/8/8/8/8/8/8/R3K2R w KAhq - 0 1", "KQkq"),  # mixed
        ("r3k2r/8/8/8/8/8/8/R3K2R w KKH - 0 1", "K"),  # said twice
        ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "-"),
        ("r3k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1", "Kkq"),  # no rook
        ("r3k2r/8/8/8/8/8/8/n3K2R w KQkq - 0 1", "Kkq"),  # something else in the corner
        ("r3k2r/8/8/8/8/8/8/r3K2R w KQkq - 0 1", "Kkq"),  # a rook of the other side
        ("r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1", "kq"),  # king not at home
        ("r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1", "kq"),  # king elsewhere, and nobody said Chess960
        ("r3k2r/8/8/8/8/8/8/RR2K1RR w KQkq - 0 1", "KQkq"),
        ("8/8/8/R3K2R/r3k2r/8/8/8 w KQkqAHah - 0 1", "-"),
        ("4k3/8/8/8/8/8/8/4K3 w KQkqABCDEFGHabcdefgh - 0 1", "-"),
    ],
)
def test_castling_rights_in_standard_chess(fen: str, rights: str) -> None:
    assert castling_of(fen) == rights
    assert not Position.from_fen(fen).chess960


@pytest.mark.parametrize(
    ("fen", "rights", "rooks"),
    [
        ("1r1k2r1/8/8/8/8/8/8/1R1K2R1 w KQkq - 0 1", "KQkq", ("g1", "b1", "g8", "b8")),
        ("1r1k2r1/8/8/8/8/8/8/1R1K2R1 w GBgb - 0 1", "KQkq", ("g1", "b1", "g8", "b8")),
        ("1r1k2r1/8/8/8/8/8/8/RR1K2RR w KQ - 0 1", "KQ", ("h1", "a1", None, None)),  # X-FEN: the outermost
        ("1r1k2r1/8/8/8/8/8/8/RR1K2RR w GB - 0 1", "GB", ("g1", "b1", None, None)),  # and a file for any other
        ("1r1k2r1/8/8/8/8/8/8/RR1K2RR w HA - 0 1", "KQ", ("h1", "a1", None, None)),
        ("1r1k2r1/8/8/8/8/8/8/RR1K2RR w KB - 0 1", "KB", ("h1", "b1", None, None)),  # mixed
        ("8/8/8/8/3k4/8/8/RK5R w KQ - 0 1", "KQ", ("h1", "a1", None, None)),
        ("4k3/8/8/8/8/8/8/RRRKRRRR w EC - 0 1", "EC", ("e1", "c1", None, None)),
        ("4k3/8/8/8/8/8/R2K3R/8 w KQHA - 0 1", "-", (None, None, None, None)),
    ],
)
def test_castling_rights_in_chess960(fen: str, rights: str, rooks: tuple[str | None, ...]) -> None:
    position = Position.from_fen(fen, chess960=True)
    assert position.fen().split()[2] == rights
    assert tuple(None if rook is None else Square(rook).text for rook in position.castling()) == rooks
    assert Position.from_fen(position.fen(), chess960=True) == position


@pytest.mark.parametrize(
    ("fen", "chess960"),
    [
        ("1r1k2r1/8/8/8/8/8/8/1R1K2R1 w GBgb - 0 1", True),
        ("4k3/8/8/8/8/8/8/1R2K2R w HB - 0 1", True),
        ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", False),  # what stands as usual is standard chess
        ("4k3/8/8/8/8/8/8/4K2R w HB - 0 1", False),  # a right that is dropped says nothing
        ("4k3/8/8/8/3RK3/8/8/8 w D - 0 1", False),
    ],
)
def test_files_of_rooks_imply_chess960_where_needed(fen: str, chess960: bool) -> None:
    position = Position.from_fen(fen)
    assert position.chess960 is chess960
    assert Position.from_fen(position.fen(), chess960=position.chess960) == position


def test_the_order_of_mixed_rights_does_not_matter() -> None:
    board = "1r1k2r1/8/8/8/8/8/8/1R1K3R w"
    assert castling_of(f"{board} KB") == castling_of(f"{board} BK") == castling_of(f"{board} HB") == "KQ"


# --- en passant ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "legal"),
    [
        ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", "d6"),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", None),  # nobody can take
        ("8/8/8/KPp4r/8/8/8/7k w - c6 0 1", None),  # the pawn that could is pinned
        ("8/8/8/1Pp4r/8/8/8/K6k w - c6 0 1", "c6"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1", None),  # nonsense is kept, and not used
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e3 0 1", None),
        ("rnbqkbnr/pppp1ppp/8/3Pp3/8/8/PPP1PPPP/RNBQKBNR b KQkq e6 0 3", None),
        ("4k3/4n3/8/3Pp3/8/8/8/4K3 w - e6 0 1", None),  # the pawn's first square is not empty
        ("4k3/8/4n3/3Pp3/8/8/8/4K3 w - e6 0 1", None),
        ("4k3/8/8/3PP3/8/8/8/4K3 w - e6 0 1", None),
    ],
)
def test_en_passant_as_given_and_as_legal(fen: str, legal: str | None) -> None:
    position = Position.from_fen(fen)
    given = fen.split()[3]
    assert position.fen() == fen
    assert position.ep_square == Square.parse(given)
    assert position.legal_ep_square == (Square.parse(legal) if legal else None)
    assert position.fen(en_passant="legal").split()[3] == (legal or "-")
    captures = {position.san(move)[2:4] for move in position.legal_moves() if position.piece_at(move.to_square) is None}
    assert (given in captures) is bool(legal)


def test_en_passant_square_after_every_double_step_and_no_other_move() -> None:
    position = Position().play("e4")
    assert position.fen() == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
    assert position.fen(en_passant="legal") == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert position.play("e6").ep_square is None
    assert Position.from_fen(f"{BARE} w - -").ep_square is None


def test_a_senseless_en_passant_square_leaves_with_the_next_move() -> None:
    position = Position.from_fen("4k3/8/8/8/8/8/8/4K3 w - e6 0 1")
    assert position.problems() == ["no pawn has just jumped over the en passant square"]
    assert position.play("Kd1").fen() == "4k3/8/8/8/8/8/8/3K4 b - - 1 1"
    assert position.key == Position.from_fen(f"{BARE} w").key


# --- errors ----------------------------------------------------------------------------------------------------------

ERRORS = [
    ("", "the FEN is empty", 1),
    ("   \n\t ", "the FEN is empty", 1),
    ("4k3/8/8/8/8/8/8/4X3 w - - 0 1", "a letter that is not a piece", 18),
    ("4k3/9/8/8/8/8/8/4K3 w - - 0 1", "a letter that is not a piece", 5),
    ("4k3/0/8/8/8/8/8/4K3 w - - 0 1", "a letter that is not a piece", 5),
    ("4k3/8/8/8/♔7/8/8/8 w - - 0 1", "a letter that is not a piece", 11),
    ("4k3/8/8/8/8/8/8/4K3\0 w - - 0 1", "a letter that is not a piece", 20),
    ("4k3/7/8/8/8/8/8/4K3 w - - 0 1", "does not have eight squares", 6),
    ("4k3/8p/8/8/8/8/8/4K3 w - - 0 1", "does not have eight squares", 6),
    ("4k3/p8/8/8/8/8/8/4K3 w - - 0 1", "does not have eight squares", 6),
    ("4k3//8/8/8/8/8/8/4K3 w - - 0 1", "does not have eight squares", 5),
    ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "does not have eight squares", 20),
    ("4k3/8/8/8/8/8/8 w - - 0 1", "does not have eight ranks", 16),
    ("4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", "does not have eight ranks", 20),
    ("4k3/8/8/8/8/8/8/8 w - - 0 1", "exactly one king", 18),
    ("4k3/8/8/8/8/8/8/4K2K w - - 0 1", "exactly one king", 21),
    ("4k2k/8/8/8/8/8/8/8 w - - 0 1", "exactly one king", 19),
    ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on the first or the eighth rank", 4),
    ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "a pawn stands on the first or the eighth rank", 17),
    (f"{BARE} W - - 0 1", "the side to move must be w or b", 21),
    (f"{BARE} wb - - 0 1", "the side to move must be w or b", 21),
    (f"{BARE} - - - 0 1", "the side to move must be w or b", 21),
    (f"{BARE} w KX - 0 1", "the castling field must be", 24),
    (f"{BARE} w -- - 0 1", "the castling field must be", 23),
    (f"{BARE} w K- - 0 1", "the castling field must be", 24),
    (f"{BARE} w é - 0 1", "the castling field must be", 23),
    ("4k3/8/8/8/8/8/8/RR2K3 w QB - 0 1", "the castling field must be", 26),  # two rooks for one side
    (f"{BARE} w - e4 0 1", "the en passant field must be", 25),
    (f"{BARE} w - e 0 1", "the en passant field must be", 25),
    (f"{BARE} w - E3 0 1", "the en passant field must be", 25),
    (f"{BARE} w - i3 0 1", "the en passant field must be", 25),
    (f"{BARE} w - e33 0 1", "the en passant field must be", 25),
    (f"{BARE} w - - x 1", "the clock and the move number", 27),
    (f"{BARE} w - - -1 1", "the clock and the move number", 27),
    (f"{BARE} w - - 0 65536", "the clock and the move number", 29),
    (f"{BARE} w - - 0 99999999999999999999", "the clock and the move number", 29),
    (f"{BARE} w - - 0 ١", "the clock and the move number", 29),
    (f"{BARE} w - - 0 1 x", "has text after its sixth field", 31),
    (f"{BARE} w - - 0 1{' ' * 5000}x", "has text after its sixth field", 4097),
]


@pytest.mark.parametrize(("fen", "sentence", "character"), ERRORS)
def test_errors_say_what_is_wrong_and_where(fen: str, sentence: str, character: int) -> None:
    with pytest.raises(FormatError) as caught:
        Position.from_fen(fen)
    assert sentence in str(caught.value)
    assert f"(at character {character} of '" in str(caught.value)


def test_every_error_has_been_seen() -> None:
    seen = {sentence for sentence in _SENTENCES if any(part in sentence for _, part, _ in ERRORS)}
    assert seen == set(_SENTENCES) - {""}


@pytest.mark.parametrize(
    "text",
    [
        "1" * 1_000_000,
        "/" * 1_000_000,
        "8/" * 500_000,
        " " * 1_000_000,
        "k" * 1_000_000,
        START + " " * 1_000_000,
        START.replace("KQkq", "KQkq" * 250_000),
        START.replace("0 1", "0" * 1_000_000),
        "♔" * 300_000,
        "\ud800" * 300_000,
        "\0" * 1_000_000,
    ],
    ids=lambda text: f"{text[:4]!a}",
)
def test_huge_texts_are_refused_in_few_words(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        Position.from_fen(text)
    assert len(str(caught.value)) < 1500


# --- hostile texts ---------------------------------------------------------------------------------------------------


@st.composite
def damaged_fens(draw: st.DrawFn) -> str:
    """A FEN with a few characters lost, doubled or replaced."""
    text = list(draw(st.sampled_from(SAMPLES)))
    letters = st.sampled_from("pnbrqkPNBRQK12345678/ wb-KQkqAHah36e09\0\n~é♔\ud800")
    for _ in range(draw(st.integers(1, 5))):
        place = draw(st.integers(0, len(text)))
        text[place : place + draw(st.integers(0, 2))] = draw(st.lists(letters, max_size=2))
    return "".join(text)


def check_reading(text: str, *, chess960: bool) -> None:
    try:
        position = Position.from_fen(text, chess960=chess960)
    except FormatError as error:
        assert "at character" in str(error)
        return
    again = Position.from_fen(position.fen(), chess960=position.chess960)
    assert again == position
    assert again.fen() == position.fen()
    assert again.key == position.key
    assert hash(again) == hash(position)
    for move in position.legal_moves():
        after = position.play(move)
        assert Position.from_fen(after.fen(), chess960=after.chess960) == after
        assert position.parse_san(position.san(move)) == move
    position.problems()
    position.svg()


@given(st.text(), st.booleans())
def test_any_text_is_a_position_or_a_format_error(text: str, chess960: bool) -> None:
    check_reading(text, chess960=chess960)


@settings(max_examples=600)
@given(damaged_fens(), st.booleans())
@example("8/8/8/8/8/8/8/Kk6 w KQkqAHah e6 65535 65535", True)
@example("K1k1QQQQ/8/8/8/8/8/8/8 w - a3", False)
def test_a_damaged_fen_is_a_position_or_a_format_error(text: str, chess960: bool) -> None:
    check_reading(text, chess960=chess960)


@settings(max_examples=400)
@given(
    st.lists(st.sampled_from("....QqRrBbNnPp"), min_size=62, max_size=62),
    st.integers(0, 63),
    st.integers(0, 62),
    st.sampled_from("wb"),
    st.sets(st.sampled_from("KQkqABCDEFGHabcdefgh"), max_size=4),
    st.sampled_from(["-", *(file + rank for file in "abcdefgh" for rank in "36")]),
    st.booleans(),
)
def test_absurd_boards_are_played_on_without_harm(
    pieces: list[str], white: int, black: int, turn: str, rights: set[str], ep_square: str, chess960: bool
) -> None:
    """Full boards, kings in check from everywhere, kings side by side, rights and squares that mean nothing."""
    pieces = list(pieces)
    pieces.insert(black, "k")
    pieces.insert(white, "K")
    ranks = ["".join(pieces[row : row + 8]) for row in range(0, 64, 8)]
    for row in (0, 7):
        ranks[row] = ranks[row].replace("P", "N").replace("p", "n")
    fen = "/".join(ranks).replace(".", "1")
    check_reading(f"{fen} {turn} {''.join(sorted(rights)) or '-'} {ep_square} 0 1", chess960=chess960)
