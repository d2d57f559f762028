"""Bases with more names than fit into memory: what is held of each is little, and no limit changes what is written."""

from __future__ import annotations

import gc
import io
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import tabiya
from tabiya.formats.cbh.editing import BaseEditor
from tabiya.formats.cbh.entities import search_trees
from tabiya.formats.cbh.reading.header_window import ENTITY_KINDS
from tabiya.formats.cbh.writing import entity_codec, entity_tables
from tabiya.formats.cbh.writing.entity_tables import EntityTable
from tabiya.game import Extra, Game, GameBatch

ANNOTATORS = next(kind for kind in ENTITY_KINDS if kind.suffix == ".cbc")
MOST_BYTES_PER_NAME = 60
"""A hash and an id (12 bytes), two counts and a mark (9), both with room to grow; it was 480 once."""


def game(number: int, *, of: int | None = None) -> Game:
    """A game with names of its own, or shared by all whose number has the same rest."""
    which = number if of is None else number % of
    tags = {"White": f"White{which}, A", "Black": f"Black{which}, B", "Event": f"Event {which}", "Result": "1-0"}
    found = Game(tags)
    if which % 3 == 0:
        found.extras = [Extra("cbh.event_latitude", str(which % 90).encode())]
    return found


def batches(count: int, size: int, begin: int = 0) -> Iterator[GameBatch]:
    for first in range(begin, begin + count, size):
        yield GameBatch.from_games([game(first + i) for i in range(size)], first_number=first + 1)


def files(path: Path) -> dict[str, bytes]:
    return {each.suffix: each.read_bytes() for each in path.parent.iterdir() if each.suffix != ".ini"}


def held() -> int:
    gc.collect()  # games are cycles
    return tracemalloc.get_traced_memory()[0]


def test_little_is_held_of_each_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new game with three new names costs a few dozen bytes, whatever else a batch takes for a moment."""
    monkeypatch.setattr(entity_codec, "_MOST_RECENT", 250)
    monkeypatch.setattr(entity_tables, "_MOST_IN_MEMORY", 1 << 12)
    count = 3000
    tracemalloc.start()
    try:
        with tabiya.create(tmp_path / "x.cbh") as writer:
            writer.write(batches(1000, 250))
            before = held()
            writer.write(batches(count, 250, begin=1000))
            after = held()
    finally:
        tracemalloc.stop()
    assert (after - before) / (3 * count) < MOST_BYTES_PER_NAME
    with tabiya.open(tmp_path / "x.cbh") as base:
        assert [(each.tags["White"], each.tags["Event"]) for each in base][::999] == [
            (game(number).tags["White"], game(number).tags["Event"]) for number in range(0, 4000, 999)
        ]


def test_little_is_needed_for_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The keys are as long as the names, and are not all held to put them in order."""
    monkeypatch.setattr(entity_tables, "_MOST_IN_MEMORY", 1 << 12)
    monkeypatch.setattr(search_trees, "_KEY_BYTES", 1 << 12)
    monkeypatch.setattr(entity_tables, "AT_ONCE", 1000)
    table, size, count = EntityTable(ANNOTATORS, tmp_path), ANNOTATORS.layout.size - 17, 50_000
    for begin in range(0, count, 5000):
        table.intern([(f"{i:x}".encode().ljust(size, b"\0"), b"") for i in range(begin, begin + 5000)])
    with (tmp_path / "x").open("wb") as stream:
        tracemalloc.start()
        try:
            table.write(stream)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert peak / count < 2 * MOST_BYTES_PER_NAME
    assert (tmp_path / "x").stat().st_size == 32 + count * ANNOTATORS.layout.size


