"""Chunks, packed files and hostile input."""

from __future__ import annotations

import bz2
import gzip
import io
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import assume, given
from hypothesis import strategies as st

import tabiya
from tabiya.errors import CorruptError, TabiyaError, UsageError
from tabiya.formats.pgn import source
from tabiya.game import GameBatch, difference
from tests.formats.pgn.reading import batch_of, codes, line, read, write

GAME = '[Event "{n}"]\n[White "w"]\n\n1. e4 {{ a\n\nb }} e5 (1... c5 2. Nf3) 2. Nf3 1-0\n\n'
ODD = (
    GAME.format(n=0)
    + '[White "no event"]\n\n1. d4 { open\n\n[Event "after an open comment"]\n\n[Site "behind an empty line"]\n\n*\n\n'
    + '1. c4 *\n\n[Event "x"]\n\n\n\n[Event "y"]\n[Variant "Atomic"]\n\n1. e4 { c } *\n\n'
)


def packed_by_chunks(data: bytes, threads: int) -> GameBatch:
    with tabiya.open(io.BytesIO(data), format="pgn") as database:
        return GameBatch.concat(database.batches(threads=threads))


@pytest.mark.parametrize("size", [1, 50, 200, 1000])
@pytest.mark.parametrize("threads", [1, 3])
def test_chunks_make_no_difference(monkeypatch: pytest.MonkeyPatch, size: int, threads: int) -> None:
    data = (ODD * 3 + "".join(GAME.format(n=n) for n in range(40))).encode()
    whole = batch_of(data)
    monkeypatch.setattr(source, "CHUNK_BYTES", size)
    monkeypatch.setattr(source, "_BLOCK_BYTES", 64)
    monkeypatch.setattr(source, "_BOUNDARY_BYTES", 100)
    parts = packed_by_chunks(data, threads)
    assert parts.record_batch.to_pylist() == whole.record_batch.to_pylist()


def test_random_access_and_streams() -> None:
    data = "".join(GAME.format(n=n) for n in range(10)).encode()
    database = tabiya.open(io.BytesIO(data), format="pgn")
    assert (len(database), database[-1].tags["Event"], database[3].number) == (10, "9", 4)
    once = tabiya.open(io.BytesIO(data), format="pgn")
    assert sum(len(batch) for batch in once.batches()) == 10
    with pytest.raises(UsageError):
        list(once.batches())


PACKERS: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "zst": zstandard.compress}


@pytest.mark.parametrize("pack", PACKERS.values(), ids=list(PACKERS))
class TestPacked:
    def test_parts_one_behind_the_other(self, pack: Callable[[bytes], bytes]) -> None:
        part = pack(GAME.format(n=1).encode())
        assert len(read(part + part)) == 2

    def test_what_stands_before_damage_is_read(self, pack: Callable[[bytes], bytes]) -> None:
        games = [GAME.format(n=n * 7919 % 100_003).encode() for n in range(20_000)]
        data = pack(b"".join(games))
        found = read(data[: len(data) * 3 // 4])
        assert 5_000 < len(found) < 20_000
        assert codes(found[-1])[-1] in (5, 18)
        assert 5 in codes(found[-1])
        assert line(found[0]) == "e4 e5 Nf3"

    @pytest.mark.parametrize("behind", [b"\0" * 600, b"something else"])
    def test_games_before_anything_else_are_all_read(self, pack: Callable[[bytes], bytes], behind: bytes) -> None:
        found = read(pack("".join(GAME.format(n=n) for n in range(1000)).encode()) + behind)
        assert [game.tags["Event"] for game in found] == [str(n) for n in range(1000)]
        assert codes(found[-1]) == [5]

    def test_nothing_but_damage(self, pack: Callable[[bytes], bytes]) -> None:
        with pytest.raises(CorruptError):
            read(pack(b"")[:6] + b"damage")


def test_a_game_without_end_is_cut_off_and_the_next_ones_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "LONGEST_GAME", 1 << 16)
    monkeypatch.setattr(source, "CHUNK_BYTES", 1 << 12)
    monkeypatch.setattr(source, "_BLOCK_BYTES", 1 << 12)
    data = (GAME.format(n=1) + '[Event "long"]\n\n1. e4 {' + "x" * 500_000 + "} *\n\n" + GAME.format(n=2)).encode()
    before, long, after = read(data)
    assert (line(before), line(after)) == ("e4 e5 Nf3", "e4 e5 Nf3")
    assert 4 in codes(long)


def test_games_without_tags_may_go_on_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "LONGEST_GAME", 1 << 14)
    monkeypatch.setattr(source, "CHUNK_BYTES", 1 << 12)
    monkeypatch.setattr(source, "_BLOCK_BYTES", 1 << 12)
    games = read("1. e4 e5 1-0\n" * 10_000)
    assert len(games) == 10_000
    assert all(game.problems == [] for game in games)


HOSTILE = st.one_of(
    st.binary(max_size=300),
    st.lists(
        st.sampled_from(
            [
                b"1. e4 ",
                b"e5 ",
                b"(",
                b")",
                b"{",
                b"}",
                b";",
                b"\n",
                b"\n\n",
                b'[Event "x"]\n',
                b"[%pre a]",
                b"$1 ",
                b"*",
                b"1-0 ",
                b"Nf3 ",
                b"Nf9 ",
                b"--",
                b"%x\n",
                b"\\",
                b'"',
                b"[",
                b"]",
                b"\xff",
                b"\xef\xbb\xbf",
                b"!?",
                b"e.p.",
                b"0-0 ",
                b"\r",
                b'[FEN "x"]\n',
                b'[Variant "Atomic"]\n',
                b'[%error illegal "(x"]',
                b"d4 ",
                b"d5 ",
                b"c4 ",
                b"Nc6 ",
                b"\0",
                b",",
            ]
        ),
        max_size=40,
    ).map(b"".join),
)


@given(HOSTILE)
def test_any_bytes_are_read_written_and_read_again(data: bytes) -> None:
    try:
        first = read(data)
    except TabiyaError:  # what looks packed and is not
        return
    text, losses = write(first)
    again = read(text)
    assert len(again) == len(first)
    if not losses:
        assert [difference(a, b) for a, b in zip(first, again, strict=True)] == [[]] * len(first)


@given(st.data())
def test_mutated_games(data: st.DataObject) -> None:
    text = bytearray((Path(__file__).parents[3] / "examples" / "classics.pgn").read_bytes()[:3000])
    for _ in range(data.draw(st.integers(1, 5))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place : place + data.draw(st.integers(0, 20))] = data.draw(st.binary(max_size=5))
    assume(not text.startswith((b"BZh", b"\x1f\x8b", b"\x28\xb5\x2f\xfd")))  # what looks packed is unpacked
    first = read(bytes(text))
    written, losses = write(first)
    if not losses:
        assert [difference(a, b) for a, b in zip(first, read(written), strict=True)] == [[]] * len(first)
