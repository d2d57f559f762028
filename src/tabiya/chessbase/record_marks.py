"""The first byte of a record in the main file of a database."""

from __future__ import annotations

from enum import IntFlag
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Mark(IntFlag):
    """The first byte of a record."""

    USED = 1
    TEXT = 2
    DELETED = 128


KEPT_MARKS: Final = 0xFF & ~(Mark.TEXT | Mark.DELETED)
"""Marks that follow from no other part of a record."""


def is_text(marks: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which records are guiding texts."""
    found: NDArray[np.bool_] = (marks & np.uint8(Mark.TEXT)) != 0
    return found


def is_deleted(marks: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which records are marked as deleted."""
    found: NDArray[np.bool_] = (marks & np.uint8(Mark.DELETED)) != 0
    return found
