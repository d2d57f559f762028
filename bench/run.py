"""Runs benchmarks and prints a Markdown table: ``python bench/run.py [NAME ...]``; ``--list`` shows the names.

A benchmark is a function in one of the ``bench_*.py`` files that returns a ``Figure``, or a list of them; each file
lists its own in ``BENCHMARKS``. Nothing here passes or fails: speed is measured, never asserted.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable
from pathlib import Path

from measure import RUNS, Figure, MissingError, machine


def benchmarks() -> dict[str, Callable[[], Figure | list[Figure]]]:
    found: dict[str, Callable[[], Figure | list[Figure]]] = {}
    for path in sorted(Path(__file__).parent.glob("bench_*.py")):
        found |= importlib.import_module(path.stem).BENCHMARKS
    return found


def rate_text(rate: float, unit: str) -> str:
    for divisor, prefix in ((1e6, "M"), (1e3, "k")):
        if rate >= divisor:
            return (
                f"{rate / divisor:.3g} {prefix}{unit}/s" if unit == "B" else f"{rate / divisor:.3g} {prefix} {unit}/s"
            )
    return f"{rate:.3g} {unit}/s"


def significant(number: float) -> str:
    return f"{number:,.0f}" if number >= 20 else f"{number:.2g}"


def row(figure: Figure) -> str:
    ratio = figure.rate / figure.peer_rate
    if figure.amount:
        ours, peers = (f"{significant(amount)} {figure.unit}" for amount in (figure.rate, figure.peer_rate))
    else:
        ours, peers = rate_text(figure.rate, figure.unit), rate_text(figure.peer_rate, figure.unit)
    return f"| {figure.what} | {ours} | {peers} ({figure.peer}) | {significant(ratio)} x | {figure.goal} |"


def main() -> None:
    known = benchmarks()
    parser = argparse.ArgumentParser(description="Measures tabiya and its peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}; all if none is given")
    parser.add_argument("--list", action="store_true", help="show the names of the benchmarks")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in known]:
        parser.error(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(known)}")
    if given.list:
        print("\n".join(known))
        return
    rows: list[str] = []
    for name in given.names or known:
        print(f"{name} ...", file=sys.stderr)
        try:
            found = known[name]()
        except MissingError as error:
            print(f"{name}: skipped: {error}", file=sys.stderr)
            continue
        rows += map(row, found if isinstance(found, list) else [found])
    print(f"{machine()}. CPU time of one thread, best of {RUNS}.\n")
    print("| what | tabiya | peer | ratio | goal |\n|---|---:|---:|---:|---:|")
    print("\n".join(rows))


if __name__ == "__main__":
    main()
