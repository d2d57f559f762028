"""What a library is made of, where its records come from, and what other programs see in it."""

from __future__ import annotations

import errno
import gc
import hashlib
import json
import os
import sys
import threading
import weakref
import zipfile
import zlib
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import TabiyaError, UsageError
from tabiya.formats.library.column_spool import ColumnSpool
from tabiya.formats.library.database import LibraryDatabase
from tabiya.formats.library.merging import first_to_merge
from tabiya.formats.record_file import RecordFileWriter
from tabiya.game import GameBatch
from tests.formats.corpus import batch_of, corpus, long_corpus, rows_of, tape

AFTER_E4 = 0x823C9B50FD114196
"""Polyglot's key, as its documentation gives it."""
ALWAYS = {"manifest.json", "games-1.parquet", "filter-1.arrow", "tapes-1.arrow", "names-1.parquet"}
INDEX = {"positions-1.parquet", "fences-1.arrow"}


def opened(path: Path) -> LibraryDatabase:
    library = tabiya.open(path)
    assert isinstance(library, LibraryDatabase)
    return library


@pytest.fixture
def pgn(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    with tabiya.create(path) as writer:
        writer.write(batch_of([{"white": name, "moves": tape(f"{name}2{name}4")} for name in "abcde"]))
    return path


@pytest.mark.parametrize(
    ("options", "files"),
    [
        ({}, ALWAYS | INDEX),
        ({"positions": False}, ALWAYS),
        ({"variations": True}, ALWAYS | INDEX | {"variations-1.parquet"}),
    ],
)
def test_files(tmp_path: Path, options: dict[str, Any], files: set[str]) -> None:
    path = tmp_path / "x.tabiya"
    with tabiya.create(path, **options) as writer:
        writer.write(corpus())
    assert {file.name for file in path.iterdir()} == files
    with tabiya.create(path, append=True) as writer:  # goes on with what there is
        writer.write(corpus())
    with tabiya.edit(path) as editor:
        editor.delete([1])
    tabiya.merge_segments(path)
    assert {file.name.partition("-")[0] for file in path.iterdir()} == {name.partition("-")[0] for name in files}
    with opened(path) as library:
        search = library.searchable()
        assert search is not None
        (segment,) = search.segments
        assert segment.has_positions == (options.get("positions") is not False)
        assert segment.has_variations == ("variations" in options)
        assert (len(segment.find(AFTER_E4).games) > 0) == segment.has_positions
        assert len(segment.find_variations(AFTER_E4).games) == len(segment.find_variations(AFTER_E4).moves)


def test_an_index_cannot_change_half_way(tmp_path: Path) -> None:
    path = tmp_path / "x.tabiya"
    with tabiya.create(path) as writer:
        writer.write(corpus())
    for options in ({"positions": False}, {"variations": True}):
        with pytest.raises(UsageError, match="games added later must match"):
            tabiya.create(path, append=True, **options)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="an index of variations needs an index of positions"):
        tabiya.create(tmp_path / "y.tabiya", positions=False, variations=True)
    with tabiya.create(path, append=True, positions=True) as writer:
        writer.write(corpus())


def test_records_know_where_they_come_from(tmp_path: Path, pgn: Path) -> None:
    path, chosen, copy = (tmp_path / f"{name}.tabiya" for name in ("x", "chosen", "copy"))
    tabiya.convert(pgn, path)
    with tabiya.create(path, append=True) as writer:
        writer.write(tabiya.Game({"White": "Z"}))
    with opened(path) as library:
        assert library.origin(2) == (str(pgn), 2)
        assert library.origin(6) == (None, 1)
        with pytest.raises(UsageError, match="there is no record 7; the library has 6"):
            library.origin(7)
        (source,) = library.sources
        data = pgn.read_bytes()
        assert (source.name, source.format, source.records) == (str(pgn), "pgn", 5)
        stored = source.files[str(pgn)]
        assert (stored.bytes, stored.sha256) == (len(data), hashlib.sha256(data).hexdigest())
        with tabiya.create(chosen) as writer:
            writer.write(library.filter(player="d"))
    with tabiya.edit(path) as editor:
        editor.delete([1])
        editor.replace(3, tabiya.Game({"White": "Y"}))
    tabiya.compact(path)
    tabiya.convert(path, copy)
    for place, expected in {
        path: [2, 3, 4, 5, 1],
        copy: [2, 3, 4, 5, 1],
        chosen: [4],
    }.items():
        with opened(place) as library:
            assert [library.origin(number + 1).number for number in range(len(library))] == expected
            assert [each.name for each in library.sources] == [str(pgn)]


