"""Tries conversions, kills, losses of power and the fuzz targets for a given time, each for its share.

    make soak                    ten minutes
    make soak SOAK_MINUTES=480   a night
    python -m scripts.soak --only conversions --seed 7
    python -m scripts.soak --only conversions --repeat 7-123

What breaks a promise is kept in ``crashes/``: the error, the seed of its round, and the files as they were. The exit
code is then 1. The last lines are rows for the table in ``docs/reliability.md``. A kill hits another moment when it is
repeated, so what it left is kept before anything opens it.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from unittest.mock import patch

from scripts.soak_rounds import Conversions, Kills, PowerLosses, Round
from tests.conftest import SAMPLES

ROOT: Final = Path(__file__).parent.parent
INSTRUMENTED: Final = ROOT / "build/fuzz/package.stamp"
_MOST_FINDINGS: Final = 10
"""A kind ends with so many: they may all be the same."""
_SHORTEST: Final = 5
"""Seconds for a fuzz target: most of the first is its start."""


@dataclass(frozen=True)
class Kind:
    """Something to try."""

    what: str
    """The words of the table."""
    missing: Callable[[], str | None]
    """What it needs and this machine lacks."""
    begin: Callable[[Path, ExitStack], Round]
    """Prepare rounds in a folder."""


@dataclass
class Outcome:
    """What came of a kind."""

    tried: int = 0
    findings: int = 0
    missing: str | None = None

    def row(self, what: str) -> str:
        """A row of the table."""
        count = f"not run: {self.missing}" if self.missing else f"{self.tried:,}"
        return f"| {datetime.now(UTC):%Y-%m-%d} | {what} | {count} | {'' if self.missing else self.findings} |"


def games_to_convert() -> list[Path]:
    """The folders with games: those of the project, and the samples, if they are there."""
    return [folder for folder in (ROOT / "tests/data", ROOT / "examples", SAMPLES) if folder.is_dir()]


def _nothing() -> None:
    return None


KINDS: Final = {
    "conversions": Kind(
        "games from one format to another and back",
        _nothing,
        lambda place, stack: Conversions(games_to_convert(), place, stack),
    ),
    "kills": Kind(
        "changes of files, killed", lambda: None if hasattr(os, "fork") else "no fork", lambda place, _: Kills(place)
    ),
    "power": Kind(
        "changes of files, power lost",
        lambda: None if shutil.which("strace") else "strace is missing",
        lambda place, _: PowerLosses(place),
    ),
}
FUZZ: Final = "fuzz"
FUZZ_WORDS: Final = "inputs of the fuzz targets"


def rounds(name: str, seeds: Sequence[str] | str, seconds: float, crashes: Path) -> Outcome:
    """Run rounds: those with these seeds, or for some time, numbered after a seed."""
    kind, outcome = KINDS[name], Outcome()
    outcome.missing = kind.missing()
    if outcome.missing:
        return outcome
    with ExitStack() as stack:
        stack.enter_context(patch.object(os, "fsync"))  # only a loss of power shows a difference, and that is recorded
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tabiya-soak-")))
        (place / "kind").mkdir()
        run = kind.begin(place / "kind", stack)
        end = time.monotonic() + seconds
        while outcome.findings < _MOST_FINDINGS:
            if isinstance(seeds, str):
                seed = f"{seeds}-{outcome.tried + 1}"
            elif outcome.tried < len(seeds):
                seed = seeds[outcome.tried]
            else:
                break
            outcome.tried += 1
            outcome.findings += not _passes(name, run, seed, place / "round", crashes)
            if isinstance(seeds, str) and time.monotonic() >= end:
                break
    return outcome


def _passes(name: str, run: Round, seed: str, folder: Path, crashes: Path) -> bool:
    """Run one round; keep its folder if it fails."""
    folder.mkdir()
    try:
        run(random.Random(f"{name} {seed}"), folder)
    except Exception:  # noqa: BLE001 - whatever it is, it is a finding
        kept = crashes / f"soak-{name}-{seed}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept)
        repeat = f"python -m scripts.soak --only {name} --repeat {seed}"
        (kept / "finding.txt").write_text(f"{repeat}\n\n{traceback.format_exc()}", "utf-8")
        print(f"{name}: {kept}: {traceback.format_exc().splitlines()[-1]}", flush=True)
        return False
    finally:
        shutil.rmtree(folder)
    return True


def fuzz(seed: str, seconds: float) -> Outcome:
    """Run the fuzz targets, in any order, on the corpus of earlier runs; they keep what they find themselves."""
    outcome = Outcome()
    if not INSTRUMENTED.exists() or importlib.util.find_spec("atheris") is None:
        outcome.missing = "clang is missing, or `make fuzz` did not run"
        return outcome
    targets = sorted((ROOT / "fuzz").glob("fuzz_*.py"))
    random.Random(seed).shuffle(targets)
    each = max(_SHORTEST, int(seconds / len(targets)))
    end = time.monotonic() + seconds
    for target in targets:
        command = [str(ROOT / "fuzz/run"), f"fuzz/{target.name}", f"-max_total_time={each}"]
        environment = {**os.environ, "PYTHON": sys.executable}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        found = re.search(r"^Done (\d+) runs", done.stderr, re.MULTILINE)
        outcome.tried += int(found[1]) if found else 0
        if done.returncode:
            outcome.findings += 1
            print(f"{FUZZ}: {target.stem}:\n{done.stderr[-2000:]}", flush=True)
        if time.monotonic() >= end:
            break
    return outcome


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for; return 1 after a finding."""
    parser = argparse.ArgumentParser(prog="scripts.soak", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10, help="time for everything together")
    parser.add_argument("--only", action="append", choices=[*KINDS, FUZZ], help="one kind; may be repeated")
    parser.add_argument("--seed", default=f"{time.time_ns() // 10**9:x}", help="for other rounds")
    parser.add_argument("--repeat", metavar="SEED", action="append", help="only the rounds with these seeds")
    parser.add_argument("--crashes", type=Path, default=ROOT / "crashes", help="folder for findings")
    given = parser.parse_args(arguments)
    chosen = given.only or [*KINDS, FUZZ]
    if given.repeat and (len(chosen) != 1 or FUZZ in chosen):
        parser.error("--repeat needs --only with the kind of the round; an input of a fuzz target goes to fuzz/run")
    share = given.minutes * 60 / len(chosen)
    outcomes = {}
    for name in chosen:
        print(f"{name}: {share:.0f} seconds, seed {given.seed} ...", flush=True)
        outcomes[name] = (
            fuzz(given.seed, share) if name == FUZZ else rounds(name, given.repeat or given.seed, share, given.crashes)
        )
    print("\n| date | what | how many | findings |\n|---|---|---:|---:|")
    for name, outcome in outcomes.items():
        print(outcome.row(KINDS[name].what if name in KINDS else FUZZ_WORDS))
    return int(any(outcome.findings for outcome in outcomes.values()))


if __name__ == "__main__":
    sys.exit(main())
