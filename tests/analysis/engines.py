"""Engines for tests: the scripted one, those of the system, and the search for processes that remain."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.conftest import IN_CI

SCRIPT = Path(__file__).with_name("scripted_engine.py")


def scripted(mode: str, mark: object = "") -> list[str]:
    """The command of the scripted engine."""
    return [sys.executable, "-IS", str(SCRIPT), mode, str(mark)]


def system_engine(name: str) -> str:
    """The path of an engine that the system has; fails (CI) or skips the running test if it is missing."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games")
    if found is not None:
        return found
    if IN_CI:
        pytest.fail(f"the engine {name} is missing", pytrace=False)
    pytest.skip(f"SKIPPED: this test did not run; it did not pass: the engine {name} is not installed")


def remaining(mark: object) -> list[str]:
    """The command lines of all processes with this mark, including those that have ended and nobody waited for."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("this system does not list its processes in /proc")
    lines = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                line = (folder / "cmdline").read_bytes()
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if str(mark).encode() in line or (not line and parent == os.getpid()):
                lines.append(line.replace(b"\0", b" ").decode() or f"zombie {folder.name}")
    return lines


def none_remains(mark: object) -> bool:
    """Whether all processes with this mark end; those of a killed group need a moment."""
    end = monotonic() + 10
    while remaining(mark):
        if monotonic() > end:
            return False
        sleep(0.02)
    return True
