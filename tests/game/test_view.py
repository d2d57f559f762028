"""The columns that kernels trust: every one is looked at before, and one that does not fit is refused."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any

import numpy as np
import pytest

from tabiya.errors import CorruptError
from tabiya.game import Annotation, Extra, Game, GameBatch, view
from tabiya.game.assemble import assemble, new_builder
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


def places(found: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """The way to every array: its name, and its place in lists and pairs."""
    for name, column in found.items():
        if isinstance(column, np.ndarray):
            yield (name,)
        else:
            for index, part in enumerate(column):
                yield from [(name, index)] if isinstance(part, np.ndarray) else [(name, index, 0), (name, index, 1)]


def replaced(found: Any, way: tuple[Any, ...], array: Any) -> Any:
    if not way:
        return array
    changed = list(found) if isinstance(found, tuple) else copy(found)
    changed[way[0]] = replaced(changed[way[0]], way[1:], array)
    return tuple(changed) if isinstance(found, tuple) else changed


def at(found: Any, way: tuple[Any, ...]) -> Any:
    for step in way:
        found = found[step]
    return found


COLUMNS = columns()
WAYS = list(places(COLUMNS))
ENDS = [way for way in WAYS if way[0].endswith("_ends") or (len(way) > 1 and way[0] != "names" and way[-1] == 0)]
NAMES = [way for way in WAYS if way[0] == "names"]


def refused(way: tuple[Any, ...], array: Any) -> bool:
    try:
        BatchView(3, replaced(COLUMNS, way, array))
    except ValueError:
        return True
    return False


def test_sound_columns_are_taken() -> None:
    BatchView(3, COLUMNS)
    assert len(WAYS) == 54
    assert len(ENDS) == 18


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_column_that_is_too_short(way: tuple[Any, ...]) -> None:
    """Bytes of strings may go on behind the last one; arrays of Arrow are often parts of longer ones."""
    array = at(COLUMNS, way)
    used = len(array) if way in ENDS or way[-1] != 1 or way in NAMES else at(COLUMNS, way[:-1])[0][-1]
    assert refused(way, array[: used - 1]) == (used > 0)


@pytest.mark.parametrize("way", ENDS, ids=str)
def test_lists_that_overlap_or_reach_beyond(way: tuple[Any, ...]) -> None:
    ends = at(COLUMNS, way)
    for place, end in ((0, -1), (0, ends[-1] + 1), (-1, 1 << 20)):
        changed = ends.copy()
        changed[place] = end
        assert refused(way, changed)


@pytest.mark.parametrize("way", NAMES, ids=str)
def test_names_that_are_not_in_their_dictionary(way: tuple[Any, ...]) -> None:
    indexes, known = at(COLUMNS, way), len(COLUMNS["interned"][way[1]][0]) - 1
    for record in range(3):
        for index, bad in ((-2, True), (-1, False), (known - 1, False), (known, True)):
            changed = indexes.copy()
            changed[record] = index
            assert refused(way, changed) == bad


def test_a_damaged_batch_is_said_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "_elo", lambda column: np.zeros(len(column) - 1, np.int32))
    with pytest.raises(CorruptError, match="this batch is damaged: a column of the batch has 0 members instead of 1"):
        view.view_of(GameBatch.from_games([Game()]))


def test_columns_begin_empty() -> None:
    """Ends count from a first 0, which Arrow does not miss until there is a record."""
    found = new_builder().finish()
    strings = [*found["interned"], *(column for column in found.values() if isinstance(column, tuple))]
    lists = [column for name, column in found.items() if name.endswith("_ends")]
    assert (len(strings), len(lists)) == (7 + 11, 6)
    assert {bytes(ends) for ends in (*lists, *(ends for _, ends in strings))} == {bytes(4)}
    assert {bytes(data) for data, _ in strings} == {b""}
    assert len(assemble(found)) == 0
