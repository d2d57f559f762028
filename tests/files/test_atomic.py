from __future__ import annotations

import gc
import io
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tabiya.errors import TabiyaError, UsageError
from tabiya.files.targets import HeldStream, PlainStream, open_target
from tabiya.files.transaction import AtomicFile

posix = pytest.mark.skipif(os.name == "nt", reason="a matter of POSIX")


def test_commit(tmp_path: Path) -> None:
    file = AtomicFile(tmp_path / "a")
    file.stream.write(b"new")
    assert not (tmp_path / "a").exists()
    file.commit()
    assert (tmp_path / "a").read_bytes() == b"new"
    assert len(list(tmp_path.iterdir())) == 1
    file.discard()
    assert (tmp_path / "a").exists()


def test_discard(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    file = AtomicFile(tmp_path / "a", overwrite=True)
    file.stream.write(b"new")
    file.discard()
    file.discard()
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


def test_overwrite(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(UsageError, match="already exists"):
        AtomicFile(tmp_path / "a")
    file = AtomicFile(tmp_path / "a", overwrite=True)
    file.stream.write(b"new")
    assert (tmp_path / "a").read_bytes() == b"old"
    file.commit()
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"new"]


def test_a_file_that_appears_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    file = AtomicFile(tmp_path / "a")
    (tmp_path / "a").write_bytes(b"theirs")
    with pytest.raises(UsageError, match="already exists"):
        file.commit()
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"theirs"]


def test_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    first, second = AtomicFile(tmp_path / "a"), AtomicFile(tmp_path / "a")
    first.commit()
    with pytest.raises(UsageError, match="already exists"):
        second.commit()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_failing_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"old")
    file = AtomicFile(tmp_path / "a", overwrite=True)

    def refuse(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(TabiyaError, match="no space left on device"):
        file.commit()
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


def test_a_forgotten_file_vanishes(tmp_path: Path) -> None:
    file = AtomicFile(tmp_path / "a")
    assert len(list(tmp_path.iterdir())) == 1
    del file
    gc.collect()
    assert list(tmp_path.iterdir()) == []


def test_folders_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder"):
        AtomicFile(tmp_path, overwrite=True)
    with pytest.raises(TabiyaError, match="no such file or folder"):
        AtomicFile(tmp_path / "missing" / "a")


def test_a_long_name(tmp_path: Path) -> None:
    AtomicFile(tmp_path / ("x" * 255)).commit()
    with pytest.raises(TabiyaError):
        AtomicFile(tmp_path / ("x" * 256)).commit()
    assert len(list(tmp_path.iterdir())) == 1


@posix
@pytest.mark.parametrize("milliseconds", range(0, 50, 5))
def test_a_kill_at_any_moment(tmp_path: Path, milliseconds: int) -> None:
    program = """
import sys
from itertools import cycle
from pathlib import Path
from tabiya.files.transaction import AtomicFile
for letter in cycle((b"a", b"b")):
    file = AtomicFile(Path(sys.argv[1]), overwrite=True)
    file.stream.write(letter * 3_000_000)
    file.commit()
    print("committed", flush=True)
"""
    command = [sys.executable, "-c", program, str(tmp_path / "file")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(milliseconds / 1000)
        process.send_signal(signal.SIGKILL)
    assert (tmp_path / "file").read_bytes() in (b"a" * 3_000_000, b"b" * 3_000_000)


@posix
def test_permissions(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        AtomicFile(tmp_path / "a").commit()
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640
    (tmp_path / "a").chmod(0o600)
    AtomicFile(tmp_path / "a", overwrite=True).commit()
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


@posix
def test_symbolic_links_stay(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "real" / "a")
    file = AtomicFile(tmp_path / "link", overwrite=True)
    file.stream.write(b"new")
    file.commit()
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "a").read_bytes() == b"new"


@posix
def test_devices_are_not_replaced() -> None:
    for hold in (False, True):
        target = open_target(Path("/dev/null"), hold=hold)
        target.stream.write(b"x")
        target.commit()
    assert Path("/dev/null").is_char_device()


def test_streams_of_others_stay_open() -> None:
    stream = io.BytesIO()
    plain = open_target(stream)
    assert isinstance(plain, PlainStream)
    plain.stream.write(b"a")
    plain.discard()
    assert stream.getvalue() == b"a"

    held = open_target(stream, hold=True)
    assert isinstance(held, HeldStream)
    held.stream.write(b"b")
    assert stream.getvalue() == b"a"
    held.commit()
    assert stream.getvalue() == b"ab"

    dropped = open_target(stream, hold=True)
    dropped.stream.write(b"c")
    dropped.discard()
    assert stream.getvalue() == b"ab"