def test_every_member_of_a_collection_is_a_source(tmp_path: Path, pgn: Path) -> None:
    path, other, empty, archive = (tmp_path / name for name in ("x.tabiya", "other.pgn", "empty.pgn", "more.zip"))
    other.write_text('[White "Z"]\n\n1. e4 *\n\n[White "Y"]\n\n*\n')
    empty.write_text("")
    with zipfile.ZipFile(archive, "w") as packed:
        packed.write(other, "one.pgn")
        packed.write(other, "two.pgn")
    with tabiya.open([pgn, empty, other, archive]) as several:
        tabiya.convert(several, path)
    with opened(path) as library:
        arguments = [(each.name, each.format, each.records, [*each.files]) for each in library.sources]
        assert arguments == [
            (str(pgn), "pgn", 5, [str(pgn)]),
            (str(other), "pgn", 2, [str(other)]),
            (str(archive), "zip", 4, [str(archive)]),
        ]
        assert library.details()["sources"] == 3
    with tabiya.open([other, empty]) as several:
        report = tabiya.convert(several.filter(white="Z"), path, append=True)
    assert report.remarks == (f"{other} was added before; its games are now stored twice",)
    with opened(path) as library:
        assert [(each.name, each.records) for each in library.sources[3:]] == [(str(other), 1)]


def test_a_source_that_was_added_before_is_told(tmp_path: Path, pgn: Path) -> None:
    path = tmp_path / "x.tabiya"
    assert tabiya.convert(pgn, path).remarks == ()
    report = tabiya.convert(pgn, path, append=True)
    assert report.remarks == (f"{pgn} was added before; its games are now stored twice",)
    with opened(path) as library:
        assert len(library) == 10


def test_a_library_is_not_added_to_itself(tmp_path: Path, pgn: Path) -> None:
    path = tmp_path / "x.tabiya"
    tabiya.convert(pgn, path)
    with pytest.raises(UsageError, match="is also the source"):
        tabiya.convert(path, path, append=True)
    with pytest.raises(UsageError, match="is also the source"):
        tabiya.copy(path, path, overwrite=True)


def test_other_programs_read_it(tmp_path: Path) -> None:
    path = tmp_path / "x.tabiya"
    with tabiya.create(path) as writer:
        writer.write(batch_of([{"white": "A", "moves": tape("e2e4")}, {"white": "B", "moves": tape("d2d4")}]))
    with tabiya.create(path, append=True) as writer:
        writer.write(batch_of([{"white": "C", "moves": tape("e2e4")}]))
    signed = AFTER_E4 - (1 << 64)
    query = f"""
        SELECT number, white, ply FROM '{path}/games-*.parquet' AS games
        JOIN '{path}/positions-*.parquet' AS positions ON positions.game = games.number - 1
        WHERE key = {signed} ORDER BY number
    """
    assert duckdb.connect().execute(query).fetchall() == [(1, "A", 1), (3, "C", 1)]
    names = duckdb.connect().execute(f"SELECT id, name FROM '{path}/names-*.parquet' ORDER BY id").fetchall()
    assert names == [(0, "A"), (1, "B"), (2, "C")]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_source_whose_name_is_not_utf8(tmp_path: Path) -> None:
    source = tmp_path / os.fsdecode(b"b\xe4d.pgn")
    source.write_text('[White "N"]\n\n1. e4 *\n')
    named, path = f"{tmp_path}/b\\udce4d.pgn", tmp_path / "x.tabiya"
    other = tmp_path / "other.pgn"
    other.write_text(source.read_text())
    for sources in (source, [other, source]):
        tabiya.convert(sources, path, overwrite=True)
        with opened(path) as library:
            assert len(library) == sum(len(batch) for batch in library.batches())
            assert library.origin(len(library)) == (named, 1)
            assert {each.name for each in library.sources} == {name for each in library.sources for name in each.files}
            assert library.sources[-1].name == named
            json.dumps([asdict(each) for each in library.sources], ensure_ascii=False).encode()
    with tabiya.open([other, source]) as both:
        assert len(both) == 2
        assert [both.origin(number).source for number in (1, 2)] == [str(other), named]


def test_details(tmp_path: Path) -> None:
    path = tmp_path / "x.tabiya"
    with tabiya.create(path) as writer:
        writer.write(long_corpus(60))
    with tabiya.create(path, append=True) as writer:
        writer.write(long_corpus(2))
    with opened(path) as library:
        result = library.details()
        assert (result["segments"], result["records of the segments"]) == (2, "60 + 2")
        assert result["bytes of games"] == sum(file.stat().st_size for file in path.glob("games-*"))
        assert tabiya.summarize(library).bytes == sum(file.stat().st_size for file in path.iterdir())
        assert library.progress == 0  # nothing had to be read
        assert sum(len(batch) for batch in library.batches()) == 62
        assert library.progress == 1


def test_copies_are_the_same(tmp_path: Path) -> None:
    path, copy = tmp_path / "x.tabiya", tmp_path / "y.tabiya"
    with tabiya.create(path) as writer:
        writer.write(long_corpus(60))
    with tabiya.edit(path) as editor:
        editor.delete([4])
    tabiya.copy(path, copy)
    (tmp_path / "backups").mkdir()
    tabiya.copy(path, tmp_path / "backups")
    with pytest.raises(UsageError, match="already exists"):
        tabiya.copy(path, copy)
    tabiya.copy(path, copy, overwrite=True)
    for place in (copy, tmp_path / "backups" / "x.tabiya"):
        with opened(path) as one, opened(place) as other:
            assert rows_of(GameBatch.concat(one.batches())) == rows_of(GameBatch.concat(other.batches()))
            assert [str(each) for each in tabiya.check(other) if each.game is None] == []


