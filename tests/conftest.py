"""What all tests share: the sample data and the profiles of hypothesis."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer.testing
from hypothesis import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent
SAMPLES = Path(os.environ.get("TABIYA_SAMPLES") or ROOT.parent / "shared" / "samples")
IN_CI = os.environ.get("CI") == "true"

os.environ["TABIYA_CONFIG"] = ""  # the settings of whoever runs the tests are no part of them

# No test asserts on time, so no profile has a deadline.
settings.register_profile("ci", derandomize=True, print_blob=True, deadline=None)
settings.register_profile("dev", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE") or ("ci" if IN_CI else "dev"))

# All tests run the same commands, and to put them together takes longer than most of what is tested.
typer.testing._get_command = cache(typer.testing._get_command)  # type: ignore[attr-defined]


def pytest_collection_finish() -> None:
    """Leave what was imported and collected out of garbage collection: millions of objects that live to the end."""
    gc.collect()
    gc.freeze()


def sample_path(name: str) -> Path:
    """The path of a sample such as ``cbh/small/small.cbh``; fails (CI) or skips the running test if it is missing."""
    path = SAMPLES / name
    if path.exists():
        return path
    if IN_CI:
        pytest.fail(f"sample {name} is missing in {SAMPLES}", pytrace=False)
    pytest.skip(f"SKIPPED: this test did not run; it did not pass: sample {name} is missing (set TABIYA_SAMPLES)")


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the wait for the disk: only a loss of power could show a difference. Recorders still see the calls."""
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)


@pytest.fixture(scope="session", autouse=True)
def _own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what servers remember, in processes of their own as well, away from the user's list."""
    with pytest.MonkeyPatch.context() as patch:
        # On macOS no variable names the folder, only that of the user does.
        variable = {"win32": "LOCALAPPDATA", "darwin": "HOME"}.get(sys.platform, "XDG_STATE_HOME")
        patch.setenv(variable, str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def chromium_browser() -> Iterator[Browser]:
    """The browser of all tests: Playwright runs once in a process."""
    from tests.chromium import chromium, require

    require("playwright")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        yield running
        running.close()


@pytest.fixture(scope="session")
def samples() -> Callable[[str], Path]:
    """Third-party test data, read from where it lies and never changed: ``samples("pgn/x.pgn")`` is a path."""
    return sample_path
