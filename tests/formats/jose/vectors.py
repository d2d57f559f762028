"""jose's own bytes and its own reading of them, and games told in the words of that reading."""

from __future__ import annotations

import json
from typing import Any

from tabiya.chess import Position
from tabiya.game import GameBatch, Side
from tabiya.game.annotations import NAGS, SYMBOLS, UNREADABLE, Annotation, decode_nags
from tabiya.game.tape import BEGIN, END
from tests.conftest import sample_path

SURPLUS = ("44_three_rooks_bug", "45_two_queens_bug", "46_three_knights_bug", "59_nine_pawns_bug")
"""jose's bytes for moves of pieces that it has no code for: it cannot read them itself."""
FORGETFUL = ("r0249", "r0702", "r0774")
"""After a variation jose has forgotten that a piece was promoted, and writes its moves with another code."""
UNCLOSED = "59d_unclosed_variation"
EXPOSED = "58_reader_stops_on_exposed_king"

_ERRORS = ("unreadable move:", "illegal move:", "ambiguous move:", "unrecognized input:", "")


def vectors() -> list[dict[str, Any]]:
    names = ("jose/vectors.json", "jose/vectors_random.json")
    return [vector for name in names for vector in json.loads(sample_path(name).read_text("utf-8"))]


def real_rows() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(sample_path("jose/games_sample.json").read_text("utf-8"))
    return rows


def events_of(batch: GameBatch, row: int) -> list[str]:
    """A record as jose's reader tells it, positions by placement and side to move; the result is told apart."""
    record = batch.record_batch.slice(row, 1).to_pylist()[0]
    notes: dict[tuple[int, int], list[str]] = {}
    for note in record["annotations"]:
        annotation = Annotation(note["kind"], note["data"], note["lang"], side=Side(note["side"]))
        notes.setdefault((note["move"], note["side"]), []).extend(_words(annotation))
    start = Position.from_fen(record["start"], chess960=bool(record["variant"])) if record["start"] else Position()
    collected: list[str] = []
    before, here, last, number = start, start, -1, 0
    outside: list[tuple[Position, Position, int]] = []
    for token in record["moves"]:
        if token == BEGIN:
            collected.append("(")
            outside.append((before, here, last))
            here, last = before, -1
        elif token == END:
            collected += notes.get((last, Side.LATE), [])
            collected.append(")")
            before, here, last = outside.pop()
        else:
            before, here, last = here, here.play(token), number
            number += 1
            collected += notes.get((last, Side.BEFORE), [])
            collected.append(f"M {_uci(token)} {' '.join(here.fen().split()[:2])}")
            collected += notes.get((last, Side.AFTER), [])
    if last >= 0:
        collected += notes.get((last, Side.LATE), [])
    return collected + notes.get((-1, Side.LATE), [])


def jose_events(vector: dict[str, Any]) -> list[str]:
    """jose's reading in the same words."""
    collected = []
    for event in vector["events"]:
        word, _, rest = event.partition(" ")
        if word == "M":
            move, placement, turn, *_ = rest.split()
            collected.append(f"M {move.partition('/')[0]} {placement} {turn}")
        elif word != "R":
            collected.append(event)
    return collected + [")"] * (collected.count("(") - collected.count(")"))


def _uci(move: int) -> str:
    if move == 0:
        return "0000"
    squares = "".join("abcdefgh"[square & 7] + str((square >> 3) + 1) for square in (move & 63, move >> 6 & 63))
    return squares + " nbrq"[move >> 12].strip()


def _words(annotation: Annotation) -> list[str]:
    if annotation.kind in (SYMBOLS, NAGS):
        return [f"N {nag}" for nag in decode_nags(annotation)]
    prefix = _ERRORS[annotation.lang] if annotation.kind == UNREADABLE else ""
    return [f"C {prefix}{annotation.data.decode()}"]
