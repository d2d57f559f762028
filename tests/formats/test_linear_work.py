"""Readers, writers and queries do work in proportion to their input, whatever it repeats. Instructions are counted."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.formats.linear_work import TIMES, work

MOST = 2.3
"""By how much the work may grow when repetitions double: 2 is linear, 4 quadratic; tables that grow come on top."""
RUNS = 3
"""Threads that wait for a busy machine count as well, so a run that shows too much is repeated; the least counts."""


def counted(folder: Path) -> dict[str, list[int]]:
    """Return the instructions of every kind of work, by number of repetitions."""
    command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--dump-before=os_times", "--dump-line=no"]
    command += [f"--callgrind-out-file={folder}/out", sys.executable, "-m", "tests.formats.linear_work"]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONMALLOC": "pymalloc"}
    root = Path(__file__).parents[2]
    subprocess.run(command, env=environment, cwd=root, check=True, capture_output=True, text=True)
    names = [*work("", 1)]
    counts = {}
    for place, name in enumerate(names[:-1]):
        # The first dump is that of the start; each other one counts the work since the one before it.
        dumps = [(folder / f"out.{2 + place + size * len(names)}").read_text() for size in range(len(TIMES))]
        counts[name] = [int(re.findall(r"^(?:summary|totals): (\d+)", dump, re.MULTILINE)[-1]) for dump in dumps]
        assert 0 < counts[name][0] < counts[name][-1], "nothing was counted: is vgdb missing?"
    return counts


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="instructions are counted by valgrind, which is missing")
def test_work_grows_with_the_input(tmp_path: Path) -> None:
    """One run counts all of it: ``python -m tests.formats.linear_work "comment '[%eval '"`` finds who is to blame."""
    least: dict[str, list[int]] = {}
    for run in range(RUNS):
        (tmp_path / str(run)).mkdir()
        for name, counts in counted(tmp_path / str(run)).items():
            least[name] = list(map(min, counts, least.get(name, counts)))
        grown = {name: c for name, c in least.items() if c[2] - c[1] > MOST * (c[1] - c[0])}
        if not grown:
            break
    assert grown == {}
