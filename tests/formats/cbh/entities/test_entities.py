"""Entity files: read by id, whatever the tree and the counters say."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chessbase.tournament_types import TournamentFlag
from tabiya.formats.cbh.entities import cbp, cbt
from tabiya.formats.cbh.entities.entity_file import HEADER, Entities, EntityFile
from tabiya.formats.cbh.reading.header_window import ENTITY_KINDS
from tabiya.game.annotations import CP1252
from tests.formats.cbh import handmade

PLAYERS = handmade.base()[".cbp"]


def players(data: bytes) -> Entities[cbp.Player]:
    return Entities(EntityFile(cbp.PLAYERS, data, CP1252))


def test_by_id() -> None:
    found = players(PLAYERS)
    assert len(found) == 4
    assert found[0] == cbp.Player(0, "Mårdell", "Jimmy", 1, 1)
    assert found[0].name == "Mårdell, Jimmy"
    assert found[-1].name == "Alone"
    assert [player.last for player in found[1:3]] == ["Doe", "Comma, in"]
    assert [player.id for player in found] == [0, 1, 2, 3]
    with pytest.raises(IndexError):
        found[4]
    assert repr(found) == "<4 players>"


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("doe", [1]),
        ("JOHN doe", [1]),
        ("Doe, John", [1]),
        ("rdell", [0]),
        ("mår", [0]),
        ("zzz", []),
        ("", [0, 1, 2, 3]),
    ],
)
def test_search(text: str, ids: list[int]) -> None:
    assert [player.id for player in players(PLAYERS).find(text)] == ids


def test_deleted_entities_keep_their_place() -> None:
    found = Entities(EntityFile(cbt.TOURNAMENTS, handmade.base()[".cbt"]))
    assert [each.deleted for each in found] == [False, False, True]
    assert found.find("Gone") == []
    swedish = found[1]
    assert (swedish.name, swedish.place, swedish.type, swedish.nation) == (
        "Swedish Ch",
        "Stockholm",
        "k.o. (rapid)",
        "SWE",
    )
    assert swedish.flags == TournamentFlag.BOARD_POINTS | TournamentFlag.THREE_POINTS


def header(**fields: int) -> bytes:
    return HEADER.encode({"capacity": 4, "record_size": 58, "live": 4, **fields})


@pytest.mark.parametrize(
    ("data", "count", "complaints"),
    [
        (b"", 0, 0),
        (PLAYERS[:10], 0, 1),
        (header(magic=1) + PLAYERS[28:], 0, 1),
        (header(record_size=59) + PLAYERS[28:], 0, 1),
        (header(record_size=-1) + PLAYERS[28:], 0, 1),
        (header(capacity=9) + PLAYERS[28:], 4, 1),
        (header(capacity=-1) + PLAYERS[28:], 4, 0),
        (header(capacity=2) + PLAYERS[28:], 2, 0),
        (header(live=99, root=77, first_deleted=55) + PLAYERS[28:], 4, 0),
        (header(extra=-5) + PLAYERS[32:], 4, 0),
        (PLAYERS[:-1], 3, 1),
    ],
)
def test_counters_are_not_trusted(data: bytes, count: int, complaints: int) -> None:
    file = EntityFile(cbp.PLAYERS, data)
    assert (len(file), len(file.complaints)) == (count, complaints)


def test_a_tree_in_a_circle_does_not_matter() -> None:
    damaged = bytearray(PLAYERS)
    for number in range(4):
        struct.pack_into("<iib", damaged, 32 + number * 67, number, number, 100)
    assert [player.last for player in players(bytes(damaged))] == ["Mårdell", "Doe", "Comma, in", "Alone"]


@given(st.sampled_from(ENTITY_KINDS), st.binary(max_size=400), st.integers(-2, 9))
def test_nonsense(kind: Any, body: bytes, capacity: int) -> None:
    data = HEADER.encode({"capacity": capacity, "record_size": kind.data_size}) + body
    file = EntityFile(kind, data, CP1252)
    found = Entities(file)
    assert len(list(found)) == len(found)
    found.find("a")
    for number in range(len(file)):
        record = file.bytes_of(number)
        assert kind.layout.encode(kind.layout.decode(record)) == record


def sample_files(samples: Callable[[str], Path]) -> list[tuple[Any, Path]]:
    kinds = {kind.suffix: kind for kind in ENTITY_KINDS}
    return [(kinds[path.suffix], path) for path in sorted(samples("cbh").rglob("*")) if path.suffix in kinds]


def test_every_sample_file(samples: Callable[[str], Path]) -> None:
    """Bytes to records and back, and the vectorised texts against those of single records."""
    for kind, path in sample_files(samples):
        file = EntityFile(kind, path.read_bytes(), CP1252)
        assert file.complaints == []
        assert len(file) == file.header["capacity"]
        for number in range(len(file)):
            record = file.bytes_of(number)
            assert kind.layout.encode(kind.layout.decode(record)) == record
        names = [file.table.texts(name).to_pylist() for name in kind.name_fields]
        for number, entity in enumerate(Entities(file)):
            if kind.suffix == ".cbp":
                assert (entity.last, entity.first) == tuple(column[number] or "" for column in names)
            elif kind.suffix != ".cbl":
                assert entity.name == (names[0][number] or "")


def test_names_of_players_in_a_row(samples: Callable[[str], Path]) -> None:
    file = EntityFile(cbp.PLAYERS, samples("cbh/twic1134/twic1134.cbp").read_bytes())
    names = cbp.LAYOUT.columns("white")["white"].texts(file.table)
    assert names.to_pylist() == [player.name for player in Entities(file)]
