"""How time and memory grow with the number of games and threads: ``python bench/scaling.py``, with a picture.

    python bench/scaling.py                                     measure everything, and draw it
    python bench/scaling.py --games 20000 200000 --threads 1    measure a part; the other figures stay as they are
    python bench/scaling.py --draw                              only draw ``bench/scaling.json`` again

Every figure comes from a process of its own, which converts the first games of the corpus (``corpus.py``). Time is CPU
time, so that a busy machine changes little; memory is the peak of the process, Python and libraries included. A picture
of the same figures is the same, byte by byte.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from corpus import made
from measure import ROOT

import tabiya

FIGURES = ROOT / "bench" / "scaling.json"
PICTURE = ROOT / "docs" / "pictures" / "scaling.svg"
TARGETS = {"PGN": ".pgn", "BCGN": ".bcgn", "Scid": ".si5", "CBH": ".cbh", "library": ".tabiya"}
COLORS = dict(zip(TARGETS, ("#1b6ca8", "#2a9d5c", "#8a63d2", "#c98a00", "#c0392b"), strict=True))
GAMES = (20_000, 200_000, 2_300_000)
THREADS = (1, 2)


class Figure(NamedTuple):
    """What one conversion from PGN took."""

    target: str
    games: int
    threads: int
    microseconds: float
    """CPU time per game."""
    megabytes: float
    """Peak memory."""


def convert(source: Path, suffix: str, threads: int) -> None:
    """Convert a file, and print games, CPU seconds and peak memory in bytes."""
    begin = time.process_time()
    with (
        tempfile.TemporaryDirectory(prefix="tabiya-bench-") as folder,
        tabiya.open(source) as database,
        tabiya.create(Path(folder) / f"games{suffix}") as writer,
    ):
        writer.write(database, threads=threads)
        writer.commit()
        spent = time.process_time() - begin
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        print(json.dumps([writer.written, spent, peak]))


def measured(target: str, games: int, threads: int) -> Figure:
    command = [sys.executable, __file__, "--convert", str(made(".pgn", games)), TARGETS[target], str(threads)]
    written, spent, peak = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return Figure(target, games, threads, round(1e6 * spent / written, 2), round(peak / 1e6, 1))


def known_figures() -> dict[tuple[str, int, int], Figure]:
    stored = json.loads(FIGURES.read_text()) if FIGURES.exists() else []
    return {figure[:3]: figure for figure in (Figure(*each) for each in stored)}


def keep(figures: dict[tuple[str, int, int], Figure]) -> None:
    rows = ",\n".join(f"  {json.dumps(figures[key])}" for key in sorted(figures))
    FIGURES.write_text(f"[\n{rows}\n]\n")


# --- the picture ------------------------------------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 400, 300, 50, 40, 40
"""Of a panel, and the margins of its axes."""
RIGHT = 40
STYLE = "font: 12px sans-serif; fill: #444"


def rounded_up(value: float) -> float:
    """The next number of the kind 1, 2, 4, 5 or 8 times a power of ten."""
    power = 10 ** math.floor(math.log10(value))
    return float(next(step * power for step in (1, 2, 4, 5, 8, 10) if step * power >= value))


def panel(figures: list[Figure], field: str, title: str, shift: int) -> list[str]:
    """One chart: a line for each target and number of threads over the number of games, in powers of ten."""
    sizes = sorted({figure.games for figure in figures})
    low, high = math.log10(sizes[0]), math.log10(sizes[-1])
    top = rounded_up(max(getattr(figure, field) for figure in figures))
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM

    def place(games: int, value: float) -> tuple[float, float]:
        across = (math.log10(games) - low) / ((high - low) or 1)
        return round(LEFT + across * (right - LEFT), 1), round(bottom - value / top * (bottom - TOP), 1)

    parts = [f'<g transform="translate({shift} 0)">', f'<text x="{LEFT}" y="20" font-weight="bold">{title}</text>']
    for step in range(5):
        value = top * step / 4
        _, y = place(sizes[0], value)
        parts.append(f'<path d="M{LEFT} {y}H{right}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{value:g}</text>')
    for games in sizes:
        x, _ = place(games, 0)
        parts.append(f'<text x="{x}" y="{bottom + 18}" text-anchor="middle">{games:,}</text>')
    for target, threads in sorted({(figure.target, figure.threads) for figure in figures}):
        line = sorted(
            (each for each in figures if (each.target, each.threads) == (target, threads)), key=lambda f: f[1]
        )
        points = " ".join(f"{x},{y}" for x, y in (place(each.games, getattr(each, field)) for each in line))
        dashes = ' stroke-dasharray="5 3"' if threads > 1 else ""
        parts.append(f'<polyline points="{points}" fill="none" stroke="{COLORS[target]}" stroke-width="2"{dashes}/>')
    return [*parts, "</g>"]


def picture(figures: list[Figure]) -> str:
    """Both charts and their legend as SVG."""
    whole = 2 * WIDTH
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {HEIGHT + 30}" style="{STYLE}">',
        f'<rect width="{whole}" height="{HEIGHT + 30}" fill="#fff"/>',
        *panel(figures, "microseconds", "CPU time per game, µs", 0),
        *panel(figures, "megabytes", "Peak memory, MB", WIDTH),
    ]
    names = [name for name in TARGETS if any(figure.target == name for figure in figures)]
    for number, name in enumerate(names):
        x, y = LEFT + 120 * number, HEIGHT + 12
        parts.append(f'<path d="M{x} {y - 4}h24" stroke="{COLORS[name]}" stroke-width="2"/>')
        parts.append(f'<text x="{x + 30}" y="{y}">PGN → {name}</text>')
    parts.append(f'<text x="{whole - RIGHT}" y="{HEIGHT + 12}" text-anchor="end">dashed: 2 threads</text>')
    return "\n".join([*parts, "</svg>", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, nargs="+", default=GAMES)
    parser.add_argument("--threads", type=int, nargs="+", default=THREADS)
    parser.add_argument("--targets", nargs="+", choices=TARGETS, default=list(TARGETS))
    parser.add_argument("--draw", action="store_true", help="measure nothing")
    parser.add_argument("--convert", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.convert:
        source, suffix, threads = given.convert
        convert(Path(source), suffix, int(threads))
        return
    figures = known_figures()
    for games in () if given.draw else given.games:
        for target in given.targets:
            for threads in given.threads:
                figure = measured(target, games, threads)
                figures[figure[:3]] = figure
                keep(figures)
                print(*figure, sep="\t", flush=True)
    PICTURE.write_text(picture(list(figures.values())), encoding="utf-8")


if __name__ == "__main__":
    main()
