from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tabiya.errors import UsageError
from tabiya.game import Result, Tags, Variant
from tabiya.game.schema import RECORD_SCHEMA
from tabiya.game.tags import COLUMN_TAGS, fold_tags, tag_content, unfold_tags
from tests.strategies import tags

FEN = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


def test_tags_look_like_a_dictionary() -> None:
    tags = Tags({"White": "A", "Black": "B"})
    assert tags["White"] == "A"
    assert tags.get("ECO") is None
    assert tags.get("ECO", "?") == "?"
    assert "Black" in tags
    assert "ECO" not in tags
    assert len(tags) == 2
    assert list(tags) == tags.keys() == ["White", "Black"]
    assert tags.values() == ["A", "B"]
    tags["ECO"] = "C20"
    tags["White"] = "Z"
    assert tags.items() == [("White", "Z"), ("Black", "B"), ("ECO", "C20")]
    del tags["Black"]
    assert tags == Tags([("White", "Z"), ("ECO", "C20")])
    assert repr(tags) == "Tags([('White', 'Z'), ('ECO', 'C20')])"
    with pytest.raises(KeyError):
        tags["Black"]
    with pytest.raises(KeyError):
        del tags["Black"]
    tags.discard("Black")


def test_names_may_repeat() -> None:
    tags = Tags([("White", "A"), ("Event", "E"), ("White", "B")])
    assert tags["White"] == "A"
    assert tags.get_all("White") == ["A", "B"]
    assert tags.get_all("Site") == []
    tags.add("White", "C")
    assert len(tags) == 4
    tags["White"] = "D"
    assert tags.items() == [("White", "D"), ("Event", "E")]
    tags.update([("Event", "F"), ("Site", "S")])
    assert tags.items() == [("White", "D"), ("Event", "F"), ("Site", "S")]


def test_copies_are_apart() -> None:
    tags = Tags({"White": "A"})
    other = tags.copy()
    other["White"] = "B"
    assert tags["White"] == "A"
    assert tags != other


def test_tags_are_text() -> None:
    with pytest.raises(UsageError, match="tags are text"):
        Tags()["WhiteElo"] = 2700  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("pairs", "columns", "listed"),
    [
        ([("White", "A")], {"white": "A"}, []),
        ([("White", "?")], {"white": "?"}, []),
        ([("White", "")], {"white": ""}, []),
        ([("white", "A")], {"white": None}, [("white", "A")]),
        ([("White", "A"), ("White", "B")], {"white": "A"}, [("White", "A"), ("White", "B")]),
        ([("Date", "2023.05.??")], {"year": 2023, "month": 5, "day": None}, []),
        ([("Date", "2023.1.5")], {"year": 2023, "month": 1, "day": 5}, [("Date", "2023.1.5")]),
        ([("Date", "????.??.??")], {"year": None, "month": None, "day": None}, [("Date", "????.??.??")]),
        ([("WhiteElo", "2700")], {"white_elo": 2700}, []),
        ([("WhiteElo", "-")], {"white_elo": None}, [("WhiteElo", "-")]),
        ([("WhiteElo", "0")], {"white_elo": None}, [("WhiteElo", "0")]),
        ([("BlackElo", "0900")], {"black_elo": 900}, [("BlackElo", "0900")]),
        ([("Result", "*")], {"result": Result.UNKNOWN}, []),
        ([("Result", "1/2")], {"result": Result.DRAW}, [("Result", "1/2")]),
        ([("Result", "-:+")], {"result": Result.BLACK_WINS_FORFEIT}, []),
        ([("Result", "won")], {"result": None}, [("Result", "won")]),
        ([], {"result": None, "variant": Variant.STANDARD, "start": None}, []),
        ([("Variant", "Standard")], {"variant": Variant.STANDARD}, [("Variant", "Standard")]),
        ([("Variant", "Chess960")], {"variant": Variant.CHESS960}, []),
        ([("Variant", "chess 960")], {"variant": Variant.CHESS960}, [("Variant", "chess 960")]),
        ([("Variant", "Atomic")], {"variant": Variant.STANDARD}, [("Variant", "Atomic")]),
        ([("SetUp", "1"), ("FEN", FEN)], {"start": FEN}, []),
        ([("FEN", FEN)], {"start": FEN}, []),
        ([("SetUp", "0"), ("FEN", FEN)], {"start": FEN}, [("SetUp", "0")]),
        ([("SetUp", "1")], {"start": None}, [("SetUp", "1")]),
        ([("FEN", FEN), ("FEN", "x"), ("SetUp", "1")], {"start": FEN}, [("FEN", FEN), ("FEN", "x")]),
        ([("B", "1"), ("White", "A"), ("A", "2")], {"white": "A"}, [("B", "1"), ("A", "2")]),
    ],
)
def test_columns(pairs: list[tuple[str, str]], columns: dict[str, object], listed: list[tuple[str, str]]) -> None:
    row = fold_tags(Tags(pairs))
    assert {name: row[name] for name in columns} == columns
    assert row["tags"] == listed
    assert tag_content(unfold_tags(row)) == tag_content(Tags(pairs))


def test_every_column_belongs_to_the_schema() -> None:
    assert set(fold_tags(Tags())) <= set(RECORD_SCHEMA.names)
    assert len({column for tag in COLUMN_TAGS.values() for column in tag.columns}) == 15


def test_unfolded_tags_stand_in_the_order_of_the_roster() -> None:
    names = ["FEN", "X", "ECO", "Black", "White", "Result", "Date", "Event", "Round", "Site"]
    row = fold_tags(Tags([(name, {"Date": "2000.01.01", "Result": "*"}.get(name, "x")) for name in names]))
    assert unfold_tags(row).keys() == [
        *("Event", "Site", "Date", "Round", "White", "Black", "Result", "ECO", "SetUp", "FEN", "X")
    ]


@given(tags, st.booleans())
@example(Tags([("FEN", "a"), ("FEN", "b")]), True)
def test_no_text_is_lost_or_invented(tags: Tags, set_up: bool) -> None:
    if set_up:
        tags.add("FEN", FEN)
    row = fold_tags(tags)
    unfolded = unfold_tags(row)
    assert tag_content(unfolded) == tag_content(tags)
    assert fold_tags(unfolded) == row
