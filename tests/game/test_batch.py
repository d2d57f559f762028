from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.errors import CorruptError, FormatError, TabiyaError, UsageError
from tabiya.game import RECORD_SCHEMA, Annotation, Game, GameBatch, Problem
from tabiya.game.tape import BEGIN, END
from tests.strategies import records

E4, E5 = 1804, 2356


def numbered(*numbers: int) -> GameBatch:
    games = []
    for number in numbers:
        game = Game({"White": f"Player {number % 3}"})
        game.root.add("e4")
        game.number = number
        games.append(game)
    return GameBatch.from_games(games)


def numbers(batch: GameBatch) -> list[int | None]:
    return [game.number for game in batch.games()]


def with_column(name: str, values: list[object]) -> pa.RecordBatch:
    """A batch of as many records as there are values, sound but for one column."""
    records = numbered(*range(1, len(values) + 1)).record_batch
    index = RECORD_SCHEMA.get_field_index(name)
    columns = list(records.columns)
    columns[index] = pa.array(values, RECORD_SCHEMA.field(name).type)
    return pa.RecordBatch.from_arrays(columns, schema=RECORD_SCHEMA)


@given(st.lists(records(), max_size=4))
def test_games_to_batch_to_games(games: list[Game]) -> None:
    batch = GameBatch.from_games(games, first_number=10)
    batch.record_batch.validate(full=True)
    again = list(batch.games())
    assert again == games
    assert [game.problems for game in again] == [game.problems for game in games]
    assert [game.extras for game in again] == [game.extras for game in games]
    assert numbers(batch) == [game.number or 10 + i for i, game in enumerate(games)]


@given(st.lists(records(), max_size=4))
def test_batch_to_games_to_batch_is_the_identity(games: list[Game]) -> None:
    batch = GameBatch.from_games(games)
    assert GameBatch.from_games(batch.games()).record_batch.equals(batch.record_batch)
    assert GameBatch.from_games(batch[i] for i in range(len(batch))).record_batch.equals(batch.record_batch)


def test_many_records() -> None:
    batch = numbered(*range(1, 1001))
    assert len(batch) == 1000
    assert numbers(batch) == list(range(1, 1001))
    assert [game.tags["White"] for game in batch][:4] == ["Player 1", "Player 2", "Player 0", "Player 1"]


def test_indexing_and_slicing() -> None:
    batch = numbered(*range(1, 11))
    assert batch[0].number == 1
    assert batch[-1].number == 10
    for index in (10, -11):
        with pytest.raises(IndexError):
            batch[index]
    assert numbers(batch[2:5]) == numbers(batch.slice(2, 3)) == [3, 4, 5]
    assert numbers(batch[8:]) == numbers(batch.slice(8)) == [9, 10]
    assert numbers(batch[5:2]) == []
    assert numbers(batch[::4]) == [1, 5, 9]
    assert numbers(batch[::-3]) == [10, 7, 4, 1]
    assert batch[2:5][1].tags["White"] == "Player 1"
    assert repr(batch) == "<GameBatch of 10 records>"


def test_concatenation() -> None:
    parts = [numbered(1, 2), GameBatch.empty(), numbered(3)[0:1], numbered(4, 5, 6)[1:]]
    batch = GameBatch.concat(parts)
    assert numbers(batch) == [1, 2, 3, 5, 6]
    assert [game.tags["White"] for game in batch] == ["Player 1", "Player 2", "Player 0", "Player 2", "Player 0"]
    assert len(GameBatch.concat([])) == len(GameBatch.empty()) == 0
    assert list(GameBatch.empty().games()) == []


def test_only_the_schema_will_do() -> None:
    with pytest.raises(UsageError, match="RECORD_SCHEMA"):
        GameBatch(pa.record_batch({"number": [1]}))


def test_other_libraries_take_the_columns() -> None:
    batch = numbered(1, 2)
    assert pa.record_batch(batch).equals(batch.record_batch)


