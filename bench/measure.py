"""What all benchmarks share: the best of several runs in CPU time, the samples, the machine."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
SAMPLES = Path(os.environ.get("TABIYA_SAMPLES") or ROOT.parent / "shared" / "samples")
RUNS = 5


class MissingError(Exception):
    """Something that a benchmark needs is not here; it is left out, and the message says why."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table. Rates are per second, more is better."""

    what: str
    unit: str
    rate: float
    peer: str
    peer_rate: float
    goal: str = ""
    """What the project promises, as text: ``60 M/s``, ``50 x``."""
    amount: bool = False
    """Whether the figures are amounts, not rates, and less is better."""


def rate_of(work: Callable[[], int]) -> float:
    """Units of work per second of CPU time; the best of five runs. ``work`` returns how many units it has done."""
    best = 0.0
    for _ in range(RUNS):
        begin = time.process_time()
        units = work()
        best = max(best, units / (time.process_time() - begin))
    return best


def wall_rate(work: Callable[[], int], prepare: Callable[[], object] = lambda: None, *, runs: int = RUNS) -> float:
    """The same by the clock on the wall, for work on several threads; ``prepare`` does not count."""
    best = 0.0
    for _ in range(runs):
        prepare()
        begin = time.perf_counter()
        units = work()
        best = max(best, units / (time.perf_counter() - begin))
    return best


def peak_of(script: str, *arguments: Path) -> float:
    """The peak memory in MB of a process of its own that runs a script."""
    # Not getrusage: its peak lives on through exec, so it would show that of this process.
    ending = "\nprint(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')))"
    command = [sys.executable, "-c", script + ending, *map(str, arguments)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(answer.stdout) / 1024


CONVERSION = "import sys, tabiya; tabiya.convert(sys.argv[1], sys.argv[2], threads=2, overwrite=True)"
"""A script for ``peak_of``."""


def memory_figure(what: str, peak: float, limit: float) -> Figure:
    """A line that compares a peak with its limit, both in MB."""
    return Figure(f"peak memory, {what}", "MB", peak, "limit", limit, f"below {limit:,.0f} MB", amount=True)


def cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def compiler() -> str:
    """The first line that the compiler of this Python says about itself; that one also builds the kernels."""
    command = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    try:
        answer = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return platform.python_compiler()
    return answer.stdout.partition("\n")[0]


def machine() -> str:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{cpu_model()}, {os.cpu_count()} cores; {platform.system()}; {python}; {compiler()}"
