from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.formats.cbh.archive.pack_kernel import pack_block
from tabiya.formats.cbh.archive.unpack_kernel import checksum, unpack_block
from tests.formats.cbh.plain_cbv import block_content

BROKEN_OFF, BAD_MODE, BAD_CODE, BAD_COPY, TOO_LONG = range(1, 6)


def huffman(codes: dict[str, str], text: str) -> bytes:
    """A Huffman stream by hand."""
    bits = "".join(f"{len(codes.get(chr(i), '')):04b}{codes.get(chr(i), '')}" for i in range(256))
    bits += "".join(codes[letter] for letter in text)
    bits += "0" * (-len(bits) % 8)
    return len(text).to_bytes(2, "big") + int(bits, 2).to_bytes(len(bits) // 8, "big")


TWO = {"a": "0", "b": "1"}
SKEWED = {letter: "1" * place + "0" for place, letter in enumerate("abcdefghijklmn")} | {
    "o": "1" * 14 + "0",
    "p": "1" * 15,
}
"""Codes of up to 15 bits, the most there is room for."""

BLOCKS = {
    "stored": (b"\0abc", b"abc"),
    "nothing stored": (b"\0", b""),
    "literals": (b"\1\0\0abc", b"abc"),
    "nothing packed": (b"\1", b""),
    "a short run": (b"\1\0\x80\x00x", b"xxx"),
    "the longest short run": (b"\1\0\x80\x0fx", b"x" * 18),
    "a long run": (b"\1\0\x80\x11\x01x", b"x" * 36),
    "the longest run": (b"\1\0\x80\x1f\xffx", b"x" * 4114),
    "a short copy": (b"\1\0\x10abc\x30\x00", b"abcabc"),
    "a long copy": (b"\1\0\xc0\x0fx\x2f\x00\x00", b"x" * 34),
    "a copy from far back": (b"\1\0\xc0\x1f\xff-\x3f\xff", b"-" * 4117),
    "a copy that runs into itself": (b"\1\0\x10abc\x70\x00", b"abcabcabca"),
    "a second group": (b"\1\0\0abcdefghijklmnop\0\0q", b"abcdefghijklmnopq"),
    "huffman": (b"\2" + huffman(TWO, "abbab"), b"abbab"),
    "long codes": (b"\2" + huffman(SKEWED, "ponaap"), b"ponaap"),
    "both": (b"\3" + huffman({"\0": "0", "\x80": "10", "x": "11"}, "\0\x80\0x"), b"xxx"),
}


@pytest.mark.parametrize(("block", "content"), BLOCKS.values(), ids=BLOCKS)
def test_blocks_by_hand(block: bytes, content: bytes) -> None:
    assert unpack_block(block, len(content)) == (content, 0)
    assert unpack_block(block, 1 << 20) == (content, 0)
    if content:
        assert unpack_block(block, len(content) - 1)[1] == TOO_LONG


@pytest.mark.parametrize(
    ("block", "fault"),
    [
        (b"", BROKEN_OFF),
        (b"\4", BAD_MODE),
        (b"\xff", BAD_MODE),
        (b"\1\0", BROKEN_OFF),
        (b"\1\0\x80\x00", BROKEN_OFF),
        (b"\1\0\x80\x10\x00", BROKEN_OFF),
        (b"\1\0\x10abc\x20\x00", BROKEN_OFF),
        (b"\1\0\x80\x30\x00", BAD_COPY),
        (b"\1\0\x20ab\x30\x00", BAD_COPY),
        (b"\2", BROKEN_OFF),
        (b"\2\0\1", BAD_CODE),
        (b"\2" + huffman({"a": "0", "b": "01"}, "a"), BAD_CODE),
        (b"\2" + huffman({"a": "0", "b": "10"}, "ab")[:-1], BROKEN_OFF),
        (b"\3" + huffman({"\0": "0", "\x80": "1"}, "\0\x80\0"), BROKEN_OFF),
    ],
)
def test_what_may_be_wrong(block: bytes, fault: int) -> None:
    assert unpack_block(block, 1 << 20)[1] == fault


def test_a_code_that_means_nothing() -> None:
    block = b"\2" + huffman({"a": "0"}, "a" * 9)
    assert unpack_block(block, 100) == (b"a" * 9, 0), "an incomplete code is fine as long as nothing refers to the rest"
    assert unpack_block(block[:-1] + b"\xff", 100)[1] == BAD_CODE


@pytest.mark.parametrize("block", [block for block, _ in BLOCKS.values()], ids=BLOCKS)
def test_every_truncation(block: bytes) -> None:
    for size in range(len(block)):
        content, fault = unpack_block(block[:size], 1 << 16)
        assert fault or len(content) <= 1 << 16


@given(st.binary(max_size=300), st.integers(0, 500))
def test_any_bytes(data: bytes, most: int) -> None:
    for mode in range(4):
        content, _ = unpack_block(bytes([mode]) + data, most)
        assert len(content) <= most


@pytest.mark.parametrize(
    ("block", "total"), [(b"", 0), (b"\1", 0), (b"\1\2", 0x201), (b"\1\2\3", 0x201), (b"\xff\xff\2\0\7", 1)]
)
def test_checksum(block: bytes, total: int) -> None:
    assert checksum(block) == total


def samples_of_data() -> dict[str, bytes]:
    chance = random.Random(7)
    fibonacci = [1, 1]
    while sum(fibonacci) < 40_000:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    skewed = [symbol for symbol, count in enumerate(fibonacci) for _ in range(count)]
    chance.shuffle(skewed)
    return {
        "nothing": b"",
        "one byte": b"x",
        "one symbol": b"x" * 61_440,
        "two symbols": b"ab" * 30_000,
        "noise": chance.randbytes(65_534),
        "two symbols at random": bytes(chance.choices(b"ab", k=61_440)),
        "symbols so rare that their codes would get too long": bytes(skewed),
        "records": b"".join(bytes([0, 0, 0, n % 251, 255, 255, 255, 255]) * 4 for n in range(1900)),
        "far copies": chance.randbytes(4098) * 10,
        "copies out of reach": chance.randbytes(4200) * 10,
        "runs of all lengths": b"".join(bytes([n % 256]) * n for n in range(340)),
    }


@pytest.mark.parametrize("data", samples_of_data().values(), ids=samples_of_data())
def test_packing(data: bytes) -> None:
    block = pack_block(data)
    assert len(block) <= len(data) + 1
    assert unpack_block(block, len(data)) == (data, 0)
    assert block_content(block) == data


def test_packing_is_worth_it() -> None:
    found = {name: len(pack_block(data)) for name, data in samples_of_data().items()}
    assert found["one symbol"] < 60
    assert found["two symbols at random"] < 8000
    assert found["records"] < 8000
    assert found["far copies"] < 5100, "4098 literals of 9 bits, then 137 copies of 25"


@settings(max_examples=60)
@given(st.lists(st.tuples(st.binary(max_size=30), st.integers(1, 40)), max_size=12))
def test_packing_anything(pieces: list[tuple[bytes, int]]) -> None:
    data = b"".join(piece * count for piece, count in pieces)
    block = pack_block(data)
    assert unpack_block(block, len(data)) == (data, 0)
    assert block_content(block) == data


def test_a_block_has_a_limit() -> None:
    with pytest.raises(ValueError, match="65534"):
        pack_block(bytes(65_535))
    with pytest.raises(ValueError, match="cannot be negative"):
        unpack_block(b"\0", -1)
