"""Fuzzes what writes: a record whose columns are the input goes to the kernels of every format and book.

A batch may come from anywhere, not only from our readers: its tape may be unbalanced, its annotations may hang on moves
that are not there, its start may be no position. Writers write it or refuse it. What PGN writes is one record, and
what a ChessBase base or jose accepts is read again without a problem, with the same moves.

An input is a byte with kind, variant and options, the sizes of start, tape and annotations, these three, and a tag. An
annotation is move (two bytes), side, kind (two bytes), language, sizes of data and raw, and both.
"""

from __future__ import annotations

import struct
import sys
from itertools import product
from typing import Any, Final

import atheris
import direct
import numpy as np

from tabiya.books.build.position_sums_kernel import add_up
from tabiya.books.ctg.signature_kernel import pack_places, problem_of
from tabiya.chessbase.code_page import code_page
from tabiya.formats.bcgn.write_kernel import write_games as write_bcgn
from tabiya.formats.cbh.bodies.columns import STATISTICS, _flags, _spelled
from tabiya.formats.cbh.bodies.read_kernel import read_blobs
from tabiya.formats.cbh.bodies.write_kernel import write_blobs
from tabiya.formats.jose.decode_kernel import read_texts
from tabiya.formats.jose.encode_kernel import write_texts
from tabiya.formats.pgn.write_kernel import write_games as write_pgn
from tabiya.game.annotations import UTF8
from tabiya.game.annotations.compose_kernel import find_rare
from tabiya.game.annotations.vocabulary import command_table, language_codes, place_table
from tabiya.game.fields import NAMES, STORED
from tabiya.game.tape_kernel import replay
from tabiya.game.view_kernel import BatchView
from tabiya.positions.rows import Mode
from tabiya.positions.rows_kernel import collect_rows

HEAD: Final = struct.Struct("<BBBB")
ANNOTATION: Final = struct.Struct("<hBHBBB")
EMPTY_LISTS: Final = ("text_", "extra_", "problem_")
KINDS: Final = 3
GAME: Final = 0
NO_RECORD: Final = b"\xff"
MOST_PLIES: Final = 20
FRONT: Final = bytes(26)
ONE: Final = np.ones(1, np.uint8)
NUMBER: Final = np.ones(1, np.int64)
CBH_TABLES: Final[tuple[Any, Any, bool]] = (*code_page(UTF8), True)


def ends(*sizes: int) -> bytes:
    return np.cumsum((0, *sizes)).astype(np.int32).tobytes()


def annotations_of(data: bytes, count: int) -> tuple[direct.Columns, bytes]:
    """The columns of so many annotations, and what is behind them."""
    rows: list[tuple[int, ...]] = []
    texts, raws = [], []
    while len(rows) < count and len(data) >= ANNOTATION.size:
        *row, size, raw_size = ANNOTATION.unpack_from(data)
        rows.append(tuple(row))
        end = ANNOTATION.size + size
        texts.append(data[ANNOTATION.size : end])
        raws.append(data[end : end + raw_size])
        data = data[end + raw_size :]
    moves, sides, kinds, languages = ([row[place] for row in rows] for place in range(4))
    columns = {
        "annotation_ends": ends(len(rows)),
        "annotation_move": np.array(moves, np.int32).tobytes(),
        "annotation_side": bytes(sides),
        "annotation_kind": np.array(kinds, np.uint16).tobytes(),
        "annotation_lang": bytes(languages),
        "annotation_data": b"".join(texts),
        "annotation_data_ends": ends(*map(len, texts)),
        "annotation_has_raw": bytes(bool(raw) for raw in raws),
        "annotation_raw": b"".join(raws),
        "annotation_raw_ends": ends(*map(len, raws)),
    }
    return columns, data


