"""Several processes that read a library while others write it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.formats.library import compaction, contents
from tabiya.formats.library import segment as segments
from tabiya.formats.library.writer import LibraryWriter
from tabiya.positions.index import PositionIndex
from tests.formats.corpus import batch_of, long_corpus, tape
from tests.formats.library import busy

pytestmark = pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="open files cannot be removed there")


def test_readers_and_writers_in_several_processes(tmp_path: Path) -> None:
    """Each answer is that of one state of the library, and no change is lost."""
    read, added = busy.run(tmp_path, readers=2, writers=2, changes=8)
    assert read >= 2 * busy.LEAST_ROUNDS
    assert added == 4


def test_files_may_go_at_the_last_moment_before_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.tabiya"
    with tabiya.create(path) as writer:
        writer.write(long_corpus(20))

    def late(*files: Any, **told: Any) -> PositionIndex:
        with tabiya.create(path, overwrite=True) as writer:
            writer.write(long_corpus(5))
        return PositionIndex(*files, **told)

    monkeypatch.setattr(segments, "PositionIndex", late)
    with tabiya.open(path) as library:
        search = library.searchable()
        assert search is not None
        assert len(search.segments[0].find(0x463B96181691FC9C).games) > 0


def test_files_that_go_between_the_manifest_and_the_first_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader begins again with the new manifest."""
    path = tmp_path / "x.tabiya"
    with tabiya.create(path) as writer:
        writer.write(long_corpus(20))
    opened = []

    def late(*words: Any) -> segments.LibrarySegment:
        opened.append(words)
        if len(opened) == 1:
            with tabiya.create(path, overwrite=True) as writer:
                writer.write(long_corpus(5))
        return segments.LibrarySegment(*words)

    monkeypatch.setattr(contents, "LibrarySegment", late)
    with tabiya.open(path) as library:
        assert len(library) == len(list(library)) == 5


def test_a_summary_of_a_library_that_is_replaced_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "x.tabiya"
    with tabiya.create(path) as writer:
        writer.write(long_corpus(20))
    with tabiya.open(path) as library:
        before = tabiya.summarize(library)
        files = library.files
        with tabiya.create(path, overwrite=True) as writer:
            writer.write(long_corpus(5))
        assert not all(file.exists() for file in files)
        assert tabiya.summarize(library) == before


def test_what_is_added_just_before_a_library_is_compacted_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compacting reads what there is when no other writer can begin any more."""
    path = tmp_path / "x.tabiya"
    busy.make(path)
    real = LibraryWriter

    def late(*place: Any, **told: Any) -> Any:
        with tabiya.create(path, append=True) as writer:
            writer.write(batch_of([{"moves": tape("e2e4")}]))
        return real(*place, **told)

    monkeypatch.setattr(compaction, "LibraryWriter", late)
    assert tabiya.compact(path).removed == 0
    with tabiya.open(path) as library:
        assert len(library) == busy.START + 1
