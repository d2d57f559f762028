"""Damaged bases: every game that is sound comes through, and nothing but errors of tabiya comes out."""

from __future__ import annotations

import random
import shutil
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.errors import TabiyaError
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.formats.cbh.files.cbm import HEADER, RECORD_HEAD
from tabiya.game.record import Extra
from tests.formats.cbh import handmade

BASE = handmade.base()
few = settings(max_examples=25)
"""Each example writes and reads a whole base."""


def read_all(path: Path) -> list[tabiya.Game] | None:
    """All records, in every way there is; None if the base is refused."""
    try:
        database = tabiya.open(path, format="cbh")
    except TabiyaError:
        return None
    with database:
        assert isinstance(database, CbhDatabase)
        games = list(database)
        assert sum(len(batch) for batch in database.headers()) == len(games) == len(database)
        for batch in database.batches():
            batch.record_batch.validate(full=True)
        for entities in (database.players, database.tournaments, database.annotators, database.sources):
            assert len(list(entities)) == len(entities)
            entities.find("a")
        assert len(list(database.teams)) + len(list(database.game_tags)) >= 0
        assert all(problem.sentence for problem in database.problems)
        database.details()
        return games


@pytest.mark.parametrize("suffix", sorted(BASE))
def test_files_that_break_off(suffix: str, tmp_path: Path) -> None:
    path = handmade.write(tmp_path)
    damaged = path.with_suffix(suffix)
    whole = BASE[suffix]
    for length in sorted({*range(0, min(len(whole), 60), 11), *range(0, len(whole), max(1, len(whole) // 9))}):
        damaged.write_bytes(whole[:length])
        games = read_all(path)
        if suffix == ".cbh":
            assert games is None if length < 46 else games is not None and len(games) == length // 46 - 1
        else:
            assert games is not None
            assert len(games) == 4


@pytest.mark.parametrize("seed", range(20))
def test_flipped_bytes(seed: int, tmp_path: Path) -> None:
    path = handmade.write(tmp_path)
    chance = random.Random(seed)
    for suffix in chance.sample(sorted(BASE), 3):
        data = bytearray(BASE[suffix])
        for _ in range(chance.randint(1, 40)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        path.with_suffix(suffix).write_bytes(data)
    read_all(path)


@few
@given(st.dictionaries(st.sampled_from(sorted(set(BASE) - {".cbh"})), st.binary(max_size=200), min_size=1))
def test_files_of_anything(tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]) -> None:
    path = handmade.write(tmp_path_factory.mktemp("base"))
    for suffix, data in files.items():
        path.with_suffix(suffix).write_bytes(data)
    games = read_all(path)
    assert games is not None
    assert len(games) == 4


@few
@given(st.lists(st.binary(min_size=46, max_size=46), max_size=12))
def test_records_of_anything(tmp_path_factory: pytest.TempPathFactory, records: list[bytes]) -> None:
    path = handmade.write(tmp_path_factory.mktemp("base"))
    path.write_bytes(BASE[".cbh"][:6] + (len(records) + 1).to_bytes(4, "big") + BASE[".cbh"][10:46] + b"".join(records))
    games = read_all(path)
    assert games is not None
    assert len(games) == len(records)


@few
@given(st.integers(0, 140), st.binary(max_size=600))
def test_extended_records_of_any_size(tmp_path_factory: pytest.TempPathFactory, size: int, body: bytes) -> None:
    path = handmade.write(tmp_path_factory.mktemp("base"))
    header = BASE[".cbj"][:4] + size.to_bytes(4, "little") + (999).to_bytes(4, "little") + BASE[".cbj"][12:32]
    path.with_suffix(".cbj").write_bytes(header + body)
    games = read_all(path)
    assert games is not None
    assert games[0].tags["White"] == "Mårdell, Jimmy"


def test_a_base_that_claims_too_much(tmp_path: Path) -> None:
    """Counters at their highest: nothing is allocated for what is not there."""
    path = handmade.write(tmp_path)
    most = (0x7FFFFFFF).to_bytes(4, "little")
    for suffix in (".cbp", ".cbt", ".cbc", ".cbs", ".cbe", ".cbl"):
        data = BASE[suffix]
        path.with_suffix(suffix).write_bytes(most + data[4:20] + most + data[24:])
    path.write_bytes(BASE[".cbh"][:6] + b"\xff" * 4 + BASE[".cbh"][10:])
    games = read_all(path)
    assert games is not None
    assert len(games) == 4
    with tabiya.open(path) as database:
        assert {problem.code for problem in database.problems} >= {121, 127}


@pytest.mark.parametrize("suffix", [".cbj", ".cbtt"])
def test_records_that_claim_megabytes(suffix: str, tmp_path: Path) -> None:
    """The size of a record is told by its file; no game may get so much memory because of it."""
    path = handmade.write(tmp_path)
    size = 1 << 24
    file = path.with_suffix(suffix)
    file.write_bytes(BASE[suffix][:4] + size.to_bytes(4, "little") + BASE[suffix][8:32] + b"\xff" * 100)
    with file.open("r+b") as claimed:
        claimed.truncate(5 * size)
    tracemalloc.start()
    try:
        games = read_all(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert games is not None
    assert games[0].tags["White"] == "Mårdell, Jimmy"
    assert peak < size
    with tabiya.open(path) as database:
        assert any(problem.code == 127 and suffix in problem.text for problem in database.problems)


def test_a_manifest_that_all_records_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A megabyte for every record would be too much for one batch."""
    path = handmade.write(tmp_path)
    manifest = b"FilesUsed\n1\n" + b"x" * 900_000
    head = HEADER.encode({}) + RECORD_HEAD.encode({"records": 1000})
    path.with_suffix(".cbm").write_bytes(head + manifest)
    extended = bytearray(BASE[".cbj"])
    for record in range(3):
        place = 32 + 120 * record + 8
        extended[place : place + 4] = len(head).to_bytes(4, "big")
    path.with_suffix(".cbj").write_bytes(extended)
    monkeypatch.setattr("tabiya.formats.cbh.database.CbhDatabase._batch_bytes", 1_000_000)
    with tabiya.open(path) as database:
        batches = list(database.batches())
    assert [len(batch) for batch in batches] == [1, 1, 2]
    assert all(Extra("cbh.media", manifest) in batch[0].extras for batch in batches)


@pytest.mark.parametrize("name", ["cbhlib_test", "text", "veryold", "cb12"])
def test_samples_that_break_off(name: str, samples: Callable[[str], Path], tmp_path: Path) -> None:
    source = samples(f"cbh/{name}")
    main = next(source.glob("*.cbh"))
    for file in source.iterdir():
        if file.is_file():
            shutil.copyfile(file, tmp_path / file.name)
    path = tmp_path / main.name
    count = main.stat().st_size // 46 - 1
    for file in sorted(tmp_path.iterdir()):
        whole = file.read_bytes()
        for part in (0.0, 0.4, 0.97):
            file.write_bytes(whole[: int(len(whole) * part)])
            games = read_all(path)
            if file != path:
                assert games is not None
                assert len(games) == count
        file.write_bytes(whole)