def record_of(data: bytes) -> direct.Columns:
    options, start_size, tokens, count = HEAD.unpack_from(data)
    start, rest = data[HEAD.size : HEAD.size + start_size], data[HEAD.size + start_size :]
    moves, rest = rest[: min(2 * tokens, len(rest) // 2 * 2)], rest[2 * tokens :]
    annotations, rest = annotations_of(rest, count)
    nothing = np.full(1, -1, np.int32).tobytes()
    return {
        "records": 1,
        "kind": bytes([(options & 3) % KINDS]),
        "variant": bytes([options >> 2 & 1]),
        "has_start": bytes([bool(start)]),
        "start": start,
        "start_ends": ends(len(start)),
        "deleted": bytes(1),
        **{field.name: nothing for field in NAMES},
        "interned": [(b"", ends())] * len(NAMES),
        "year": bytes(2),
        **dict.fromkeys(("month", "day"), bytes(1)),
        **dict.fromkeys(("white_elo", "black_elo"), nothing),
        "result": bytes([options >> 4]),
        "tag_ends": ends(1),
        "tag_names": rest[:8],
        "tag_names_ends": ends(len(rest[:8])),
        "tag_values": rest[8:],
        "tag_values_ends": ends(len(rest[8:])),
        "moves": moves,
        "move_ends": ends(len(moves) // 2),
        **annotations,
        **{name: ends(0) if name.endswith("_ends") else b"" for name, _ in STORED if name.startswith(EMPTY_LISTS)},
    }


def check_pgn(view: BatchView) -> None:
    find_rare(view, command_table())
    for one_line, plain in product((False, True), repeat=2):
        write_pgn(view, NO_RECORD, one_line, plain, plain, one_line, language_codes(), command_table())


def check_bcgn(view: BatchView) -> None:
    for level, headerless in product(range(3), (False, True)):
        write_bcgn(view, level, headerless, False, np.zeros(1, np.uint8))


def check_cbh(view: BatchView, columns: direct.Columns) -> None:
    statistics = np.zeros(1, STATISTICS)
    blob_ends = (np.zeros(2, np.int64), np.zeros(2, np.int64))
    raw_ends = memoryview(columns["annotation_raw_ends"]).cast("i")
    originals = (columns["annotation_has_raw"], raw_ends, columns["annotation_raw"])
    tables: Any = (*CBH_TABLES, _spelled(), _flags())
    found: Any = (statistics.view(np.uint8), *blob_ends)
    moves, annotations, _ = write_blobs(view, direct.builder(), *originals, NUMBER, 1, *tables, *found)
    if columns["kind"][0] != GAME or statistics["failure"][0]:
        return
    stored = bytes(annotations)
    files = (FRONT + bytes(moves), FRONT + stored if stored else b"")
    builder = direct.builder()
    move_piece, annotation_piece = (direct.piece_behind(len(FRONT), file) for file in files)
    read_blobs(builder, files[0], files[1], move_piece, annotation_piece, ONE, *CBH_TABLES, 1)
    again = direct.finished(builder)
    assert not again["problem_code"], "a base of our own has problems"
    assert again["moves"] == columns["moves"], "other moves come back"


def check_jose(view: BatchView, columns: direct.Columns) -> None:
    for inline, document, loose in product((False, True), repeat=3):
        code_ends, text_ends = np.zeros(2, np.int64), np.zeros(2, np.int64)
        status, attributes = np.zeros(1, np.uint8), np.zeros(1, np.uint8)
        places, plies = np.zeros(1, np.int32), np.zeros(1, np.int32)
        how = (inline, document)
        words: Any = (*how, loose, command_table(), place_table(), language_codes())
        found: Any = (code_ends, text_ends, status, places, plies, attributes, np.zeros(1, np.uint8))
        codes, texts = write_texts(view, *words, *found)
        if columns["kind"][0] != GAME or status[0]:
            continue
        start = columns["start"]
        texts_and_ends = (codes, code_ends, texts, text_ends, start, np.array([0, len(start)], np.int64))
        check_jose_text(texts_and_ends, (columns["has_start"], *how), columns["moves"])


def check_jose_text(texts: Any, how: Any, moves: bytes) -> None:
    flags = np.zeros(1, np.uint8)
    again = direct.with_answers(lambda builder, commands: read_texts(builder, *(*texts, *how, commands, flags)))
    assert again["moves"] == moves, "other moves come back"


def check_replay(columns: direct.Columns) -> None:
    start, start_ends = columns["start"], columns["start_ends"]
    moves = np.frombuffer(columns["moves"], np.uint16)
    for checked in (True, False):
        replay(
            moves,
            np.frombuffer(columns["move_ends"], np.int32),
            np.frombuffer(start, np.uint8),
            np.frombuffer(start_ends, np.int32),
            np.frombuffer(columns["variant"], np.uint8),
            np.full(1, -1, np.int32),
            np.empty(0 if checked else len(moves), np.uint64),
            checked=checked,
        )


def check_books(view: BatchView, columns: direct.Columns) -> None:
    """A record becomes rows for a book, and its positions those of a CTG book."""
    room = 1 + len(columns["moves"]) // 2
    for mode in Mode:
        rows = np.zeros(room, mode.row)
        words = rows.view(np.uint64).reshape(room, -1)
        tapes = np.zeros((1, MOST_PLIES), np.uint16)
        count = collect_rows(view, mode, MOST_PLIES, 0, words, tapes, np.zeros(6, np.int64))
        assert count <= room
        places = (rows["what"] & 0xFF_FFFF_FFFF).astype(np.int64)
        sums, slots = np.zeros((room, 12), np.uint64), np.zeros(1 << (2 * room - 1).bit_length(), np.int32)
        assert add_up(words[:count], 0, sums, 0, slots, 1)[0] == count
        if mode is Mode.FRAME and count:
            signatures = np.zeros((count, 32), np.uint8)
            pack_places(tapes, columns["start"], places[:count], signatures)
            for signature in signatures:
                problem_of(signature.tobytes()[: signature[0] & 31])


def fuzz(data: bytes) -> None:
    if len(data) < HEAD.size:
        return
    columns = record_of(data)
    view = direct.view_of(columns)
    check_replay(columns)
    check_pgn(view)
    check_bcgn(view)
    check_cbh(view, columns)
    check_jose(view, columns)
    check_books(view, columns)


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
