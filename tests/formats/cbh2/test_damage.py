"""Damaged bases: a fault costs the record that it is in, with a problem; nothing but TabiyaError is raised.

The damage is that of the writer of the tests, which knows every place in a base.
"""

from __future__ import annotations

import os
import random
import struct
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.errors import TabiyaError
from tabiya.formats.cbh2.container import record_sizes
from tabiya.game import Game
from tabiya.game.differences import difference
from tests.formats.cbh2 import handmade
from tests.formats.cbh2.by_hand import MAGIC
from tests.formats.cbh2.expected import comparable, expected
from tests.formats.cbh2.reading import needs_reader
from tests.formats.cbh2.writing import SUFFIXES, damage, write_2cbh
from tests.formats.cbh2.writing.container import HEAD, checksum
from tests.formats.cbh2.writing.notes import END

pytestmark = needs_reader

few = settings(max_examples=25)
STEM = "base 1.2"
RECORDS = [each for each in handmade.records() if not handmade.is_analysis(each)]
NEEDED = (".2cbh", ".2cbg", ".2lid")
"""Without one of the others a base can be read."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """A sound base of games and a text."""
    folder = tmp_path_factory.mktemp("sound")
    write_2cbh(RECORDS, folder / STEM)
    return {suffix: (folder / f"{STEM}{suffix}").read_bytes() for suffix in SUFFIXES}


def put(files: Mapping[str, bytes], folder: Path) -> Path:
    """Write the files of a base; the path of the headers."""
    for suffix in SUFFIXES:
        path = folder / f"{STEM}{suffix}"
        path.unlink(missing_ok=True)
        if suffix in files:
            path.write_bytes(files[suffix])
    return folder / f"{STEM}.2cbh"


def read_all(path: Path) -> list[Game] | None:
    """All records, in every way there is; None if the base is refused."""
    try:
        database = tabiya.open(path)
    except TabiyaError:
        return None
    with database:
        games = list(database)
        assert len(games) == len(database)
        assert sum(len(batch) for batch in database.headers()) == len(games)
        for batch in database.batches():
            batch.record_batch.validate(full=True)
        assert [database[place] for place in range(len(games))] == games
        for problem in [*database.problems, *(problem for game in games for problem in game.problems)]:
            assert problem.sentence
        return games


def check_others(games: list[Game] | None, spoilt: int) -> None:
    """All records but one are as they were written."""
    assert games is not None
    assert len(games) == len(RECORDS)
    for place, game in enumerate(games):
        if place != spoilt:
            assert difference(expected(RECORDS[place]), comparable(game)) == []
            assert game.problems == []


@pytest.mark.parametrize("name", damage.EVERY)
def test_a_fault_costs_one_record(name: str, files: dict[str, bytes], tmp_path: Path) -> None:
    games = read_all(put(damage.EVERY[name](files, 0), tmp_path))
    check_others(games, 0)
    assert games is not None
    assert games[0].problems


@pytest.mark.parametrize("suffix", [each for each in SUFFIXES if each != ".ini"])
def test_files_that_break_off(suffix: str, files: dict[str, bytes], tmp_path: Path) -> None:
    size = len(files[suffix])
    for length in sorted({*range(0, min(size, 60), 11), *range(0, size, max(1, size // 9)), size - 1}):
        games = read_all(put(damage.cut(files, suffix, length), tmp_path))
        if suffix == ".2cbh":
            assert games is None or len(games) == max(0, length // 192 - 1)
        else:
            assert games is None or len(games) == len(RECORDS)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_missing_files(suffix: str, files: dict[str, bytes], tmp_path: Path) -> None:
    games = read_all(put(damage.without(files, suffix), tmp_path))
    if suffix not in NEEDED:
        assert games is not None
        assert [game.root.children != () for game in games] == [game.root.children != () for game in RECORDS]


def test_a_cut_file_keeps_the_records_before_its_end(files: dict[str, bytes], tmp_path: Path) -> None:
    last = len(RECORDS) - 1
    games = read_all(put(damage.cut(files, ".2cbg", damage.body_at(files, last) + 20), tmp_path))
    check_others(games, last)
    assert games is not None
    assert games[last].problems


def test_unknown_annotations_keep_the_rest(files: dict[str, bytes], tmp_path: Path) -> None:
    """The moves are there, and so are the bytes that cannot be read: no annotation has a length."""
    games = read_all(put(damage.unknown_annotation(files, 0), tmp_path))
    check_others(games, 0)
    assert games is not None
    assert games[0].problems
    assert [str(node.move) for node in games[0].walk()] == [str(node.move) for node in RECORDS[0].walk()]
    content = files[".2cba"][damage.body_at(files, 0, ".2cba") + HEAD :][: damage.body_size(files, 0, ".2cba")]
    rest = content[10 : -len(END)]
    assert any(rest in extra.value for extra in games[0].extras)


@pytest.mark.parametrize("word", [0x0000, 0xC02D, 0xC30D, 0xFFF9, 0xFFFB, 0xFFFC, 0xFFFE])
def test_words_that_are_no_moves(word: int, files: dict[str, bytes], tmp_path: Path) -> None:
    """The moves before the word remain."""
    games = read_all(put(damage.with_word(files, 4, 5, word), tmp_path))
    check_others(games, 4)
    assert games is not None
    assert games[4].problems
    before = [node.move for node in RECORDS[4].walk()][:4]
    assert [node.move for node in games[4].walk()] in (before, [])


def test_variations_that_never_end(tmp_path: Path) -> None:
    """A stream of markers that open a line each: depth is limited, and nothing recurses."""
    game = Game.from_pgn("1. e4 *")
    written = write_2cbh([game, game], tmp_path / STEM)
    word = written.base.moves.bodies[0].content[2:4]
    null = (0xFFFA).to_bytes(2, "little")
    opened = (0xFFFD).to_bytes(2, "little")
    for content in (b"\xfc\xff" + (word + opened + null + opened) * 100_000, b"\xfc\xff" + null * 200_000):
        written.base.moves.bodies[0].content = content
        path = written.base.write(tmp_path / STEM)
        games = read_all(path)
        assert games is not None
        assert games[0].problems
        assert difference(expected(game), comparable(games[1])) == []


SIZES = [0x7FFFFFFF, -1, -(1 << 31), (64 << 20) + 1]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("of", [damage.wrong_size, damage.wrong_spare], ids=["content", "spare"])
@pytest.mark.parametrize("suffix", [".2cbg", ".2cba"])
def test_a_forged_size_in_a_large_file(
    size: int, of: Callable[..., dict[str, bytes]], suffix: str, files: dict[str, bytes], tmp_path: Path
) -> None:
    """Such a record ends where the next one begins: neither does it take gigabytes, nor is its content lost."""
    path = put(of(files, 0, size, suffix), tmp_path)
    os.truncate(path.with_suffix(suffix), 3 << 30)  # a hole: it takes no place on a disk
    games = read_all(path)
    check_others(games, 0)
    assert games is not None
    assert [str(node.move) for node in games[0].walk()] == [str(node.move) for node in RECORDS[0].walk()]
    assert {problem.code for problem in games[0].problems} <= {211, 212}
    assert games[0].problems
    key = {".2cbg": "2cbh.moves", ".2cba": "2cbh.annotations"}[suffix]
    (kept,) = (extra.value for extra in games[0].extras if extra.key == key)
    offset = damage.body_at(files, 0, suffix) + HEAD
    content = files[suffix][offset : offset + damage.body_size(files, 0, suffix)]
    assert content in kept
    assert len(kept) < damage.body_at(files, 1, suffix)


@pytest.mark.parametrize("between", [0, 1, 7, 8, (1 << 16) - 60, (1 << 16) - 34, (1 << 16) - 27, 1 << 16, 200_000])
def test_a_damaged_record_ends_at_the_next_one_wherever_that_is(between: int) -> None:
    sizes = (0x7FFFFFFF).to_bytes(4, "little") + bytes(4)
    data = bytes(12) + MAGIC + sizes + bytes(26 + between) + MAGIC + bytes(100)
    assert record_sizes(data, np.array([12], np.int64)).tolist() == [42 + between]
    assert record_sizes(data[: 12 + 42 + between], np.array([12], np.int64)).tolist() == [42 + between]


def test_a_forged_size_without_a_record_is_not_read() -> None:
    data = bytes(20) + b"\xff\xff\xff\x7f" + bytes(100_000)
    assert record_sizes(data, np.array([12], np.int64)).tolist() == [34]


def test_counts_of_the_header(files: dict[str, bytes], tmp_path: Path) -> None:
    """What the header counts is what ChessBase shows; without a count all records are read."""
    for count, read in ((3, 2), (1, 0), (0, len(RECORDS)), (-7, len(RECORDS)), (-(1 << 31), len(RECORDS))):
        head = files[".2cbh"][:16] + struct.pack("<i", count) + files[".2cbh"][20:]
        with tabiya.open(put({**files, ".2cbh": head}, tmp_path)) as database:
            assert len(list(database)) == len(database) == read
            (problem,) = database.problems
        assert (problem.code, problem.offset) == (245, 16)
        assert problem.text == f".2cbh has {len(RECORDS)} records, its header counts {count - 1}; {read} were read"


GAMES = [place for place, each in enumerate(RECORDS) if not each.texts]
NUMBERS = st.sampled_from([0, 1, 2, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 62, 1 << 63])
EDITS = st.lists(
    st.tuples(
        st.sampled_from([0, 4, 8, 12, 16, 24, 26, 28, 30, 34, 36, 38]) | st.integers(0, 4000),
        st.sampled_from([1, 2, 4, 8]),
        NUMBERS | st.integers(0, (1 << 64) - 1),
    ),
    min_size=1,
    max_size=6,
)


@few
@given(
    number=st.sampled_from(GAMES), suffix=st.sampled_from([".2cbh", ".2cbg", ".2cba"]), edits=EDITS, seal=st.booleans()
)
def test_a_mutation_of_a_record_costs_no_other(
    number: int,
    suffix: str,
    edits: list[tuple[int, int, int]],
    seal: bool,
    files: dict[str, bytes],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Any bytes of a header or a body are others; with ``seal`` the checksum is right, so that they are decoded."""
    if suffix == ".2cbh":
        begin, size = damage.header_at(number), 192
    else:
        begin = damage.body_at(files, number, suffix)
        size = HEAD + damage.body_size(files, number, suffix)
    record = bytearray(files[suffix][begin : begin + size])
    for place, width, value in edits:
        place %= size
        new = (value & ((1 << 8 * width) - 1)).to_bytes(width, "little")[: size - place]
        record[place : place + len(new)] = new
    if seal and suffix != ".2cbh":
        record[16:24] = checksum(bytes(record[HEAD:]))
    data = files[suffix][:begin] + bytes(record) + files[suffix][begin + size :]
    check_others(read_all(put({**files, suffix: data}, tmp_path_factory.mktemp("mutated"))), number)


@few
@given(seed=st.integers(0, 1 << 32))
def test_random_bytes(seed: int, files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> None:
    randomness = random.Random(seed)
    spoilt = dict(files)
    for _ in range(randomness.randrange(1, 6)):
        suffix = randomness.choice(SUFFIXES)
        data = bytearray(spoilt[suffix])
        place = randomness.randrange(len(data))
        data[place : place + randomness.choice((1, 2, 4, 8))] = randomness.choice(
            (b"\0", b"\xff" * 8, bytes([randomness.randrange(256)]), b"\x7f\xff\xff\xff", b"")
        )
        spoilt[suffix] = bytes(data)
    read_all(put(spoilt, tmp_path_factory.mktemp("spoilt")))
