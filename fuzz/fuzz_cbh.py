"""Fuzzes ChessBase bases: one file of a small base is replaced by the input, whatever its bytes.

Only ``TabiyaError`` may escape. Whatever opens has as many headers as records, and its records come back from columns,
tags and extras. The first byte of the input chooses the file. Headers are read by Python, so its code is instrumented,
too; half of the inputs are only read.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

import atheris
import direct

import tabiya
from tabiya.errors import TabiyaError

with atheris.instrument_imports(include=["tabiya.formats.cbh"]):
    from tabiya.chessbase.record_marks import is_text
    from tabiya.formats.cbh.database import CbhDatabase
    from tabiya.formats.cbh.files.cbh import GAME
    from tabiya.formats.cbh.writing.header_records import encode_headers
from tabiya.formats.cbh.reading.keyed_members import EXTRA_KEYS, TAG_KEYS, Items

BASE = Path(__file__).parent.parent / "tests" / "data" / "cbh"
SUFFIXES = sorted(path.suffix for path in BASE.glob("handmade.*"))
FOLDER = Path(tempfile.mkdtemp(prefix="tabiya-fuzz-"))
FIELDS = ("marks", "date", "result", "line_evaluation", "round", "subround", "white_elo", "black_elo", "eco", "medals")
MOST_RECORDS = 200
WRITTEN_ONE_IN = 2


def check_reading(base: CbhDatabase) -> None:
    """Records, entities and details are read."""
    base.read(0, min(len(base), MOST_RECORDS)).record_batch.validate(full=True)
    for entities in (base.players, base.tournaments, base.annotators, base.sources, base.teams, base.game_tags):
        assert len(list(entities)) == len(entities)
    base.details()


def check_writing(base: CbhDatabase) -> None:
    """Headers are as many as records, and the records can be made again."""
    assert sum(len(batch) for batch in base.headers()) == len(base)
    batch = base.read(0, min(len(base), MOST_RECORDS))
    records = batch.record_batch
    tags, extras = Items.of(records["tags"], TAG_KEYS), Items.of(records["extras"], EXTRA_KEYS)
    headers = encode_headers(records, tags, extras, base.name_encoding)
    stored = GAME.view(base.files[0].read_bytes(), GAME.size, len(batch))
    games = ~is_text(GAME.column(stored, "marks"))
    for name in FIELDS:
        assert (GAME.column(headers.games, name)[games] == GAME.column(stored, name)[games]).all(), name


def fuzz(data: bytes) -> None:
    if not data:
        return
    suffix = SUFFIXES[data[0] % len(SUFFIXES)]
    (FOLDER / f"handmade{suffix}").write_bytes(data[1:])
    try:
        with tabiya.open(FOLDER / "handmade.cbh", format="cbh") as base:
            assert isinstance(base, CbhDatabase)
            check_reading(base)
            if direct.thoroughly(data, WRITTEN_ONE_IN):
                check_writing(base)
    except TabiyaError:
        pass
    finally:
        shutil.copyfile(BASE / f"handmade{suffix}", FOLDER / f"handmade{suffix}")


def main() -> None:
    """Hand over to libFuzzer, with its options from the command line."""
    for path in BASE.glob("handmade.*"):
        shutil.copyfile(path, FOLDER / path.name)
    atheris.Setup(sys.argv, fuzz)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
