"""How commands end: no thread is left that could abort the process while the interpreter shuts down."""

from __future__ import annotations

import ast
import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.formats import record_file
from tabiya.formats.library import segment_writer
from tabiya.formats.pgn import source as pgn_source
from tests.conftest import ROOT
from tests.formats.corpus import long_corpus

RUNS = int(os.environ.get("TABIYA_EXIT_RUNS", "3"))


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "x.tabiya"
    with tabiya.create(path) as writer:
        writer.write(long_corpus(200))
    return path


@contextmanager
def burning(processes: int) -> Iterator[None]:
    """Keep processors busy, so that threads end late."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def test_commands_end_well_under_load(library: Path) -> None:
    """A fault here shows rarely: TABIYA_EXIT_RUNS=300 looks longer."""
    commands = [["search", library, "--moves", "1. e4"], ["texts", library], ["list", library, "--limit", 3]]
    with burning(2):
        for run in range(RUNS):
            words = [str(word) for word in commands[run % len(commands)]]
            ended = subprocess.run(
                [sys.executable, "-m", "tabiya", *words], capture_output=True, text=True, check=False
            )
            assert (ended.returncode, ended.stderr) in {(0, ""), (0, f"{library}: no game found\n")}


def test_arrow_calls_streams_of_python_in_our_threads_only(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread of Arrow that still has a Python object to free at the end aborts the process."""
    seen: dict[str, set[bool]] = {}

    def watched(owner: type[io.RawIOBase], name: str) -> None:
        real: Callable[..., Any] = getattr(owner, name)

        def call(self: Any, *args: Any) -> Any:
            ours = threading.current_thread()
            seen.setdefault(owner.__name__, set()).add(
                ours is threading.main_thread() or ours.name.startswith("tabiya")
            )
            return real(self, *args)

        monkeypatch.setattr(owner, name, call)

    watched(record_file._Stream, "read")
    watched(segment_writer._HashedFile, "write")
    watched(pgn_source._Borrowed, "read")
    with tabiya.open(library) as opened:
        assert len(list(opened.batches(threads=2))) > 0
        assert sum(len(each) for each in opened.headers()) == 200
        assert opened.origin(3).number == 3
    tabiya.convert(library, tmp_path / "y.pgn.zst", threads=2)
    tabiya.convert(tmp_path / "y.pgn.zst", tmp_path / "y.tabiya", threads=2)
    assert seen == {name: {True} for name in ("_Stream", "_HashedFile", "_Borrowed")}


def test_arrow_unpacks_buffers_of_python_in_our_threads_only() -> None:
    """Reading and packing streams of batches uses threads of Arrow unless it is told not to."""
    with_threads = {
        f"{path.relative_to(ROOT)}: {call}"
        for path in (ROOT / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and (
            ((call := ast.unparse(node)).startswith(("pa.ipc.open_", "ipc.open_")) and "options=" not in call)
            or (call.startswith(("pa.ipc.Ipc", "ipc.Ipc")) and "use_threads=False" not in call)
        )
    }
    assert with_threads == set()


def test_no_thread_of_ours_is_a_daemon() -> None:
    """The interpreter waits for threads that are none; in a daemon it may end in the middle of a call of Arrow."""
    daemons = {
        f"{path.relative_to(ROOT)}: {ast.unparse(node)}"
        for path in (ROOT / "src").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and any(word.arg == "daemon" for word in node.keywords)
    }
    may_wait = ("webbrowser.open", "self._copy", "_write_all")  # for a browser or an engine; none of them calls Arrow
    assert [each for each in daemons if not any(name in each for name in may_wait)] == []
