"""Faults and the end of the process at every step of a change: the base on disk is the old one or the new one.

Files are compared byte by byte, those of other bases and folders of media included; after the next opening nothing is
left lying about.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import tabiya
from tabiya.errors import TabiyaError
from tabiya.formats.cbh.compaction import compact, copy_base
from tabiya.formats.cbh.editing import BaseEditor
from tabiya.game import Annotation, Extra, Game
from tests.formats.cbh.faults import CrashError, Mode, failing

Files = dict[str, bytes]


def game(name: str, comment: str = "") -> Game:
    found = Game({"White": name, "Black": "Black", "Event": "E", "Result": "1-0"})
    if comment:
        found.annotations.append(Annotation(0x02, comment.encode()))
    return found


def make_old(path: Path) -> None:
    """A base with a deleted game, top games, a booster, a key, and pictures."""
    old = [game("A"), game("B", "a comment"), game("C")]
    old[1].deleted = True
    old[2].extras = [Extra("cbh.top_game", b"3")]
    with tabiya.create(path) as writer:
        writer.write(old)
    path.with_suffix(".cko").write_bytes(b"key")
    path.with_suffix(".html").mkdir()
    path.with_suffix(".html").joinpath("old.jpg").write_bytes(b"picture")


def create(path: Path) -> None:
    with tabiya.create(path.with_name("new.cbh")) as writer:
        writer.write([game("N"), game("M")])


def overwrite(path: Path) -> None:
    with tabiya.create(path, overwrite=True) as writer:
        writer.write([game("N")])


def append(path: Path) -> None:
    with tabiya.create(path, append=True) as writer:
        writer.write([game("N", "new")])


def replace(path: Path) -> None:
    with BaseEditor(path) as editor:
        editor.replace(2, game("N", "a longer comment than before"))


def delete(path: Path) -> None:
    with BaseEditor(path) as editor:
        editor.delete([1])
        editor.undelete([2])


def edit(path: Path) -> None:
    with BaseEditor(path) as editor:
        editor.edit("players", 0, last="Another")


def compacted(path: Path) -> None:
    compact(path)


def copy(path: Path) -> None:
    """Over a base that is there, pictures included."""
    copy_base(path.parent / "other" / "y.cbh", path, overwrite=True)


CHANGES: dict[str, Callable[[Path], None]] = {
    each.__name__: each for each in (create, overwrite, append, replace, delete, edit, compacted, copy)
}


def files(folder: Path) -> Files:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def read_all(folder: Path) -> None:
    """Open whatever is there, which finishes or clears away what was interrupted."""
    for name in ("x.cbh", "new.cbh"):
        try:
            with tabiya.open(folder / name) as base:
                assert len(list(base)) == len(base)
        except TabiyaError as error:
            assert (name, "no such file" in str(error)) == ("new.cbh", True)


class Trial:
    """One change, tried again and again on copies of the same base."""

    def __init__(self, folder: Path, name: str) -> None:
        self.change = CHANGES[name]
        self._folder = folder
        self._original = folder / "original"
        (self._original / "other").mkdir(parents=True)
        make_old(self._original / "x.cbh")
        with tabiya.create(self._original / "other" / "y.cbh") as writer:
            writer.write([game("Y")])
        for which in ("y.html", "y.bmp"):
            (self._original / "other" / which).mkdir()
            (self._original / "other" / which / "new.jpg").write_bytes(b"new picture")
        self.old = files(self._original)
        folder = self.fresh()
        begin = time.monotonic()
        self.change(folder / "x.cbh")
        self.seconds = time.monotonic() - begin
        folder = self.fresh()
        with failing(None) as disk:
            self.change(folder / "x.cbh")
        # Before the decision all steps are alike: they write files that nobody knows of.
        self.steps = [*range(1, disk.decided - 9, 8), *range(disk.decided - 8, disk.done + 1)]
        assert disk.decided > 8
        self.new = files(folder)
        assert self.old != self.new

    def fresh(self) -> Path:
        folder = self._folder / "trial"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._original, folder)
        return folder

    def fails_at(self, step: int, mode: Mode) -> tuple[BaseException | None, Path]:
        """How a fault at this step makes the change fail: some, as of removing what is not needed, do not."""
        folder = self.fresh()
        with failing(step, mode):
            try:
                self.change(folder / "x.cbh")
            except (TabiyaError, CrashError) as error:
                return error, folder
        return None, folder

    def outcome(self, folder: Path) -> str:
        """Whether the files are the old ones or the new ones, after the next opening."""
        read_all(folder)
        if self.change is create and files(folder) != self.new:
            create(folder / "x.cbh")  # nothing opens a base that is not there, so the next writer clears away
            assert files(folder) == self.new
            return "old"
        found = files(folder)
        names = sorted(name for name in {*found, *self.old, *self.new} if found.get(name) != self.old.get(name))
        assert found in (self.old, self.new), names
        return "new" if found == self.new else "old"


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("name", CHANGES)
def test_every_step(tmp_path: Path, name: str, mode: Mode) -> None:
    trial = Trial(tmp_path, name)
    # The swap is the same for all. With pictures it has every kind of step; of the others each mode tries its share.
    steps = trial.steps if name == "copy" else trial.steps[list(Mode).index(mode) :: len(Mode)]
    seen = set()
    for step in steps:
        error, folder = trial.fails_at(step, mode)
        outcome = trial.outcome(folder)
        assert error is not None or outcome == "new", step
        if isinstance(error, TabiyaError):  # whoever reads it knows which base is there
            assert ("the new base is" in str(error)) is (outcome == "new"), (step, str(error))
        seen.add(outcome)
    assert seen == {"old", "new"}


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("name", CHANGES)
def test_a_kill_at_any_time(tmp_path: Path, name: str) -> None:
    """A process of its own is killed, not as if: neither exceptions nor finalizers run, and the lock ends with it."""
    trial = Trial(tmp_path, name)
    choose = random.Random(name)
    for delay in (0.0, *(trial.seconds * choose.uniform(0.2, 1.2) for _ in range(6))):
        folder = trial.fresh()
        child = os.fork()
        if child == 0:
            trial.change(folder / "x.cbh")
            os._exit(0)
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert trial.outcome(folder) == "new" or os.WIFSIGNALED(status)
