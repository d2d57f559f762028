"""The same games give the same bytes, in whatever process: no file contains what happens to be in memory."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.formats.suite import contents

PATTERNS = (0x55, 0xAA)
"""Bytes that glibc fills freed memory with; new memory gets their complement."""
FRESH = """if True:
    import sys, numpy as np, pyarrow as pa
    found = {*np.empty(1000, np.uint8).tolist()[500:], *bytes(pa.allocate_buffer(1000))[500:]}
    sys.exit(found != {~int(sys.argv[1]) & 255})
"""


def run(pattern: int, *command: str) -> int:
    """Run Python in memory of such bytes: everything that allocates, Python and Arrow too, has to use ``malloc``."""
    settings = {"MALLOC_PERTURB_": str(pattern), "PYTHONMALLOC": "malloc", "ARROW_DEFAULT_MEMORY_POOL": "system"}
    return subprocess.run([sys.executable, *command], env={**os.environ, **settings}, check=False).returncode


@pytest.fixture(autouse=True)
def _memory_is_filled() -> None:
    if run(PATTERNS[0], "-c", FRESH, str(PATTERNS[0])):
        pytest.skip("SKIPPED: this test did not run; it did not pass: this system cannot fill memory with a pattern")


def test_files_of_every_kind(tmp_path: Path) -> None:
    written = []
    for pattern, threads in zip(PATTERNS, (1, 5), strict=True):
        folder = tmp_path / "files"  # one name for all: a library stores the paths of its sources
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        assert run(pattern, "-m", "tests.every_file", str(folder), str(threads)) == 0
        written.append(contents(folder))
    first, *others = written
    assert len(first) > 80
    for other in others:
        assert sorted(name for name in {*first, *other} if first.get(name) != other.get(name)) == []
