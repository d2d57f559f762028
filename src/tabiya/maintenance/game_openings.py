"""The openings of whole batches: the last position of each game that has a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.game.record import RecordKind, Variant
from tabiya.game.view import strings_of
from tabiya.openings import all_openings
from tabiya.search.lines_kernel import rows_of_lines

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.positions.game_facts import MainLines

_PLIES: Final = 60
"""How many half-moves are played: the deepest name is reached after 36, and transpositions take a few more."""
_NAMED: Final = all_openings()
_KEYS: Final = np.sort(np.fromiter(_NAMED, np.uint64, len(_NAMED)).view(np.int64))
OPENINGS: Final = tuple(_NAMED[int(key) & 0xFFFF_FFFF_FFFF_FFFF] for key in _KEYS)
"""All openings, one entry for each of their positions."""


def openings_of(records: pa.RecordBatch, lines: MainLines) -> NDArray[np.int64]:
    """Return for each game the index of its opening in OPENINGS; the length of OPENINGS if no position has a name.

    Games of Chess960 have none.
    """
    count = len(records)
    games = (records["kind"].to_numpy() == RecordKind.GAME) & (records["variant"].to_numpy() == Variant.STANDARD)
    size = len(lines.moves) + count
    keys = np.empty(size, np.int64)
    owners, plies, moves = np.empty(size, np.int32), np.empty(size, np.int16), np.empty(size, np.int16)
    starts, texts = strings_of(pc.fill_null(records["start"], ""))
    found = rows_of_lines(
        *(lines.moves, lines.ends, starts.astype(np.int32), texts, games.astype(np.uint8)),
        *(_PLIES, keys, owners, plies, moves),
    )
    places = np.minimum(np.searchsorted(_KEYS, keys[:found]), len(_KEYS) - 1)
    named = np.flatnonzero(_KEYS[places] == keys[:found])
    openings = np.full(count, len(_KEYS), np.int64)
    openings[owners[named]] = places[named]  # rows are in the order of plies, so the last one remains
    return openings
