"""A slow, plain reader of archives, written from the description of the format alone; strict about every rule of it."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from fractions import Fraction


def members(data: bytes) -> dict[str, bytes]:
    """Name and content of every member."""
    head, count, entry_size, version = struct.unpack_from("<HHHH", data)
    assert (head, entry_size, version) == (8, 173, 3)
    place = 8 + 173 * count
    found = {}
    for index in range(count):
        entry = data[8 + 173 * index : 8 + 173 * (index + 1)]
        name, leftovers = entry[:128].split(b"\0", 1)
        assert not leftovers.strip(b"\0"), "we leave nothing there"
        offset, packed, size, one, date, time, *again = struct.unpack_from("<IIIBIIQQQ", entry, 128)
        assert again == [offset, packed, size]
        assert one == 1
        assert 1980_00_00 < date < 2100_00_00
        assert time < 24_00_00_00
        assert offset == place, "members follow each other without a gap"
        place += packed
        content = b"".join(blocks(data[offset : offset + packed]))
        assert len(content) == size
        found[name.decode("cp1252")] = content
    assert place == len(data)
    return found


def blocks(data: bytes) -> Iterator[bytes]:
    """The content of each block of a member."""
    place = 0
    while place < len(data):
        length, total = struct.unpack_from("<HH", data, place)
        block = data[place + 4 : place + 4 + length]
        assert len(block) == length
        assert total == sum(struct.unpack(f"<{length // 2}H", block[: length // 2 * 2])) % 65536
        yield block_content(block)
        place += 4 + length


def block_content(block: bytes) -> bytes:
    """What a block stands for."""
    assert block[0] < 4
    content = block[1:]
    if block[0] & 2:
        content = undo_huffman(content)
    if block[0] & 1:
        content = undo_lz(content)
    return content


def undo_huffman(data: bytes) -> bytes:
    bits = "".join(f"{byte:08b}" for byte in data[2:])
    place = 0
    codes = {}
    for symbol in range(256):
        length = int(bits[place : place + 4], 2)
        if length:
            codes[bits[place + 4 : place + 4 + length]] = symbol
        place += 4 + length
    assert sum(Fraction(1, 2 ** len(code)) for code in codes) == 1, "the code is not complete"
    out = bytearray()
    code = ""
    for _ in range(struct.unpack_from(">H", data)[0]):
        while code not in codes:
            code += bits[place]
            place += 1
        out.append(codes[code])
        code = ""
    assert len(bits) - place < 8, "bytes are left over"
    return bytes(out)


def undo_lz(data: bytes) -> bytes:
    out = bytearray()
    place = 0
    while place < len(data):
        mask = struct.unpack_from("<H", data, place)[0]
        place += 2
        for item in range(15, -1, -1):
            if place == len(data):
                break
            if not mask >> item & 1:
                out.append(data[place])
                place += 1
                continue
            high, low = divmod(data[place], 16)
            if high == 0:
                out += data[place + 1 : place + 2] * (low + 3)
            elif high == 1:
                out += data[place + 2 : place + 3] * (low + data[place + 1] * 16 + 19)
            else:
                offset = data[place + 1] * 16 + low + 3
                length = data[place + 2] + 16 if high == 2 else high
                assert length <= offset <= len(out), "a copy runs into itself, or begins before the block"
                out += out[len(out) - offset :][:length]
            place += 3 if high in (1, 2) else 2
    return bytes(out)
