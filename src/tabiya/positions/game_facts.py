"""One row of fixed size per record: all data of a game that filters and statistics of positions need.

A library keeps these rows in a memory-mapped file, so the games of a popular position cost one cache line each. Names
are numbers in the rows, assigned by a ``NameTable``.
"""

from __future__ import annotations

from enum import IntFlag
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import CorruptError
from tabiya.game.record import RecordKind
from tabiya.game.time_controls import time_class
from tabiya.positions.main_lines_kernel import main_lines
from tabiya.positions.name_table import NO_NAME, NameTable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import Any

    from numpy.typing import NDArray

    from tabiya.game import GameBatch

FACTS: Final = np.dtype(
    [
        ("date", np.uint32),  # year, month and day as yyyymmdd; 0 for unknown parts
        ("white_elo", np.uint16),
        ("black_elo", np.uint16),
        ("white", np.int32),
        ("black", np.int32),
        ("event", np.int32),
        ("site", np.int32),
        ("eco", np.uint16),  # A00 is 0, E99 is 499
        ("plies", np.uint16),  # of the main line, 65,535 at most
        ("result", np.uint8),
        ("time_class", np.uint8),
        ("variant", np.uint8),
        ("flags", np.uint8),
    ]
)
NO_RATING: Final = 0xFFFF
NO_RESULT: Final = 0xFF
NO_ECO: Final = 0xFFFF
OTHER_ECO: Final = 0xFFFE
"""A code that is none of the 500, such as ``B90a``."""
_MOST_PLIES: Final = 0xFFFF
_CODES: Final = {
    f"{letter}{number:02}": 100 * place + number for place, letter in enumerate("ABCDE") for number in range(100)
}


_CODE_TEXTS: Final = pa.array(list(_CODES))


class Flag(IntFlag):
    """Further facts about a record."""

    GAME = 1
    """A game, not a text or a record that could not be decoded."""
    DELETED = 2
    SET_UP = 4
    """It does not begin with the usual start position."""
    VARIATIONS = 8
    ANNOTATIONS = 16


class MainLines(NamedTuple):
    """The moves of games without their variations, as needed by scans."""

    moves: NDArray[np.uint16]
    """Moves of all games in sequence; tokens of the tape."""
    ends: NDArray[np.int64]
    """End of the moves of each game, after a 0."""
    starts: pa.Array
    """FEN of the start position; null for the usual one."""


def main_lines_of(batch: GameBatch) -> MainLines:
    """Return the main lines of a batch."""
    tapes = batch.record_batch["moves"]
    offsets = tapes.offsets.to_numpy()
    tokens = tapes.values.to_numpy()
    moves, ends = np.empty(len(tokens), np.uint16), np.empty(len(offsets), np.int64)
    count = main_lines(tokens, offsets, moves, ends)
    return MainLines(moves[:count], ends, batch.record_batch["start"])


def facts_of(batch: GameBatch, names: NameTable, lines: MainLines | None = None) -> NDArray[Any]:
    """Return the facts of all records of a batch, as FACTS; ``lines`` are their main lines, if already known."""
    records = batch.record_batch
    lines = main_lines_of(batch) if lines is None else lines
    facts = header_facts(records, names)
    plies = np.diff(lines.ends)
    facts["plies"] = np.minimum(plies, _MOST_PLIES)
    facts["flags"] |= _flags(
        {
            Flag.VARIATIONS: np.diff(records["moves"].offsets.to_numpy()) != plies,
            Flag.ANNOTATIONS: np.diff(records["annotations"].offsets.to_numpy()) != 0,
        }
    )
    return facts


def header_facts(records: pa.RecordBatch, names: NameTable) -> NDArray[Any]:
    """Return the facts in the headers of records, as FACTS: all except plies, and flags for more than a main line."""
    facts = np.zeros(len(records), FACTS)
    for column, factor in (("year", 10_000), ("month", 100), ("day", 1)):
        facts["date"] += _numbers(records[column], 0).astype(np.uint32) * np.uint32(factor)
    for column in ("white_elo", "black_elo"):
        facts[column] = _numbers(records[column], NO_RATING)
    for column in ("white", "black", "event", "site"):
        facts[column] = names.ids_of(records[column])
    facts["eco"] = _eco_of(records["eco"])
    facts["result"] = _numbers(records["result"], NO_RESULT)
    facts["variant"] = _numbers(records["variant"], 0)
    facts["time_class"] = _time_classes(records["tags"])
    facts["flags"] = _flags(
        {
            Flag.GAME: pc.equal(records["kind"], RecordKind.GAME),
            Flag.DELETED: records["deleted"],
            Flag.SET_UP: pc.is_valid(records["start"]),
        }
    )
    return facts


