"""Fuzzes archives of ChessBase: blocks, whole archives and guiding texts, whatever the bytes.

Only ``TabiyaError`` may escape. What is unpacked is packed again and must come back the same, and no name leaves the
folder. The first byte of the input chooses what is tried.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris
import direct

from tabiya.errors import TabiyaError
from tabiya.files.safe_names import safe_parts
from tabiya.formats.cbh.archive.cbv import Archive
from tabiya.formats.cbh.archive.pack_kernel import pack_block
from tabiya.formats.cbh.archive.unpack_kernel import checksum, unpack_block
from tabiya.formats.cbh.bodies.guiding_text import decode_guiding_text, encode_guiding_text

MOST = 1 << 17
MOST_BYTES = 0xFFFF
SMALL = 1 << 12
"""A few bytes unpack to many, and packing those would take most of the time."""
FOLDER = Path(tempfile.mkdtemp(prefix="tabiya-fuzz-"))


def fuzz_block(data: bytes) -> None:
    """What a block stands for comes back from a block of our own."""
    checksum(data)
    content, fault = unpack_block(data, MOST)
    assert len(content) <= MOST
    if not fault and len(content) < (MOST_BYTES if direct.thoroughly(data, 16) else SMALL):
        assert unpack_block(pack_block(content), len(content)) == (content, 0)
    plain = data[: MOST_BYTES - 1]
    assert unpack_block(pack_block(plain), len(plain)) == (plain, 0)


def fuzz_archive(data: bytes) -> None:
    """Members are read or refused."""
    path = FOLDER / "x.cbv"
    path.write_bytes(data)
    try:
        with Archive(path, password="password") as archive:
            for member in archive.members:
                parts = safe_parts(member.name)
                assert parts is None or FOLDER.joinpath(*parts).resolve().is_relative_to(FOLDER.resolve())
                if member.size <= MOST:
                    assert len(archive.read(member)) == member.size
    except TabiyaError:
        pass


def fuzz_text(data: bytes) -> None:
    """A guiding text is shown, and its blob comes back."""
    decoded = decode_guiding_text(data)
    again = encode_guiding_text(decoded.texts, decoded.extras)
    if not decoded.problems:
        assert again == data
    assert decode_guiding_text(again).texts == decoded.texts
    for text in decoded.texts:
        text.plain()
        text.html()
        text.media()


TARGETS = (fuzz_block, fuzz_archive, fuzz_text)


def fuzz(data: bytes) -> None:
    if data:
        TARGETS[data[0] % len(TARGETS)](data[1:])


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
