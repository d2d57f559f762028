from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.game.record import Result, Variant
from tabiya.game.tag_values import (
    Date,
    format_elo,
    format_result,
    format_variant,
    parse_date,
    parse_elo,
    parse_result,
    parse_variant,
)


def parts(highest: int) -> st.SearchStrategy[int | None]:
    return st.none() | st.integers(1, highest)


@given(st.builds(Date, parts(9999), parts(12), parts(31)))
def test_dates(date: Date) -> None:
    assert parse_date(str(date)) == date


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2023.05.01", Date(2023, 5, 1)),
        ("2023.05.??", Date(2023, 5)),
        ("????.??.??", Date()),
        ("????.12.25", Date(None, 12, 25)),
        ("2023.1.5", Date(2023, 1, 5)),
        ("2023-01-05", Date(2023, 1, 5)),
        ("2023/01/05", Date(2023, 1, 5)),
        ("2023", Date(2023)),
        ("2023.05", Date(2023, 5)),
        ("?", Date()),
        ("0000.00.00", Date()),
        ("2023.13.32", Date(2023)),
        (" 2023.05.01 ", Date(2023, 5, 1)),
        ("2023.05-01", None),
        ("01.05.2023", None),
        ("２０２３.05.01", None),
        ("", None),
        ("yesterday", None),
    ],
)
def test_reading_dates(text: str, date: Date | None) -> None:
    assert parse_date(text) == date


def test_printing_dates() -> None:
    assert str(Date()) == "????.??.??"
    assert str(Date(987, None, 4)) == "0987.??.04"


@pytest.mark.parametrize(
    ("text", "elo"),
    [
        ("2700", 2700),
        ("65535", 65535),
        ("65536", None),
        ("0900", 900),
        (" 2500 ", 2500),
        ("0", None),
        ("", None),
        ("-", None),
        ("?", None),
        ("-5", None),
        ("1_000", None),
        ("²", None),
        ("٣", None),
        ("9" * 5000, None),
    ],
)
def test_reading_ratings(text: str, elo: int | None) -> None:
    assert parse_elo(text) == elo


@given(st.integers(1, 0xFFFF))
def test_ratings(elo: int) -> None:
    assert parse_elo(format_elo(elo)) == elo


@pytest.mark.parametrize("result", Result)
def test_results(result: Result) -> None:
    assert parse_result(format_result(result)) is result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("*", Result.UNKNOWN),
        ("1-0", Result.WHITE_WINS),
        ("0-1", Result.BLACK_WINS),
        ("1/2-1/2", Result.DRAW),
        ("1/2", Result.DRAW),
        ("0.5 - 0.5", Result.DRAW),
        ("½-½", Result.DRAW),
        ("1 : 0", Result.WHITE_WINS),
        ("Line", Result.LINE),
        ("+:-", Result.WHITE_WINS_FORFEIT),
        ("-:+", Result.BLACK_WINS_FORFEIT),
        ("=:=", Result.DRAW_FORFEIT),
        ("0-0", Result.BOTH_LOSE),
        ("", None),
        ("White", None),
    ],
)
def test_reading_results(text: str, result: Result | None) -> None:
    assert parse_result(text) is result


def test_variants() -> None:
    assert format_variant(Variant.STANDARD) is None
    assert parse_variant(format_variant(Variant.CHESS960) or "") is Variant.CHESS960
    assert parse_variant("Fischerandom") is Variant.CHESS960
    assert parse_variant("From Position") is Variant.STANDARD
    assert parse_variant("Crazyhouse") is None


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    parse_date(text)
    parse_elo(text)
    parse_result(text)
    parse_variant(text)
