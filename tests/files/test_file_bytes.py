"""Files that become shorter while they are read: an error with a sentence, never the end of the process."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.errors import CorruptError, UsageError
from tabiya.files.file_bytes import FileBytes, NearbyBytes, gathered
from tabiya.formats import convert
from tests.conftest import ROOT
from tests.formats.cbh import handmade

DATA = ROOT / "tests" / "data"
CONTENT = bytes(range(256)) * 600


@pytest.fixture(params=[FileBytes, NearbyBytes])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> FileBytes:
    (tmp_path / "file").write_bytes(CONTENT)
    opened: FileBytes = request.param(tmp_path / "file")
    return opened


def test_it_is_like_bytes(file: FileBytes) -> None:
    assert len(file) == len(CONTENT)
    for part in (slice(None), slice(3, 9), slice(-5, None), slice(100, 50), slice(10**9, None), slice(70_000, 140_000)):
        assert file[part] == CONTENT[part]
    assert (file[0], file[-1], file[70_001]) == (CONTENT[0], CONTENT[-1], CONTENT[70_001])
    with pytest.raises(IndexError):
        file[len(CONTENT)]
    assert bytes(file) == b"".join(file.chunks()) == CONTENT
    assert b"".join(file.chunks(5, 10**9)) == CONTENT[5:]
    assert b"".join(file.chunks(5, 2000)) == CONTENT[5:2000]


def test_one_that_becomes_shorter(file: FileBytes) -> None:
    file.path.write_bytes(CONTENT[:100_000])
    assert file[10:20] == CONTENT[10:20]
    with pytest.raises(CorruptError, match="the file became shorter while it was read") as caught:
        file[99_990:140_000]
    assert (caught.value.path, caught.value.offset) == (str(file.path), 100_000)


def test_one_that_is_replaced_or_closed(file: FileBytes, tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(b"other")
    (tmp_path / "other").replace(file.path)
    assert bytes(file) == CONTENT
    file.close()
    with pytest.raises(UsageError, match="closed"):
        file[:200_000]


@given(st.lists(st.tuples(st.integers(0, 60_000), st.integers(0, 9000))))
def test_gathering(pieces: list[tuple[int, int]]) -> None:
    offsets = np.array([offset for offset, _ in pieces], np.int64)
    sizes = np.array([size for _, size in pieces], np.int64)
    buffer, places = gathered(CONTENT, offsets, sizes)
    for place, (offset, size) in zip(places.tolist(), pieces, strict=True):
        assert buffer[place : place + size].tobytes() == CONTENT[offset : offset + size]
    assert len(buffer) <= len(CONTENT)


# Whole databases and books, each in a process of its own: a mapped file would end it by a signal.

READ_ALL = """
import os, sys
from tabiya.errors import TabiyaError
path, name, size = sys.argv[1:]
{opening}
os.truncate(name, int(size))
try:
    {reading}
except TabiyaError as error:
    print(error)
"""
DATABASE = READ_ALL.format(
    opening="import tabiya; opened = tabiya.open(path); len(opened)",
    reading="[list(batch.games()) for batch in opened.batches(threads=2)]",
)
PROBE = READ_ALL.format(
    opening="from tabiya import books, Position; opened = books.open_book(path)",
    reading="opened.probe(Position())",
)
LIST = READ_ALL.format(
    opening="from tabiya import books; opened = books.open_book(path)",
    reading="list(opened.positions()); len(opened)",
)


def run(program: str, path: Path, shortened: Path, size: int) -> str:
    command = [sys.executable, "-c", program, str(path), str(shortened), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("suffix", [".cbh", ".cbg", ".cba", ".cbj", ".cbp", ".cbt", ".cbc", ".cbs", ".cbtt", ".flags"])
def test_a_base_of_chessbase(suffix: str, tmp_path: Path) -> None:
    """Each file of a base, cut to nothing right after the base was opened."""
    path = handmade.write(tmp_path)
    output = run(DATABASE, path, path.with_suffix(suffix), 1)
    assert "the file became shorter while it was read" in output
    assert path.with_suffix(suffix).name in output


@pytest.mark.parametrize(("name", "size"), [("small.ctg", 4100), ("small.ctg", 0), ("small.ctb", 3), ("small.cto", 17)])
@pytest.mark.parametrize("program", [PROBE, LIST], ids=["probe", "list"])
def test_a_ctg_book(program: str, name: str, size: int, tmp_path: Path) -> None:
    for path in (DATA / "ctg").glob("small.*"):
        shutil.copy(path, tmp_path)
    output = run(program, tmp_path / "small.ctg", tmp_path / name, size)
    # Bitmap and slots are in memory since the book was opened.
    assert ("the file became shorter while it was read" in output) == (name == "small.ctg")


@pytest.mark.parametrize("program", [PROBE, LIST], ids=["probe", "list"])
@pytest.mark.parametrize("name", ["small.bin", "small.abk"])
def test_other_books(program: str, name: str, tmp_path: Path) -> None:
    shutil.copy(DATA / "books" / name, tmp_path)
    output = run(program, tmp_path / name, tmp_path / name, 16)
    assert ("the file became shorter while it was read" in output) == (name == "small.bin")  # Arena's are in memory


def test_an_archive_of_jose(tmp_path: Path) -> None:
    """What is unpacked lies in files that nobody else has."""
    (tmp_path / "x.pgn").write_text('[Event "x"]\n\n1. e4 e5 *\n' * 50)
    convert(tmp_path / "x.pgn", tmp_path / "x.jose")
    assert run(DATABASE, tmp_path / "x.jose", tmp_path / "x.jose", 5) == ""
