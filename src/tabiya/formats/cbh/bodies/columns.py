"""The bodies of games: moves (``.cbg``) and annotations (``.cba``), in bulk between their files and batches.

All work per move and per comment happens in kernels; this module is their interface for the database and the writer. If
the columns would not reproduce a body byte by byte, its bytes are kept in ``extras``: ``cbh.blob`` for the moves,
``cbh.annotations`` for the annotations. They are written again as long as they match the record.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.chessbase.body_columns import Bodies
from tabiya.chessbase.code_page import code_page
from tabiya.chessbase.game_flags import KNOWN_FLAGS, Flag
from tabiya.files.file_bytes import gathered
from tabiya.formats.cbh.bodies.blobs import ANNOTATIONS_HEAD, MOVES_HEAD, annotation_sizes, move_sizes
from tabiya.formats.cbh.bodies.read_kernel import read_blobs
from tabiya.formats.cbh.bodies.write_kernel import write_blobs
from tabiya.formats.cbh.messages import BODY_LOSSES
from tabiya.formats.losses import LossReport
from tabiya.game.annotations import (
    KINDS,
    NAGS,
    SYMBOLS,
    TEXT_AFTER,
    TEXT_BEFORE,
    UTF8,
    CorrespondenceHeader,
    TextEncoding,
    Video,
    decode_payload,
)
from tabiya.game.assemble import new_builder
from tabiya.game.view import view_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.files.file_bytes import FileBytes
    from tabiya.game import GameBatch


def read_bodies(
    moves: FileBytes | bytes | None,
    annotations: FileBytes | bytes | None,
    move_offsets: NDArray[np.int64],
    annotation_offsets: NDArray[np.int64],
    is_game: NDArray[np.uint8],
    *,
    encoding: TextEncoding = UTF8,
    first_number: int = 1,
) -> Bodies:
    """Decode the bodies of consecutive records; never fails on the content of the files.

    All of them are in memory at once, and a damaged header may send many records to one large blob: cut a base into
    batches by the sizes of blobs, as ``CbhDatabase`` does.

    Args:
        moves: The ``.cbg`` file, or None if there is none.
        annotations: The ``.cba`` file, or None.
        move_offsets: Where the blob of each record begins in ``moves``; -1 for none. An offset outside is a problem;
            REFUSED_BODY marks one that is not to be read.
        annotation_offsets: The same in ``annotations``; -1 and 0 both mean that there are none.
        is_game: 1 for games, 0 for guiding texts, whose blobs are ignored.
        encoding: The encoding of the texts of this base (``detect_encoding``).
        first_number: The number of the first record, which annotations repeat.
    """
    builder = new_builder()
    if not len(move_offsets) == len(annotation_offsets) == len(is_game):
        raise ValueError("there must be offsets for every record")
    games = is_game != 0
    blobs, pieces = _pieces(moves, move_offsets, move_sizes, games, MOVES_HEAD)
    comments, comment_pieces = _pieces(
        annotations, annotation_offsets, annotation_sizes, games & (annotation_offsets > 0), ANNOTATIONS_HEAD
    )
    read_blobs(
        builder,
        blobs,
        comments,
        pieces,
        comment_pieces,
        is_game,
        *code_page(encoding),
        encoding.page == "utf-8",
        first_number,
    )
    return Bodies.of(builder)


def _pieces(
    data: FileBytes | bytes | None,
    offsets: NDArray[np.int64],
    sizes_of: Callable[[Any, NDArray[np.int64]], NDArray[np.int64]],
    selected: NDArray[np.bool_],
    head: int,
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return the blobs in one buffer, and per record where its blob begins there, its length and its file offset.

    A blob with a declared size shorter than its header is read with the header; one that extends beyond the file is
    cut.
    """
    data = b"" if data is None else data
    inside = selected & (offsets >= 0) & (offsets <= len(data) - head)
    sizes = np.where(inside, np.maximum(sizes_of(data, np.where(inside, offsets, -1)), head), 0)
    blobs, places = gathered(data, offsets, sizes)
    return blobs, np.stack([places, sizes, offsets], axis=1)


STATISTICS: Final = np.dtype(
    [
        ("plies", np.uint32),
        ("variation_plies", np.uint32),
        ("flags", np.uint32),
        ("medals", np.uint32),
        ("text_bytes", np.uint32),
        ("symbols", np.uint32),
        ("squares", np.uint32),
        ("arrows", np.uint32),
        ("times", np.uint32),
        ("trainings", np.uint32),
        ("white_material", np.uint16),
        ("black_material", np.uint16),
        ("black_starts", np.uint8),
        ("failure", np.uint8),
        ("unused", np.uint16),
    ]
)
"""Statistics of a body for headers.

``plies`` are half moves of the main line; ``flags`` those of the header, bits 0 (set-up), 1 (variations) and 27
(unorthodox) included; ``medals`` the union of all medals; ``text_bytes`` the size of all texts without their first two
bytes; then numbers of annotations; the material of both sides at the end of the main line, as ``.cbj`` counts it;
whether Black moves first; and a code of ``REFUSALS``.
"""


