"""The moves of quotations: ChessBase's code and SAN, both ways; and what is no such code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chess import Move
from tabiya.errors import FormatError
from tabiya.game.annotations import (
    CP1252,
    Quotation,
    Raw,
    decode_payload,
    encode_payload,
    format_comment,
    parse_comment,
    quoted_moves,
    typed,
)
from tabiya.game.annotations.quoted_moves import (
    START_SIZE,
    decode_moves,
    decode_start,
    encode_moves,
    encode_start,
    format_moves,
    parse_moves,
)
from tests.game.annotations.values import QUOTED_STARTS, quoted_games, read

Samples = Callable[[str], Path]
Quoted = tuple[str | None, tuple[Move, ...]]

_CODES = 9
"""Where the table of quotations stands among those of the program; its inverse stands before it."""


def words_of(code: bytes, table: bytes) -> list[int]:
    """The numbers behind a code, by the description of the format."""
    numbers = [table[(byte - place // 2) % 256] for place, byte in enumerate(code)]
    return [high << 8 | low for high, low in zip(numbers[::2], numbers[1::2], strict=True)]


def code_of(words: list[int], table: bytes) -> bytes:
    return bytes(
        (table.index(byte) + number) % 256 for number, word in enumerate(words) for byte in (word >> 8, word & 255)
    )


@pytest.fixture
def table(samples: Samples) -> bytes:
    return samples("cbh/keys/key_5.bin").read_bytes()[256 * _CODES : 256 * (_CODES + 1)]


def test_the_code_is_that_of_the_program(table: bytes) -> None:
    assert table == quoted_moves._DECODE
    moves = parse_moves("1.a4 b5 2.axb5 a6 3.bxa6 Nf6 4.a7 g6 5.Nf3 Bg7 6.e3 O-O 7.axb8=N")
    words = words_of(encode_moves(moves, None), table)
    assert words[:2] == [0o0301, 0o1416]  # to and from, file before rank
    assert words[11] == 0o6747, "castling is the king's move"
    assert words[12] == 0x3000 | 0o1706
    assert words[13:] == [0x4000]
    assert encode_moves((), None) == b"\xb5\xaf"


@given(quoted_games())
def test_codes_give_back_their_moves(game: Quoted) -> None:
    start, moves = game
    assert decode_moves(encode_moves(moves, start), start) == moves


@given(quoted_games().filter(lambda game: game[0] is None))
def test_texts_give_back_their_moves(game: Quoted) -> None:
    _, moves = game
    assert parse_moves(format_moves(moves)) == moves


@pytest.mark.parametrize("text", ["1. e4 e5 2. Nf3", "e4 e5 Nf3", " 1.e4  1... e5 2.Ng1-f3 ", "1.e2e4 e7e5 2.g1f3"])
def test_moves_are_read_in_many_spellings(text: str) -> None:
    assert format_moves(parse_moves(text)) == "1.e4 e5 2.Nf3"
    assert read(f'[%quote White="A" Moves="{text}"]') == [Quotation("A", type=2, moves=parse_moves(text))]


@pytest.mark.parametrize("fen", [fen for fen in QUOTED_STARTS if fen is not None])
def test_start_positions_come_back(fen: str) -> None:
    assert len(encode_start(fen)) == START_SIZE
    assert decode_start(encode_start(fen)) == fen


@given(st.binary(min_size=START_SIZE, max_size=START_SIZE))
def test_any_bytes_are_a_start_position_or_refused(data: bytes) -> None:
    try:
        fen = decode_start(data)
    except FormatError:
        return
    assert decode_start(encode_start(fen)) == fen


@pytest.mark.parametrize(
    "words",
    [
        [0o4341],
        [0o4341, 0o4341, 0x4000],
        [0o4341 | 0x8000, 0x4000],
        [0o4341 | 0x4000, 0x4000],
        [0x4000, 0],
    ],
    ids=["without an end", "illegal", "a variation", "behind the end", "behind the last move"],
)
def test_damaged_quotations_stay_what_they_are(words: list[int], table: bytes) -> None:
    sound = Quotation("Ä", "B", moves=parse_moves("1.e4"), type=2).encode(CP1252)
    body = sound[2 : -len(encode_moves(parse_moves("1.e4"), None))] + code_of(words, table)
    payload = (len(body) + 2).to_bytes(2) + body
    annotation = decode_payload(0x13, payload, CP1252)
    value = typed(annotation, CP1252)
    assert isinstance(value, Raw)
    assert value.reason
    text = format_comment([annotation], encoding=CP1252).text
    assert text.startswith("[%cba 13 ")
    assert parse_comment(text, encoding=CP1252).annotations == (annotation,)
    assert encode_payload(annotation, CP1252) == payload


@given(st.binary(max_size=12))
def test_any_code_is_kept(code: bytes) -> None:
    body = Quotation("A", "B", type=2).encode()[2:-2] + code
    payload = (len(body) + 2).to_bytes(2) + body
    annotation = decode_payload(0x13, payload)
    assert encode_payload(annotation) == payload
    (found,) = parse_comment(format_comment([annotation]).text).annotations
    assert encode_payload(found) == payload


def test_another_code_for_the_same_moves_is_kept_beside_them(table: bytes) -> None:
    """The last move may say itself that the line ends, and promotions may be named where nothing promotes."""
    head = Quotation("A", "B", type=2).encode()[2:-2]
    for words in ([0o4341 | 0x4000], [0o4341 | 0x3000, 0x4000]):
        body = head + code_of(words, table)
        payload = (len(body) + 2).to_bytes(2) + body
        annotation = decode_payload(0x13, payload)
        assert typed(annotation) == Quotation("A", "B", type=2, moves=parse_moves("1.e4"))
        assert annotation.raw == payload
        text = format_comment([annotation]).text
        assert text.startswith('[%quote "A" "B" "" "" ????.??.?? * 0 0 ? "1.e4"] [%raw ')
        assert parse_comment(text).annotations == (annotation,)
