from __future__ import annotations

import os
from pathlib import Path

import pytest

from tabiya.files import flushing
from tests.systems import needs_posix


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    calls: list[tuple[str, int]] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: calls.append(("fsync", descriptor)))
    return calls


@needs_posix
def test_a_drive_writes_what_it_holds(calls: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS, where fsync alone leaves it in the drive."""
    monkeypatch.setattr(flushing, "F_FULLFSYNC", 51)
    monkeypatch.setattr("fcntl.fcntl", lambda descriptor, _: calls.append(("full", descriptor)))
    flushing.flush_file(7)
    assert calls == [("full", 7)]


@needs_posix
def test_a_file_system_that_cannot(calls: list[tuple[str, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: int) -> None:
        raise OSError

    monkeypatch.setattr(flushing, "F_FULLFSYNC", 51)
    monkeypatch.setattr("fcntl.fcntl", refuse)
    flushing.flush_file(7)
    assert calls == [("fsync", 7)]


def test_files_are_open_for_what_the_system_flushes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows flushes only a file that is open for writing, and that must not change it."""
    (tmp_path / "a").write_bytes(b"a")
    monkeypatch.setattr(flushing, "_HOW_TO_OPEN", "r+b")
    written: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: written.append(os.write(descriptor, b"b")))
    monkeypatch.setattr(flushing, "flush_folder", lambda _: None)
    flushing.flush_tree(tmp_path)
    assert (written, (tmp_path / "a").read_bytes()) == ([1], b"b")
