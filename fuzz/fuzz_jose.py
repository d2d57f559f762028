"""Fuzzes jose's game texts: whatever the bytes, they are read; what was read is written, and read again the same.

The first byte chooses layout and dialect, and whether there is a start position; the next one is the number of bytes
that are texts. Kernels meet without Arrow between them; one input in 128 also goes the way of the library, with the
commands in comments that are left to Python.
"""

from __future__ import annotations

import sys
from typing import Any, Final

import atheris
import direct
import numpy as np

from tabiya.formats.jose.codec import decode_games, encode_games
from tabiya.formats.jose.decode_kernel import read_texts
from tabiya.formats.jose.encode_kernel import write_texts
from tabiya.game import GameBatch
from tabiya.game.annotations import TEXT_AFTER, TEXT_BEFORE
from tabiya.game.annotations.encoding import show_signs
from tabiya.game.annotations.vocabulary import command_table, language_codes, place_table

STARTS: Final = (
    None,
    "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
    "1r6/P6P/3k4/8/8/8/8/4K3 w - - 0 1",
    "RRRRRRRR/PPPPPPPP/8/k7/8/8/pppppppp/4K3 b - - 0 1",
)
NO_CONTENT: Final = (*direct.PROBLEMS, *direct.EXTRAS)
WRITING: Any = (False, command_table(), place_table(), language_codes())
RICH: Final = 1


def content(batch: GameBatch) -> list[dict[str, Any]]:
    """The rows without what is no content."""
    rows: list[dict[str, Any]] = batch.record_batch.drop_columns(["problems", "extras"]).to_pylist()
    for row in rows:
        row["annotations"].sort(key=lambda annotation: (annotation["move"], annotation["kind"]))
    return rows


def shown(batch: GameBatch) -> list[dict[str, Any]]:
    """The rows with ChessBase's private letters as the classes show them."""
    rows = content(batch)
    for row in rows:
        for annotation in row["annotations"]:
            if annotation["kind"] in (TEXT_AFTER, TEXT_BEFORE):
                annotation["data"] = show_signs(annotation["data"].decode()).encode()
    return rows


def check_library(codes: bytes, texts: bytes, start: str | None, layout: str, dialect: str) -> None:
    batch = decode_games([codes], [texts], [start], layout=layout, dialect=dialect)
    batch.record_batch.validate(full=True)
    by_classes = decode_games([codes], [texts], [start], layout=layout, dialect=dialect, by_classes=True)
    assert shown(by_classes) == shown(batch), "kernels read otherwise than classes"
    encoded = encode_games(batch, layout=layout, dialect=dialect)
    assert not encoded.refused, f"cannot be written: {encoded.refused}"
    if encoded.changed:
        return
    text = encoded[0]
    again = decode_games([text.codes], [text.comments], [text.start], layout=layout, dialect=dialect)
    assert content(again) == content(batch), "reads back otherwise"


def read(codes: bytes, texts: bytes, start: str | None, how: tuple[bool, bool]) -> tuple[direct.Columns, int]:
    """The columns, and what is to be known about the record."""
    flags = np.zeros(1, np.uint8)
    arrays = (
        *(codes, np.array([0, len(codes)], np.int64)),
        *(texts, np.array([0, len(texts)], np.int64)),
        *(start_text := (start or "").encode(), np.array([0, len(start_text)], np.int64)),
    )
    more: Any = (np.array([start is not None], np.uint8), *how)
    columns = direct.with_answers(lambda builder, commands: read_texts(builder, *(*arrays, *more, commands, flags)))
    return columns, int(flags[0])


def check_kernels(codes: bytes, texts: bytes, start: str | None, how: tuple[bool, bool]) -> None:
    """The same between kernels only; commands in comments and rich annotations are for Python."""
    columns, _ = read(codes, texts, start, how)
    code_ends, text_ends = np.zeros(2, np.int64), np.zeros(2, np.int64)
    status, attributes = np.zeros(1, np.uint8), np.zeros(1, np.uint8)
    places, plies = np.zeros(1, np.int32), np.zeros(1, np.int32)
    view = direct.view_of(columns)
    changed = np.zeros(1, np.uint8)
    more: Any = (*how, *WRITING, code_ends, text_ends, status, places, plies, attributes, changed)
    written = write_texts(view, *more)
    if status[0] == RICH or changed[0] or columns["text_lang"]:
        return
    assert status[0] == 0, f"cannot be written: {status[0]}"
    again, _ = read(*written, columns["start"].decode() if columns["has_start"][0] else None, how)
    if any(again[name] != column for name, column in columns.items() if name not in NO_CONTENT):
        assert content(direct.batch_of(again)) == content(direct.batch_of(columns)), "reads back otherwise"


def fuzz(data: bytes) -> None:
    if len(data) < 2:
        return
    inline, document = bool(data[0] & 1), bool(data[0] & 2)
    start = STARTS[data[0] >> 2 & 3]
    texts, codes = data[2 : 2 + data[1]], data[2 + data[1] :]
    check_kernels(codes, texts, start, (inline, document))
    if direct.thoroughly(data):
        check_library(codes, texts, start, "inline" if inline else "split", "document" if document else "jose")


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
