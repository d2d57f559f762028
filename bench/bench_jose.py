"""jose: its game texts in memory, and its database on a server (the one that TABIYA_MYSQL names).

Peers: python-chess pushing the same moves, and the driver alone moving the same rows.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import chess
from bench_pgn import corpus
from measure import ROOT, SAMPLES, Figure, rate_of, wall_rate

import tabiya
from tabiya.formats.jose.codec import decode_games, encode_games
from tabiya.formats.url import Url, url_of
from tabiya.game import GameBatch

GAMES = 20_000
PUSHED_GAMES = 500
_SCHEMAS = (SAMPLES / "jose" / "schema.sql", ROOT / "tests" / "data" / "jose" / "schema.sql")
SCHEMA = next(path for path in _SCHEMAS if path.exists())
"""jose's real tables, whose many keys cost time; without the samples our own."""


@cache
def batch() -> GameBatch:
    """Some real games, without their annotations."""
    batches, count = [], 0
    with tabiya.open(corpus()) as database:
        for each in database.batches():
            batches.append(each)
            count += len(each)
            if count >= GAMES:
                break
    return GameBatch.concat(batches)[:GAMES]


@cache
def stored() -> tuple[list[bytes], list[None]]:
    encoded = encode_games(batch())
    return [encoded[i].codes for i in range(len(encoded))], [None] * len(encoded)


def moves() -> int:
    return len(batch().record_batch["moves"].flatten())


def push_moves() -> int:
    """The same moves with python-chess."""
    count = 0
    for tape in batch().record_batch["moves"][:PUSHED_GAMES].to_pylist():
        board = chess.Board()
        for token in tape:
            source, target = token & 63, token >> 6 & 63
            promotion = (None, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)[token >> 12]
            board.push(chess.Move(source, target, promotion))
            count += 1
    return count


def decode() -> Figure:
    codes, nothing = stored()
    rate = rate_of(lambda: len(decode_games(codes, nothing, nothing).record_batch["moves"].flatten()))
    return Figure(
        "jose game text -> batches", "moves", rate, "python-chess, only pushing", rate_of(push_moves), "10 M/s"
    )


def encode() -> Figure:
    count = moves()
    rate = rate_of(lambda: count if encode_games(batch()) else 0)
    return Figure(
        "batches -> jose game text", "moves", rate, "python-chess, only pushing", rate_of(push_moves), "10 M/s"
    )


def server() -> Url:
    url = url_of(os.environ.get("TABIYA_MYSQL", ""))
    if url is None:
        raise SystemExit("this benchmark needs a server: set TABIYA_MYSQL")
    return url


def connect(database: str | None = None) -> Any:
    import pymysql  # noqa: PLC0415 - only for the benchmarks of the database

    url = server()
    return pymysql.connect(
        host=url.host or None,
        user=url.user or None,
        password=url.password or "",
        unix_socket=url.options.get("unix_socket"),
        database=database,
        autocommit=True,
    )


def fresh_base() -> str:
    """The URL of a new base with jose's tables."""
    with connect() as connection, connection.cursor() as cursor:
        cursor.execute("DROP DATABASE IF EXISTS tabiya_bench")
        cursor.execute("CREATE DATABASE tabiya_bench")
        cursor.execute("USE tabiya_bench")
        for statement in re.sub(r"--[^\n]*", "", SCHEMA.read_text("utf-8")).split(";"):
            if statement.strip():
                cursor.execute(statement)
    url = server()
    return str(Url(url.scheme, url.host, url.port, url.user, url.password, "tabiya_bench", url.options))


def write_base() -> int:
    url = str(fresh_url[0])
    with tabiya.create(url) as writer:
        writer.write(batch())
    return len(batch())


fresh_url: list[str] = []


def prepare_base() -> None:
    fresh_url[:] = [fresh_base()]


def driver_writes() -> int:
    codes, _ = stored()
    with connect("tabiya_bench") as connection, connection.cursor() as cursor:
        cursor.executemany("INSERT INTO MoreGame (GId, Bin) VALUES (%s, %s)", list(enumerate(codes)))
    return len(codes)


def driver_reads() -> int:
    with connect("tabiya_bench") as connection, connection.cursor() as cursor:
        cursor.execute("SELECT * FROM Game g JOIN MoreGame m ON m.GId = g.Id")
        return len(cursor.fetchall())


def read_base() -> int:
    with tabiya.open(fresh_url[0]) as database:
        return sum(len(each) for each in database.batches())


def import_games() -> Figure:
    ours = wall_rate(write_base, prepare_base)
    theirs = wall_rate(driver_writes, prepare_base)
    return Figure("batches -> jose database (wall time)", "games", ours, "PyMySQL, moves only", theirs, "5 k games/s")


def export_games() -> Figure:
    prepare_base()
    write_base()
    ours, theirs = wall_rate(read_base), wall_rate(driver_reads)
    return Figure("jose database -> batches (wall time)", "games", ours, "PyMySQL alone", theirs, "30 k games/s")


BENCHMARKS: dict[str, Callable[[], Figure]] = {
    "jose-decode": decode,
    "jose-encode": encode,
    "jose-import": import_games,
    "jose-export": export_games,
}
if "TABIYA_MYSQL" not in os.environ:
    del BENCHMARKS["jose-import"], BENCHMARKS["jose-export"]
