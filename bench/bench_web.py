"""The server of the page on 2.3 million games: first rows of a list, a game, an answer of the explorer, memory.

One client asks, then ten at the same time, each over a connection of its own. The median stands beside the 99th
percentile. The library is that of the benchmarks of searching; it is made if it is not in the cache.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from bench_search import library
from cache import cache_folder
from measure import Figure, MissingError, memory_figure

CLIENTS = 10
REQUESTS = 40
"""Of each client."""
MOST_PLY = 24
MEMORY = 1500.0


class Client:
    """A connection that stays open."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._connection = HTTPConnection(parts.hostname or "", parts.port)
        token = parse_qs(parts.query)["token"][0]
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def ask(self, path: str, body: object = None) -> Any:
        """Return what the server answers."""
        method, content = ("GET", None) if body is None else ("POST", json.dumps(body))
        self._connection.request(method, path, content, self._headers)
        answer = self._connection.getresponse()
        content_told = answer.read()
        if answer.status >= 400:
            raise MissingError(content_told.decode())
        return json.loads(content_told)


@cache
def corpus_library() -> Path:
    made = cache_folder() / "corpus.tabiya"
    return made if made.exists() else library()[0]


@contextmanager
def server(path: Path) -> Iterator[tuple[str, int]]:
    """A server of its own: its address, and its process."""
    command = [sys.executable, "-m", "tabiya", "serve", str(path), "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            if not address:
                raise MissingError("the server does not start: pip install tabiya[web]")
            yield address, process.pid
        finally:
            process.terminate()


def times(address: str, work: Callable[[Client, random.Random], object], clients: int = CLIENTS) -> list[float]:
    """Milliseconds of every request of all clients."""
    found: list[float] = []
    work(Client(address), random.Random(0))  # the first opens files

    def run(seed: int) -> None:
        client, dice = Client(address), random.Random(seed)
        for _ in range(REQUESTS):
            begin = time.perf_counter()
            work(client, dice)
            found.append(1000 * (time.perf_counter() - begin))

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(found)


def first_rows(client: Client, _dice: random.Random) -> None:
    query = client.ask("/api/sources/s1/queries", {})["query"]
    client.ask(f"/api/queries/{query}/rows?limit=100")


def a_game(games: int, client: Client, dice: random.Random) -> Any:
    return client.ask(f"/api/sources/s1/games/{dice.randrange(games) + 1}")


def an_exploration(positions: list[str], client: Client, dice: random.Random) -> None:
    client.ask(f"/api/sources/s1/explorer?fen={quote(dice.choice(positions))}")


def answers() -> list[Figure]:
    """Median and 99th percentile of what the page asks for most."""
    figures = []
    with server(corpus_library()) as (address, process):
        client, dice = Client(address), random.Random(1)
        games = client.ask("/api/sources/s1")["records"]
        some = (a_game(games, client, dice)["nodes"] for _ in range(CLIENTS * REQUESTS // 2))
        positions = [dice.choice(nodes[: MOST_PLY + 1])["fen"] for nodes in some]
        for what, clients, work, goal in (
            ("first rows of a list", 1, first_rows, "100 ms"),
            ("first rows of a list", CLIENTS, first_rows, "100 ms"),
            ("a game", 1, partial(a_game, games), ""),
            ("a game", CLIENTS, partial(a_game, games), ""),
            ("an exploration", 1, partial(an_exploration, positions), ""),
            ("an exploration", CLIENTS, partial(an_exploration, positions), ""),
        ):
            found = times(address, work, clients)
            late = found[int(0.99 * len(found))]
            title = f"{what} over HTTP, {clients} client{'s' if clients > 1 else ''}"
            figures.append(Figure(title, "ms", statistics.median(found), "99th percentile", late, goal, amount=True))
        figures.append(memory_figure("the server after that", peak(process), MEMORY))
    return figures


def peak(process: int) -> float:
    """The peak memory of a process in MB; files that are mapped count, too."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        raise MissingError("only Linux tells the memory of another process")
    lines = status.read_text("utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


BENCHMARKS: dict[str, Callable[[], list[Figure]]] = {"web": answers}
