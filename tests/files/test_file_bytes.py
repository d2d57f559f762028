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


# Whole databases and books, in processes of their own: a mapped file would end them by a signal.

READ_ALL = """
import os, sys
from tabiya import Position, books, open
from tabiya.errors import TabiyaError
for path, name, size in zip(*[iter(sys.argv[1:])] * 3, strict=True):
    {opening}
    os.truncate(name, int(size))
    try:
        {reading}
        print("read", flush=True)
    except TabiyaError as error:
        print(error, flush=True)
"""
DATABASE = READ_ALL.format(
    opening="opened = open(path); len(opened)",
    reading="[list(batch.games()) for batch in opened.batches(threads=2)]",
)
PROBE = READ_ALL.format(opening="opened = books.open_book(path)", reading="opened.probe(Position())")
LIST = READ_ALL.format(opening="opened = books.open_book(path)", reading="list(opened.positions()); len(opened)")
SHORTER = "the file became shorter while it was read"


def run(program: str, *cases: tuple[Path, Path, int]) -> list[str]:
    """What is printed for each database, file of it that is cut, and size that this file has then."""
    words = [str(word) for case in cases for word in case]
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=False)
    printed = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, ""), f"cut: {cases[len(printed)]}"
    assert len(printed) == len(cases)
    return printed


def test_bases_of_chessbase(tmp_path: Path) -> None:
    """Each file of a base, cut to nothing right after the base was opened."""
    cases = []
    for suffix in (".cbh", ".cbg", ".cba", ".cbj", ".cbp", ".cbt", ".cbc", ".cbs", ".cbtt", ".flags"):
        (tmp_path / suffix[1:]).mkdir()
        path = handmade.write(tmp_path / suffix[1:])
        cases.append((path, path.with_suffix(suffix), 1))
    for (_, file, _), printed in zip(cases, run(DATABASE, *cases), strict=True):
        assert SHORTER in printed
        assert file.name in printed


@pytest.mark.parametrize("program", [PROBE, LIST], ids=["probe", "list"])
def test_books(program: str, tmp_path: Path) -> None:
    """Bitmap and slots of a CTG book, and all of an Arena book, are in memory since the book was opened."""
    cases = []
    for number, (name, size) in enumerate(
        [
            ("small.ctg", 4100),
            ("small.ctg", 0),
            ("small.ctb", 3),
            ("small.cto", 17),
            ("small.bin", 16),
            ("small.abk", 16),
        ]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        book = Path(name) if name.endswith((".bin", ".abk")) else Path("small.ctg")
        for path in (DATA / ("ctg" if book.suffix == ".ctg" else "books")).glob("small.*"):
            shutil.copy(path, folder)
        cases.append((folder / book, folder / name, size))
    for (_, file, _), printed in zip(cases, run(program, *cases), strict=True):
        assert (SHORTER in printed) == (file.suffix in {".ctg", ".bin"}), file


def test_an_archive_of_jose(tmp_path: Path) -> None:
    """What is unpacked lies in files that nobody else has."""
    (tmp_path / "x.pgn").write_text('[Event "x"]\n\n1. e4 e5 *\n' * 50)
    convert(tmp_path / "x.pgn", tmp_path / "x.jose")
    assert run(DATABASE, (tmp_path / "x.jose", tmp_path / "x.jose", 5)) == ["read"]
