"""The columns that kernels trust: every one is looked at before, and one that does not fit is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tabiya.errors import CorruptError
from tabiya.game import Annotation, Extra, Game, GameBatch, view
from tabiya.game.assemble import assemble, new_builder
from tabiya.game.fields import HEADER, NAMES, STORED
from tabiya.game.view_kernel import BatchView

FEN = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


def columns() -> dict[str, Any]:
    """What a view is made of, for two records that have something in each column."""
    games = [Game({"White": f"A{n}", "Black": "B", "Event": "C", "Opening": "D", "ECO": "E60"}) for n in range(2)]
    games.append(Game(start=FEN))
    for game in games[:2]:
        e4 = game.root.add("e4")
        e4.text = "text"
        e4.annotations.append(Annotation(5, b"\x01", raw=b"\x02"))
        game.extras = [Extra("x.key", b"value")]
    taken: list[dict[str, Any]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(view, "BatchView", lambda count, found: taken.append(found))
        view.view_of(GameBatch.from_games(games))
    (found,) = taken
    return found


def replaced(way: tuple[Any, ...], array: Any) -> dict[str, Any]:
    """The columns with another array in one place: under a name, or for ``interned`` in a pair of a list."""
    if len(way) == 1:
        return COLUMNS | {way[0]: array}
    _, index, part = way
    pairs = list(COLUMNS["interned"])
    pairs[index] = (array, pairs[index][1]) if part == 0 else (pairs[index][0], array)
    return COLUMNS | {"interned": pairs}


def at(way: tuple[Any, ...]) -> Any:
    found: Any = COLUMNS
    for step in way:
        found = found[step]
    return found


COLUMNS = columns()
LETTERS = [(name,) for name, _ in STORED if f"{name}_ends" in COLUMNS] + [("interned", n, 0) for n in range(7)]
ENDS = [(name,) for name in COLUMNS if name.endswith("_ends")] + [("interned", n, 1) for n in range(7)]
WAYS = [(name,) for name in COLUMNS if name != "interned"] + [
    ("interned", n, part) for n in range(7) for part in (0, 1)
]


def refused(way: tuple[Any, ...], array: Any) -> bool:
    try:
        BatchView(3, replaced(way, array))
    except ValueError:
        return True
    return False


def test_sound_columns_are_taken() -> None:
    BatchView(3, COLUMNS)
    assert {name for name in COLUMNS if name != "interned"} == {name for name, _ in STORED} | {f.name for f in HEADER}
    assert len(WAYS) == 16 + 40 + 14
    assert len(ENDS) == 6 + 11 + 7


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_column_that_is_too_short(way: tuple[Any, ...]) -> None:
    """Bytes of strings may go on behind the last one; arrays of Arrow are often parts of longer ones."""
    array = at(way)
    used = len(array)
    if way in LETTERS:
        used = at((*way[:-1], 1) if len(way) > 1 else (f"{way[0]}_ends",))[-1]
    assert refused(way, array[: used - 1]) == (used > 0)


@pytest.mark.parametrize("way", ENDS, ids=str)
def test_lists_that_overlap_or_reach_beyond(way: tuple[Any, ...]) -> None:
    ends = at(way)
    for place, end in ((0, -1), (0, ends[-1] + 1), (-1, 1 << 20)):
        changed = ends.copy()
        changed[place] = end
        assert refused(way, changed)


@pytest.mark.parametrize("column", range(7))
def test_names_that_are_not_in_their_dictionary(column: int) -> None:
    name = NAMES[column].name
    known = len(COLUMNS["interned"][column][1]) - 1
    for record in range(3):
        for index, bad in ((-2, True), (-1, False), (known - 1, False), (known, True)):
            changed = COLUMNS[name].copy()
            changed[record] = index
            assert refused((name,), changed) == bad


def test_a_damaged_batch_is_said_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "_single_values", lambda column, *_: np.zeros(len(column) - 1, np.int32))
    with pytest.raises(CorruptError, match="this batch is damaged: a column of the batch has 0 members instead of 1"):
        view.view_of(GameBatch.from_games([Game()]))


def test_columns_begin_empty() -> None:
    """Ends count from a first 0, which Arrow does not miss until there is a record."""
    found = new_builder().finish()
    ends = [*(ends for _, ends in found["interned"]), *(found[name] for name in found if name.endswith("_ends"))]
    assert len(ends) == 7 + 11 + 6
    assert {bytes(column) for column in ends} == {bytes(4)}
    others = [found[name] for name, _ in STORED if not name.endswith("_ends")]
    assert {bytes(column) for column in (found["headers"], *others, *(text for text, _ in found["interned"]))} == {b""}
    assert len(assemble(found)) == 0


@pytest.mark.parametrize("name", ["kind", "variant"])
def test_nulls_where_there_must_be_a_value(name: str) -> None:
    records = GameBatch.from_games([Game()]).record_batch
    place = records.schema.get_field_index(name)
    field = records.schema.field(name)
    damaged = records.set_column(place, field, pa.nulls(1, field.type))
    with pytest.raises(CorruptError, match=f"this batch is damaged: null in {name}"):
        view.view_of(GameBatch(damaged))


def test_a_null_among_the_moves() -> None:
    records = GameBatch.from_games([Game()]).record_batch
    place = records.schema.get_field_index("moves")
    moves = pa.array([[None]], pa.list_(pa.uint16())).cast(records.schema.field("moves").type, safe=False)
    with pytest.raises(CorruptError, match="this batch is damaged: null in item"):
        view.view_of(GameBatch(records.set_column(place, records.schema.field("moves"), moves)))


def test_views_of_parts_see_their_records_only() -> None:
    """Slices of Arrow begin anywhere in their buffers, bits included."""
    results = ("1-0", None, "0-1", "*")
    games = [Game({"White": f"W{n}", "WhiteElo": str(n)} | ({"Result": r} if r else {})) for n, r in enumerate(results)]
    games[2].deleted = True
    games[3] = Game(start=FEN)
    taken: list[dict[str, Any]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(view, "BatchView", lambda count, found: taken.append(found))
        view.view_of(GameBatch.from_games(games)[1:])
    (found,) = taken
    assert found["result"].tolist() == [255, 2, 255]
    assert found["white_elo"].tolist() == [1, 2, -1]
    assert found["deleted"].tolist() == [0, 1, 0]
    assert found["has_start"].tolist() == [0, 0, 1]
    assert found["year"].tolist() == [0, 0, 0]
    assert found["white"].tolist() == [1, 2, -1]
    assert {found[field.name].dtype for field in HEADER} == {np.dtype(np.int32)}
