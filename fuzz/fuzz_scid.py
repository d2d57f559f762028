"""Fuzzes Scid: whatever the bytes of game data, they are read; what was read is written, and read again the same.

The first byte chooses what the others are: game data, a name file of si4 or si5, or an index of si4 or si5. Names and
indexes either make no sense, which an error says, or are written again with the same content.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

import atheris
import direct
import numpy as np

from tabiya.errors import TabiyaError
from tabiya.formats.scid.games.decode_kernel import read_games
from tabiya.formats.scid.games.encode_kernel import write_games
from tabiya.formats.scid.index_file import SI4, SI5, Generation, decode_entries, encode_entries
from tabiya.formats.scid.name_file import encode_names, read_names
from tabiya.formats.scid.stored_lines import line_tree
from tabiya.game.annotations.vocabulary import command_table, language_codes, language_table, place_table
from tabiya.game.code_pages import code_page

PAGE: Final = code_page("cp1252")
COMMANDS, DAMAGED, COLUMN_TAGS = 1, 2, 4
RICH, TOO_LONG = 1, 6
LOST: Final = slice(9, 12)
NO_CONTENT: Final = (*direct.PROBLEMS, *direct.EXTRAS)
GENERATIONS: Final = (SI4, SI5)


def read(data: bytes) -> tuple[direct.Columns, int]:
    builder, flags = direct.builder(), np.zeros(1, np.uint8)
    begins, lengths = np.zeros(1, np.int64), np.full(1, len(data), np.int64)
    assert PAGE is not None
    read_games(
        builder,
        np.frombuffer(data, np.uint8),
        begins,
        lengths,
        np.zeros((0, 6), np.int32),
        PAGE,
        command_table(),
        language_table(),
        False,
        False,
        flags,
    )
    return direct.finished(builder), int(flags[0])


def check_game(data: bytes) -> None:
    """Game data is read; what was sound is written, and read again as the same moves and annotations."""
    columns, flags = read(data)
    ends, status, places = np.zeros(2, np.int64), np.zeros(1, np.uint8), np.zeros(1, np.int32)
    derived, pawns = np.zeros((1, 12), np.int32), np.zeros((1, 8), np.uint8)
    written = write_games(
        direct.view_of(columns),
        False,
        command_table(),
        place_table(),
        language_codes(),
        line_tree(),
        ends,
        status,
        places,
        derived,
        pawns,
    )
    if flags & (COMMANDS | DAMAGED | COLUMN_TAGS) or status[0] in (RICH, TOO_LONG) or derived[0, LOST].any():
        return
    assert status[0] == 0, f"cannot be written: {status[0]}"
    again, _ = read(written)
    if any(again[name] != columns[name] for name in ("moves", "start", *direct.ANNOTATIONS)):
        assert content(again) == content(columns), "reads back otherwise"


def content(columns: direct.Columns) -> tuple[Any, ...]:
    """Moves, start and annotations, whose order is content within one kind on one move."""
    row = direct.batch_of(columns).record_batch.to_pylist()[0]
    annotations = sorted(row["annotations"], key=lambda each: (each["move"], each["kind"]))
    return row["moves"], row["start"], annotations


def check_names(data: bytes, generation: Generation) -> None:
    """A name file makes no sense, or is written again with the same names."""
    try:
        names = read_names(generation, data, Path("x"))
    except TabiyaError:
        return
    lists = tuple(each.bytes_of() for each in names.lists)
    counts = tuple(np.zeros(len(each), np.int64) for each in lists)
    again = read_names(generation, encode_names(generation, lists, counts, names.info), Path("x"))
    assert tuple(each.bytes_of() for each in again.lists) == lists, "other names"
    assert again.info == names.info, "other facts"


def check_index(data: bytes, generation: Generation) -> None:
    """The records of an index are written again as the same entries."""
    records = generation.record.view(data)
    entries = decode_entries(generation, records)
    again = decode_entries(generation, generation.record.view(encode_entries(generation, entries)))
    assert (again == entries).all(), "other entries"


def fuzz(data: bytes) -> None:
    if not data:
        return
    kind, generation = data[0] % 3, GENERATIONS[data[0] // 3 % 2]
    if kind == 0:
        check_game(data[1:])
    elif kind == 1:
        check_names(data[1:], generation)
    else:
        check_index(data[1:], generation)


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
