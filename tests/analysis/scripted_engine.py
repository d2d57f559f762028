"""A program that speaks UCI and misbehaves as its first argument says: ``good`` does not.

It runs as ``python -IS scripted_engine.py MODE MARK``; the mark only makes its process easy to find.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

MODE = sys.argv[1]
OUT = sys.stdout.buffer
GREETING = b"""\
id name Scripted 1.0
id author The tests
option name Hash type spin default 16 min 1 max 1024
option name MultiPV type spin default 1 min 1 max 8
option name UCI_Chess960 type check default false
option name UCI_ShowWDL type check default false
"""
ODD_OPTIONS = b"""option name Name with value and name type string default <empty>
option name Style type combo default Normal play var Solid var Normal play var Wild default
option name Clear Hash type button
option name type type check default true
option name Broken type spin default x min y max z
option name Nothing
option name NoSuchType type float default 1
option
"""


def put(*lines: bytes) -> None:
    OUT.write(b"".join(line + b"\n" for line in lines))
    OUT.flush()


def flood(line: bytes) -> None:
    block = (line + b"\n") * 1000
    while True:
        OUT.write(block)


def hang() -> None:
    while True:
        time.sleep(60)


def commands():
    while line := sys.stdin.buffer.readline():
        yield line.strip().decode()


def greet() -> None:
    if MODE == "crash-at-start":
        sys.stderr.write("cannot load the network\n\n")
        sys.exit(3)
    if MODE == "dies-at-once":
        os._exit(0)
    if MODE in {"mute", "never-reads"}:
        hang()
    if MODE == "chatter-at-start":
        flood(b"hello " * 200)
    if MODE == "endless-options":
        for number in range(5000):
            put(b"option name x%d type button" % number)
    if MODE == "no-newline":
        while True:
            OUT.write(b"x" * 1000)
    if MODE == "bad-utf8":
        put(b"id name Sk\xe4k\x00\x1b[31m\xff", b"id author", b"\xff\xfe\xfd")
    if MODE == "xboard":
        put(b"Error (unknown command): uci")
        return
    if MODE == "signals":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if MODE in {"grandchild", "grandchild-crash"}:
        subprocess.Popen([sys.executable, "-IS", __file__, "mute", *sys.argv[2:]])
    if MODE == "stderr-flood":
        for _ in range(2000):
            sys.stderr.write("warning " * 100 + "\n")
        sys.stderr.flush()
    if MODE == "deserter":
        child = subprocess.Popen([sys.executable, "-IS", __file__, "mute", *sys.argv[2:]], start_new_session=True)
        Path(sys.argv[2], "deserter").write_text(str(child.pid), "utf-8")
    put(*GREETING.splitlines()[: 2 if MODE == "no-options" else None])
    if MODE == "odd-options":
        put(*ODD_OPTIONS.splitlines())
    put(b"uciok")


def reports(depth: int) -> None:
    """What a good engine says of the usual start position."""
    for each in range(1, depth + 1):
        put(
            b"info depth %d seldepth 9 multipv 1 score cp %d wdl 300 500 200 nodes 1000 nps 10 time 7 pv e2e4 e7e5"
            % (each, each)
        )


def search(words: list[str]) -> None:
    depth = int(words[words.index("depth") + 1]) if "depth" in words else 3
    match MODE:
        case "crash-in-search" | "grandchild-crash":
            reports(1)
            sys.stderr.write("assertion failed\n")
            os._exit(7)
        case "segfault-in-search":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "hang-in-search":
            reports(1)
            hang()
        case "silent-but-alive":
            for command in commands():
                if command == "isready":
                    put(b"readyok")
                    break
        case "ignores-stop":
            while True:
                reports(1)
                time.sleep(0.01)
        case "ignores-limits":
            for each in range(1, 100):
                put(b"info depth %d score cp 5 pv e2e4" % each)
            for command in commands():
                if command == "stop":
                    break
        case "nonsense-in-search":
            flood(b"info string thinking hard " + b"." * 1000)
        case "flood":
            os.set_blocking(0, False)
            block = b"info depth 1 score cp 13 nodes 5 pv e2e4 e7e5\n" * 500
            while b"stop" not in (sys.stdin.buffer.read() or b""):
                OUT.write(block)
            OUT.flush()
            os.set_blocking(0, True)
            reports(3)
            put(b"bestmove e2e4")
            return
        case "no-newline-in-search":
            while True:
                OUT.write(b"info depth 1 ")
        case "closes-stdout":
            OUT.flush()
            os.close(1)
            hang()
        case "illegal-move":
            reports(1)
            put(b"bestmove e2e5")
            return
        case "null-move":
            put(b"bestmove 0000")
            return
        case "no-move":
            reports(1)
            put(b"bestmove (none)")
            return
        case "empty-move":
            put(b"bestmove")
            return
        case "no-evaluation":
            put(b"info depth 1 nodes 5", b"bestmove e2e4")
            return
        case "two-answers":
            reports(2)
            put(b"bestmove e2e4", b"bestmove a2a3 ponder x")
            return
        case "wrong-multipv":
            put(
                b"info depth 4 multipv 0 score cp 1 pv e2e4",
                b"info depth 4 multipv 99999999999999999999 score cp 2 pv e2e4",
                b"info depth 4 multipv x score cp 3 pv g1f3",
                b"info depth 4 multipv 2 score cp 4 pv d2d4",
                b"info depth 4 multipv 3 score cp 5 pv d2d4 d7d5",
                b"info depth 4 multipv 4 score cp 6 pv c2c4",
            )
            put(b"bestmove g1f3")
            return
        case "illegal-lines":
            put(
                b"info depth 3 score cp 10 pv e2e4 e7e5 e1e8 d7d5",
                b"info depth 4 score cp 99 pv e2e5",
                b"info depth 4 score mate 0 pv e2e4",
                b"info depth 4 score cp 98 pv 0000",
                b"info depth 4 score cp 97 pv \xff\xff",
                b"info depth 4 score cp pv e2e4",
                b"info depth -4 score cp 123456789012345678901234567890 pv e2e4",
            )
            put(b"bestmove e2e4 ponder e2e4")
            return
        case "huge-scores":
            put(b"info depth 99999 score cp -99999999 pv d2d4", b"info multipv 2 score mate 99999 pv e2e4")
            put(b"bestmove d2d4")
            return
        case "bounds":
            put(
                b"info depth 8 score cp 20 pv e2e4",
                b"info depth 9 score cp 50 lowerbound pv d2d4",
                b"info depth 9 multipv 2 score cp 10 upperbound pv c2c4",
                b"bestmove d2d4 ponder d7d5",
            )
            return
        case "cut-lines":
            put(
                b"info depth 5 score cp 20 pv e2e4 e7e5 g1f3 b8c6",
                b"info depth 5 multipv 2 score cp 10 pv g1f3 d7d5 d2d4",
                b"info depth 6 score cp 25 pv d2d4 d7d5 c2c4",
                b"info depth 6 multipv 2 score cp 20 pv e2e4 e7e5",
                b"info depth 7 score cp 24 pv e2e4 e7e5 g1f3",
                b"info depth 7 multipv 2 score cp 23 pv d2d4 g8f6",
                b"info depth 8 multipv 2 score cp 90 lowerbound pv d2d4 d7d5 c2c4 e7e6",
                b"bestmove e2e4",
            )
            return
        case "no-lines":
            put(b"info depth 5 score cp 33", b"bestmove e2e4")
            return
    if "infinite" in words:
        reports(2)
        for command in commands():
            if command == "stop":
                break
            if command == "isready":
                put(b"readyok")
    reports(min(depth, 30))
    put(b"bestmove e2e4 ponder e7e5")


def main() -> None:
    ready = 0
    for command in commands():
        words = command.split()
        if command == "uci":
            greet()
        elif command == "isready":
            ready += 1
            if MODE != "ready-once" or ready == 1:
                put(b"readyok")
        elif words[:1] == ["go"]:
            search(words)
        elif words[:1] == ["position"] and MODE == "crash-at-position":
            os._exit(1)
        elif command == "quit":
            if MODE == "dies-in-quit":
                os.kill(os.getpid(), signal.SIGABRT)
            if MODE in {"hangs-in-quit", "signals"}:
                hang()
            if MODE == "chatter-in-quit":
                flood(b"bye")
            return
    if MODE in {"hangs-in-quit", "signals"}:
        hang()


main()
