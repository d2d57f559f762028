"""Records for the tests of the formats: a few games by hand that use every feature, and games at random."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pyarrow as pa

from tabiya.game import GameBatch
from tabiya.game.schema import RECORD_SCHEMA

Row = dict[str, Any]

_PIECES = " nbrq"


def batch_of(rows: list[Row], first_number: int = 1) -> GameBatch:
    """A batch of rows, which need to name only what is not empty."""
    numbered = [{**_EMPTY, "number": number, **row} for number, row in enumerate(rows, first_number)]
    return GameBatch(pa.RecordBatch.from_pylist(numbered, schema=RECORD_SCHEMA))


def rows_of(batch: GameBatch) -> list[Row]:
    """The rows of a batch as Python values."""
    rows: list[Row] = batch.record_batch.to_pylist()
    return rows


def tape(text: str) -> list[int]:
    """``e2e4 e7e5 ( c7c5 ) g1f3`` as tokens; ``0000`` is the null move."""
    return [{"(": 0x8000, ")": 0x8001, "0000": 0}.get(word) or _token(word) for word in text.split()]


def note(move: int, kind: int, data: bytes, *, side: int = 0, lang: int = 0, raw: bytes | None = None) -> Row:
    return {"move": move, "side": side, "kind": kind, "lang": lang, "data": data, "raw": raw}


@cache
def corpus() -> GameBatch:
    """One record or more for everything that a format may or may not keep; all moves are legal."""
    return batch_of(_BY_HAND)


@cache
def long_corpus(records: int = 700) -> GameBatch:
    """Enough plain games for several batches, with a record of the corpus in between now and then."""
    choose = random.Random(20)
    return batch_of([choose.choice(_BY_HAND) if i % 9 == 0 else _plain(choose) for i in range(records)])


def cut(batch: GameBatch, records: int) -> list[GameBatch]:
    """A batch cut into smaller ones."""
    return [batch[start : start + records] for start in range(0, len(batch), records)]


def _token(word: str) -> int:
    if word == "0000":
        return 0
    source, target = (ord(word[i]) - ord("a") + 8 * (int(word[i + 1]) - 1) for i in (0, 2))
    return source | target << 6 | _PIECES.index(word[4:] or " ") << 12


def _plain(choose: random.Random) -> Row:
    line = choose.choice(_LINES).split()
    names = ("Anand, Viswanathan", "Polgár, Judit", "Łuczak", "Ding Liren", "Петросян, Тигран")
    return {
        "white": choose.choice(names),
        "black": choose.choice(names),
        "event": "Club championship",
        "year": choose.randrange(1990, 2025),
        "month": choose.randrange(1, 13),
        "white_elo": choose.choice([None, 2500, 2790]),
        "eco": choose.choice([None, "C60", "B90"]),
        "result": choose.randrange(4),
        "moves": tape(" ".join(line[: choose.randrange(len(line) + 1)])),
    }


_LINES = (
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1h1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8h8",
    "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6 g1f3 e8h8 f1e2 e7e5",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6",
)

_EMPTY: Row = {
    "kind": 0,
    "deleted": False,
    "variant": 0,
    **{name: [] for name in ("tags", "moves", "annotations", "texts", "extras", "problems")},
}

_BY_HAND: list[Row] = [
    {
        "white": "Morphy, Paul",
        "black": "Duke Karl / Count Isouard",
        "event": "Paris",
        "site": "Paris FRA",
        "year": 1858,
        "result": 1,
        "eco": "C41",
        "moves": tape("e2e4 e7e5 g1f3 d7d6 d2d4 c8g4"),
    },
    {
        "white": "A",
        "black": "B",
        "round": "1.2",
        "annotator": "C, D",
        "white_elo": 2801,
        "black_elo": 1,
        "result": 3,
        "tags": [{"name": "Opening", "value": 'The "Spanish" \\ game'}, {"name": "Опис", "value": "ö"}],
        "moves": tape("e2e4 e7e5 ( c7c5 g1f3 ( b1c3 ) d7d6 ) ( e7e6 ) g1f3"),
        "annotations": [
            note(-1, 0x02, b"about the game"),
            note(0, 0x82, b"before the first move", side=1),
            note(0, 0x02, "nach dem Zug, schön".encode(), lang=53, raw="nach dem Zug, schön".encode("cp1252")),
            note(0, 0x03, b"\x01\x0e"),
            note(1, 256, b"\x0e\x00\x01\x00\x01\x00"),
            note(2, 0x02, b"in the variation", lang=42),
            note(2, 0x05, b"\x02\x0d\x1d"),
            note(3, 0x04, b"\x04\x1d", side=1),
            note(7, 0x16, b"\x00\x01\x02\x03"),
            note(7, 0x02, b"late", side=2),
            note(7, 0x99, b"nobody knows"),
        ],
    },
    {"white": "Only White", "tags": [{"name": "Date", "value": "2023.1.5"}], "year": 2023, "month": 1, "day": 5},
    {"start": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "result": 0, "moves": tape("e2e4 e8e7")},
    {
        "variant": 1,
        "start": "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1",
        "white": "Nine",
        "black": "Sixty",
        "result": 2,
        "moves": tape("g1f3 g8f6 e1f1 e8f8"),
    },
    {
        "white": "Null",
        "result": 4,
        "moves": tape("d2d4 0000 c2c4 ( 0000 ) 0000"),
        "annotations": [note(4, 0x22, b"\1")],
    },
    {"white": "Gone", "black": "Lost", "deleted": True, "result": 5, "moves": tape("e2e4")},
    {
        "kind": 1,
        "event": "Magazine 1",
        "texts": [
            {"lang": 42, "title": "Editorial", "format": 0, "body": b"Dear reader", "formatting": b"\x00\x01"},
            {"lang": 53, "title": "Vorwort", "format": 0, "body": b"Lieber Leser", "formatting": None},
        ],
    },
    {
        "kind": 2,
        "white": "Bughouse",
        "tags": [{"name": "Variant", "value": "Bughouse"}],
        "extras": [{"key": "full.body", "value": b"1. e4 N@f7"}],
        "problems": [{"code": 0, "offset": 1234, "text": "a variant that tabiya does not know"}],
    },
    {
        "white": "Broken",
        "result": 1,
        "moves": tape("e2e4 e7e5"),
        "annotations": [note(1, 257, b"Ke9 and so on", lang=1)],
        "problems": [
            {"code": 0, "offset": None, "text": "illegal move Ke9"},
            {"code": 0, "offset": 99, "text": "and more"},
        ],
        "extras": [{"key": "full.stamp", "value": b"\xff\x00"}],
    },
    {},
]
