"""The formats that the contract is tested on: every one that tabiya knows, and three of the tests' own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from tabiya.formats import FORMATS, Format
from tabiya.formats.description import Formats
from tests.formats.memory_format import BARE, FULL, SOME

if TYPE_CHECKING:
    import pytest

ALL_FORMATS = Formats(*FORMATS, FULL, SOME, BARE, group="none")
WRITABLE = tuple(format for format in ALL_FORMATS if format.create is not None)


def name_of(format: Format) -> str:
    return format.name


def contents(folder: Path) -> dict[str, bytes]:
    """Every file in a folder with its bytes; segments of a library are numbered anew, because numbers only grow."""
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for name in [name for name in found if name.endswith(".tabiya/manifest.json")]:
        manifest = json.loads(found.pop(name))
        home = re.escape(name.removesuffix("manifest.json"))
        for place, segment in enumerate(manifest["segments"], 1):
            number, segment["number"] = segment["number"], place
            for path in [path for path in found if re.fullmatch(rf"{home}\w+-{number}\.\w+", path)]:
                found[path.replace(f"-{number}.", f"-[{place}].")] = found.pop(path)
        found[name] = json.dumps({**manifest, "next": 0, "sha256": ""}).encode()
    return found


_TINY = {
    "tabiya.formats.writer._GROUP_RECORDS": 3,
    "tabiya.formats.subset._BATCH_RECORDS": 3,
    "tabiya.formats.operations.comparison._WINDOW_RECORDS": 8,
    "tabiya.game.batch._ROWS_AT_ONCE": 2,
    "tabiya.formats.pgn.source.CHUNK_BYTES": 200,
    "tabiya.formats.pgn.source._BLOCK_BYTES": 64,
    "tabiya.formats.pgn.source._BOUNDARY_BYTES": 100,
    "tabiya.formats.bcgn.entries._STRETCH_BYTES": 220,  # the longest entry of the corpus has to fit
    "tabiya.formats.epd.chunks._CHUNK_BYTES": 220,
    "tabiya.formats.chessbase_database._BATCH_RECORDS": 3,
    "tabiya.formats.chessbase_database._HEADER_RECORDS": 2,
    "tabiya.formats.cbh.database.CbhDatabase._batch_bytes": 100,
    "tabiya.formats.cbh2.database.Cbh2Database._batch_bytes": 100,
    "tabiya.formats.jose.archive._PAGE": 3,
    "tabiya.formats.scid.database._BATCH_RECORDS": 3,
    "tabiya.formats.scid.database._BATCH_BYTES": 100,
    "tabiya.formats.scid.database._HEADER_RECORDS": 2,
    "tabiya.formats.parquet.database._BATCH_RECORDS": 3,
    "tabiya.formats.record_file.GROUP_RECORDS": 3,
}
"""Where readers and writers cut, and a measure by which a handful of games becomes many batches."""


def make_batches_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every format cut its records into batches of very few, so that small tests go over many of them."""
    for name, size in _TINY.items():
        monkeypatch.setattr(name, size)
