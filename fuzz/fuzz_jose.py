"""Fuzzes jose's game texts: whatever the bytes, they are read; what was read is written, and read again the same.

The first byte chooses layout and dialect, and whether there is a start position; the next one is the number of bytes
that are texts.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import atheris

from tabiya.formats.jose.codec import decode_games, encode_games
from tabiya.game import GameBatch

STARTS: Final = (
    None,
    "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
    "1r6/P6P/3k4/8/8/8/8/4K3 w - - 0 1",
    "RRRRRRRR/PPPPPPPP/8/k7/8/8/pppppppp/4K3 b - - 0 1",
)


def content(batch: GameBatch) -> list[dict[str, Any]]:
    """The rows without what is no content."""
    rows: list[dict[str, Any]] = batch.record_batch.drop_columns(["problems", "extras"]).to_pylist()
    for row in rows:
        row["annotations"].sort(key=lambda annotation: (annotation["move"], annotation["kind"]))
    return rows


def fuzz(data: bytes) -> None:
    if len(data) < 2:
        return
    layout = "inline" if data[0] & 1 else "split"
    dialect = "document" if data[0] & 2 else "jose"
    texts, codes = data[2 : 2 + data[1]], data[2 + data[1] :]
    batch = decode_games([codes], [texts], [STARTS[data[0] >> 2 & 3]], layout=layout, dialect=dialect)
    batch.record_batch.validate(full=True)
    encoded = encode_games(batch, layout=layout, dialect=dialect)
    assert not encoded.refused, f"cannot be written: {encoded.refused}"
    if encoded.changed:
        return
    text = encoded[0]
    again = decode_games([text.codes], [text.comments], [text.start], layout=layout, dialect=dialect)
    assert content(again) == content(batch), "reads back otherwise"


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