def records_of(facts: NDArray[Any], names: pa.Array, columns: Collection[str] | None = None) -> pa.RecordBatch:
    """Convert facts back to columns of records, as far as they are exact: for conditions on headers.

    ``names`` are those of a ``NameTable`` in the order of their numbers; without ``columns`` all are made. Codes are
    left out if one is none of the 500, because the facts do not contain it.
    """
    date = facts["date"]
    kinds = (RecordKind.GAME, RecordKind.OPAQUE)
    makers: dict[str, Callable[[], pa.Array]] = {
        "kind": lambda: pa.array(np.where(facts["flags"] & Flag.GAME, *kinds).astype(np.uint8)),
        "deleted": lambda: pa.array(facts["flags"] & Flag.DELETED != 0),
        "variant": lambda: pa.array(np.ascontiguousarray(facts["variant"])),
        "year": lambda: _or_null(date // 10_000, 0, np.uint16),
        "month": lambda: _or_null(date // 100 % 100, 0, np.uint8),
        "day": lambda: _or_null(date % 100, 0, np.uint8),
        "white_elo": lambda: _or_null(facts["white_elo"], NO_RATING, np.uint16),
        "black_elo": lambda: _or_null(facts["black_elo"], NO_RATING, np.uint16),
        "result": lambda: _or_null(facts["result"], NO_RESULT, np.uint8),
        **{name: partial(_texts, facts[name], NO_NAME, names) for name in ("white", "black", "event", "site")},
    }
    if (columns is None or "eco" in columns) and not (facts["eco"] == OTHER_ECO).any():
        makers["eco"] = partial(_texts, facts["eco"], NO_ECO, _CODE_TEXTS)
    return pa.record_batch({name: make() for name, make in makers.items() if columns is None or name in columns})


def _texts(numbers: NDArray[Any], missing: int, texts: pa.Array) -> pa.DictionaryArray:
    try:
        return pa.DictionaryArray.from_arrays(_or_null(numbers, missing, np.int32), texts)
    except pa.ArrowIndexError as error:
        what = "the filter of the library is damaged: it has numbers of names that do not exist"
        raise CorruptError(f"{what}; tabiya check gives details") from error


def _or_null(values: NDArray[Any], missing: int, kind: type[np.generic]) -> pa.Array:
    return pa.array(values.astype(kind), mask=values == missing)


def _numbers(column: pa.Array, missing: int) -> NDArray[Any]:
    filled: NDArray[Any] = pc.fill_null(column, missing).to_numpy(zero_copy_only=False)
    return filled


def _eco_of(column: pa.DictionaryArray) -> NDArray[np.uint16]:
    codes = [_CODES.get(name, OTHER_ECO) if name else NO_ECO for name in column.dictionary.to_pylist()]
    numbers = np.array([*codes, NO_ECO], np.uint16)
    found: NDArray[np.uint16] = numbers[_numbers(column.indices, len(codes))]
    return found


def _time_classes(column: pa.ListArray) -> NDArray[np.uint8]:
    classes = np.zeros(len(column), np.uint8)
    tags = column.flatten()
    named = pc.equal(tags.field("name"), "TimeControl")
    values = tags.field("value").filter(named).dictionary_encode()
    known = np.array([time_class(text) for text in values.dictionary.to_pylist()], np.uint8)
    if len(known):
        classes[pc.list_parent_indices(column).filter(named).to_numpy()] = known[values.indices.to_numpy()]
    return classes


def _flags(values_of_flag: dict[Flag, Any]) -> NDArray[np.uint8]:
    """Return flags as numbers; ``values_of_flag`` maps each flag to the records that have it."""
    columns = [np.where(np.asarray(holds), np.uint8(flag), np.uint8(0)) for flag, holds in values_of_flag.items()]
    flags: NDArray[np.uint8] = np.bitwise_or.reduce(columns)
    return flags
