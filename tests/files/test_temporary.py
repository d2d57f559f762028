"""What killed writers leave goes with the next write, and nothing that a living one needs."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

import tabiya
from tabiya.files import temporary
from tabiya.files.folder_transaction import FolderTransaction
from tabiya.files.temporary import TemporaryFolder, sweep
from tabiya.files.transaction import AtomicFile
from tabiya.game import Game
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="locks and signals of POSIX")

FILE = "writer = AtomicFile(Path('a')); writer.stream.write(b'new'); writer.stream.flush()"
FOLDER = "writer = FolderTransaction(Path('a')); writer.place(('x',)).write_bytes(b'new')"


@contextmanager
def another(begin: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that has begun to write, and commits when it is told to."""
    program = (
        "import sys; from pathlib import Path; from tabiya.files.transaction import AtomicFile;"
        f"from tabiya.files.folder_transaction import FolderTransaction; {begin}; print('writing', flush=True);"
        "sys.stdin.readline(); writer.commit()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        try:
            yield process
        finally:
            process.kill()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def write_file(folder: Path) -> None:
    AtomicFile(folder / "b").commit()


def write_folder(folder: Path) -> None:
    with FolderTransaction(folder / "b") as target:
        target.place(("x",)).write_bytes(b"")
        target.commit()


def write_base(folder: Path) -> None:
    with tabiya.create(folder / "b.cbh") as writer:
        writer.write(Game())


@pytest.mark.parametrize("begin", [FILE, FOLDER])
@pytest.mark.parametrize("write", [write_file, write_folder, write_base])
def test_of_the_dead_and_the_living(tmp_path: Path, begin: str, write: Callable[[Path], None]) -> None:
    with another(begin, tmp_path) as dead, another(begin.replace("'a'", "'c'"), tmp_path) as alive:
        dead.send_signal(signal.SIGKILL)
        dead.wait()
        assert len(names(tmp_path)) == 2
        write(tmp_path)
        left = [name for name in names(tmp_path) if not name.startswith("b")]
        assert len(left) == 1
        alive.communicate(b"go on\n")
        assert alive.returncode == 0
    new = tmp_path / "c" if begin is FILE else tmp_path / "c" / "x"
    assert new.read_bytes() == b"new"
    assert [name for name in names(tmp_path) if not name.startswith("b")] == ["c"]


def test_in_the_same_process(tmp_path: Path) -> None:
    first = AtomicFile(tmp_path / "a")
    with TemporaryFolder(tmp_path):
        second = AtomicFile(tmp_path / "b")
        sweep(tmp_path)
        assert len(names(tmp_path)) == 3
        first.commit()
        second.commit()
    assert names(tmp_path) == ["a", "b"]


def test_until_the_rename(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is complete and closed, but has not got its name yet, is not swept either."""
    real = Path.replace

    def replace(path: Path, target: Path) -> Path:
        sweep(tmp_path)
        return real(path, target)

    monkeypatch.setattr(Path, "replace", replace)
    AtomicFile(tmp_path / "a", overwrite=True).commit()
    assert names(tmp_path) == ["a"]


def leave(folder: Path) -> str:
    """The name that a killed writer leaves behind."""
    with another(FILE, folder):
        (name,) = names(folder)
    assert names(folder) == [name]
    return name


@pytest.mark.parametrize("make", [Path.touch, Path.mkdir])
def test_what_was_killed_before_it_had_a_lock(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """Its writer may be about to lock it, but not for a minute."""
    path = temporary.fresh_name(tmp_path)
    make(path)
    sweep(tmp_path)
    assert names(tmp_path) == [path.name]
    minute_ago = path.stat().st_mtime - 61
    os.utime(path, (minute_ago, minute_ago))
    sweep(tmp_path)
    assert names(tmp_path) == []


def test_of_other_machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their locks are not always seen here."""
    name = leave(tmp_path)
    monkeypatch.setattr(temporary, "machine_mark", lambda: "00000000-")
    sweep(tmp_path)
    assert names(tmp_path) == [name]


def test_the_mark_is_that_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    marks = set()
    for name in ("here", "there", "h\udcfcte"):
        monkeypatch.setattr(os, "uname", lambda name=name: SimpleNamespace(nodename=name))
        assert temporary.machine_mark() == temporary.machine_mark()
        marks.add(temporary.machine_mark())
    assert len(marks) == 3
    assert all(re.fullmatch("[0-9a-f]{8}-", mark) for mark in marks)


def test_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that could not lock its file keeps it, also if locking works for others."""

    def refuse(_: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    with monkeypatch.context() as patch:
        patch.setattr(temporary, "take_lock", refuse)
        file = AtomicFile(tmp_path / "a")
        (name,) = names(tmp_path)
        sweep(tmp_path)
    hour_ago = (tmp_path / name).stat().st_mtime - 3600
    os.utime(tmp_path / name, (hour_ago, hour_ago))
    sweep(tmp_path)
    assert names(tmp_path) == [name]
    file.commit()
    assert names(tmp_path) == ["a"]


def test_only_such_names(tmp_path: Path) -> None:
    name = leave(tmp_path)
    (tmp_path / name).unlink()
    mark = name.removeprefix(".tabiya-").partition("-")[0]
    others = [f".tabiya-{mark}-0.tmp", f".tabiya-{mark}-0123456789abcdef.tmp.pgn", f"x{name}", ".tabiya-x.cbg.tmp"]
    for other in others:
        (tmp_path / other).write_bytes(b"")
    (tmp_path / "target").write_bytes(b"")
    (tmp_path / name).symlink_to(tmp_path / "target")
    others += [name, "target", pipe := f".tabiya-{mark}-0123456789abcdef.tmp"]
    os.mkfifo(tmp_path / pipe)
    sweep(tmp_path)
    assert names(tmp_path) == sorted(others)


def test_a_child_removes_nothing_of_its_parent(tmp_path: Path) -> None:
    folder, file = TemporaryFolder(tmp_path), AtomicFile(tmp_path / "a")
    child = os.fork()
    if child == 0:
        folder.remove()
        file.discard()
        os._exit(0)
    os.waitpid(child, 0)
    assert len(names(tmp_path)) == 2
    folder.remove()
    file.discard()
    assert names(tmp_path) == []


def test_a_folder_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rename has succeeded, so the file is there, and nobody is told otherwise."""

    def refuse(*_: object) -> int:
        raise PermissionError

    file = AtomicFile(tmp_path / "a")
    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(os, "scandir", refuse)
    file.commit()
    sweep(tmp_path)
    monkeypatch.undo()
    assert names(tmp_path) == ["a"]
