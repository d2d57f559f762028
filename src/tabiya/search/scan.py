"""Runs a condition over the games of batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import CorruptError
from tabiya.game.record import RecordKind, Result
from tabiya.game.view import strings_of
from tabiya.game.where import Where, mask_of
from tabiya.positions.game_facts import NO_RESULT
from tabiya.search.program import compiled
from tabiya.search.scan_kernel import scan_games

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from tabiya.positions.game_facts import MainLines
    from tabiya.search.conditions import Condition

FIRST, LAST, COUNT, PLACE = range(4)
"""Columns of the result for a game: plies of the first and of the last match, the number of matches, and the index on
the tape of the move that led to the first. -1 means none; for the index, the start position.
"""

_NO_OFFSETS: Final = np.empty(0, np.int64)
_NO_BYTES: Final = np.empty(0, np.uint8)


class Scanner:
    """A compiled condition, together with one on the headers; finds games in batches.

    Called with the columns of records it returns a mask, so it can be used as a ``where``. Texts, records that could
    not be decoded and records marked as deleted are never found.
    """

    def __init__(
        self,
        condition: Condition,
        where: Where | None = None,
        *,
        variations: bool = False,
        everything: bool = False,
    ) -> None:
        """Compile a condition.

        Args:
            condition: the condition that must hold at some ply.
            where: which records to search; all if None.
            variations: whether to search variations, too.
            everything: whether to continue after the first match, to get the last one and the number of matches.
        """
        self._condition = condition
        self._program = compiled(condition)
        self._where = where
        self._variations = variations
        self._everything = everything

    def __call__(self, records: pa.RecordBatch) -> pa.BooleanArray:
        """Return which of these records match."""
        return pa.array(self.scan(records)[:, FIRST] >= 0)

    @property
    def condition(self) -> Condition:
        """The condition that must hold at some ply."""
        return self._condition

    @property
    def where(self) -> Where | None:
        """Which records are searched; all if None."""
        return self._where

    @property
    def everything(self) -> bool:
        """Whether the last match and the number of matches are determined."""
        return self._everything

    @property
    def variations(self) -> bool:
        """Whether variations are searched, too."""
        return self._variations

    def scan(self, records: pa.RecordBatch) -> NDArray[np.int32]:
        """Return the result for each record; FIRST and the constants after it are the columns."""
        results = pc.fill_null(records["result"], int(Result.UNKNOWN)).to_numpy()
        games = pc.and_(pc.equal(records["kind"], int(RecordKind.GAME)), pc.invert(records["deleted"]))
        wanted: NDArray[np.bool_] = games.to_numpy(zero_copy_only=False)
        if self._where is not None:
            wanted = wanted & mask_of(records, self._where)
        tapes = records["moves"]
        try:
            tokens = tapes.values.to_numpy()
        except pa.ArrowInvalid as error:
            raise CorruptError("this batch is damaged: null among the moves") from error
        offsets = tapes.offsets.to_numpy().astype(np.int64)
        return self._run(tokens, offsets, records["start"], records["variant"].to_numpy(), results, wanted)

    def scan_lines(self, lines: MainLines, facts: NDArray[Any], wanted: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return the results for the requested main lines; ``where`` is ignored."""
        results = np.where(facts["result"] == NO_RESULT, Result.UNKNOWN, facts["result"])
        return self._run(lines.moves, lines.ends, lines.starts, facts["variant"], results, wanted)

    def _run(
        self,
        tokens: NDArray[np.uint16],
        ends: NDArray[np.int64],
        start_texts: pa.Array,
        variants: NDArray[np.uint8],
        results: NDArray[Any],
        wanted: NDArray[np.bool_],
    ) -> NDArray[np.int32]:
        found = np.empty((len(wanted), 4), np.int32)
        starts, start_ends = _texts(start_texts)
        wanted = wanted & (self._program.results >> results.astype(np.int64) & 1 == 1)
        scan_games(
            tokens,
            ends,
            starts,
            start_ends,
            np.ascontiguousarray(variants, np.uint8),
            np.ascontiguousarray(results, np.uint8),
            wanted.view(np.uint8),
            self._program.rows,
            self._program.begins,
            self._program.needs,
            self._variations,
            self._everything,
            found,
        )
        return found


def _texts(column: pa.Array) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return start positions as bytes with their offsets; nothing if all games start from the usual position."""
    if column.null_count == len(column):
        return _NO_BYTES, _NO_OFFSETS
    ends, letters = strings_of(pc.fill_null(column, ""))
    return letters, ends.astype(np.int64)
