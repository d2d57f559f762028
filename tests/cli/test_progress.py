from __future__ import annotations

import io
import sys

import pytest

from tabiya.cli import progress
from tabiya.formats import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_without_a_terminal_there_is_none() -> None:
    with progress.progress_bar("x.pgn") as report:
        assert report is None


def test_short_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with progress.progress_bar("x.pgn") as report:
        assert report is not None
        report(Progress(10, 0.5))
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("fraction", [0.5, None])
def test_long_work_does(monkeypatch: pytest.MonkeyPatch, fraction: float | None) -> None:
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", -1)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with progress.progress_bar("folder/[x].pgn") as report:
        assert report is not None
        report(Progress(12_345, fraction))
    shown = terminal.getvalue()
    assert "[x].pgn" in shown
    assert "folder" not in shown
    assert "12,345 records" in shown
    assert ("50%" in shown) == (fraction is not None)
