"""Writes books, from positions in any order and of any number."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    import pyarrow as pa

    from tabiya.books.ctg.columns import PositionColumns
    from tabiya.formats.losses import LossReport

__all__ = ["write_book"]


def write_book(
    path: str | PathLike[str],
    positions: Iterable[PositionColumns | pa.RecordBatch],
    *,
    overwrite: bool = False,
    strict: bool = False,
    games: int | None = None,
) -> LossReport:
    """Write a CTG book (.ctg, .ctb, .cto) from positions in any order; memory stays bounded, whatever their number.

    Record batches are read as ``PositionColumns.from_arrow`` does. A position that comes several times, also in
    different batches, is merged: results and ratings are added up, moves and recommendations united. The bytes do not
    depend on the order of the positions nor on how they were cut into batches.

    Every position that a move leads to should come as a position too, with the results of the games that went there:
    that is where programs look for the numbers of a move.

    Args:
        path: the book; ``.ctg`` is the usual suffix.
        positions: what to write; see ``tabiya.books.ctg.columns``.
        overwrite: replace a book that exists.
        strict: raise ``LossError`` instead of losing anything; the target stays untouched.
        games: the number of games in the header; else that of the start position.

    Returns:
        What could not be stored: moves without a code (fourth pieces), moves that are not legal, underpromotions
        beside the queen, numbers that are too large, positions that no signature holds.
    """
    raise NotImplementedError
