"""A UCI engine that counts material after the best capture, so that its findings are easy to predict.

It runs as ``python counting_engine.py LOG [CRASH [SECONDS [HOLD]]]``: it writes the FEN of each search to the file LOG,
ends without an answer if CRASH is part of the FEN, takes SECONDS for each search, and at search number HOLD waits until
it is stopped.
"""

from __future__ import annotations

import os
import sys
import time

from tabiya.chess import Color, Move, Position

LOG, CRASH, SECONDS, HOLD = [*sys.argv[1:], *["", "0", "0"][len(sys.argv) - 2 :]]
VALUES = {"p": 100, "n": 300, "b": 300, "r": 500, "q": 900}


def material(position: Position) -> int:
    """From White's point of view."""
    pieces = position.fen().split()[0]
    return sum(VALUES.get(piece.lower(), 0) * (1 if piece.isupper() else -1) for piece in pieces)


def best_moves(position: Position) -> list[tuple[int, str, Move]]:
    """All moves, best first, with the material after them from the point of view of the side to move."""
    sign = 1 if position.turn is Color.WHITE else -1
    found = [(-sign * material(position.play(move)), position.uci(move), move) for move in position.legal_moves()]
    return [(-score, text, move) for score, text, move in sorted(found)]


def main() -> None:
    position, lines, depth, searches = Position(), 1, 1, 0
    for line in sys.stdin:
        words = line.split()
        match words[:1]:
            case ["uci"]:
                print("id name Counter 1", "option name MultiPV type spin default 1 min 1 max 9", sep="\n")
                print("option name Hash type spin default 1 min 1 max 99", "option name Threads type string", sep="\n")
                print("option name UCI_Chess960 type check default false", "uciok", sep="\n", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["setoption"] if words[2] == "MultiPV":
                lines = int(words[-1])
            case ["position"]:
                position = Position(" ".join(words[2:]))
            case ["go"]:
                with open(LOG, "a", encoding="utf-8") as log:  # noqa: PTH123 - several processes append
                    log.write(f"{position.fen()}\n")
                if CRASH and CRASH in position.fen():
                    os._exit(5)
                time.sleep(float(SECONDS))
                searches += 1
                if searches == int(HOLD):
                    sys.stdin.readline()
                depth = int(words[2]) if words[1] == "depth" else 1
                best = best_moves(position)
                for rank, (score, text, move) in enumerate(best[:lines], 1):
                    replies = best_moves(position.play(move))
                    line = " ".join([text, *(reply for _, reply, _ in replies[:1])])
                    print(f"info depth {depth} multipv {rank} score cp {score} pv {line}")
                print(f"bestmove {best[0][1]}", flush=True)
            case ["quit"]:
                return


main()
