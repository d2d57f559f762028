"""The order of writes, flushes and renames: at any moment a loss of power leaves the old files or the new ones.

A kill leaves what the system has been told, in whatever order it reaches the disk; these tests are about that order.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import tabiya
from tabiya.books import Entry, create_book
from tabiya.chess import Move, Position
from tabiya.files.recovery import recover
from tabiya.formats.cbh.archive.cbv import Archive
from tabiya.formats.cbh.archive.extracting import extract
from tabiya.formats.cbh.archive.packing import pack
from tabiya.formats.cbh.files.opening import files_of_base
from tabiya.game import Game
from tests.changes import CHANGES, files, make_base
from tests.faults import CrashError, Mode, failing
from tests.recorder import recording

pytestmark = pytest.mark.skipif(os.name == "nt", reason="folders cannot be flushed there")

DATABASES = (".pgn", ".bcgn", ".jose", ".cbv")
BOOKS = (".bin", ".abk", ".ctg")


def write(path: Path, *, overwrite: bool) -> None:
    if path.suffix in BOOKS:
        with create_book(path, overwrite=overwrite) as book:
            book.add(Position(), [Entry(move=Move.of(12, 28), weight=3)])
    else:
        with tabiya.create(path, overwrite=overwrite) as writer:
            writer.write([Game({"White": "A", "Result": "1-0"})])


def appearing(name: str, *, replaces: bool) -> list[str]:
    """A file is on disk before it gets its name, and its name is on disk when all is done."""
    if replaces:
        return [f"write new {name}", f"flush new {name}", f"rename new {name} -> {name}", "flush folder"]
    linked = [f"link new {name} -> {name}", f"remove new {name}"]
    return [f"write new {name}", f"flush new {name}", *linked, "flush folder"]


@pytest.mark.parametrize("replaces", [False, True])
@pytest.mark.parametrize("suffix", [*DATABASES, ".bin", ".abk"])
def test_a_file(tmp_path: Path, suffix: str, *, replaces: bool) -> None:
    path = tmp_path / f"x{suffix}"
    if replaces:
        write(path, overwrite=False)
    with recording(tmp_path) as recorder:
        write(path, overwrite=replaces)
    assert recorder.log() == appearing(path.name, replaces=replaces)


def test_a_file_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    with recording(tmp_path) as recorder:
        write(tmp_path / "x.pgn", overwrite=False)
    assert recorder.log() == appearing("x.pgn", replaces=True)


def test_a_packed_base(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    make_base(tmp_path / "base" / "x.cbh")
    with recording(tmp_path) as recorder:
        pack(tmp_path / "base" / "x.cbh", tmp_path / "x.cbv")
    assert recorder.log() == appearing("x.cbv", replaces=False)


def test_an_unpacked_archive(tmp_path: Path) -> None:
    """Into a new folder, and over what is there."""
    base, archive = tmp_path / "base" / "x.cbh", tmp_path / "x.cbv"
    base.parent.mkdir()
    make_base(base)
    members = {name.replace("\\", "/") for name in pack(base, archive)}
    assert "x.html/old.jpg" in members
    for folder, is_new in ((tmp_path / "new", True), (base.parent, False)):
        with recording(tmp_path) as recorder, Archive(archive) as opened:
            extract(opened, folder, overwrite=True)
        log, place = recorder.log(), folder.name
        first = min(log.index(event) for event in log if event.startswith("rename new"))
        for name in members:
            own = [event for event in log if event.endswith((f" new {place}/{name}", f"-> {place}/{name}"))]
            moved = [] if is_new else [f"rename new {place}/{name} -> {place}/{name}"]
            assert own == [f"write new {place}/{name}", f"flush new {place}/{name}", *moved]
            assert log.index(f"flush new {place}/{name}") < first
        last = max(place for place, event in enumerate(log) if event.startswith("rename new"))
        flushes = [event for event in log[last + 1 :] if event.startswith("flush")]
        assert flushes == (
            ["flush folder"] if is_new else [f"flush {place}", f"flush {place}/x.html", f"flush {place}"]
        )
        assert not is_new or log[last] == f"rename new {place} -> {place}"
        assert not is_new or {f"flush new {place}", f"flush new {place}/x.html"} <= set(log[:last])


LAST = {"cbh": ".cbh", "scid": ".si4", "scid5": ".si5", ".ctg": ".cto"}
"""The file of a set that is renamed last."""
SETS = [name for name in CHANGES if name.split()[0] in LAST and name.split()[1] != "mark"]


@pytest.mark.parametrize("name", SETS)
def test_files_that_change_together(tmp_path: Path, name: str) -> None:
    """All that is new is on disk before the journal is, the journal before anything changes, and all before it goes."""
    change = CHANGES[name]
    change.prepare(tmp_path)
    if name.startswith("cbh"):
        (tmp_path / "x.cbgi").write_bytes(b"booster")
    before = files(tmp_path)
    with recording(tmp_path) as recorder:
        change.make(tmp_path)
    after, log = files(tmp_path), recorder.log()
    stem, last = "new" if name.endswith("create") else "x", LAST[name.split()[0]]
    journal = next(event for event in log if event.endswith("tabiya-journal")).removeprefix("write new ")
    assert journal in (f".{stem}.tabiya-journal", f".{stem}{last}.tabiya-journal", f".{stem}.ctg.tabiya-journal")
    begin = log.index(f"write new {journal}")
    replaced = [event for event in log[:begin] if event.startswith("link ")]
    new = check_preparation([event for event in log[:begin] if event not in replaced])
    assert set(replaced) == {f"link {each} -> aside" for each in new & before.keys() if "/" not in each}
    assert {file for file in after if after[file] != before.get(file)} <= new
    folders = {file.split("/")[0] for file in new if "/" in file}
    # The first "flush folder" puts the names of the new files on disk: no journal may be there without them.
    decided = [f"write new {journal}", f"flush new {journal}", "flush folder"]
    decided += [f"rename new {journal} -> {journal}", "flush folder"]
    assert log[begin : begin + 5] == decided
    moved, end = log[begin + 5 : -3], log[-3:]
    assert end == ["flush folder", f"remove {journal}", "flush folder"]
    changed_folders = {
        f"rename {each} -> aside" for each in folders if any(file.startswith(f"{each}/") for file in before)
    } | {f"rename new {each} -> {each}" for each in folders}
    assert set(moved[: len(changed_folders)]) == changed_folders
    single = sorted(f"rename new {each} -> {each}" for each in new if "/" not in each)
    renames = moved[len(changed_folders) : len(changed_folders) + len(single)]
    assert sorted(renames) == single
    assert renames[-1] == f"rename new {stem}{last} -> {stem}{last}"  # a base is there when its .cbh is
    gone = before.keys() - after.keys()
    assert sorted(moved[len(changed_folders) + len(single) :]) == sorted(
        f"remove {each}" for each in gone if "/" not in each
    )


@pytest.mark.parametrize("name", ["cbh mark", "scid mark", "scid5 mark"])
def test_one_file_of_a_base(tmp_path: Path, name: str) -> None:
    """It needs no journal: its rename decides."""
    CHANGES[name].prepare(tmp_path)
    with recording(tmp_path) as recorder:
        CHANGES[name].make(tmp_path)
    assert recorder.log() == appearing(f"x{LAST[name.split()[0]]}", replaces=True)


def check_preparation(log: list[str]) -> set[str]:
    """New files, each written and then flushed; folders are flushed when all in them is. Gives the files."""
    new = {event.removeprefix("write new ") for event in log if event.startswith("write new ")}
    for file in new:
        assert [event for event in log if event.endswith(f" new {file}")] == [f"write new {file}", f"flush new {file}"]
    folders = {file.split("/")[0] for file in new if "/" in file}
    for folder in folders:
        inside = [place for place, event in enumerate(log) if event.startswith(f"flush new {folder}/")]
        assert log.index(f"flush new {folder}") > max(inside)
    assert len(log) == 2 * len(new) + len(folders)
    return new


def test_an_interrupted_change_is_finished_in_the_same_order(tmp_path: Path) -> None:
    change = CHANGES["cbh overwrite"]
    change.prepare(tmp_path)
    with failing(None) as disk:
        change.make(tmp_path)
    with failing(disk.decided + 4, Mode.CRASH), pytest.raises(CrashError):
        change.make(tmp_path)
    with recording(tmp_path) as recorder:
        recover(files_of_base(tmp_path / "x.cbh"))
    log = recorder.log()
    assert log[-4:] == ["rename new x.cbh -> x.cbh", "flush folder", "remove .x.tabiya-journal", "flush folder"]
    assert len(log) > 8
    assert all(event.startswith("rename new ") for event in log[:-3])
