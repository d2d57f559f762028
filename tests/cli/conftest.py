"""What the tests of the command line share: small databases, and ways to run it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import tabiya
import tabiya.formats
from tabiya.cli.app import app
from tests.conftest import ROOT
from tests.formats.corpus import corpus, cut
from tests.formats.memory_format import FULL
from tests.formats.suite import ALL_FORMATS

GAMES = """\
[Event "Paris"]
[Site "Paris FRA"]
[Date "1858.??.??"]
[Round "?"]
[White "Morphy, Paul"]
[Black "Duke Karl / Count Isouard"]
[Result "1-0"]
[ECO "C41"]
[Opening "Philidor"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 $2 {A weak move.} (3... exd4 4. Qxd4 (4. Nxd4)) 4. dxe5 Bxf3 1-0

[Event "Candidates"]
[Site "Zürich SUI"]
[Date "1953.09.05"]
[Round "1"]
[White "Петросян, Тигран"]
[Black "Bronstein, David"]
[Result "1/2-1/2"]
[WhiteElo "2650"]
[BlackElo "2700"]
[ECO "E60"]

1. d4 Nf6 2. c4 g6 1/2-1/2

[Event "Blitz"]
[Site "?"]
[Date "2020.05.17"]
[Round "2"]
[White "Carlsen, Magnus"]
[Black "Morphy Bot"]
[Result "0-1"]
[WhiteElo "2863"]
[BlackElo "2400"]

1. e4 c5 2. Ke3 Nf6 0-1
"""
"""Three games; the last has an illegal move."""

Run = Callable[..., Any]


def with_odd_header(path: Path) -> Path:
    """Two sound games in a BCGN file whose header has an unknown flag: a problem of the database, and of no game."""
    with tabiya.create(path) as writer:
        writer.write([tabiya.Game({"White": name}) for name in ("A", "B")])
    content = bytearray(path.read_bytes())
    content[7] |= 1
    path.write_bytes(content)
    return path


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(GAMES, "utf-8")
    return path


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """A database of everything that a record may be, in a format of the tests that keeps it all."""
    path = tmp_path / "records.full"
    with tabiya.create(path, format=FULL) as writer:
        writer.write(cut(corpus(), 3))
    return path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in this process, with the formats of the tests besides the real ones."""
    monkeypatch.setattr(tabiya.formats, "FORMATS", ALL_FORMATS)

    def invoke(*arguments: object, code: int = 0, **options: Any) -> Any:
        result = CliRunner().invoke(app, [str(each) for each in arguments], prog_name="tabiya", **options)
        unexpected = result.exception if not isinstance(result.exception, SystemExit) else None
        assert unexpected is None, f"{type(unexpected).__name__}: {unexpected}"
        assert result.exit_code == code, result.output
        return result

    return invoke


@pytest.fixture
def start() -> Run:
    """Starts the program as users do, in a process of its own."""

    def popen(*arguments: object, **options: Any) -> subprocess.Popen[bytes]:
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        command = [sys.executable, "-m", "tabiya", *map(str, arguments)]
        # Who runs the tests in the background ignores SIGINT, and what is ignored stays so in children.
        heeded = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            return subprocess.Popen(command, **{**pipes, "env": environment, **options})
        finally:
            signal.signal(signal.SIGINT, heeded)

    return popen
