"""Problems of the files of a base that can be found without reading bodies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from tabiya.binary import Layout, Record
from tabiya.chessbase.stored_records import declared_layout
from tabiya.formats.cbh.bodies.blobs import read_prolog
from tabiya.formats.cbh.entities import cbtt
from tabiya.formats.cbh.entities.entity_file import EntityFile
from tabiya.formats.cbh.files import cbb, cbgi, cbj
from tabiya.formats.cbh.files.base_files import MAIN, BaseFiles, companion
from tabiya.formats.cbh.files.cbh import RECORD_SIZE
from tabiya.game.record import Problem

MISSING_FILE: Final = 120
SHORT_FILE: Final = 121
STALE_FILE: Final = 122
DAMAGED_FILE: Final = 127

_REQUIRED: Final = (".cbg", ".cba", ".cbp", ".cbt", ".cbc", ".cbs")
_NEWER: Final = (".cbe", ".cbl", ".cbtt")
"""Files introduced together with .cbj, or later."""


def inspect(files: BaseFiles, header: Record, count: int, entities: Mapping[str, EntityFile[Any]]) -> Iterator[Problem]:
    """Yield the problems of the base as a whole, which has this many records."""
    yield from _missing(files)
    yield from _main(header, count)
    for suffix in (".cbg", ".cba"):
        yield from _container(files, suffix)
    yield from _extended(files, count)
    for suffix, file in entities.items():
        yield from (Problem(DAMAGED_FILE, None, f"{suffix}: {words}") for words in file.complaints)
    yield from _stale(files, count)


def _missing(files: BaseFiles) -> Iterator[Problem]:
    yield from (Problem(MISSING_FILE, None, name) for name in missing_files(files))


def missing_files(files: BaseFiles) -> tuple[str, ...]:
    """Return the names of the files without which a base is incomplete."""
    needed = [*_REQUIRED, *([".cbj"] if any(suffix in files for suffix in _NEWER) else [])]
    return tuple(companion(files.main, suffix).name for suffix in needed if suffix not in files)


def _main(header: Record, count: int) -> Iterator[Problem]:
    declared = int(header["next_game"]) - 1
    if count < declared:
        yield Problem(SHORT_FILE, RECORD_SIZE * (1 + count), f"{MAIN} has {count} of {declared} records")
    again = header["next_game_again"]
    if again not in (0, header["next_game"]):
        yield Problem(DAMAGED_FILE, 40, f"{MAIN}: its two record counts differ")


def _container(files: BaseFiles, suffix: str) -> Iterator[Problem]:
    if suffix not in files:
        return
    data = files.data(suffix)
    prolog = read_prolog(data)
    if prolog is None:
        yield Problem(DAMAGED_FILE, 0, f"{suffix}: its prolog is invalid")
    elif prolog.file_size > len(data):
        yield Problem(SHORT_FILE, len(data), f"{suffix} has {len(data)} of {prolog.file_size} bytes")


def _extended(files: BaseFiles, count: int) -> Iterator[Problem]:
    if ".cbj" not in files:
        return
    data = files.data(".cbj")
    _, records = cbj.records_of(data)
    declared = _declared(cbj.HEADER, data)
    if declared_layout(cbj.HEADER, cbj.RECORD, data) is None:
        yield Problem(DAMAGED_FILE, 0, ".cbj: its header is invalid")
    elif len(records) < declared:
        yield Problem(SHORT_FILE, len(data), f".cbj has {len(records)} of {declared} records")
    elif len(records) < count:
        yield Problem(SHORT_FILE, None, f".cbj has records for {len(records)} of {count} games")
    if ".cbtt" in files and declared_layout(cbtt.HEADER, cbtt.RECORD, files.data(".cbtt")) is None:
        yield Problem(DAMAGED_FILE, 0, ".cbtt: its header is invalid")


def _stale(files: BaseFiles, count: int) -> Iterator[Problem]:
    """Yield boosters with a different number of records: they were created before the base was changed."""
    for suffix, layout in ((".cbgi", cbgi.HEADER), (".cbb", cbb.HEADER)):
        if suffix in files and (found := _declared(layout, files.data(suffix))) != count:
            yield Problem(STALE_FILE, None, f"{suffix} covers {found} of {count} records")


def _declared(layout: Layout, data: Any) -> int:
    """Return the number of records that a header declares."""
    return int(layout.read(data)["records"]) if len(data) >= layout.size else 0
