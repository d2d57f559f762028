"""The schema of a batch is a promise: columns may be added, never reshaped."""

from __future__ import annotations

from tabiya.game.record import RecordKind, Result, Variant
from tabiya.game.schema import NAME_COLUMNS, RECORD_SCHEMA

NAME = "dictionary<values=string, indices=int32, ordered=0>"

PINNED = [
    ("number", "int64", False),
    ("kind", "uint8", False),
    ("deleted", "bool", False),
    ("variant", "uint8", False),
    ("start", "string", True),
    ("white", NAME, True),
    ("black", NAME, True),
    ("event", NAME, True),
    ("site", NAME, True),
    ("round", NAME, True),
    ("annotator", NAME, True),
    ("eco", NAME, True),
    ("year", "uint16", True),
    ("month", "uint8", True),
    ("day", "uint8", True),
    ("white_elo", "uint16", True),
    ("black_elo", "uint16", True),
    ("result", "uint8", True),
    ("tags", "list<item: struct<name: string not null, value: string not null> not null>", False),
    ("moves", "list<item: uint16 not null>", False),
    (
        "annotations",
        "list<item: struct<move: int32 not null, side: uint8 not null, kind: uint16 not null, lang: uint8 not null, "
        "data: binary not null, raw: binary> not null>",
        False,
    ),
    (
        "texts",
        "list<item: struct<lang: uint16 not null, title: string not null, format: uint16 not null, "
        "body: binary not null, formatting: binary> not null>",
        False,
    ),
    ("extras", "list<item: struct<key: string not null, value: binary not null> not null>", False),
    ("problems", "list<item: struct<code: uint16 not null, offset: int64, text: string not null> not null>", False),
]


def test_the_columns_are_pinned() -> None:
    assert [(field.name, str(field.type), field.nullable) for field in RECORD_SCHEMA] == PINNED


def test_names_are_interned() -> None:
    assert [name for name, kind, _ in PINNED if kind == NAME] == list(NAME_COLUMNS)


def test_the_numbers_of_codes_are_pinned() -> None:
    assert [code.name for code in RecordKind] == ["GAME", "TEXT", "OPAQUE"]
    assert [code.name for code in Variant] == ["STANDARD", "CHESS960"]
    assert [code.name for code in Result] == [
        "UNKNOWN",
        "WHITE_WINS",
        "BLACK_WINS",
        "DRAW",
        "LINE",
        "WHITE_WINS_FORFEIT",
        "BLACK_WINS_FORFEIT",
        "DRAW_FORFEIT",
        "BOTH_LOSE",
    ]
    for codes in (RecordKind, Variant, Result):
        assert [int(code) for code in codes] == list(range(len(codes)))
