"""Debian's chromium, driven by Playwright, for tests of pages and widgets."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from typing import TYPE_CHECKING, NoReturn

import pytest

from tests.conftest import IN_CI

if TYPE_CHECKING:
    from playwright.sync_api import Locator
    from playwright.sync_api._generated import LocatorAssertions

PATIENCE_MS = 40_000
"""How long to wait for what must come; nothing is measured by it."""


def expect(what: Locator) -> LocatorAssertions:
    """Wait until something is as it is expected to be: ``expect(rows).to_have_count(3)``."""
    from playwright.sync_api import expect as playwright_expect

    playwright_expect.set_options(timeout=PATIENCE_MS)
    return playwright_expect(what)


def do_without(reason: str) -> NoReturn:
    """Skip, or fail where everything must be there."""
    if IN_CI:
        pytest.fail(reason, pytrace=False)
    pytest.skip(f"SKIPPED: this test did not run; it did not pass: {reason}")


def require(*packages: str) -> None:
    """Do without a test if one of these Python packages is missing."""
    for package in packages:
        if find_spec(package) is None:
            do_without(f"the Python package {package} is missing")


def chromium() -> str:
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("TABIYA_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)
    return found or do_without("chromium is missing")
