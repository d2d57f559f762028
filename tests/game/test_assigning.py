"""What people assign to games and moves: it is taken as they mean it, or refused in a sentence."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest

from tabiya.chess import Position
from tabiya.errors import TabiyaError
from tabiya.game import Date, Game, Result, Tags, Variant
from tabiya.game.fields import FIELDS
from tabiya.game.tag_values import RESULTS, parse_result


@pytest.mark.parametrize(("result", "text"), [*((text, text) for text in RESULTS.values()), ("½-½", "1/2-1/2")])
def test_results_as_texts(result: str, text: str) -> None:
    game = Game()
    game.result = result
    assert game.tags["Result"] == text
    assert game.result is parse_result(text)


@pytest.mark.parametrize(
    ("date", "text"),
    [
        ("2023.05.17", "2023.05.17"),
        ("2023-5", "2023.05.??"),
        ("2023", "2023.??.??"),
        ("????.??.??", "????.??.??"),
        (dt.date(1999, 12, 31), "1999.12.31"),
        (Date(1851, 6), "1851.06.??"),
    ],
)
def test_dates(date: Any, text: str) -> None:
    game = Game()
    game.date = date
    assert game.tags["Date"] == text


def test_tags_as_properties() -> None:
    texts = {"White": "Carlsen", "Black": "Anand", "Event": "WCC", "Site": "Chennai", "Round": "5", "ECO": "D31"}
    texts |= {"Annotator": "me", "WhiteElo": "2870", "BlackElo": "2775"}
    read, written = Game(texts), Game()
    for tag, text in texts.items():
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", tag).lower()
        value = int(text) if tag.endswith("Elo") else text
        assert getattr(read, name) == value
        assert getattr(written, name) is None
        setattr(written, name, value)
        assert getattr(Game, name).__doc__
    assert written.tags == read.tags
    written.white_elo, written.black_elo, written.eco = "2900", None, None
    del written.annotator
    assert written.tags["WhiteElo"] == "2900"
    assert not {"BlackElo", "ECO", "Annotator"} & {*written.tags}


def test_a_text_that_is_no_rating() -> None:
    assert Game({"WhiteElo": "-"}).white_elo is None


def test_every_column_of_a_tag_has_a_property() -> None:
    columns = {field.name for field in FIELDS if field.tag} - {"year", "month", "day"}
    assert columns <= {*dir(Game)}


def test_variants_starts_and_tags() -> None:
    game = Game({"White": "Old"})
    game.variant = "chess960"
    assert game.variant is Variant.CHESS960
    game.start = Position.from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert (game.start, game.variant) == ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Variant.STANDARD)
    game.tags = {"White": "New"}
    game.result = Result.DRAW
    assert game.tags == Tags([("White", "New"), ("Result", "1/2-1/2")])


def test_marks_as_one_text() -> None:
    node = Game().root.add("e4")
    node.squares = "Ge4,Rf7"
    node.arrows = "Ge2e4"
    assert ([str(each) for each in node.squares], [str(each) for each in node.arrows]) == (["Ge4", "Rf7"], ["Ge2e4"])


WRONG: dict[str, list[object]] = {
    "result": ["2-0", "", 1, 0.5, [], True],
    "date": ["may", "", 2023, "2023.13.01", "2023.02.45", "0000.01.01", Date(2023, 13), Date(20230), ()],
    "white": [5, b"x", ["A"]],
    "eco": [12],
    "white_elo": ["-", "", 0, -1, 65_536, 2700.0, True, "x"],
    "variant": ["bughouse", "", 1, None],
    "start": ["", "x", 5, b"8/8"],
    "tags": [5, None, "White", ["White"], {"White": 5}, {5: "White"}],
}
WRONG_OF_MOVES: dict[str, list[object]] = {
    "nags": ["!x", ["very good"], ["$"], ["$-1"], ["70000"], 5, None, [-1], [70_000], [1.5], [None]],
    "text": [None, 5, b"x", "\ud800"],
    "text_before": [None, 5],
    "squares": ["e9", ["?e4"], 5, [5], None],
    "arrows": ["Ge2", ["x"], 5, [None]],
    "clock": ["1:00:00:00", "noon", -1, float("nan"), float("inf"), 10**12, []],
    "time_spent": ["x", 1.5, -1, 10**9],
    "eval": [float("nan"), float("inf"), 10.0**9, "good", True, []],
}


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for wrong in (WRONG, WRONG_OF_MOVES) for name, values in wrong.items() for value in values],
    ids=ascii,
)
def test_what_makes_no_sense_is_refused(name: str, value: object) -> None:
    game = Game({"White": "A", "Result": "*", "Date": "2000.01.01"})
    node = game.root.add("e4")
    node.text, node.nags = "text", [1]
    before = game.copy()
    with pytest.raises(TabiyaError):
        setattr(node if name in WRONG_OF_MOVES else game, name, value)
    assert game == before
