"""How things are said: safe text, columns, counts."""

from __future__ import annotations

import unicodedata

import pytest

from tabiya.cli.exit_codes import ExitCode
from tabiya.cli.header_rows import _cut
from tabiya.cli.hints import with_options
from tabiya.cli.output import count, name_of, plain

_TURNS_TEXT = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}
"""What Unicode calls the characters that turn the text behind them around."""


def test_characters_that_steer_are_replaced_and_no_others() -> None:
    for number in range(0x3000):
        letter = chr(number)
        steers = unicodedata.category(letter) == "Cc" or unicodedata.bidirectional(letter) in _TURNS_TEXT
        expected = " " if letter in "\t\r\n" else "\N{REPLACEMENT CHARACTER}" if steers else letter
        assert plain(f"a{letter}b") == f"a{expected}b", hex(number)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "    "),
        (7, "7   "),
        ("", "    "),
        ("abcd", "abcd"),
        ("abcde", "abc…"),
        ("äbcd", "äbcd"),
        ("äbcde", "äbc…"),
        ("丁立", "丁立"),
        ("丁立人", "丁 …"),  # each of them is as wide as two letters
        ("a\nb", "a b "),
    ],
)
def test_cells(value: object, shown: str) -> None:
    assert _cut(value, 4) == shown


def test_counts() -> None:
    arguments = [count(number, "game") for number in (0, 1, 2, 1000, 1001)]
    assert arguments == ["0 games", "1 game", "2 games", "1,000 games", "1,001 games"]


def test_names_of_places() -> None:
    assert name_of("-") == "standard input"
    assert name_of("-", "standard output") == "standard output"
    assert name_of("a-b.pgn") == "a-b.pgn"
    assert name_of("mysql://me:secret@host/games") == "mysql://me@host/games"


def test_options_are_named_as_they_are_given() -> None:
    assert with_options("read with shift_dates=True") == "read with tabiya convert --shift-dates"
    assert with_options("use create=True, or create=False") == "use tabiya convert --create, or create=False"


def test_exit_codes_are_those_of_the_documentation() -> None:
    """Scripts of users depend on them."""
    assert {code.name: code.value for code in ExitCode} == {
        "FINE": 0,
        "PROBLEMS": 1,
        "USAGE": 2,
        "UNUSABLE": 3,
        "INTERRUPTED": 130,
        "BROKEN_PIPE": 141,
    }
