"""FaultErrors at every step of a change: the base on disk is the old one or the new one, and it opens."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from unittest import mock

import pytest

import tabiya
from tabiya.errors import CorruptError, TabiyaError, UsageError
from tabiya.game import Game

ROOT = Path(__file__).parents[3]
OLD = [Game({"White": "Old", "Result": "1-0"}) for _ in range(3)]
NEW = [Game({"White": "New", "Event": "E", "Result": "0-1"}) for _ in range(5)]


class FaultError(OSError):
    pass


class _Counted:
    """Fails at the n-th operation on files, or kills the process there."""

    def __init__(self, fail_at: int | None, *, kill: bool = False) -> None:
        self.done = 0
        self._fail_at = fail_at
        self._kill = kill

    def step(self) -> None:
        self.done += 1
        if self.done == self._fail_at:
            if self._kill:
                os.kill(os.getpid(), signal.SIGKILL)
            raise FaultError("a fault")

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **named: Any) -> Any:
            self.step()
            return function(*arguments, **named)

        return counted


@contextmanager
def faults(fail_at: int | None, *, kill: bool = False) -> Iterator[_Counted]:
    """Counts opening, writing, flushing, renaming and removing; the n-th of these fails."""
    counted = _Counted(fail_at, kill=kill)
    real_open = Path.open

    def opened(path: Path, mode: str = "r", *arguments: Any, **named: Any) -> Any:
        if "x" not in mode and "w" not in mode:
            return real_open(path, mode, *arguments, **named)
        counted.step()
        file = real_open(path, mode, *arguments, **named)
        return _Stream(file, counted)

    with (
        mock.patch.object(Path, "open", opened),
        mock.patch.object(Path, "replace", counted.around(Path.replace)),
        mock.patch.object(Path, "unlink", counted.around(Path.unlink)),
        mock.patch.object(os, "fsync", counted.around(os.fsync)),
    ):
        yield counted


class _Stream:
    """A file whose writing counts."""

    def __init__(self, file: Any, counted: _Counted) -> None:
        self._file = file
        self._counted = counted

    def write(self, data: Any) -> int:
        self._counted.step()
        written: int = self._file.write(data)
        return written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *arguments: object) -> None:
        self._file.close()


def overwrite(path: Path) -> None:
    with tabiya.create(path, overwrite=True) as writer:
        writer.write(NEW)


def append(path: Path) -> None:
    with tabiya.create(path, append=True) as writer:
        writer.write(NEW)


def create(path: Path) -> None:
    with tabiya.create(path) as writer:
        writer.write(OLD)


def names(path: Path) -> list[str]:
    with tabiya.open(path) as base:
        assert base.problems == ()
        return [game.tags["White"] for game in base]


def clean(folder: Path) -> bool:
    return not any(path.name.startswith(".") for path in folder.iterdir())


CHANGES = {"overwrite": (overwrite, ["New"] * 5), "append": (append, ["Old"] * 3 + ["New"] * 5)}


def copy_of(source: Path, folder: Path) -> Path:
    """A base with a booster, as ``steps_of`` had it."""
    shutil.copytree(source / "old", folder)
    return folder / "x.cbh"


def steps_of(change: Callable[[Path], None], folder: Path) -> int:
    (folder / "old").mkdir()
    create(folder / "old" / "x.cbh")
    (folder / "old" / "x.cbgi").write_bytes(bytes(4))
    with faults(None) as counted:
        change(copy_of(folder, folder / "count"))
    return counted.done


def fails(step: int, change: Callable[[Path], None], path: Path) -> bool:
    """Whether a fault at this step makes the change fail: some, as those of removing what is not needed, do not."""
    with faults(step):
        try:
            change(path)
        except (TabiyaError, FaultError):
            return True
    return False


@pytest.mark.parametrize("name", CHANGES)
def test_a_fault_at_every_step(tmp_path: Path, name: str) -> None:
    change, new = CHANGES[name]
    steps = steps_of(change, tmp_path)
    assert steps > 40
    seen = set()
    for step in range(1, steps + 1, 1 if name == "overwrite" else 3):  # the swap is the same in both
        folder = tmp_path / str(step)
        path = copy_of(tmp_path, folder)
        failed = fails(step, change, path)
        path.with_suffix(".cbgi").unlink(missing_ok=True)
        found = names(path)
        assert found == new or (failed and found == ["Old"] * 3), step
        seen.add(len(found))
        if step % 5 == 0 or step > steps - 5:
            overwrite(path)  # nothing is in the way of the next one
            assert names(path) == ["New"] * 5
            assert clean(folder), step
    assert len(seen) == 2


def test_a_fault_while_a_new_base_appears(tmp_path: Path) -> None:
    with faults(None) as counted:
        create(tmp_path / "count.cbh")
    for step in sorted({*range(1, counted.done, 3), *range(counted.done - 25, counted.done + 1)}):
        folder = tmp_path / str(step)
        folder.mkdir()
        fails(step, create, folder / "x.cbh")
        try:
            assert names(folder / "x.cbh") == ["Old"] * 3
        except TabiyaError as error:
            assert "no such file" in str(error)
            assert [path for path in folder.iterdir() if path.suffix != ".tmp"] == [], step
            create(folder / "x.cbh")
            assert names(folder / "x.cbh") == ["Old"] * 3


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("name", CHANGES)
def test_a_kill_at_any_step(tmp_path: Path, name: str) -> None:
    """FaultErrors leave Python a chance to clean up; a kill does not."""
    change, new = CHANGES[name]
    steps = steps_of(change, tmp_path)
    seen = set()
    for step in sorted({*range(1, steps, 12), *range(steps - 40, steps + 1, 2)}):
        folder = tmp_path / str(step)
        path = copy_of(tmp_path, folder)
        child = os.fork()
        if child == 0:
            with faults(step, kill=True):
                change(path)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status) or step > steps - 3
        path.with_suffix(".cbgi").unlink(missing_ok=True)
        found = names(path)
        assert found in (["Old"] * 3, new), step
        seen.add(len(found))
        if step % 5 == 0:
            overwrite(path)
            assert names(path) == ["New"] * 5
            assert clean(folder), step
    assert len(seen) == 2


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_the_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "x.cbh"
    create(path)
    code = (
        f"import tabiya, time; w = tabiya.create({str(path)!r}, overwrite=True); print('x', flush=True); time.sleep(99)"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(UsageError, match="another program"):
            overwrite(path)
        assert names(path) == ["Old"] * 3  # reading is possible all the time
        process.kill()
    overwrite(path)
    assert names(path) == ["New"] * 5


@pytest.mark.parametrize(
    "journal",
    [
        b"",
        b"{}",
        b"[1]",
        json.dumps({"new": [], "gone": ["../other.cbh"]}).encode(),
        json.dumps({"new": [], "gone": ["other.cbh"]}).encode(),
        json.dumps({"new": [[".tabiya-x.tmp", "other.cbh"]], "gone": []}).encode(),
        json.dumps({"new": [["/etc/passwd", "x.cbh"]], "gone": []}).encode(),
    ],
)
def test_a_journal_touches_only_its_own_base(tmp_path: Path, journal: bytes) -> None:
    create(tmp_path / "x.cbh")
    create(tmp_path / "other.cbh")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    (tmp_path / ".x.tabiya-journal").write_bytes(journal)
    with pytest.raises(CorruptError, match="journal"):
        tabiya.open(tmp_path / "x.cbh")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.suffix != ".tabiya-journal"} == before
