"""What a person reads in our own small files; they make the suite meaningful on a machine without samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.game import Game, difference
from tests.formats.pgn.reading import codes, line, read, write

FILES = sorted((Path(__file__).parents[2] / "data" / "pgn").glob("*.pgn"))


def games_of(name: str, **options: Any) -> list[Game]:
    with tabiya.open(next(path for path in FILES if path.stem == name), **options) as database:
        return list(database)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_round_trip(path: Path) -> None:
    first = read(path.read_bytes(), **options_of(path))
    text, losses = write(first)
    again = read(text)
    # No line of tags can hold "Time/Control".
    assert {loss.what: loss.count for loss in losses} == ({"pgn-tag": 1} if path.stem == "tags" else {})
    found = [sentence for a, b in zip(first, again, strict=True) for sentence in difference(a, b)]
    assert [sentence for sentence in found if "Time" not in sentence] == []


def options_of(path: Path) -> dict[str, Any]:
    return {"encoding": "cp1251"} if path.stem == "cp1251" else {}


@pytest.mark.parametrize("name", ["carriage-returns", "utf-16-le", "utf-16-be"])
def test_the_same_games_in_other_bytes(name: str) -> None:
    expected = games_of("crlf")
    assert [difference(a, b) for a, b in zip(games_of(name), expected, strict=True)] == [[]] * len(expected)


def test_byte_order_marks_between_files() -> None:
    expected = games_of("crlf") * 2
    found = games_of("byte-order-marks")
    assert [difference(a, b) for a, b in zip(found, expected, strict=True)] == [[]] * len(expected)


def test_two_encodings_in_one_file() -> None:
    game, *_ = games_of("cp1252")
    assert (game.tags["Event"], game.tags["White"]) == ("UTF-8: Größe", "Müller, é")
    assert 1 in codes(game)


def test_russian() -> None:
    (game,) = games_of("cp1251", encoding="cp1251")
    assert all("\u0400" <= letter <= "\u04ff" or not letter.isalpha() for letter in game.tags["White"])


def test_every_file_has_moves() -> None:
    for path in FILES:
        assert any(line(game) for game in read(path.read_bytes())), path.stem
