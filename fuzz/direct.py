"""Kernels without Arrow between them: the columns that one kernel has read, as another one takes them.

A batch costs a hundred times what kernels take for a small input, and hides overruns: the sanitizer does not know
Arrow's memory. Here every column is copied to memory of its own size. Targets use this for every input, and go the
way of the library (``thoroughly``) with some of them.
"""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING, Any, Final, Literal

from tabiya.game.columns_kernel import BatchBuilder
from tabiya.game.view_kernel import BatchView

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "ANNOTATIONS",
    "EXTRAS",
    "Columns",
    "builder",
    "finished",
    "joined",
    "piece_behind",
    "thoroughly",
    "view_of",
]

Columns = dict[str, Any]
"""As ``BatchBuilder.finish`` gives them, in ``bytes``."""

ANNOTATIONS: Final = tuple(
    f"annotation_{name}" for name in ("ends", "move", "side", "kind", "lang", "data", "has_raw", "raw")
)
EXTRAS: Final = ("extra_ends", "extra_keys", "extra_values")
_INTEGERS: Final[dict[str, Literal["H", "i"]]] = {
    "year": "H",
    "moves": "H",
    "annotation_kind": "H",
    **dict.fromkeys(("white_elo", "black_elo", "annotation_move"), "i"),
    **dict.fromkeys(("tag_ends", "move_ends", "annotation_ends", "extra_ends"), "i"),
}
_BYTES: Final = (
    *("kind", "variant", "has_start", "month", "day", "result"),
    *("annotation_side", "annotation_lang", "annotation_has_raw"),
)
_STRINGS: Final = (
    *("start", "tag_names", "tag_values", "annotation_data", "annotation_raw", "extra_keys", "extra_values"),
)
_NO_BUFFERS: Final = ("records", "names", "interned")
_SEED: Final = 0x7AB1_7A5E_ED00_0001
"""Always the same: an input must break the contract every time, or never."""


def builder() -> BatchBuilder:
    return BatchBuilder(_SEED)


def finished(filled: BatchBuilder) -> Columns:
    """The columns of a builder."""
    columns: Columns = filled.finish()
    for name, column in columns.items():
        if type(column) is tuple:
            columns[name] = _copied(column)
        elif name not in _NO_BUFFERS:
            columns[name] = bytes(column)
    columns["names"] = [bytes(name) for name in columns["names"]]
    columns["interned"] = [_copied(strings) for strings in columns["interned"]]
    return columns


def _copied(column: tuple[Any, Any]) -> tuple[bytes, bytes]:
    data, ends = column
    return bytes(data), bytes(ends)


def view_of(columns: Columns) -> BatchView:
    """What writing kernels take."""
    view: Columns = {name: columns[name] for name in _BYTES}
    for name, letter in _INTEGERS.items():
        view[name] = memoryview(columns[name]).cast(letter)
    for name in _STRINGS:
        view[name] = _strings(columns[name])
    view["names"] = [memoryview(name).cast("i") for name in columns["names"]]
    view["interned"] = [_strings(strings) for strings in columns["interned"]]
    return BatchView(columns["records"], view)


def _strings(column: tuple[bytes, bytes]) -> tuple[memoryview, bytes]:
    data, ends = column
    return memoryview(ends).cast("i"), data


def joined(parts: Iterable[Columns]) -> Columns:
    """All that can be said of batches in a row without looking at where lists and texts end."""
    members: Columns = {}
    for columns in parts:
        for name, column in columns.items():
            if name not in ("names", "interned") and not name.endswith("_ends"):
                part = column[0] if isinstance(column, tuple) else column
                members[name] = members[name] + part if name in members else part
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
