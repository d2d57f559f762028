"""Searching positions: the index, the library, lookups and scans, on 2.3 million games (see ``corpus.py``).

Peers in the same run: scoutfish, Scid's own search for positions, DuckDB on the files of the library, python-chess. The
corpus and the peers' files stay in the cache; ``TABIYA_BENCH_GAMES`` asks for fewer games.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import corpus
import pyarrow as pa
from cache import cache_folder
from measure import RUNS, Figure, MissingError, memory_figure, peak_of, wall_rate
from peers import scid_base, scid_searched, scout_index, scouted

import tabiya
from tabiya.game import GameBatch

NAJDORF = "1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6 6.Be3"
LINES = {"start": "", "1.e4 c5": "1.e4 c5", "Ruy Lopez": "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6", "Najdorf": NAJDORF}
GOALS = {"start": 40.0, "1.e4 c5": 12.0, "Ruy Lopez": 4.0, "Najdorf": 1.0, "rare": 0.4}
"""Milliseconds in which a position is explored, by how popular it is."""
RARE_PLY = 60
FILTERS = {"min_elo": 2200, "since": "2010"}
ENDING: dict[str, object] = {"material": "KRPKR"}
WEEK = 1800
BUILDS = 3
"""Runs of which the best counts, as elsewhere, though they take a minute each."""
CHESS_POS_DB = "chess_pos_db, another run"
PEER_GAMES = 100


def offered(room: str, name: str) -> Any:
    """Something that this tabiya may not have yet."""
    try:
        return getattr(import_module(room), name)
    except (ImportError, AttributeError) as error:
        raise MissingError(f"this tabiya has no {room}.{name}") from error


def method(value: object, name: str) -> Any:
    if not hasattr(value, name):
        raise MissingError(f"a {type(value).__name__} has no {name} in this tabiya")
    return getattr(value, name)


# --- what is searched -------------------------------------------------------------------------------------------------


def pgn() -> Path:
    return corpus.made(".pgn")


def convert_to_library(target: Path, batches: Iterator[GameBatch] | None = None, **options: Any) -> None:
    """Make a library of the corpus, or add batches to one."""
    if not any(format.name == "library" for format in tabiya.FORMATS):
        raise MissingError("this tabiya has no libraries")
    if batches is None:
        tabiya.convert(pgn(), target, threads=2, overwrite=True, **options)
        return
    with tabiya.create(target, **options) as writer:
        for batch in batches:
            writer.write(batch)


@cache
def library() -> tuple[Path, float]:
    """The corpus as a library, made anew, and how many seconds that took."""
    target = cache_folder() / "corpus.tabiya"
    pgn()
    shutil.rmtree(target, ignore_errors=True)
    begin = time.perf_counter()
    convert_to_library(target)
    return target, time.perf_counter() - begin


@cache
def library_of_four() -> Path:
    """The same games in four segments, each a tenth of the one before, so that they are not merged."""
    target = cache_folder() / "corpus-4.tabiya"
    if target.exists():
        shutil.rmtree(target)
    games = corpus.wanted_games()
    ends = [*(games * part // 1111 for part in (1000, 1100, 1110)), games]
    parts: list[list[GameBatch]] = [[] for _ in ends]
    for batch in corpus.batches():
        first = batch.record_batch["number"][0].as_py() - 1
        for part, begin, end in zip(parts, [0, *ends], ends, strict=False):
            part.append(batch[max(begin - first, 0) : max(end - first, 0)])
    for number, part in enumerate(parts):
        convert_to_library(target, iter(part), **({"append": True} if number else {}))
    return target


def rows_in(path: Path) -> int:
    """How many positions the index of a library has."""
    import pyarrow.parquet as pq  # noqa: PLC0415 - slow

    return sum(pq.read_metadata(file).num_rows for file in path.glob("positions-*.parquet"))


@contextmanager
def open_library(path: Path) -> Iterator[Any]:
    with tabiya.open(path) as database:
        yield database


def milliseconds(work: Callable[[], object]) -> float:
    """By the clock on the wall, warm: the best of as many runs as half a second has room for, and of some at least."""
    work()
    once = 1 / wall_rate(lambda: (work(), 1)[1], runs=1)
    return 1000 / wall_rate(lambda: (work(), 1)[1], runs=max(RUNS, int(0.5 / once)))


@cache
def positions() -> dict[str, tabiya.Position]:
    """The positions that are asked for, the most popular first; the last one occurs in one game."""
    parse_line = offered("tabiya.books.position_text", "parse_line")
    found = {name: parse_line(line) for name, line in LINES.items()}
    first = next(game for game in next(corpus.batches(corpus.BATCH)) if len([*game.mainline()]) > RARE_PLY)
    found["rare"] = next(islice(first.mainline(), RARE_PLY - 1, None)).position
    return found


# --- building ---------------------------------------------------------------------------------------------------------


def lean(batch: GameBatch) -> GameBatch:
    """A batch without tags, so that all fit in memory."""
    records = batch.record_batch
    empty = pa.array([[]] * len(batch), records.schema.field("tags").type)
    return GameBatch(records.set_column(records.schema.get_field_index("tags"), records.schema.field("tags"), empty))


def index_alone() -> Figure:
    builder = offered("tabiya.positions.index", "IndexBuilder")
    batches = [lean(batch) for batch in corpus.batches()]
    with tempfile.TemporaryDirectory(dir=cache_folder()) as folder:
        begin = time.perf_counter()
        with builder(0, memory=512 << 20, threads=2, variations=False) as index:
            for batch in batches:
                index.add(batch)
            counts = index.finish(Path(folder) / "positions.parquet", Path(folder) / "fences.arrow")
        rate = counts.rows / (time.perf_counter() - begin)
    goal = "8 M/s, aim 13"
    return Figure("position index from batches, two threads (wall time)", "positions", rate, CHESS_POS_DB, 6.5e6, goal)


def whole_library() -> Figure:
    path, seconds = library()
    for _ in range(BUILDS - 1):
        library.cache_clear()
        seconds = min(seconds, library()[1])
    rate = rows_in(path) / seconds
    what = "library from PGN, two threads (wall time)"
    peer = max(scout_index(pgn())[1] for _ in range(BUILDS))
    return Figure(what, "positions", rate, "scoutfish make", peer, "6 M/s, aim 9")


def size() -> Figure:
    path, _ = library()
    stored = sum(file.stat().st_size for name in ("positions", "fences") for file in path.glob(f"{name}-*"))
    what = "bytes per position of the index"
    return Figure(what, "B", stored / rows_in(path), CHESS_POS_DB, 17.9, "at most 9", amount=True)


def memory() -> Figure:
    library()  # so that it is known whether there are any
    script = "import sys, tabiya; tabiya.convert(sys.argv[1], sys.argv[2], threads=2, overwrite=True)"
    with tempfile.TemporaryDirectory(dir=cache_folder()) as folder:
        return memory_figure("library from PGN, two threads", peak_of(script, pgn(), Path(folder) / "a.tabiya"), 700.0)


# --- asking -----------------------------------------------------------------------------------------------------------


@cache
def scid_times() -> dict[str, float]:
    found = scid_searched(scid_base(pgn()), [position.fen() for position in positions().values()], RUNS)
    return dict(zip(positions(), (time for _, time in found), strict=True))


def explored(path: Path, name: str) -> float:
    """Milliseconds to explore a position, with conditions on ratings and dates."""
    with open_library(path) as database:
        explore = method(database, "explore")
        return milliseconds(lambda: explore(fen=positions()[name].fen(), **FILTERS))


def exploring(name: str) -> Figure:
    ours, goal = explored(library()[0], name), f"{GOALS[name]:g} ms"
    return Figure(f"explore {name}, one segment", "ms", ours, "Scid", scid_times()[name], goal, amount=True)


def exploring_four(name: str) -> Figure:
    ours, one = explored(library_of_four(), name), explored(library()[0], name)
    return Figure(
        f"explore {name}, four segments", "ms", ours, "one segment", one, f"{2 * GOALS[name]:g} ms", amount=True
    )


def exploring_in_sql(name: str) -> Figure:
    import duckdb  # noqa: PLC0415 - slow

    path, key = library()[0], positions()[name].key
    query = f"""SELECT move, count(*), avg(white_elo) FROM '{path}/positions-*.parquet' AS p
        JOIN '{path}/games-*.parquet' AS g ON g.number = p.game + 1
        WHERE key = {key - (key >> 63 << 64)} AND white_elo >= 2200 AND black_elo >= 2200 AND year >= 2010
        GROUP BY move"""
    with duckdb.connect() as connection:
        theirs = milliseconds(lambda: connection.execute(query).fetchall())
    return Figure(f"explore {name}", "ms", explored(path, name), "DuckDB, same files", theirs, "", amount=True)


def opening() -> Figure:
    path, _ = library()
    ours = milliseconds(lambda: tabiya.open(path).close())
    return Figure("opening a library", "ms", ours, "goal", 50.0, "50 ms, aim 20", amount=True)


def appending() -> Figure:
    """A weekly file; each time to a fresh copy, so that nothing is merged because of the week before."""
    source = cache_folder() / "week.pgn"
    with tabiya.create(source, overwrite=True) as writer:
        for batch in corpus.batches(WEEK, seed=corpus.SEED + 1):
            writer.write(batch)
    with tempfile.TemporaryDirectory(dir=cache_folder()) as folder:
        target = Path(folder) / "corpus.tabiya"
        shutil.copytree(library()[0], target)
        begin = time.perf_counter()
        tabiya.convert(source, target, append=True)
        seconds = time.perf_counter() - begin
    return Figure(f"{WEEK:,} games appended to a library", "ms", 1000 * seconds, "goal", 1000.0, "1 s", amount=True)


# --- scanning ---------------------------------------------------------------------------------------------------------


def scanned(path: Path, query: dict[str, object]) -> Callable[[], int]:
    """Searches with one thread for what scoutfish is asked; how many games are found."""
    parse_query = offered("tabiya.search", "parse_query")

    def work() -> int:
        with tabiya.open(path) as database:
            return int(method(database, "search")(parse_query(dict(query)), threads=1).count())

    return work


def scan() -> Figure:
    path, _ = library()
    count, theirs = scouted(scout_index(pgn())[0], ENDING)
    work = scanned(path, ENDING)
    if (found := work()) != count:
        raise MissingError(f"no fair comparison: {found:,} games with {ENDING['material']}, scoutfish finds {count:,}")
    rate = rows_in(path) * 1000 / milliseconds(work)
    return Figure("scan for a material, one thread", "positions", rate, "scoutfish", theirs, "80 M/s, aim 115")


def reading_of(path: Path) -> None:
    with tabiya.open(path) as database:
        for _ in database.batches(threads=1):
            pass


def scan_pgn() -> Figure:
    exact = offered("tabiya.search", "ExactPosition")
    path = pgn()

    def work() -> int:
        with tabiya.open(path) as database:
            return int(method(database, "search")(exact(NAJDORF), threads=1).count())

    ours, reading = milliseconds(work), milliseconds(lambda: reading_of(path))
    return Figure("a position in PGN, no index", "ms", ours, "reading it", reading, "1.6 x, aim 1.3", amount=True)


def scan_python_chess() -> Figure:
    """Positions per second that are looked at while a position is searched in PGN."""
    path, wanted = pgn(), chess.Board(positions()["Najdorf"].fen())
    exact = offered("tabiya.search", "ExactPosition")
    with tabiya.open(path) as database:
        moves = sum(len(batch.record_batch["moves"].flatten()) for batch in database.batches())
        begin = time.perf_counter()
        method(database, "search")(exact(NAJDORF), threads=1).count()
        ours = moves / (time.perf_counter() - begin)
    looked, begin = 0, time.perf_counter()
    with path.open(encoding="utf-8") as stream:
        for game in islice(iter(partial(chess.pgn.read_game, stream), None), PEER_GAMES):
            board = game.board()
            for move in game.mainline_moves():
                board.push(move)
                looked += 1
                if board == wanted:
                    break
    theirs = looked / (time.perf_counter() - begin)
    return Figure("a position in PGN, no index", "positions", ours, f"python-chess {chess.__version__}", theirs)


def scan_sql() -> Figure:
    """The functions in SQL on games alone, against a question that reads the moves and does not play them."""
    import duckdb  # noqa: PLC0415 - slow

    path = corpus.made(".parquet")
    with duckdb.connect() as connection:
        tabiya.register(connection)
        found = f"SELECT count(*) FROM '{path}' WHERE first_ply(moves, '{NAJDORF}') IS NOT NULL"
        ours = milliseconds(lambda: connection.execute(found).fetchall())
        plain = milliseconds(lambda: connection.execute(f"SELECT sum(len(moves)) FROM '{path}'").fetchall())
    return Figure("first_ply in SQL, games.parquet", "ms", ours, "len(moves)", plain, "", amount=True)


BENCHMARKS: dict[str, Callable[[], Figure]] = {
    "search-index": index_alone,
    "search-library": whole_library,
    "search-size": size,
    "search-memory": memory,
    "search-open": opening,
    "search-append": appending,
    **{f"explore-{name.lower().replace(' ', '-')}": partial(exploring, name) for name in GOALS},
    **{f"explore-{name.lower().replace(' ', '-')}-four": partial(exploring_four, name) for name in GOALS},
    **{f"explore-{name.lower().replace(' ', '-')}-sql": partial(exploring_in_sql, name) for name in GOALS},
    "scan": scan,
    "scan-pgn": scan_pgn,
    "scan-python-chess": scan_python_chess,
    "scan-sql": scan_sql,
}