def clashing(entities: list[tuple[bytes, bytes]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([len(entity[0].rstrip(b"\0")) % 3 for entity in entities], np.int64)


LIMITS: dict[str, tuple[object, str, object]] = {
    "memory": (entity_codec, "_MOST_RECENT", 2),
    "scratch": (entity_tables, "_MOST_IN_MEMORY", 1),
    "keys": (search_trees, "_KEY_BYTES", 1),
    "records": (entity_tables, "AT_ONCE", 3),
    "references": (entity_tables, "_DENSE", 0),
    "hashes": (entity_tables, "_hashes_of", clashing),
}


def write_and_change(path: Path) -> None:
    """New names, names that return, names of a base that is there; entities that go, change and are made again."""
    path.parent.mkdir()
    with tabiya.create(path) as writer:
        for begin in range(0, 60, 10):
            writer.write([game(number, of=25) for number in range(begin, begin + 10)])
    with tabiya.create(path, append=True) as writer:
        writer.write([game(number) for number in range(20, 40)])
    with BaseEditor(path) as editor:
        editor.edit("players", 0, last="Another")
        editor.edit("tournaments", 1, title="Event 2")
        editor.replace(3, game(0))
        editor.replace(36, game(1000))
        editor.replace(70, game(1001))
    with BaseEditor(path) as editor:
        editor.replace(1, game(15))
        editor.replace(2, game(1002))


@pytest.mark.parametrize("limit", LIMITS)
def test_no_limit_changes_what_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    write_and_change(tmp_path / "usual" / "x.cbh")
    module, name, value = LIMITS[limit]
    monkeypatch.setattr(module, name, value)
    write_and_change(tmp_path / "limited" / "x.cbh")
    assert files(tmp_path / "limited" / "x.cbh") == files(tmp_path / "usual" / "x.cbh")
    assert {each.suffix for each in (tmp_path / "limited").iterdir()} >= {".cbp", ".cbt", ".cbtt"}


@pytest.mark.parametrize("hashes_of", [entity_tables._hashes_of, clashing])
def test_equal_entities_are_one(monkeypatch: pytest.MonkeyPatch, hashes_of: Callable[..., object]) -> None:
    monkeypatch.setattr(entity_tables, "_hashes_of", hashes_of)
    table, size = EntityTable(ANNOTATORS), ANNOTATORS.layout.size - 17

    def ids(*names: str, twin: bytes = b"") -> list[int]:
        return table.intern([(name.encode().ljust(size, b"\0"), twin) for name in names])

    assert ids("a", "b", "a", "c") == [0, 1, 0, 2]
    assert ids("d", "c") == [3, 2]
    assert ids("a", twin=b"1") == [4]
    assert ids("a", twin=b"1") == [4]
    table.change(1, b"e".ljust(size, b"\0"))
    assert ids("e", "b") == [1, 5]
    table.count(np.array([0, 1, 2]), np.array([1, 2, 3]))
    table.drop_unused()
    assert ids("a", twin=b"1") == [5]  # of the deleted ones, the last that went
    assert ids("c", "x", "y", "z") == [2, 4, 3, 6]
    stream = io.BytesIO()
    table.write(stream)
    assert [table.content(number)[:1] for number in range(7)] == [b"a", b"e", b"c", b"y", b"x", b"a", b"z"]  # type: ignore[index]


def test_a_name_that_was_changed_is_not_found_under_its_old_one(tmp_path: Path) -> None:
    """Also where ChessBase had left bytes behind the NUL of the old name."""
    path = tmp_path / "x.cbh"
    with tabiya.create(path) as writer:
        writer.write([game(1), game(2), game(3)])
    data = bytearray(path.with_suffix(".cbp").read_bytes())
    place = data.index(b"White1\0") + len(b"White1\0")
    data[place : place + 4] = b"left"
    path.with_suffix(".cbp").write_bytes(data)
    with BaseEditor(path) as editor:
        editor.edit("players", 0, last="Another")
        editor.replace(3, game(1))
    with tabiya.open(path) as base:
        assert [each.tags["White"] for each in base] == ["Another, A", "White2, A", "White1, A"]
