"""Fuzzes 2CBH: the words of a game, its annotations, and whole files of a small database, whatever their bytes.

The first byte of the input chooses: bodies in sound frames, of ordinary chess or Chess960; bodies with frames of the
input's own; or a file that the input replaces. Only ``TabiyaError`` may escape. Whatever the kernel reads can be
replayed, and every byte of a body is in the columns or kept. Bodies meet the kernel without Arrow; one input in 128
goes the way of the library.
"""

from __future__ import annotations

import shutil
import struct
import sys
import tempfile
from pathlib import Path
from typing import Final

import atheris
import direct
import numpy as np

import tabiya
from tabiya.chessbase.code_page import code_page
from tabiya.errors import TabiyaError
from tabiya.game.annotations import TextEncoding
from tabiya.game.annotations.quoted_moves import ENCODE
from tabiya.game.replay import failures
from tabiya.game.tape_kernel import replay

with atheris.instrument_imports(include=["tabiya.formats.cbh2"]):
    from tabiya.formats.cbh2.container import HEAD, checksum
    from tabiya.formats.cbh2.database import Cbh2Database
    from tabiya.formats.cbh2.read_kernel import read_records

BASE: Final = Path(__file__).parent / "seeds" / "base_2cbh"
SUFFIXES: Final = (".2cba", ".2cbg", ".2cbh", ".2lid")
FOLDER: Final = Path(tempfile.mkdtemp(prefix="tabiya-fuzz-"))
PAGES: Final = [code_page(TextEncoding(page)) for page in ("utf-8", "cp1251")]
FRONT: Final = bytes(12)
ONE: Final = np.ones(1, np.uint8)
NO_KEYS: Final = np.zeros(0, np.uint64)
TAGS: Final = (b"\1\0", b"\2\0")
KINDS: Final = 8
FRAMED, OWN_FRAMES = 4, 5
"""Inputs of a kind below the first are bodies in sound frames, below the second bodies with frames of their own."""


def framed(content: bytes, tag: bytes) -> bytes:
    """A record of this content."""
    fields = {"size": len(content), "checksum": checksum(content), "tag": tag}
    return HEAD.encode(fields) + content + struct.pack("<q", len(content) + 34)


def check_bodies(moves: bytes, annotations: bytes, page: int, *, sound: bool) -> None:
    """What is read can be replayed; where frames are sound, nothing is lost."""
    builder = direct.builder()
    files = FRONT + moves, FRONT + annotations
    first, second = (direct.piece_behind(len(FRONT), file) for file in files)
    letters, letter_bytes = PAGES[page]
    read_records(builder, *files, first, second, ONE, letters, letter_bytes, np.frombuffer(ENCODE, np.uint8))
    columns = direct.finished(builder)
    failed = np.full(1, -1, np.int32)
    replay(
        np.frombuffer(columns["moves"], np.uint16),
        np.frombuffer(columns["move_ends"], np.int32),
        np.frombuffer(columns["start"], np.uint8),
        np.frombuffer(columns["start_ends"], np.int32),
        np.frombuffer(columns["variant"], np.uint8),
        failed,
        NO_KEYS,
        checked=True,
    )
    assert failed[0] == -1, "cannot be replayed"
    if sound and columns["problem_code"]:
        kept = columns["extra_values"]
        whole = (moves[24:-8], annotations[26:-8])
        assert any(content in kept for content in whole), "neither the moves nor the annotations are kept"


def check_database(data: bytes) -> None:
    """A database with one file of these bytes is read in every way."""
    suffix = SUFFIXES[data[0] % len(SUFFIXES)]
    (FOLDER / f"base{suffix}").write_bytes(data[1:])
    try:
        with tabiya.open(FOLDER / "base.2cbh", format="2cbh") as base:
            assert isinstance(base, Cbh2Database)
            count = len(base)
            assert sum(len(batch) for batch in base.headers()) == count
            batch = base.read(0, min(count, 50))
            batch.record_batch.validate(full=True)
            assert (failures(batch) == -1).all(), "cannot be replayed"
            for entities in (base.players, base.tournaments, base.sources, base.teams, base.game_tags):
                assert len(entities[:20]) == min(20, len(entities))
            base.details()
    except TabiyaError:
        pass
    finally:
        shutil.copyfile(BASE / f"base{suffix}", FOLDER / f"base{suffix}")


def fuzz(data: bytes) -> None:
    if len(data) < 4:
        return
    kind, rest = data[0] % KINDS, data[1:]
    if kind > OWN_FRAMES:
        check_database(rest)
        return
    size = min(int.from_bytes(rest[:2], "little"), len(rest) - 2)
    moves, annotations = rest[2 : 2 + size], rest[2 + size :]
    if kind < FRAMED:
        moves, annotations = framed(moves, TAGS[kind & 1]), framed(annotations, b"\0\x20")
    check_bodies(moves, annotations, kind >> 1 & 1, sound=kind < FRAMED)
    if direct.thoroughly(data):
        check_database(bytes([1]) + FRONT + moves)


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    for path in BASE.iterdir():
        shutil.copyfile(path, FOLDER / path.name)
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
