"""Mapped files do not remain in memory, and are compared with their checksums piece by piece."""

from __future__ import annotations

import mmap
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import CorruptError
from tabiya.formats.library import segment as segments
from tabiya.formats.library.database import LibraryDatabase
from tabiya.formats.library.segment import LibrarySegment
from tests.formats.corpus import long_corpus

pytestmark = pytest.mark.skipif(not hasattr(mmap, "MADV_DONTNEED"), reason="this system keeps mapped pages")


def made(folder: Path) -> Path:
    path = folder / "x.tabiya"
    with tabiya.create(path) as writer:
        writer.write(long_corpus())
    return path


def segment_of(library: tabiya.Database) -> LibrarySegment:
    assert isinstance(library, LibraryDatabase)
    searchable = library.searchable()
    assert searchable is not None
    (segment,) = searchable.segments
    assert isinstance(segment, LibrarySegment)
    return segment


def forgotten(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Return a list that receives every range of pages that is dropped."""
    ranges: list[tuple[int, int]] = []
    real = segments._forget

    def forget(mapped: mmap.mmap, begin: int, size: int) -> None:
        ranges.append((begin, size))
        real(mapped, begin, size)

    monkeypatch.setattr(segments, "_forget", forget)
    return ranges


def test_pages_that_were_dropped_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with tabiya.open(made(tmp_path)) as library:
        segment = segment_of(library)
        facts, moves = segment.facts.tobytes(), segment.lines.moves.tobytes()
        ranges = forgotten(monkeypatch)
        segment.forget_pages()
        files = segment.entry.files
        assert ranges == [(0, files["filter"].bytes), (0, files["tapes"].bytes)]
        assert (segment.facts.tobytes(), segment.lines.moves.tobytes()) == (facts, moves)


def test_checksums_of_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, page = made(tmp_path), mmap.PAGESIZE
    monkeypatch.setattr(segments, "_PIECE_BYTES", page)
    ranges = forgotten(monkeypatch)
    with tabiya.open(path) as library:
        segment = segment_of(library)
        assert len(segment.lines.moves)
        pieces = -(-segment.entry.files["tapes"].bytes // page)
        assert pieces > 2
        assert ranges == [(number * page, page) for number in range(pieces - 1)]
    file = path / "tapes-1.arrow"
    content = bytearray(file.read_bytes())
    for place in (page + 1, len(content) // 2, len(content) - 1):
        file.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with tabiya.open(path) as library, pytest.raises(CorruptError, match="has changed"):
            assert len(segment_of(library).lines.moves)