_WITHOUT_KIND: Final = Flag.SETUP | Flag.VARIATIONS | Flag.VIDEO | Flag.CORRESPONDENCE | Flag.UNORTHODOX
_FLAGS: Final = {
    **{kind: 1 << kind for kind in range(32) if KNOWN_FLAGS & ~_WITHOUT_KIND & 1 << kind},
    TEXT_BEFORE: Flag.TEXT,
    Video.kind: Flag.VIDEO,
    CorrespondenceHeader.kind: Flag.CORRESPONDENCE,
}
"""The flag of a header for the presence of a kind: its bit is the number of the kind, with few exceptions."""


@dataclass(frozen=True, slots=True)
class EncodedBodies:
    """The bodies of a batch as written to ``.cbg`` and ``.cba``.

    The blobs of record ``i`` are ``moves[move_ends[i] : move_ends[i + 1]]`` and likewise for ``annotations``; an empty
    slice means no blob. Guiding texts have neither. A record with a ``failure`` must not be written; only one without
    any moves (failure 6) may still have annotations, for a copy of such a base.
    """

    moves: memoryview
    move_ends: NDArray[np.int64]
    annotations: memoryview
    annotation_ends: NDArray[np.int64]
    statistics: NDArray[np.void]
    """One member of the type ``STATISTICS`` per record; zeros for guiding texts and opaque records."""
    losses: LossReport


def write_bodies(batch: GameBatch, *, first_number: int = 1, encoding: TextEncoding = UTF8) -> EncodedBodies:
    """Encode moves and annotations as ChessBase does; original bytes in a record are used if they still match.

    Args:
        batch: The records.
        first_number: The number that the first of them gets in its new base, which annotations repeat.
        encoding: The encoding of the texts of the new base.

    Raises:
        CorruptError: The columns of the batch are inconsistent.
    """
    records = batch.record_batch
    numbers = records.column("number").to_numpy()
    statistics = np.zeros(len(batch), STATISTICS)
    originals: tuple[Any, Any, Any] = _originals(records.column("annotations").values)
    move_ends, annotation_ends = (np.zeros(len(batch) + 1, np.int64) for _ in range(2))
    moves, annotations, losses = write_blobs(
        view_of(batch),
        new_builder(),
        *originals,
        numbers,
        first_number,
        *code_page(encoding),
        encoding.page == "utf-8",
        _spelled(),
        _flags(),
        statistics.view(np.uint8),
        move_ends,
        annotation_ends,
    )
    report = LossReport.of(BODY_LOSSES.counted(losses, numbers))
    return EncodedBodies(memoryview(moves), move_ends, memoryview(annotations), annotation_ends, statistics, report)


def _originals(annotations: pa.Array) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.uint8]]:
    """Return which annotations have ``raw`` bytes (2 if these do not match), their ends, and all the bytes.

    The kernel itself checks the bytes of texts and symbols; of other kinds with typed values there are few.
    """
    if len(annotations) == 0:
        return np.zeros(0, np.uint8), np.zeros(1, np.int32), np.zeros(0, np.uint8)
    _, _, kinds, _, data, raw = annotations.flatten()
    given: NDArray[np.uint8] = np.array(raw.is_valid().to_numpy(zero_copy_only=False), np.uint8)
    for place in np.flatnonzero(given & ~np.isin(kinds.to_numpy(), _checked_by_kernel())):
        found = decode_payload(kinds[place].as_py(), raw[place].as_py(), UTF8)
        if found.data != data[place].as_py():
            given[place] = 2
    _, ends, stored = raw.buffers()
    places = np.frombuffer(ends, np.int32)[raw.offset : raw.offset + len(raw) + 1]
    return given, places, np.zeros(0, np.uint8) if stored is None else np.frombuffer(stored, np.uint8)


@cache
def _checked_by_kernel() -> list[int]:
    """Return the kinds whose original bytes need not be checked here."""
    spelled = [kind for kind, value in KINDS.items() if value.keeps_spelling]
    return [TEXT_AFTER, TEXT_BEFORE, SYMBOLS, NAGS, *spelled]


@cache
def _spelled() -> bytes:
    """Return, by kind, whether ``raw`` is a spelling of PGN and not a payload."""
    return bytes(kind in KINDS and KINDS[kind].keeps_spelling for kind in range(256))


@cache
def _flags() -> NDArray[np.uint32]:
    flags = np.zeros(256, np.uint32)
    for kind, flag in _FLAGS.items():
        flags[kind] = flag
    return flags
