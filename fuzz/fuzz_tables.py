"""Fuzzes the kernel behind the columns of tables.

An input is a FEN in its first line, then tokens of two bytes, the tape of a game: read by the rules of standard chess
and of Chess960. Annotations hang on moves as the tokens happen to say. No input is an error; what the columns say must
fit together, and a row per position must say the same as lists do.
"""

from __future__ import annotations

import sys

import atheris
import pyarrow as pa

from tabiya.game import Game, GameBatch
from tabiya.game.schema import ANNOTATION, RECORD_SCHEMA
from tabiya.tables.ply_columns import PLY_COLUMNS, Plies

KINDS = (0x07, 0x16, 0x17, 0x21)
EMPTY = GameBatch.from_games([Game(), Game()]).record_batch


def batch_of(fen: str, tokens: list[int]) -> GameBatch:
    """The tape in a standard game and in one of Chess960, with annotations made of its tokens."""
    notes = [
        {"move": (token & 15) - 1, "side": 0, "kind": KINDS[token >> 4 & 3], "lang": 0, "data": data, "raw": None}
        for token in tokens
        for data in (token.to_bytes(2) * (token >> 6 & 3),)
    ]
    columns = {
        "start": pa.array([fen or None] * 2, pa.string()),
        "variant": pa.array([0, 1], pa.uint8()),
        "moves": pa.array([tokens] * 2, RECORD_SCHEMA.field("moves").type),
        "annotations": pa.array([notes] * 2, pa.list_(pa.field("item", ANNOTATION, nullable=False))),
    }
    records = EMPTY
    for name, column in columns.items():
        place = RECORD_SCHEMA.get_field_index(name)
        records = records.set_column(place, RECORD_SCHEMA.field(name), column)
    return GameBatch(records)


def fuzz(data: bytes) -> None:
    """One input."""
    first, _, rest = data.partition(b"\n")
    tokens = [int.from_bytes(rest[at : at + 2], "little") for at in range(0, len(rest) - 1, 2)]
    batch = batch_of(first.decode("utf-8", "replace"), tokens)
    lists, rows = Plies(batch, PLY_COLUMNS), Plies(batch, PLY_COLUMNS, padded=True)
    counts = lists.counts().to_pylist()
    assert counts == rows.counts().to_pylist()
    assert rows.positions.tolist() == [0 if count is None else count + 1 for count in counts]
    for name in PLY_COLUMNS:
        column = lists.lists(name)
        column.validate(full=True)
        rows.members(name).validate(full=True)
        assert len(rows.members(name)) == sum(rows.positions)
        for count, values in zip(counts, column.to_pylist(), strict=True):
            assert values is None or len(values) == count + (name in {"fens", "keys"})


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