@pytest.mark.parametrize("variations", [False, True])
def test_threads_change_nothing(tmp_path: Path, variations: bool) -> None:
    """Not in segments that are written, and not in those that are merged."""
    files = []
    for threads in (1, 2, 5):
        path = tmp_path / f"{threads}.tabiya"
        for append in (False, True, True):
            with tabiya.create(path, append=append, variations=variations) as writer:
                writer.write((long_corpus(30)[start : start + 7] for start in range(0, 30, 7)), threads=threads)
        with opened(path) as library:
            assert [str(each) for each in tabiya.check(library) if each.game is None] == []
        files.append({file.name: file.read_bytes() for file in path.iterdir()})
    assert files[0] == files[1] == files[2]
    assert any("-5." in name for name in files[0]), "segments were merged"


@pytest.mark.parametrize("threads", [1, 2])
def test_games_that_cannot_be_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    """Also where another thread finds out."""

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(RecordFileWriter, "add", full)
    path = tmp_path / "x.tabiya"
    with pytest.raises(TabiyaError, match="no space"), tabiya.create(path) as writer:
        writer.write([corpus()] * 9, threads=threads)
    assert list(tmp_path.iterdir()) == []
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("tabiya")]


def test_errors_name_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files under way have names of their own, and are gone when one reads of them."""

    def full(file: Any, *_: object) -> None:
        assert file._target.path.parent != path
        raise TabiyaError("no space left on device", path=file._target.path)

    path = tmp_path / "x.tabiya"
    monkeypatch.setattr("tabiya.positions.index.writing._TableFile.put", full)
    with pytest.raises(TabiyaError, match="no space") as caught, tabiya.create(path) as writer:
        writer.write(corpus())
    assert caught.value.path == str(path)
    assert list(tmp_path.iterdir()) == []


def test_files_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.13 and later tell of errors of files that are half made."""
    unheard: list[object] = []
    real = Path.open

    def refused(path: Path, *arguments: Any, **options: Any) -> Any:
        if path.name == "games-1.parquet":
            raise PermissionError(errno.EACCES, "permission denied")
        return real(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", refused)
    monkeypatch.setattr(sys, "unraisablehook", unheard.append)
    with pytest.raises(TabiyaError, match="permission denied"), tabiya.create(tmp_path / "x.tabiya") as writer:
        writer.write(corpus())
    assert list(tmp_path.iterdir()) == []
    gc.collect()
    assert unheard == []


def test_temporary_files_are_not_mapped_for_longer_than_needed(tmp_path: Path) -> None:
    spool = ColumnSpool(tmp_path / "moves.raw", [])
    spool.append(np.arange(1000))
    buffer = spool.buffer()
    assert bytes(buffer) == np.arange(1000).tobytes()
    mapped = weakref.ref(spool._mapped)
    del buffer
    spool.close()
    gc.collect()
    assert mapped() is None, "else the disk keeps the file, and Windows its name"
    assert list(tmp_path.iterdir()) == []


def test_a_segment_of_many_names_and_none(tmp_path: Path) -> None:
    path = tmp_path / "x.tabiya"
    additions: list[list[Any]] = [[{}] * 3, [{"white": str(i)} for i in range(9)], [{}], [{"black": "3", "event": "E"}]]
    for rows in additions:
        with tabiya.create(path, append=True) as writer:
            writer.write(batch_of(rows))
    with opened(path) as library:
        search = library.searchable()
        assert search is not None
        assert sorted(search.names.names()) == [*"012345678", "E"]


@given(st.lists(st.integers(1, 10**6), max_size=12))
def test_the_rule_of_merging(additions: list[int]) -> None:
    rows: list[int] = []
    for count in additions:
        rows.append(count)
        first = first_to_merge(rows)
        rows[first:] = [sum(rows[first:])]
        assert len(rows) <= 4
        assert all(newer * 8 < older for older, newer in pairwise(rows)) or len(rows) == 4
    assert sum(rows) == sum(additions)


def test_a_manifest_for_people(tmp_path: Path) -> None:
    path = tmp_path / "x.tabiya"
    with tabiya.create(path) as writer:
        writer.write(corpus())
    report = json.loads((path / "manifest.json").read_text())
    assert (report["holds"], report["version"], report["records"]) == ("tabiya library", 1, len(corpus()))
    for kind, stored in report["segments"][0]["files"].items():
        (file,) = path.glob(f"{kind}-1.*")
        data = file.read_bytes()
        checksum = {} if kind in ("games", "positions") else {"crc32": zlib.crc32(data)}
        assert stored == {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest(), **checksum}
