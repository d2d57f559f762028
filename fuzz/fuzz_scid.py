"""Fuzzes Scid: whatever the bytes of game data, they are read; what was read is written, and read again the same.

The first byte chooses what the others are: game data, a name file or an index, of si3, si4 or si5. Names and indexes
either make no sense, which an error says, or are written again with the same content. Some inputs are put beside the
sound files of a base, which is opened, checked and written as si4 and si5.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import atheris
import direct
import numpy as np

import tabiya
from tabiya.errors import TabiyaError
from tabiya.formats.scid.games.decode_kernel import read_games
from tabiya.formats.scid.games.encode_kernel import write_games
from tabiya.formats.scid.header_columns import NO_INDEX, index_tags
from tabiya.formats.scid.index_file import (
    HEADER,
    MAGIC,
    SI3,
    SI4,
    SI5,
    Generation,
    decode_entries,
    encode_entries,
)
from tabiya.formats.scid.name_file import encode_names, read_names
from tabiya.formats.scid.stored_lines import line_tree
from tabiya.game import Game, difference
from tabiya.game.annotations.vocabulary import command_table, language_codes, place_table
from tabiya.game.code_pages import code_page

PAGE: Final = code_page("cp1252")
DAMAGED, COLUMN_TAGS = 2, 4
RICH, TOO_LONG = 1, 6
LOST: Final = slice(9, 12)
NO_CONTENT: Final = (*direct.PROBLEMS, *direct.EXTRAS)
GENERATIONS: Final = (SI4, SI5, SI3)
EXAMPLES: Final = Path(__file__).parent.parent / "examples" / "classics.pgn"
FOLDER: Final = Path(tempfile.mkdtemp(prefix="tabiya-fuzz-"))
BASE_ONE_IN: Final = 256


def read(data: bytes, index: Any = NO_INDEX) -> tuple[direct.Columns, int]:
    flags = np.zeros(1, np.uint8)
    begins, lengths = np.zeros(1, np.int64), np.full(1, len(data), np.int64)
    page, blobs = PAGE, np.frombuffer(data, np.uint8)
    assert page is not None
    columns = direct.with_answers(
        lambda builder, commands: read_games(builder, blobs, begins, lengths, index, page, commands, False, flags)
    )
    return columns, int(flags[0])


def check_game(data: bytes) -> None:
    """Game data is read; what was sound is written, and read again as the same moves and annotations."""
    columns, flags = read(data)
    ends, status, places = np.zeros(2, np.int64), np.zeros(1, np.uint8), np.zeros(1, np.int32)
    derived, pawns = np.zeros((1, 13), np.int32), np.zeros((1, 8), np.uint8)
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
    if (
        columns["text_lang"]
        or flags & (DAMAGED | COLUMN_TAGS)
        or status[0] in (RICH, TOO_LONG)
        or derived[0, LOST].any()
    ):
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
    """What records of an index say becomes tags; they are written again as the same entries, but for si3."""
    records = generation.record.view(data[: len(data) // generation.record.size * generation.record.size])
    entries = decode_entries(generation, records)
    for row in range(len(entries)):
        read(b"", index_tags(entries[row : row + 1]))
    if generation is not SI3:
        again = decode_entries(generation, generation.record.view(encode_entries(generation, entries)))
        assert (again == entries).all(), "other entries"


# --- whole bases -----------------------------------------------------------------------------------------------------


def make() -> dict[Generation, dict[str, bytes]]:
    """Sound bases of some games: their files by suffix."""
    made = {}
    for generation in (SI4, SI5):
        tabiya.convert(EXAMPLES, FOLDER / f"x{generation.index}")
        made[generation] = {suffix: (FOLDER / f"x{suffix}").read_bytes() for suffix in generation.suffixes}
    index, old = made[SI4][SI4.index], SI4.header_size
    header = HEADER.encode({**HEADER.decode(index[:old]), "version": 300})[: SI3.header_size]
    records = (index[at : at + 6] + index[at + 7 : at + 47] for at in range(old, len(index), 47))
    names, games = made[SI4][SI4.names], made[SI4][SI4.games]
    made[SI3] = {SI3.games: games, SI3.names: names, SI3.index: header + b"".join(records)}
    return made


def check_base(kind: int, data: bytes, generation: Generation) -> None:
    """A base with one file that may be damaged is read and checked; what is written of it is read again the same."""
    files = dict(SOUND[generation])
    if kind == 0:
        files[generation.games] = data
        files[generation.index] = index_of(generation, files[generation.index], len(data))
    elif kind == 1:
        files[generation.names] = data
    elif generation is SI5:
        files[generation.index] = data[: len(data) // SI5.record.size * SI5.record.size]
    elif data.startswith(MAGIC):
        files[generation.index] = data
    else:
        count = len(data) // generation.record.size
        header = HEADER.decode(SOUND[SI4][SI4.index][: HEADER.size]) | {"version": 100 * generation.number}
        files[generation.index] = HEADER.encode({**header, "games": count})[: generation.header_size] + data
    for suffix, content in files.items():
        (FOLDER / f"x{suffix}").write_bytes(content)
    place = FOLDER / f"x{generation.index}"
    with suppress(TabiyaError):
        with tabiya.open(place) as base:
            games = list(base)
            assert sum(len(batch) for batch in base.headers()) == len(games), "other numbers of headers"
        for found in tabiya.check(place):
            assert found.problem.sentence
        check_writing(games, FOLDER / f"again{(SI4, SI5)[len(data) % 2].index}")


def index_of(generation: Generation, sound: bytes, length: int) -> bytes:
    """The index of a base of one game."""
    size, front = generation.record.size, generation.header_size
    entries = decode_entries(generation, generation.record.view(sound[front : front + size]))
    entries["offset"], entries["length"] = 0, length
    if generation is SI3:  # which has no length beyond 16 bits
        return sound[:front] + bytes(4) + length.to_bytes(2, "big") + sound[front + 6 : front + size]
    return sound[:front] + encode_entries(generation, entries)


def check_writing(games: list[Game], target: Path) -> None:
    with tabiya.create(target, overwrite=True) as writer:
        writer.write(games)
    with tabiya.open(target) as base:
        again = list(base)
    assert len(again) == writer.written, "other numbers of games"
    if not writer.losses:
        for one, other in zip(games, again, strict=True):
            assert not difference(one, other), difference(one, other)


def fuzz(data: bytes) -> None:
    if not data:
        return
    kind, generation = data[0] % 3, GENERATIONS[data[0] // 3 % 3]
    if kind == 0:
        check_game(data[1:])
    elif kind == 1:
        check_names(data[1:], generation)
    else:
        check_index(data[1:], generation)
    if direct.thoroughly(data, BASE_ONE_IN):
        check_base(kind, data[1:], generation)


SOUND: Final = make()


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
