"""Engines: what the client costs beside the engine itself, and games whose positions are all in the cache."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path

from bench_pgn import corpus
from measure import ROOT, RUNS, Figure, MissingError

import tabiya
from tabiya.analysis.cache import Effort, identity_of
from tabiya.analysis.findings import FoundLine
from tabiya.analysis.game_plan import plan_game
from tabiya.analysis.limits import Limit
from tabiya.game.annotations import Evaluation

NODES = 50_000
"""About 0.1 s for Stockfish: less than any analysis of games uses."""
POSITIONS = 40
GAMES = 2_000


def stockfish() -> str:
    found = shutil.which("stockfish") or shutil.which("/usr/games/stockfish")
    if found is None:
        raise MissingError("stockfish is not installed")
    return found


def positions() -> list[tabiya.Position]:
    """Some of the examples, which have legal moves."""
    with tabiya.open(ROOT / "examples" / "classics.pgn") as games:
        found = [node.position for game in games for node in game.mainline()]
    return [position for position in found[::8] if position.legal_moves()][:POSITIONS]


class Best:
    """The least time that some work took, by the clock and of this process."""

    def __init__(self) -> None:
        self.wall = self.cpu = float("inf")

    def take(self, work: Callable[[], object]) -> None:
        """Do the work once more."""
        begin, used = time.perf_counter(), time.process_time()
        work()
        self.wall = min(self.wall, time.perf_counter() - begin)
        self.cpu = min(self.cpu, time.process_time() - used)


class ByHand:
    """The least that a program can do: lines written and read, the last score kept as text."""

    def __init__(self, program: str) -> None:
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.tell("uci", "uciok")

    def tell(self, command: str, end: str) -> str:
        """Send a command; return the line before the one that ends its answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{command}\n")
        last = ""
        for line in self.process.stdout:
            if line.startswith(end):
                break
            last = line
        return last

    def analyse(self, fen: str) -> str:
        """Return the last report of a search."""
        return self.tell(f"position fen {fen}\ngo nodes {NODES}", "bestmove")


def overhead() -> list[Figure]:
    """By the clock, position by position in turn; and as CPU time of this process alone, which others do not change.

    The best of several runs of each counts.
    """
    some, program = positions(), stockfish()
    fens = [position.fen() for position in some]
    ours, theirs = [Best() for _ in some], [Best() for _ in some]
    hand = ByHand(program)
    with tabiya.Engine(program) as engine, hand.process:
        for _ in range(RUNS):
            for place, position in enumerate(some):
                engine.new_game()
                ours[place].take(partial(engine.analyse, position, nodes=NODES))
                hand.tell("ucinewgame\nisready", "readyok")
                theirs[place].take(partial(hand.analyse, fens[place]))
        hand.process.kill()
    what, peer = f"analysis of {len(some)} positions at {NODES:,} nodes", "lines written and read by hand"
    count = len(some)
    wall, wall_by_hand = (sum(each.wall for each in side) for side in (ours, theirs))
    cpu, cpu_by_hand = (sum(each.cpu for each in side) for side in (ours, theirs))
    engine_alone = wall_by_hand - cpu_by_hand
    return [
        Figure(f"{what} (wall time)", "positions", count / wall, peer, count / wall_by_hand, "0.97 x"),
        Figure(
            f"{what} (its wall time by hand, with the CPU time of the client)",
            "positions",
            count / (engine_alone + cpu),
            peer,
            count / wall_by_hand,
            "0.97 x",
        ),
    ]


def cached() -> Figure:
    """Games into a new file, with every finding in the cache; beside a conversion of the same games."""
    program = stockfish()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source, target = folder / "games.pgn", folder / "analysed.pgn"
        with tabiya.open(corpus()) as games:
            tabiya.convert(games.excerpt(limit=GAMES), source)
        fill(folder / "cache.sqlite", source, program)
        ours = theirs = 0.0
        for _ in range(RUNS):
            begin = time.process_time()
            report = tabiya.analyse(
                source, target, engine=program, depth=16, cache=folder / "cache.sqlite", overwrite=True
            )
            ours = max(ours, GAMES / (time.process_time() - begin))
            assert report.searched == 0
            begin = time.process_time()
            tabiya.convert(source, target, overwrite=True)
            theirs = max(theirs, GAMES / (time.process_time() - begin))
    return Figure("games analysed from the cache", "games", ours, "conversion alone", theirs)


def fill(path: Path, source: Path, program: str) -> None:
    """Put a finding about every position of a file into a cache: even chances, and the first legal move."""
    with tabiya.AnalysisCache(path) as cache, tabiya.open(source) as games, tabiya.Engine(program) as engine:
        for game in islice(games, GAMES):
            plan = plan_game(game, tabiya.Notation())
            assert plan is not None
            lines = {
                ply: (FoundLine(Evaluation(0, depth=16), tuple(plan.positions[ply].legal_moves()[:1])),)
                for ply in plan.needed
            }
            findings = [(position, lines[ply]) for ply, position in plan.needed.items()]
            cache.store(identity_of(engine, {}), Effort.of(Limit(depth=16), 1), findings)


BENCHMARKS = {"engine-overhead": overhead, "engine-cached": cached}
