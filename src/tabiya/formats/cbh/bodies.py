"""The bodies of games: moves (``.cbg``) and annotations (``.cba``), in bulk between their files and batches.

Everything per move and per comment happens in kernels; this is the door that the database and the writer use.
A body that its columns would not give again byte by byte keeps its bytes in ``extras``: ``cbh.blob`` for the moves,
``cbh.annotations`` for the annotations. They are written again as long as they still say what the record says.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from tabiya.formats.cbh.bodies_kernel import read_blobs, sizes_of
from tabiya.game.annotations import UTF8, TextEncoding
from tabiya.game.assemble import assemble, new_builder

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray
    from typing_extensions import Buffer


__all__ = ["Bodies", "blob_sizes", "read_bodies"]


@dataclass(frozen=True, slots=True)
class Bodies:
    """The columns that come from ``.cbg`` and ``.cba``: one member per record, of the types of RECORD_SCHEMA.

    ``kind`` is TEXT for records that are no games, and OPAQUE for games whose moves cannot be decoded.
    """

    kind: pa.Array
    variant: pa.Array
    start: pa.Array
    moves: pa.Array
    annotations: pa.Array
    extras: pa.Array
    problems: pa.Array


def read_bodies(
    moves: Buffer | None,
    annotations: Buffer | None,
    move_offsets: NDArray[np.int64],
    annotation_offsets: NDArray[np.int64],
    is_game: NDArray[np.uint8],
    *,
    encoding: TextEncoding = UTF8,
    first_number: int = 1,
) -> Bodies:
    """Decodes the bodies of records in a row; never fails on what the files hold.

    Args:
        moves: The whole ``.cbg`` file, or None if there is none.
        annotations: The whole ``.cba`` file, or None.
        move_offsets: Where the blob of each record begins in ``moves``; -1 for none. An offset outside is a problem.
        annotation_offsets: The same in ``annotations``; -1 and 0 both mean that there are none.
        is_game: 1 for games, 0 for guiding texts, whose blobs are not looked at.
        encoding: How the texts of this base are stored (``detect_encoding``).
        first_number: The number of the first record, which annotations repeat.
    """
    builder = new_builder()
    read_blobs(
        builder,
        b"" if moves is None else moves,
        b"" if annotations is None else annotations,
        move_offsets,
        annotation_offsets,
        is_game,
        _letters(encoding),
        encoding.page == "utf-8",
        first_number,
    )
    columns = assemble(builder.finish()).record_batch
    return Bodies(*(columns.column(field.name) for field in fields(Bodies)))


@cache
def _letters(encoding: TextEncoding) -> NDArray[np.uint16]:
    """The letters of the bytes 0x80 to 0xFF where a text is not UTF-8."""
    return np.array([ord(encoding.decode_name(bytes([byte]))) for byte in range(0x80, 0x100)], np.uint16)


def blob_sizes(file: Buffer, offsets: NDArray[np.int64], *, annotations: bool = False) -> NDArray[np.int64]:
    """How many bytes the blob at each offset takes, by its own word and within the file; -1 if none can begin there.

    Args:
        file: The whole ``.cbg`` file.
        offsets: Where blobs begin.
        annotations: Whether this is a ``.cba`` file instead.
    """
    sizes = np.empty(len(offsets), np.int64)
    sizes_of(file, offsets, annotations, sizes)
    return sizes