def test_games_keep_their_numbers() -> None:
    games = [Game(), Game(), Game()]
    games[1].number = 77
    assert numbers(GameBatch.from_games(games, first_number=5)) == [5, 77, 7]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda game: game.tags.add("White", "\ud800"),
        lambda game: game.tags.add("Other", "\ud800"),
        lambda game: game.annotations.append(Annotation(70000, b"")),
        lambda game: game.annotations.append(Annotation(2, b"", lang=256)),
        lambda game: game.problems.append(Problem(-1, None, "")),
        lambda game: setattr(game, "number", 1 << 63),
    ],
)
def test_what_has_no_place_in_a_batch(spoil) -> None:
    games = [Game(), Game()]
    games[1].number = 2
    spoil(games[1])
    with pytest.raises(FormatError, match="a batch cannot") as caught:
        GameBatch.from_games(games)
    assert caught.value.game == games[1].number


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("kind", 3),
        ("kind", None),
        ("variant", 2),
        ("result", 9),
        ("deleted", None),
        ("moves", None),
        ("moves", [BEGIN]),
        ("moves", [E4, BEGIN, END]),
        ("moves", [E4, BEGIN, E5]),
        ("moves", [E4, END]),
        ("moves", [0x9000]),
        ("moves", [0x7000]),
        ("moves", [None]),
        ("tags", None),
        ("tags", [None]),
        ("tags", [{"name": None, "value": "x"}]),
        ("annotations", [{"move": 1, "side": 0, "kind": 2, "lang": 0, "data": b"", "raw": None}]),
        ("annotations", [{"move": -2, "side": 0, "kind": 2, "lang": 0, "data": b"", "raw": None}]),
        ("annotations", [{"move": 0, "side": 3, "kind": 2, "lang": 0, "data": b"", "raw": None}]),
        ("annotations", [{"move": 0, "side": 0, "kind": 2, "lang": 0, "data": None, "raw": None}]),
        ("texts", [{"lang": 0, "title": None, "format": 1, "body": b"", "formatting": None}]),
        ("extras", [{"key": "x", "value": None}]),
        ("problems", [{"code": None, "offset": None, "text": ""}]),
    ],
)
def test_damaged_records_are_named(column: str, value: object) -> None:
    sound = numbered(1).record_batch.column(column)[0].as_py()
    batch = GameBatch(with_column(column, [sound, value]))
    games = batch.games()
    assert next(games).number == 1
    with pytest.raises(CorruptError) as caught:
        next(games)
    assert caught.value.game == 2
    assert batch[0].number == 1
    with pytest.raises(CorruptError):
        batch[1]


def test_text_that_is_no_utf8() -> None:
    broken = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.py_buffer(np.array([0, 1, 2], np.int32)), pa.py_buffer(b"a\xff")]
    )
    columns = list(numbered(1, 2).record_batch.columns)
    columns[RECORD_SCHEMA.get_field_index("start")] = broken
    batch = GameBatch(pa.RecordBatch.from_arrays(columns, schema=RECORD_SCHEMA))
    assert batch[0].start == "a"
    with pytest.raises(CorruptError) as caught:
        batch[1]
    assert caught.value.game == 2


TOKENS = st.one_of(st.sampled_from([E4, E5, BEGIN, END]), st.integers(0, 0xFFFF))
NOTES = st.fixed_dictionaries(
    {
        "move": st.integers(-3, 9),
        "side": st.integers(0, 4),
        "kind": st.sampled_from([2, 3, 0x82, 256, 257, 5, 0xFFFF]),
        "lang": st.integers(0, 255),
        "data": st.binary(max_size=4),
        "raw": st.none() | st.binary(max_size=4),
    }
)


@given(st.lists(TOKENS, max_size=9), st.lists(NOTES, max_size=3), st.none() | st.text(max_size=9))
def test_hostile_records_raise_nothing_but_our_errors(
    tape: list[int], notes: list[dict[str, object]], start: str | None
) -> None:
    columns = {name: list(numbered(1).record_batch.column(name)) for name in RECORD_SCHEMA.names}
    columns.update({"moves": [tape], "annotations": [notes]})
    try:
        columns["start"] = [pa.scalar(start, pa.string())]
    except UnicodeEncodeError:
        return
    arrays = [pa.array(columns[field.name], field.type) for field in RECORD_SCHEMA]
    try:
        game = GameBatch(pa.RecordBatch.from_arrays(arrays, schema=RECORD_SCHEMA))[0]
        repr(game)
        str(game)
        game._repr_html_()
        [node.position for node in game.walk()]
    except TabiyaError:
        pass
