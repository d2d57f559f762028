"""Kills, faults, several writers, and readers while somebody writes."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import tabiya
from tabiya.cli.app import app
from tabiya.errors import TabiyaError, UsageError
from tabiya.files.file_bytes import FileBytes
from tabiya.formats.library import contents
from tabiya.formats.library.change import LibraryChange
from tabiya.formats.library.manifest import SegmentEntry
from tabiya.formats.library.segment import LibrarySegment
from tests.faults import CrashError, Mode, failing, watched
from tests.formats.corpus import batch_of, long_corpus, tape
from tests.formats.suite import contents as contents_of
from tests.recorder import recording

posix = pytest.mark.skipif(os.name == "nt", reason="processes of POSIX")


def game(name: str) -> tabiya.Game:
    return tabiya.Game({"White": name, "Result": "1-0"})


def names_in(path: Path) -> list[str]:
    with tabiya.open(path) as library:
        return [("-" if each.deleted else "") + each.tags["White"] for each in library]


def add(path: Path, *names: str, overwrite: bool = False) -> None:
    with tabiya.create(path, append=not overwrite, overwrite=overwrite) as writer:
        writer.write([game(name) for name in names])


def append(path: Path) -> None:
    add(path, "N", "M")  # and all segments are merged then


def overwrite(path: Path) -> None:
    add(path, "N", overwrite=True)


def edit(path: Path) -> None:
    with tabiya.edit(path) as editor:
        editor.delete([2])
        editor.replace(1, game("N"))


def compact(path: Path) -> None:
    tabiya.compact(path)


def create(path: Path) -> None:
    add(path.with_name("new.tabiya"), "N")


def rebuild(path: Path) -> None:
    tabiya.rebuild(path)


CHANGES: dict[str, tuple[Callable[[Path], None], list[str]]] = {
    "append": (append, ["A", "B", "-C", "N", "M"]),
    "overwrite": (overwrite, ["N"]),
    "edit": (edit, ["N", "-B", "-C"]),
    "compact": (compact, ["A", "B"]),
    "create": (create, ["A", "B", "-C"]),
    "rebuild": (rebuild, ["A", "B", "-C"]),
}
OLD = ["A", "B", "-C"]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "home" / "x.tabiya"
    path.parent.mkdir()
    add(path, "A", "B", "C")
    with tabiya.edit(path) as editor:
        editor.delete([3])
    (path / "notes.txt").write_text("mine")
    (path / "games-of-mine.parquet").write_text("mine")
    return path


def check_clean(folder: Path) -> None:
    """Nothing but libraries whose files are all named, and files of others."""
    for path in folder.iterdir():
        assert path.suffix == ".tabiya"
        with tabiya.open(path) as library:
            own = {file.name for file in library.files[1:]}
            assert [str(each) for each in tabiya.check(library)] == []
        assert {file.name for file in path.iterdir()} - own <= {"notes.txt", "games-of-mine.parquet"}


@posix
@pytest.mark.parametrize("name", CHANGES)
def test_the_end_of_the_process_at_any_step(library: Path, name: str, tmp_path: Path) -> None:
    change, new = CHANGES[name]
    original = tmp_path / "original"
    shutil.copytree(library.parent, original)
    with failing(None) as disk:
        change(library)
    seen = set()
    for step in range(1, disk.done + 1, 1 + disk.done // 5):
        shutil.rmtree(library.parent)
        shutil.copytree(original, library.parent)
        child = os.fork()
        if not child:
            try:
                with failing(step, Mode.CRASH):
                    change(library)
            except CrashError:
                os._exit(9)
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        found = names_in(library)
        assert found in (OLD, new)
        seen.add(tuple(found))
        assert (library / "notes.txt").read_text() == "mine"
        add(library, "Z")
        assert names_in(library) == [*found, "Z"]
        check_clean(library.parent)
    assert tuple(OLD) in seen


def merge(path: Path) -> None:
    assert tabiya.merge_segments(path) == (2, 1)


TWENTY = [f"P{number}" for number in range(19)] + ["-P19"]
WHOLE = {name: (change, OLD, new) for name, (change, new) in CHANGES.items()}
WHOLE["merge"] = merge, TWENTY, TWENTY


@pytest.mark.parametrize("name", WHOLE)
def test_a_kill_before_every_single_step(library: Path, name: str, tmp_path: Path) -> None:
    """Whatever was written, flushed or renamed last: the old library or the new one, which goes on from there."""
    change, old, new = WHOLE[name]
    if name == "merge":
        add(library, *(f"P{number}" for number in range(20)), overwrite=True)
        with tabiya.edit(library) as editor:
            editor.delete([20])
    found: list[list[str]] = []
    states: dict[frozenset[tuple[str, int]], Path] = {}
    seen: dict[Path, bytes] = {}

    def look() -> None:
        files = {path: path.read_bytes() for path in library.rglob("*") if path.is_file()}
        if found and files == seen:  # most steps change nothing that a reader can see
            found.append(found[-1])
            return
        seen.clear()
        seen.update(files)
        found.append(names_in(library))
        with tabiya.open(library) as opened:
            kept = frozenset((file.name, file.stat().st_ino) for file in opened.files[1:])
            there = frozenset((file.name, file.stat().st_ino) for file in library.iterdir() if file.is_file())
        assert kept <= there
        if there not in states:
            states[there] = shutil.copytree(library.parent, tmp_path / f"state {len(states)}")

    with watched(look) as disk:
        change(library)
    look()
    assert len(found) == disk.done + 1 > 100
    assert all(each in (old, new) for each in found)
    if name != "create":
        assert found == [*[old] * found.count(old), *[new] * found.count(new)] or old == new
        assert found[-1] == new
    assert 2 < len(states) < 80 or name == "create"
    for state in [*states.values()][:: 1 + len(states) // 6]:
        before = names_in(state / library.name)
        add(state / library.name, "Z")
        assert names_in(state / library.name) == [*before, "Z"]
        check_clean(state)


@pytest.mark.parametrize("mode", [Mode.FAULT, Mode.BROKEN])
@pytest.mark.parametrize("name", ["append", "edit", "overwrite"])
def test_faults_of_the_disk(library: Path, name: str, mode: Mode, tmp_path: Path) -> None:
    change, new = CHANGES[name]
    original = tmp_path / "original"
    shutil.copytree(library.parent, original)
    with failing(None) as disk:
        change(library)
    for step in range(1, disk.done + 1, 1 + disk.done // 6):
        shutil.rmtree(library.parent)
        shutil.copytree(original, library.parent)
        try:
            with failing(step, mode):
                change(library)
            assert names_in(library) == new
        except TabiyaError:
            assert names_in(library) in (OLD, new)
        found = names_in(library)
        add(library, "Z")
        assert names_in(library) == [*found, "Z"]
        check_clean(library.parent)


def test_files_are_on_disk_before_the_manifest_is(library: Path) -> None:
    with recording(library) as recorder, tabiya.edit(library) as editor:
        editor.undelete([3])
    log = [event for event in recorder.log() if "tmp" not in event]
    decided = next(place for place, event in enumerate(log) if event.startswith("rename") and "manifest.json" in event)
    before, after = log[:decided], log[decided + 1 :]
    moved = [event.split(" -> ")[1] for event in before if event.startswith("rename")]
    assert "flush folder" in before[max(i for i, event in enumerate(before) if event.startswith("rename")) :]
    assert all(any(event.startswith("flush") and name in event for event in before) for name in moved)
    assert after[0] == "flush folder"


def test_a_second_writer_is_told(library: Path) -> None:
    before = names_in(library)
    with tabiya.create(library, append=True) as writer:
        writer.write([game("N")])
        for second in (append, edit, overwrite, compact, rebuild, tabiya.merge_segments):
            with pytest.raises(UsageError, match="is being written by another program, or elsewhere in this one"):
                second(library)
        assert names_in(library) == before
    assert names_in(library) == [*before, "N"]


def test_two_that_create_the_same_library(tmp_path: Path) -> None:
    path = tmp_path / "x.tabiya"
    first, second = tabiya.create(path), tabiya.create(path)
    first.write([game("A")])
    second.write([game("B")])
    first.commit()
    with pytest.raises(UsageError, match="already exists"):
        second.commit()
    assert names_in(path) == ["A"]
    assert [each.name for each in tmp_path.iterdir()] == ["x.tabiya"]


def test_a_writer_that_nobody_ends_vanishes(library: Path) -> None:
    writer = tabiya.create(library, append=True)
    writer.write([game("N")])
    del writer
    add(library, "M")
    assert names_in(library) == [*OLD, "M"]


@pytest.mark.skipif(sys.platform not in ("linux", "darwin"), reason="open files cannot be removed there")
def test_readers_are_not_disturbed(tmp_path: Path) -> None:
    """What was opened stays, also what is mapped or read for the first time after its files have gone."""
    path = tmp_path / "x.tabiya"
    with tabiya.create(path) as writer:
        writer.write(long_corpus(60))
    with tabiya.open(path) as used, tabiya.open(path) as unused:
        games = list(used)
        with tabiya.edit(path) as editor:
            editor.delete(range(1, 40))
        tabiya.merge_segments(path)
        overwrite(path)
        assert list(used) == list(unused) == games
        for library in (used, unused):
            search = library.searchable()
            assert search is not None
            (segment,) = search.segments
            assert len(segment.facts) == len(segment.lines.starts) == 60
            assert len(segment.find(0x463B96181691FC9C).games) > 0
            assert len(search.names) > 3
        assert [str(each) for each in tabiya.check(unused) if each.game is None] == []
    assert names_in(path) == ["N"]


def test_a_reader_that_comes_while_files_go_tries_again(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Path] = []

    class Interrupted(LibrarySegment):
        def __init__(self, folder: Path, entry: SegmentEntry) -> None:
            if not calls:
                calls.append(folder)
                monkeypatch.setattr(contents, "LibrarySegment", LibrarySegment)
                overwrite(folder)
            super().__init__(folder, entry)

    monkeypatch.setattr(contents, "LibrarySegment", Interrupted)
    assert names_in(library) == ["N"]
    assert calls == [library]


def test_left_overs_go_and_files_of_others_stay(library: Path) -> None:
    for name in ("games-77.parquet", "positions-77.parquet", "fences-77.arrow"):
        (library / name).write_bytes(b"left by a killed writer")
    theirs = ["games-x.parquet", "games-077.parquet", "positions.parquet", "manifest.json.bak", "games-7.parquet.txt"]
    for name in theirs:
        (library / name).write_bytes(b"mine")
    add(library, "N")
    assert not list(library.glob("*-77.*"))
    assert all((library / name).read_bytes() == b"mine" for name in theirs)
    assert names_in(library) == [*OLD, "N"]


@pytest.mark.parametrize("options", [{"append": True}, {"overwrite": True}, {}])
def test_a_folder_of_others_is_left_alone(tmp_path: Path, options: dict[str, Any]) -> None:
    path = tmp_path / "x.tabiya"
    path.mkdir()
    (path / "thesis.tex").write_text("mine")
    with pytest.raises(UsageError, match=r"no library|already exists"):
        tabiya.create(path, **options)
    (path / "manifest.json").write_text('{"name": "my web app"}')
    with pytest.raises(UsageError, match=r"was not written by tabiya|already exists"):
        tabiya.create(path, **options)
    assert sorted(file.name for file in path.iterdir()) == ["manifest.json", "thesis.tex"]


def test_an_empty_folder_becomes_a_library(tmp_path: Path) -> None:
    path = tmp_path / "x.tabiya"
    path.mkdir()
    add(path, "A")
    assert names_in(path) == ["A"]


@pytest.mark.parametrize(
    "fault", [TabiyaError("no space left on device"), OSError(errno.ENOSPC, "No space left on device")], ids=repr
)
def test_a_failed_merge_keeps_what_was_added(
    library: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fault: Exception
) -> None:
    """It is said, and a script can notice it, but it is no error: who repeats the addition has everything twice."""

    def full(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr("tabiya.formats.library.merging.merge_from", full)
    with tabiya.create(library, append=True) as writer:
        writer.write([game("N")])
    (sentence,) = writer.unfinished
    assert sentence.startswith("everything is in the library, but its segments could not be merged: ")
    assert sentence.endswith(f'no space left on device; "tabiya library merge {library}" does it later')
    assert names_in(library) == [*OLD, "N"]
    with tabiya.edit(library) as editor:
        editor.undelete([3])
    assert editor.unfinished == (sentence,)
    source = tmp_path / "more.pgn"
    source.write_text('[White "M"]\n\n*\n')
    report = tabiya.convert(source, library, append=True)
    assert report.unfinished == (sentence,)
    assert not report.clean
    assert report.as_dict()["unfinished"] == [sentence]
    assert names_in(library) == ["A", "B", "C", "N", "M"]
    for words in (["convert", source, library, "--append"], ["delete", library, 1]):
        answer = CliRunner().invoke(app, [str(word) for word in words])
        assert answer.exit_code == 1
        assert answer.stderr.splitlines()[-1] == sentence
    assert names_in(library) == ["-A", "B", "C", "N", "M", "M"]
    monkeypatch.undo()
    tabiya.merge_segments(library)
    assert names_in(library) == ["-A", "B", "C", "N", "M", "M"]
    check_clean(library.parent)


@pytest.mark.parametrize("exists", [False, True])
def test_a_failed_copy_leaves_nothing_behind(library: Path, exists: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, not when the objects are collected: the error, which is still there, keeps them alive."""
    target = library.with_name("copy.tabiya")
    if exists:
        add(target, "Z")
    before = contents_of(library.parent)

    def broken(self: FileBytes) -> Iterator[bytes]:
        yield self[:1]
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(FileBytes, "chunks", broken)
    with pytest.raises(TabiyaError, match="input/output error") as caught:
        tabiya.copy(library, target, overwrite=exists)
    monkeypatch.undo()
    assert contents_of(library.parent) == before
    assert target.exists() == exists
    tabiya.copy(library, target, overwrite=exists)  # nobody holds a lock
    assert names_in(target) == OLD
    del caught


