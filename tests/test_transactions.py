"""Every user of the transaction, interrupted at every step: the files on disk are the old ones or the new ones.

Files are compared byte by byte, those of others included. Nothing else remains after the next opening and the next
write in the folder.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from pathlib import Path

import pytest

from tabiya.errors import TabiyaError
from tests.changes import CHANGES, files, files_after
from tests.faults import CrashError, Mode, failing

# A dead process closes nothing.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


THOROUGH = {"cbh copy", "scid overwrite", "library copy", ".ctg overwrite", "pgn overwrite", "unpack over a base"}
"""Between them they have every kind of step; all others try a sample."""


class Trial:
    """One change, tried again and again on copies of the same files."""

    def __init__(self, folder: Path, name: str) -> None:
        self._change = CHANGES[name]
        self._folder = folder
        self._original = folder / "original"
        self._original.mkdir()
        self._change.prepare(self._original)
        self.old = files(self._original)
        place = self.fresh()
        begin = time.monotonic()
        self._change.make(place)
        self.seconds = time.monotonic() - begin
        self.new = files(place)
        assert self.old != self.new
        place = self.fresh()
        with failing(None) as disk:
            self._change.make(place)
        assert files(place) == self.new
        decided = disk.decided or disk.done
        # Before the decision all steps are alike: they write files that nobody knows of.
        before, after = range(1, decided - 3), range(max(1, decided - 3), disk.done + 1)
        every = 1 if name in THOROUGH else 1 + len(after) // 10
        self.steps = [*before[:: 1 + len(before) // 5], *after[::every]]

    def fresh(self) -> Path:
        folder = self._folder / "trial"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._original, folder)
        return folder

    def make(self, folder: Path) -> None:
        self._change.make(folder)

    def fails_at(self, step: int, mode: Mode) -> tuple[str | None, Path]:
        """How a fault at this step makes the change fail: some, as of removing what is not needed, do not."""
        folder = self.fresh()
        with failing(step, mode):
            try:
                self._change.make(folder)
            except (TabiyaError, CrashError, KeyboardInterrupt) as error:
                return f"{type(error).__name__} {error}", folder
        return None, folder

    def killed_after(self, seconds: float) -> tuple[Path, bool]:
        """Make the change in a process that is killed after this time; whether it had not ended before."""
        folder = self.fresh()
        child = os.fork()
        if child == 0:
            try:
                self.make(folder)
            finally:
                os._exit(0)
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        return folder, os.WIFSIGNALED(status)

    def outcome(self, folder: Path) -> str:
        """Whether the files are the old ones or the new ones, after the next opening and the next write."""
        found = files_after(folder, self._change)
        differ = sorted(name for name in {*found, *self.old, *self.new} if found.get(name) != self.old.get(name))
        assert found in (self.old, self.new), differ
        return "new" if found == self.new else "old"


@pytest.fixture(scope="module", params=CHANGES)
def trial(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Trial:
    return Trial(tmp_path_factory.mktemp("trial"), request.param)


@pytest.mark.parametrize("mode", Mode)
def test_every_step(trial: Trial, mode: Mode) -> None:
    steps = trial.steps[list(Mode).index(mode) :: len(Mode)]  # each mode tries its share
    for step in steps:
        error, folder = trial.fails_at(step, mode)
        outcome = trial.outcome(folder)
        assert error is not None or outcome == "new", step
        if error is not None and error.startswith("TabiyaError"):  # whoever reads it knows which files are there
            assert outcome == ("new" if "the new " in error else "old"), (step, error)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_kill_at_any_time(trial: Trial) -> None:
    """A process of its own is killed, not as if: neither exceptions nor finalizers run, and the lock ends with it."""
    choose = random.Random(trial.seconds)
    for delay in (0.0, *(trial.seconds * choose.uniform(0.2, 1.2) for _ in range(2))):
        folder, was_killed = trial.killed_after(delay)
        assert trial.outcome(folder) == "new" or was_killed
