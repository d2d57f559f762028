"""What the tests of this room share."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flushing to disk is called, but takes no time: only a loss of power could tell, and a base is a dozen files."""
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)