def test_changes_are_seen_only_when_they_are_committed(library: Path) -> None:
    change = LibraryChange(library, append=True)
    (change.folder / "games-9.parquet").write_bytes(b"x")
    assert names_in(library) == OLD
    change.discard()
    change.discard()
    check_clean(library.parent)


def test_an_error_within_an_editor_discards_everything(library: Path) -> None:
    with pytest.raises(UsageError, match="no record 9; the library has 3"), tabiya.edit(library) as editor:
        editor.delete([1, 9])
    assert names_in(library) == OLD
    with tabiya.edit(library) as editor, pytest.raises(UsageError, match="has no 'players' to edit"):
        editor.edit("players", 3, last="Carlsen")
    check_clean(library.parent)


def test_moves_of_a_replaced_game_are_found_and_the_old_ones_are_not(tmp_path: Path) -> None:
    path = tmp_path / "x.tabiya"
    with tabiya.create(path) as writer:
        writer.write(batch_of([{"moves": tape("e2e4 e7e5")}, {"moves": tape("d2d4 d7d5")}]))
    (other,) = batch_of([{"moves": tape("c2c4")}]).games()
    with tabiya.edit(path) as editor:
        editor.replace(1, other)
    after_e4, after_c4 = 0x823C9B50FD114196, tabiya.Position().play(tabiya.Move.of(10, 26)).key
    for merged in (False, True):
        if merged:
            tabiya.merge_segments(path)
        with tabiya.open(path) as library:
            search = library.searchable()
            assert search is not None
            found = [
                [
                    number
                    for segment in search.segments
                    for number in segment.find(key).games.tolist()
                    if segment.hidden is None or not segment.hidden[number - segment.first]
                ]
                for key in (after_e4, after_c4)
            ]
        assert found == [[], [0]]
