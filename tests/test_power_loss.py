"""Every change of files, and the power fails: what the disk has kept of it is the old files or the new ones.

strace records what a process of its own does. From its record follow the states that a file system may be in when the
power fails between two of its calls; the next program that opens the files must find the old ones or the new ones, and
after the end of the change the new ones, with nothing else left. No test flushes the real disk.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.changes import CHANGES, Files, files, files_after
from tests.conftest import IN_CI
from tests.disk_trace import Names, Node, Trace, record
from tests.power_loss import Kept, PowerLoss

TRIED = 6 if "TABIYA_EVERY_STATE" not in os.environ else None
"""How many states are tried per change, chosen by chance but always the same; None is all."""
MAKE = """if True:
    import sys
    from pathlib import Path
    from tests.changes import CHANGES
    root = Path(sys.argv[1])
    for number, name in enumerate(sys.argv[2:]):
        CHANGES[name].make(root / str(number))
        (root / f"end of {number}").mkdir()
"""


@dataclass
class Changed:
    """One change: its files before and after, and what it did."""

    old: Files
    new: Files
    loss: PowerLoss


def recorded(root: Path, log: Path, names: Iterable[str] = CHANGES) -> dict[str, Changed]:
    """Changes, each in its folder, in one process."""
    changes = {name: CHANGES[name] for name in names}
    old = []
    for number, change in enumerate(changes.values()):
        folder = root / str(number)
        folder.mkdir()
        change.prepare(folder)
        old.append(files(folder))
    tree = Node.of(root)
    folders = [tree.folder[str(number)] for number in range(len(changes))]
    trace = Trace(root, tree, record([sys.executable, "-c", MAKE, str(root), *changes], log))
    log.unlink()
    ends = [
        number
        for number, step in enumerate(trace.steps)
        if isinstance(step, Names) and step.changes[0][0] is trace.tree
    ]
    parts = [trace.steps[begin + 1 : end] for begin, end in zip([-1, *ends], ends, strict=False)]
    return {
        name: Changed(old[number], files(root / str(number)), PowerLoss(trace, folders[number], parts[number]))
        for number, name in enumerate(changes)
    }


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Changed]:
    if shutil.which("strace") is None:
        if IN_CI:
            pytest.fail("strace is missing", pytrace=False)
        pytest.skip("SKIPPED: this test did not run; it did not pass: strace is missing")
    return recorded(tmp_path_factory.mktemp("power"), tmp_path_factory.mktemp("log") / "calls")


@pytest.mark.parametrize("name", CHANGES)
def test_the_record_is_complete(changed: dict[str, Changed], tmp_path: Path, name: str) -> None:
    """Without it the other test would prove nothing: all steps together make the new files."""
    change = changed[name]
    assert change.old != change.new
    change.loss.restore(tmp_path / "disk", len(change.loss.steps), Kept.EVERYTHING, random.Random(0))
    assert files(tmp_path / "disk") == change.new


@pytest.mark.parametrize("name", CHANGES)
def test_old_or_new(changed: dict[str, Changed], tmp_path: Path, name: str) -> None:
    change = changed[name]
    chance = random.Random(name)
    states = [(moment, kept) for moment in change.loss.moments() for kept in Kept]
    for moment, kept in chance.sample(states, min(TRIED or len(states), len(states))):
        change.loss.restore(tmp_path / "disk", moment, kept, chance)
        found = files_after(tmp_path / "disk", CHANGES[name])
        assert found in (change.old, change.new), (moment, kept)


@pytest.mark.parametrize("name", CHANGES)
def test_what_has_ended_lasts(changed: dict[str, Changed], tmp_path: Path, name: str) -> None:
    change = changed[name]
    for kept in Kept:
        change.loss.restore(tmp_path / "disk", len(change.loss.steps), kept, random.Random(name))
        assert files_after(tmp_path / "disk", CHANGES[name]) == change.new, kept
