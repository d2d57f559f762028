"""Positions of a book in bulk: numpy columns, which readers return and the writer takes.

Everything is in the frame of the book: White to move, the king of the side to move on the right half of the board
if neither side can castle. Kernels convert with C functions of ``signature_kernel.pxd`` and ``positions/frame.pxd``::

    frame_of_board(&board, False, &frame)     # normalise
    length = pack(&frame, signature)          # at most 31 bytes, room for 32; 0 if the position fits no signature
    move = real_move(token, frame.mask)       # a token of the real board in the frame, and back
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from typing import Self

    import numpy.typing as npt
    import pyarrow as pa

SIGNATURE_SIZE: Final = 32

STATISTICS: Final = (
    *("games", "wins", "losses", "draws", "score"),
    *("rated", "rating_sum", "opponents_rated", "opponents_sum"),
)
"""The numbers of a position, in the order of ``PositionColumns.statistics``.

Games that reached the position, of these won, lost and drawn by the side to move; its points times ten (negative: to
be computed from the results); rated players of the side to move and the sum of their ratings; likewise the opponents.
"""

MARKS: Final = ("recommendation", "recommendation_2", "nag")
"""The bytes of a position, in the order of ``PositionColumns.marks``: recommendation, an unknown byte, NAG."""

RAW_CODE: Final = 0x8000
"""Set in a move that is not a token: its low byte is an unassigned code, or an unusual code of a move."""


Numbers: TypeAlias = tuple[int, int, int, int, int, int, int, int, int, int, int, int]
"""``STATISTICS`` and ``MARKS`` of one position."""


@dataclass(frozen=True, slots=True, eq=False)
class PositionColumns:
    """Positions with their moves, as columns. Rows are in no particular order."""

    signatures: npt.NDArray[np.uint8]
    """n x 32: packed positions, padded with zeros."""
    statistics: npt.NDArray[np.int64]
    """n x 9, see ``STATISTICS``. The writer clamps and reports values that do not fit the file."""
    marks: npt.NDArray[np.uint8]
    """n x 3, see ``MARKS``."""
    move_ends: npt.NDArray[np.int64]
    """n + 1: the moves of position i are those from ``move_ends[i]`` to ``move_ends[i + 1]``."""
    moves: npt.NDArray[np.uint16]
    """Tokens (``tabiya.chess.Move``) in the frame of the book, or ``RAW_CODE`` with a code."""
    move_nags: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.signatures)

    @classmethod
    def from_arrow(cls, batch: pa.RecordBatch | pa.Table) -> Self:
        """Return columns of a table: ``signature`` (binary) and any of the others by name.

        These are ``moves`` (list of uint16), ``move_nags`` (list of uint8), and integers named as in ``STATISTICS`` and
        ``MARKS``. Missing or null values count as 0; a missing score is computed.
        """
        from tabiya.books.ctg.arrow_tables import columns_of_table  # noqa: PLC0415 - pyarrow is slow to import

        return cls(*columns_of_table(batch))

    def to_arrow(self) -> pa.RecordBatch:
        """Return a table with all these columns."""
        from tabiya.books.ctg.arrow_tables import table_of_columns  # noqa: PLC0415 - pyarrow is slow to import

        return table_of_columns(self)

    def statistic(self, name: str) -> npt.NDArray[np.int64]:
        """Return one column of the statistics."""
        column: npt.NDArray[np.int64] = self.statistics[:, STATISTICS.index(name)]
        return column

    def mark(self, name: str) -> npt.NDArray[np.uint8]:
        """Return one column of the marks."""
        column: npt.NDArray[np.uint8] = self.marks[:, MARKS.index(name)]
        return column

    def part(self, start: int, stop: int) -> PositionColumns:
        """Return the positions from ``start`` to before ``stop``; shares memory."""
        first, last = int(self.move_ends[start]), int(self.move_ends[stop])
        return PositionColumns(
            self.signatures[start:stop],
            self.statistics[start:stop],
            self.marks[start:stop],
            self.move_ends[start : stop + 1] - first,
            self.moves[first:last],
            self.move_nags[first:last],
        )


def empty_columns(positions: int, moves: int) -> dict[str, npt.NDArray[Any]]:
    """Return arrays for this many positions and moves, by the names of the fields."""
    return {
        "signatures": np.zeros((positions, SIGNATURE_SIZE), np.uint8),
        "statistics": np.zeros((positions, len(STATISTICS)), np.int64),
        "marks": np.zeros((positions, len(MARKS)), np.uint8),
        "move_ends": np.zeros(positions + 1, np.int64),
        "moves": np.zeros(moves, np.uint16),
        "move_nags": np.zeros(moves, np.uint8),
    }
