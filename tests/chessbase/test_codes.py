"""Codes of ChessBase's records: there and back, and values taken from real bases."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tabiya.chessbase.codes import creation_time, date_of, encode_date, parse_eco, parse_round, round_text, save_time
from tabiya.game.tag_values import Date


@given(st.integers(0, (1 << 21) - 1))
def test_dates(code: int) -> None:
    date = date_of(code)
    if code >> 5 & 15 <= 12:
        assert encode_date(date) == code
    else:
        assert date.month is None


def test_dates_by_hand() -> None:
    assert date_of(1034791) == Date(2021, 1, 7)
    assert date_of(0) == Date()
    assert encode_date(Date(9999, 1, 1)) == 1 << 5 | 1


@given(st.integers(0, 0xFFFF))
def test_rounds(code: int) -> None:
    assert parse_round(round_text(code)) == (code >> 8, code & 0xFF)


def test_rounds_by_hand() -> None:
    assert [round_text(code) for code in (0, 0x0500, 0x0502, 0x0004)] == [None, "5", "5.2", "?.4"]
    assert [parse_round(text) for text in ("?", "-", "256", "1.2.3", "05", "0")] == [None] * 6


def test_eco() -> None:
    assert [parse_eco(text) for text in ("A00", "E99", "B97", None, "F00", "A0")] == [128, 500 << 7, 198 << 7, 0, 0, 0]


def test_stamps() -> None:
    """Those of game 2 of cbhlib_test, which was made in May 2016 and saved in 2021."""
    created, saved = creation_time(240363607580), save_time(136822851254587810)
    assert created is not None
    assert (created.year, created.month, created.day) == (2016, 5, 9)
    assert saved is not None
    assert (saved.year, saved.month) == (2016, 5)
    assert creation_time(0) is None
    assert save_time(0) is None
    assert creation_time(1 << 63) is None
