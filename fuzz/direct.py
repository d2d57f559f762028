"""Kernels without Arrow between them: the columns that one kernel has read, as another one takes them.

A batch costs a hundred times what kernels take for a small input, and hides overruns: the sanitizer does not know
Arrow's memory. Here every column is copied to memory of its own size. Targets use this for every input, and go the
way of the library (``thoroughly``) with some of them.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.game.annotations.rare_commands import read_with_answers
from tabiya.game.assemble import assemble
from tabiya.game.columns_kernel import BatchBuilder
from tabiya.game.fields import HEADER, NAMES, STORED
from tabiya.game.view_kernel import BatchView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tabiya.game import GameBatch
    from tabiya.game.annotations.read_comments_kernel import Commands

__all__ = [
    "ANNOTATIONS",
    "EXTRAS",
    "PROBLEMS",
    "Columns",
    "batch_of",
    "builder",
    "finished",
    "joined",
    "piece_behind",
    "thoroughly",
    "view_of",
    "with_answers",
]

Columns = dict[str, Any]
"""Those of ``tabiya.game.fields`` in ``bytes``, single values as small as they fit."""

ANNOTATIONS: Final = tuple(name for name, _ in STORED if name.startswith("annotation_"))
EXTRAS: Final = tuple(name for name, _ in STORED if name.startswith("extra_"))
PROBLEMS: Final = tuple(name for name, _ in STORED if name.startswith("problem_"))
_KINDS: Final = {
    field.name: "int32" if field.missing == -1 else field.type.replace("bool", "uint8") for field in HEADER
}
_PLACES: Final = ("interned", *(field.name for field in NAMES))
_SEED: Final = 0x7AB1_7A5E_ED00_0001
"""Always the same: an input must break the contract every time, or never."""


def builder() -> BatchBuilder:
    return BatchBuilder(_SEED)


def with_answers(read: Callable[[BatchBuilder, Commands], object]) -> Columns:
    """The columns that a kernel fills, once the classes have converted rare commands."""
    return finished(read_with_answers(read)[0])


def finished(filled: BatchBuilder) -> Columns:
    """The columns of a builder."""
    columns: Columns = filled.finish()
    headers = np.frombuffer(columns.pop("headers"), np.int32).reshape(-1, len(HEADER))
    for place, field in enumerate(HEADER):
        columns[field.name] = headers[:, place].astype(_KINDS[field.name]).tobytes()
    for name, _ in STORED:
        columns[name] = bytes(columns[name])
    columns["interned"] = [(bytes(letters), bytes(ends)) for letters, ends in columns["interned"]]
    return columns


def _single_values(columns: Columns) -> Columns:
    return {name: np.frombuffer(columns[name], kind).astype(np.int32) for name, kind in _KINDS.items()}


def view_of(columns: Columns) -> BatchView:
    """What writing kernels take."""
    return BatchView(columns["records"], columns | _single_values(columns))


def batch_of(columns: Columns) -> GameBatch:
    """What the library makes of them."""
    return assemble(columns | {"headers": np.stack(list(_single_values(columns).values()), axis=1).tobytes()})


def joined(parts: Iterable[Columns]) -> Columns:
    """All that can be said of batches in a row without looking at where lists and texts end."""
    members: Columns = {}
    for columns in parts:
        for name, column in columns.items():
            if name not in _PLACES and not name.endswith("_ends"):
                members[name] = members[name] + column if name in members else column
    return members


def piece_behind(front: int, file: bytes) -> Any:
    """The one body of a ChessBase file, behind its prolog, as ``read_blobs`` is told where bodies are."""
    return (
        memoryview(struct.pack("qqq", *((front, len(file) - front, front) if file else (0, 0, 0))))
        .cast("B", (24,))
        .cast("q", (1, 3))
    )


def thoroughly(data: bytes, one_in: int = 128) -> bool:
    """Whether an input goes the way of the library; always the same for it, or it could not be run again."""
    return zlib.crc32(data) % one_in == 0
