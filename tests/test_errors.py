"""Messages of errors: they quote long input in short, and show no password."""

from __future__ import annotations

import pytest

import tabiya
from tabiya.errors import TabiyaError, shortened


@pytest.mark.parametrize("part", ["x", "it's ", 'a "b" ', "\\'", "\n"])
def test_long_quotations_are_shortened(part: str) -> None:
    text = part * 100_000
    error = TabiyaError(f"{text!r} is not a move: give e4; and {text!r} is not one either", path=text)
    assert len(error.message) < 300
    assert "…" in error.message
    assert error.message.endswith("is not one either")
    assert "is not a move: give e4; and " in error.message
    assert len(str(error)) < 2000


@pytest.mark.parametrize("text", ["'", '"', "@mysql;", "mysql:a:", "http://", "a://b:@", "?pass=x "])
def test_any_message_takes_linear_time_and_is_short(text: str) -> None:
    error = TabiyaError(text * 200_000, path=text * 200_000)
    assert len(str(error)) < 10_000


def test_short_messages_stay_as_they_are() -> None:
    message = f"'{'x' * 100}' is no column; there are: {', '.join(map(str, range(300)))}"
    assert str(TabiyaError(message, path="games.pgn")) == f"games.pgn: {message}"
    assert shortened("abc", 3) == "abc"
    assert shortened("abcd", 3) == "abc…"


@pytest.mark.parametrize("before", [0, 50, 150, 3450, 3490, 3600, 9000])
@pytest.mark.parametrize("after", [0, 480, 9000])
@pytest.mark.parametrize("quote", ["", "'"])
def test_what_is_cut_shows_no_part_of_a_password(before: int, after: int, quote: str) -> None:
    url = f"mysql://me:{'secret' * 40}@host/games"
    error = TabiyaError(f"{'a' * before} {quote}{url}{quote} is not there{'.' * after}")
    assert "secret" not in str(error)


def test_through_the_library() -> None:
    with pytest.raises(TabiyaError) as caught:
        tabiya.open("x" * 100_000)
    assert len(str(caught.value)) < 3000
