"""The sink, seen through readers that drive it: the same events give the same game, whatever bytes they came from.

The rules stand here a second time, slowly: an oracle that PGN and jose are held against.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.formats.jose.codec import decode_games
from tabiya.game import GameBatch, Side
from tabiya.game.annotations import NAGS, SYMBOLS, TEXT_AFTER, TEXT_BEFORE, Annotation, decode_nags, encode_nags
from tabiya.game.tape import BEGIN, END


class Note(NamedTuple):
    move: int
    side: Side
    annotation: Annotation


@dataclass
class Line:
    """Pawns that have made their double step, White's and Black's; the notes that wait for the next move."""

    steps: tuple[int, ...] = ()
    last: int = -1
    after_variation: bool = False
    waiting: list[Annotation] = field(default_factory=list)


def is_text(annotation: Annotation) -> bool:
    return annotation.kind in (TEXT_AFTER, TEXT_BEFORE)


def turned(annotation: Annotation, side: Side) -> Annotation:
    kind = TEXT_BEFORE if side is Side.BEFORE else TEXT_AFTER
    return replace(annotation, kind=kind) if is_text(annotation) else annotation


class Oracle:
    """Takes events and leaves out those that would be none: moves of pawns that have moved, parentheses too many."""

    def __init__(self) -> None:
        self.tape: list[int] = []
        self.notes: list[Note] = []
        self.events: list[Any] = []
        self.line = Line()
        self.outside: list[Line] = []
        self.marks: list[int] = []
        self.moves = 0
        self.ended = False

    def settle(self, side: Side) -> None:
        self.notes += [Note(self.line.last, side, turned(a, side)) for a in self.line.waiting]
        self.line.waiting = []

    def play(self, pawn: int) -> None:
        black = len(self.line.steps) % 2
        if pawn in self.line.steps[black::2]:
            return
        source = 48 + pawn if black else 8 + pawn
        self.tape.append(source | (source + (-16 if black else 16)) << 6)
        self.line = replace(self.line, steps=(*self.line.steps, pawn), last=self.moves, after_variation=False)
        self.moves += 1
        self.settle(Side.BEFORE)
        self.events.append(pawn)

    def open(self) -> None:
        if self.line.last >= 0:
            self.outside.append(self.line)
            self.marks.append(len(self.tape))
            self.line = Line(self.line.steps[:-1])
            self.tape.append(BEGIN)
            self.events.append("(")

    def close(self) -> None:
        if not self.outside:
            return
        inner, mark = self.line, self.marks.pop()
        if inner.last >= 0:
            self.settle(Side.LATE)
            self.tape.append(END)
            self.line = self.outside.pop()
            self.line.after_variation = True
        else:
            del self.tape[mark:]
            self.line = self.outside.pop()
            for annotation in inner.waiting:
                self.add(annotation)
        self.events.append(")")

    def add(self, annotation: Annotation) -> None:
        if self.ended:
            self.notes.append(Note(-1, Side.LATE, annotation))
        elif self.line.last < 0 or (self.line.after_variation and is_text(annotation)):
            self.line.waiting.append(annotation)
        else:
            self.notes.append(Note(self.line.last, Side.AFTER, annotation))

    def end(self) -> None:
        while self.outside:
            self.close()
        self.settle(Side.LATE)
        self.ended = True
        self.events.append("1-0")

    def pour(self, events: list[Any]) -> None:
        for event in events:
            if isinstance(event, int):
                self.play(event)
            elif event == "(":
                self.open()
            elif event == ")":
                self.close()
            else:
                self.add(Annotation(TEXT_AFTER, event.encode()) if isinstance(event, str) else encode_nags(event))
                self.events.append(event)


def joined(notes: list[Note]) -> list[Note]:
    """Notes with the NAGs on one side of a move in one annotation, at the place of the first."""
    found: list[Note] = []
    for note in notes:
        if note.annotation.kind in (SYMBOLS, NAGS):
            for index, other in enumerate(found):
                if other[:2] == note[:2] and other.annotation.kind in (SYMBOLS, NAGS):
                    nags = decode_nags(other.annotation) + decode_nags(note.annotation)
                    found[index] = Note(*note[:2], encode_nags(nags))
                    break
            else:
                found.append(note)
        else:
            found.append(note)
    return found


def plain(notes: list[Note]) -> list[tuple[int, int, int, bytes]]:
    """Notes of one kind on one side of a move are in their order; which kind comes first is not content."""
    notes = sorted(notes, key=lambda note: (note.move, note.side, note.annotation.kind))
    return [(note.move, int(note.side), note.annotation.kind, note.annotation.data) for note in notes]


def found(row: dict[str, Any]) -> list[Note]:
    return [Note(a["move"], Side(a["side"]), Annotation(a["kind"], a["data"])) for a in row["annotations"]]


def only_row(batch: GameBatch) -> dict[str, Any]:
    rows: list[dict[str, Any]] = batch.record_batch.to_pylist()
    (row,) = rows
    return row


def through_pgn(events: list[Any]) -> dict[str, Any]:
    words, black = [], [False]
    for event in events:
        if isinstance(event, int):
            words.append("abcdefgh"[event] + ("5" if black[-1] else "4"))
            black[-1] = not black[-1]
        elif event == "(":
            black.append(not black[-1])
            words.append("(")
        elif event == ")":
            black.pop()
            words.append(")")
        elif event == "1-0":
            words.append(event)
        else:
            words += ["{" + event + "}"] if isinstance(event, str) else [f"${nag}" for nag in event]
    with tabiya.open(io.BytesIO(" ".join(words).encode()), format="pgn") as games:
        return only_row(next(iter(games.batches())))


def through_jose(events: list[Any]) -> dict[str, Any]:
    codes, texts = bytearray(), bytearray()
    for event in events:
        if isinstance(event, int):
            codes.append(event << 2 | 3)
        elif event in ("(", ")", "1-0"):
            codes.append({"(": 0xF0, ")": 0xF1, "1-0": 0xD2}[event])
        elif isinstance(event, str):
            codes.append(0xE0)
            texts += event.encode() + b"\0"
        else:
            codes += bytes(0xB0 + nag for nag in event)
    return only_row(decode_games([bytes(codes) + b"\xff"], [bytes(texts)], [None]))


TEXTS = st.sampled_from(["a", "b", "c", "d"])
RUNS = st.lists(st.sampled_from([1, 5, 14, 7, 18]), min_size=1, max_size=3)
EVENTS = st.lists(st.one_of(st.integers(0, 7), st.sampled_from(["(", ")"]), TEXTS, RUNS), max_size=40)


@given(EVENTS, st.lists(st.one_of(TEXTS, RUNS), max_size=3))
def test_readers_pour_the_same_game(events: list[Any], behind: list[Any]) -> None:
    oracle = Oracle()
    oracle.pour(events)
    oracle.end()
    oracle.pour(behind)
    expected = plain(joined(sorted(oracle.notes, key=lambda note: (note.move, note.side))))
    row = through_pgn(oracle.events)
    assert row["moves"] == oracle.tape
    assert plain(found(row)) == expected
    moves = [note.move for note in found(row)]
    assert moves == sorted(moves)
    row = through_jose(oracle.events)
    assert row["moves"] == oracle.tape
    assert plain(joined(found(row))) == expected  # jose keeps NAGs apart that something stands between


@pytest.mark.parametrize("through", [through_pgn, through_jose])
def test_what_an_empty_variation_holds_stands_as_if_it_stood_outside(through: Any) -> None:
    """Behind another variation, a text waits for the next move and NAGs belong to the last one."""
    notes = found(through([4, "(", 3, ")", "(", [1], "why", ")", 4, "1-0"]))
    assert plain(notes) == [(0, Side.AFTER, SYMBOLS, b"\1"), (2, Side.BEFORE, TEXT_BEFORE, b"why")]


@pytest.mark.parametrize(
    ("nags", "kind"),
    [([1], SYMBOLS), ([5, 18, 140], SYMBOLS), ([18, 5], NAGS), ([1, 1], NAGS), ([7], NAGS), ([18, 140], SYMBOLS)],
)
def test_nags_take_their_slots_from_the_table(nags: list[int], kind: int) -> None:
    expected = encode_nags(nags)
    assert expected.kind == kind
    assert [note.annotation for note in found(through_pgn([4, nags, "1-0"]))] == [expected]
