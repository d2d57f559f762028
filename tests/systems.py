"""Marks of tests that need what not every system has. They do not fail elsewhere, and say why they did not run."""

from __future__ import annotations

import os

import pytest

POSIX = os.name == "posix"
_DID_NOT_RUN = "SKIPPED: this test did not run; it did not pass:"

needs_posix = pytest.mark.skipif(not POSIX, reason=f"{_DID_NOT_RUN} it needs signals, permissions or scripts of POSIX")
needs_links = pytest.mark.skipif(not POSIX, reason=f"{_DID_NOT_RUN} it makes links, for which Windows requires rights")
