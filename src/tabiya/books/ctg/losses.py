"""Descriptions of data that a book cannot store. The kinds are those of ``records_kernel.pxd``, in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.books.ctg.columns import RAW_CODE
from tabiya.books.ctg.position import position_of
from tabiya.books.writer import lost
from tabiya.chess.basics import Move
from tabiya.errors import TabiyaError
from tabiya.formats.losses import LossReport

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from tabiya.books.ctg.columns import PositionColumns
    from tabiya.formats.losses import Loss

KINDS: Final = (
    ("positions", "positions that do not fit into a signature"),
    ("illegal_moves", "moves that are not legal"),
    ("codeless_moves", "moves of a fourth piece of its kind, which has no code"),
    ("underpromotions", "promotions of a pawn that also promotes to another piece on the same square"),
    ("moves", "moves beyond the 127th of a position"),
    ("numbers", "positions with numbers too large for the format, reduced to its maximum"),
)
TOO_MANY_MOVES: Final = KINDS[4]
NUMBERS: Final = KINDS[5]


def column_losses(found: npt.NDArray[np.int64], columns: PositionColumns) -> LossReport:
    """Return the report of ``write_records``: rows of count, first position, and its move."""
    return LossReport.of(
        lost(what, text, count, _example(columns, row, move))
        for (what, text), (count, row, move) in zip(KINDS, found.tolist(), strict=True)
        if count
    )


def crowded(count: int) -> Loss:
    """Return the loss for positions without a page, because far too many share a hash."""
    return lost("crowded", "positions whose hash too many other positions share", count)


def _example(columns: PositionColumns, row: int, move: int) -> tuple[str, ...]:
    signature = columns.signatures[row].tobytes()
    try:
        place = position_of(signature[: signature[0] & 31]).fen()
    except TabiyaError:
        return (signature.hex(),)
    return (f"{Move(move)} in {place}" if 0 < move < RAW_CODE else place,)
