"""Moves as text, both ways; random positions are compared with python-chess in ``test_differential.py``."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.chess import Move, Position
from tabiya.errors import FormatError

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PROMOTIONS = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1"
EN_PASSANT = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
THREE_QUEENS = "1k6/8/8/8/Q6Q/8/8/K6Q w - - 0 1"
PINNED = "4k3/4r3/8/8/8/8/2N1N3/4K3 w - - 0 1"
CHESS960 = "1r1k2r1/pppppppp/8/8/8/8/PPPPPPPP/1R1K2R1 w GBgb - 0 1"


def refusal(position: Position, text: str) -> str:
    with pytest.raises(FormatError) as caught:
        position.parse_san(text)
    return str(caught.value)


# --- out -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "uci", "san"),
    [
        (KIWIPETE, "e1h1", "O-O"),
        (KIWIPETE, "e1a1", "O-O-O"),
        (KIWIPETE, "f3f6", "Qxf6"),
        (KIWIPETE, "d5e6", "dxe6"),
        (KIWIPETE, "a2a4", "a4"),
        (KIWIPETE, "e5d7", "Nxd7"),
        (PROMOTIONS, "b7b8q", "b8=Q"),
        (PROMOTIONS, "b7c8n", "bxc8=N"),
        (PROMOTIONS, "b7a8r", "bxa8=R"),
        (EN_PASSANT, "e5f6", "exf6"),
        (THREE_QUEENS, "h4e1", "Q4e1"),
        (THREE_QUEENS, "a4e4", "Qae4"),
        (THREE_QUEENS, "h4e4", "Qh4e4"),
        (THREE_QUEENS, "h1e4", "Q1e4"),
        (PINNED, "c2d4", "Nd4"),  # the other knight is pinned, so nothing needs telling apart
        ("6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", "Re8#"),
        ("6k1/6pp/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", "Re8+"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", "O-O+"),
        ("8/8/8/8/8/8/8/R3K1k1 w Q - 0 1", "e1a1", "O-O-O+"),
        ("2k5/P7/2K5/8/8/8/8/8 w - - 0 1", "a7a8q", "a8=Q#"),
        ("8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3", "c4d3", "cxd3"),
        (KIWIPETE, "0000", "--"),
        (CHESS960, "d1b1", "O-O-O"),
        (CHESS960, "d1g1", "O-O"),
    ],
)
def test_san_of_a_move(fen: str, uci: str, san: str) -> None:
    position = Position.from_fen(fen)
    move = position.parse_uci(uci)
    assert position.san(move) == san
    assert position.parse_san(san) == move


@pytest.mark.parametrize(
    ("fen", "uci", "text"),
    [
        (KIWIPETE, "e1h1", "e1g1"),
        (KIWIPETE, "e1a1", "e1c1"),
        (KIWIPETE, "a2a4", "a2a4"),
        (PROMOTIONS, "b7c8n", "b7c8n"),
        (CHESS960, "d1b1", "d1b1"),  # in Chess960 castling is king takes rook
        (KIWIPETE, "0000", "0000"),
    ],
)
def test_uci_of_a_move(fen: str, uci: str, text: str) -> None:
    position = Position.from_fen(fen)
    move = position.parse_uci(uci)
    assert position.uci(move) == text
    assert position.parse_uci(text) == move


@pytest.mark.parametrize("token", [1, 5 << 12, 0x7FFF, 0x8000, -1, 2**40])
def test_moves_that_are_not_legal_have_no_text(token: int) -> None:
    position = Position()
    for method in (position.san, position.uci, position.play):
        with pytest.raises(FormatError, match=r"not a legal move|not the number of a move"):
            method(token)


def test_the_kernel_itself_refuses_what_is_not_legal() -> None:
    position = Position.from_fen(KIWIPETE)
    legal = {0, *position.legal_moves()}
    for token in range(-1, 0x10000):
        if token not in legal:
            assert position.san_of_token(token) is None
            assert position.after(token) is None


# --- in --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "uci", "texts"),
    [
        (KIWIPETE, "e1h1", "O-O 0-0 o-o OO 00 oo O-O+ 0-0# O-O++ e1g1 e1h1 Ke1g1 Ke1-g1 Ke1xh1 0-O"),
        (KIWIPETE, "e1a1", "O-O-O 0-0-0 o-o-o OOO 000 O-O-O+ e1c1 e1a1 Ke1c1"),
        (KIWIPETE, "f3f6", "Qxf6 Qf6 Q:f6 Qfxf6 Q3xf6 Qf3xf6 Qf3-f6 Qf3f6 f3f6 f3xf6 Qxf6+ Qxf6#"),
        (KIWIPETE, "d5e6", "dxe6 de6 d:e6 d5xe6 d5e6 d5-e6 Pdxe6 Pd5xe6 dxe6+"),
        (KIWIPETE, "a2a4", "a4 a2a4 a2-a4 Pa4 Pa2a4 aa4 2a4"),
        (KIWIPETE, "e5d7", "Nxd7 Nexd7 N5xd7 Ne5xd7 Ned7 Nd7"),
        (PROMOTIONS, "b7b8q", "b8=Q b8Q b8q b8=q b8(Q) b8/Q b7b8q b7b8=Q b7-b8=Q b8=Q+ Pb8=Q"),
        (PROMOTIONS, "b7c8n", "bxc8=N bxc8N bc8N bxc8(N) b7xc8n b7c8n"),
        (EN_PASSANT, "e5f6", "exf6 ef6 exf6ep exf6e.p. e5xf6e.p. e5f6"),
        (CHESS960, "d1g1", "O-O 0-0 d1g1 Kd1xg1"),
        (CHESS960, "d1b1", "O-O-O d1b1"),
        (CHESS960, "0000", "-- Z0 0000 @@@@"),
    ],
)
def test_ways_to_write_a_move(fen: str, uci: str, texts: str) -> None:
    position = Position.from_fen(fen)
    move = position.parse_uci(uci)
    read = {text: position.parse_san(text) for text in texts.split()}
    assert read == dict.fromkeys(read, move)
    assert all(type(found) is Move for found in read.values())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "e",
        "4",
        "+",
        "#",
        "++",
        "e9",
        "i4",
        "Xe4",
        "ne4",
        "e4!",
        "e4 ",
        " e4",
        "e4\n",
        "e4\0",
        "\0",
        "e4=",
        "e8=K",
        "e8=P",
        "e8=",
        "e8(Q",
        "e8Q)",
        "(Q)",
        "=Q",
        "Q",
        "QQ",
        "ef",
        "exd6.p.",
        "exd6?.p.",
        "O",
        "O-",
        "-O",
        "O--O",
        "O-O-",
        "O-O-O-O",
        "0-0-0-0",
        "OOOO",
        "00000",
        "O-O=Q",
        "-",
        "---",
        "Z",
        "Z00",
        "@@@",
        "@@@@@",
        "1-0",
        "1/2-1/2",
        "*",
        "Ng1--f3",
        "Ngx1f3",
        "N1gf3",
        "Ngg1f3",
        "e2e4e5",
        "♘f3",
        "Кf3",
        "е4",  # a Cyrillic letter
        "e4\ud800",
        "$1",
        "{e4}",
        "%s{0}",
    ],
)
def test_what_is_no_move_at_all(text: str) -> None:
    assert "is not a move in rnbq" in refusal(Position(), text)


@pytest.mark.parametrize(
    ("fen", "texts"),
    [
        (
            Position().fen(),
            "e5 Nf4 Ke2 Qd4 exd5 O-O O-O-O e2e5 g1g3 e8=Q Nb3 e7e5 Ng1e2 a1a1 Pe5 d2xe3 Ra1 Na1b3 Bg1f3",
        ),
        (KIWIPETE, "Nc3 Rxa8 Qg5 dxc6 d5xc6 Ra1xe1 Kg1 Kc1 Kxh1 Kxa1 a4=Q Nxd7=Q f3f6q Bxa6=Q a5 Ba2 d7"),
        (PINNED, "Nec3 Ne2c3 e2c3 Nf4 Ne2d4 Ned4"),
        (PROMOTIONS, "b8 a7 bxc8 b7b8 b7c8 a7a8 axb8=Q a8 a8=Q c8=Q"),
        ("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1", "Qe2e8 Qe8 Qxe8 f1e8"),
        ("8/8/8/KPp4r/8/8/8/7k w - c6 0 1", "bxc6 b5c6 bxc6ep b5xc6"),  # pinned along the rank
        ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", "O-O O-O-O e1g1 e1c1 a1a2 Rh8"),  # in check
    ],
)
def test_moves_that_are_not_legal(fen: str, texts: str) -> None:
    position = Position.from_fen(fen)
    for text in texts.split():
        assert f"{text} is not a legal move in {fen}" == refusal(position, text)


@pytest.mark.parametrize(
    ("fen", "texts"),
    [
        (THREE_QUEENS, "Qe1 Qhe1 Qe4 Qxe4 Qhe4 Q4e4 Qe4+"),
        ("4k3/8/8/8/8/8/2N1N3/4K3 w - - 0 1", "Nd4 Nxd4 N2d4 Nd4+"),
    ],
)
def test_moves_that_could_be_two(fen: str, texts: str) -> None:
    position = Position.from_fen(fen)
    for text in texts.split():
        assert f"{text} is ambiguous in {fen}" == refusal(position, text)


def test_a_pinned_piece_makes_nothing_ambiguous() -> None:
    position = Position.from_fen(PINNED)
    assert str(position.parse_san("Nd4")) == "c2d4"
    assert str(position.parse_san("Ncd4")) == "c2d4"


# --- UCI -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "e4", "e2e", "e2e9", "Nf3", "exd5", "e2-e4", "e2e4+", "e7e8=q", "e2e4 ", "e²e4", "--"]
)
def test_uci_is_read_strictly(text: str) -> None:
    with pytest.raises(FormatError, match="is not a move in UCI notation"):
        Position().parse_uci(text)


@pytest.mark.parametrize("text", ["e2e5", "e7e5", "e2e4q", "a1a1", "e1g1", "e1h1"])
def test_uci_moves_must_be_legal(text: str) -> None:
    with pytest.raises(FormatError, match="is not a legal move"):
        Position().parse_uci(text)


# --- hostile texts ---------------------------------------------------------------------------------------------------

POSITIONS = [Position(), *map(Position.from_fen, (KIWIPETE, PROMOTIONS, EN_PASSANT, THREE_QUEENS, PINNED, CHESS960))]
positions = st.sampled_from(POSITIONS)
move_like = st.text(st.sampled_from("NBRQKPabcdefgh12345678x-=:+#O0oZ@()/.pnrq"), max_size=10)


def check_reading(position: Position, text: str) -> None:
    for read in (position.parse_san, position.parse_uci):
        try:
            move = read(text)
        except FormatError as error:
            assert len(str(error)) < 800
        else:
            assert move.is_null or move in position.legal_moves()
            assert position.parse_san(position.san(move)) == move
            assert position.parse_uci(position.uci(move)) == move


@settings(max_examples=300)
@given(positions, st.text())
def test_any_text_is_a_legal_move_or_a_format_error(position: Position, text: str) -> None:
    check_reading(position, text)


@settings(max_examples=1500)
@given(positions, move_like)
def test_texts_like_moves_are_legal_moves_or_format_errors(position: Position, text: str) -> None:
    check_reading(position, text)


@settings(max_examples=500)
@given(positions, st.data())
def test_damaged_moves_are_legal_moves_or_format_errors(position: Position, data: st.DataObject) -> None:
    text = position.san(data.draw(st.sampled_from(position.legal_moves())))
    place = data.draw(st.integers(0, len(text)))
    check_reading(position, text[:place] + data.draw(move_like) + text[place + data.draw(st.integers(0, 2)) :])


@pytest.mark.parametrize(
    "letter", ["e4", "+", "O", "O-", "x", "N", "=", "(", ")", "0", "-", "@", "\0", "♘", "\ud800", "."]
)
def test_huge_texts_are_no_moves(letter: str) -> None:
    text = letter * (1_000_000 // len(letter))
    for hostile in (text, "e4" + text, text + "e4"):
        with pytest.raises(FormatError) as caught:
            Position().parse_san(hostile)
        assert len(str(caught.value)) < 600
        with pytest.raises(FormatError):
            Position().parse_uci(hostile)
