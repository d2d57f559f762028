"""Runs a condition over the games of batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import CorruptError
from tabiya.evaluations import MoveValues
from tabiya.game import GameBatch, RecordFilter
from tabiya.game.record import RecordKind, Result
from tabiya.game.schema import RECORD_SCHEMA
from tabiya.game.view import strings_of
from tabiya.game.where import Where, both, mask_of
from tabiya.positions.game_facts import NO_RESULT
from tabiya.search.conditions import ANYTHING
from tabiya.search.evaluated import values_table
from tabiya.search.program import compiled
from tabiya.search.scan_kernel import scan_games

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from tabiya.positions.game_facts import MainLines
    from tabiya.search.conditions import Condition
    from tabiya.search.program import Program

FIRST, LAST, COUNT, PLACE = range(4)
"""Columns of the result for a game: plies of the first and of the last match, the number of matches, and the index on
the tape of the move that led to the first. -1 means none; for the index, the start position.
"""

_NO_OFFSETS: Final = np.empty(0, np.int64)
_NO_BYTES: Final = np.empty(0, np.uint8)
_NO_VALUES: Final = np.empty((0, 0), np.int32)


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
        side_of: str | None = None,
    ) -> None:
        """Compile a condition.

        Args:
            condition: the condition that must hold at some ply.
            where: which records to search; all if None.
            variations: whether to search variations, too.
            everything: whether to continue after the first match, to get the last one and the number of matches.
            side_of: a player, part of the name: only games of this player are found, and where the player has Black,
                the condition is tested with the colours exchanged.
        """
        self._condition = condition
        self._programs = [compiled(condition)]
        self._where = where
        self._sides: list[Where] = []
        if side_of is not None:
            self._condition = condition if condition is ANYTHING else condition.for_either_side()
            self._programs.append(compiled(condition.with_colors_exchanged()))
            self._sides = [RecordFilter(white=side_of), RecordFilter(black=side_of)]
            self._where = both(where, RecordFilter(player=side_of))
        self._variations = variations
        self._everything = everything

    def __call__(self, records: pa.RecordBatch) -> pa.BooleanArray:
        """Return which of these records match."""
        return pa.array(self.scan(records)[:, FIRST] >= 0)

    @property
    def condition(self) -> Condition:
        """The condition that must hold at some ply; for either side if it depends on a player."""
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

    @property
    def needs_records(self) -> bool:
        """Whether main lines do not suffice: the condition looks at evaluations or clocks, or at names of players."""
        return bool(self._sides or self._programs[0].values)

    def scan(self, records: pa.RecordBatch) -> NDArray[np.int32]:
        """Return the result for each record; FIRST and the constants after it are the columns."""
        results = pc.fill_null(records["result"], int(Result.UNKNOWN)).to_numpy()
        games = pc.and_(pc.equal(records["kind"], int(RecordKind.GAME)), pc.invert(records["deleted"]))
        selected: NDArray[np.bool_] = games.to_numpy(zero_copy_only=False)
        if self._where is not None:
            selected = selected & mask_of(records, self._where)
        tapes = records["moves"]
        try:
            tokens = tapes.values.to_numpy()
        except pa.ArrowInvalid as error:
            raise CorruptError("this batch is damaged: null among the moves") from error
        offsets = tapes.offsets.to_numpy().astype(np.int64)
        values, value_ends = self._values(records) if selected.any() else (_NO_VALUES, _NO_OFFSETS)
        found = np.full((len(records), 4), -1, np.int32)
        found[:, COUNT] = 0
        for program, chosen in self._runs(records, selected):
            variants = records["variant"].to_numpy()
            part = self._run(program, tokens, offsets, records["start"], variants, results, chosen, values, value_ends)
            found[chosen] = part[chosen]
        return found

    def _runs(self, records: pa.RecordBatch, selected: NDArray[np.bool_]) -> list[tuple[Program, NDArray[np.bool_]]]:
        """Return the programs to run, each with its records; who has both colours counts as White."""
        if not self._sides:
            return [(self._programs[0], selected)]
        white, black = (selected & mask_of(records, side) for side in self._sides)
        return [*zip(self._programs, (white, black & ~white), strict=True)]

    def _values(self, records: pa.RecordBatch) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Return the values that the condition looks at."""
        selected = self._programs[0].values
        if not selected:
            return _NO_VALUES, _NO_OFFSETS
        return values_table(MoveValues(GameBatch(records.select(RECORD_SCHEMA.names))), selected)

    def scan_lines(self, lines: MainLines, facts: NDArray[Any], selected: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Return the results for the requested main lines; ``where`` is ignored, and no records may be needed."""
        results = np.where(facts["result"] == NO_RESULT, Result.UNKNOWN, facts["result"])
        program = self._programs[0]
        return self._run(program, lines.moves, lines.ends, lines.starts, facts["variant"], results, selected)

    def _run(
        self,
        program: Program,
        tokens: NDArray[np.uint16],
        ends: NDArray[np.int64],
        start_texts: pa.Array,
        variants: NDArray[np.uint8],
        results: NDArray[Any],
        selected: NDArray[np.bool_],
        values: NDArray[np.int32] = _NO_VALUES,
        value_ends: NDArray[np.int64] = _NO_OFFSETS,
    ) -> NDArray[np.int32]:
        found = np.empty((len(selected), 4), np.int32)
        starts, start_ends = _texts(start_texts)
        selected = selected & (program.results >> results.astype(np.int64) & 1 == 1)
        scan_games(
            tokens,
            ends,
            starts,
            start_ends,
            np.ascontiguousarray(variants, np.uint8),
            np.ascontiguousarray(results, np.uint8),
            selected.view(np.uint8),
            program.rows,
            program.begins,
            program.needs,
            self._variations,
            self._everything,
            values,
            value_ends,
            found,
        )
        return found


def _texts(column: pa.Array) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return start positions as bytes with their offsets; nothing if all games start from the usual position."""
    if column.null_count == len(column):
        return _NO_BYTES, _NO_OFFSETS
    ends, letters = strings_of(pc.fill_null(column, ""))
    return letters, ends.astype(np.int64)
