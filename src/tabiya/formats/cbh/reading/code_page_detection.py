"""Detect the code page of texts in a base that are not UTF-8, from the texts themselves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, Final

import numpy as np

from tabiya.chessbase.record_marks import is_text
from tabiya.chessbase.stored_records import StoredRecords
from tabiya.formats.cbh.entities.entity_file import EntityFile
from tabiya.formats.cbh.files.cbh import GAME, TEXT
from tabiya.game.annotations import TEXT_AFTER, TEXT_BEFORE, TextEncoding, detect_encoding

_MOST_NAMES: Final = 4000
"""This number of names with letters beyond ASCII is sufficient."""
_MOST_TEXTS: Final = 2000
_MOST_BLOBS: Final = 2000
_MOST_BYTES: Final = 1 << 18
"""Maximum bytes of one blob."""
_MOST_IN_ALL: Final = 1 << 24
"""Maximum bytes of all blobs, many of which may be the same one."""
_BLOB_HEADER: Final = 14
_RECORD_HEADER: Final = 6
_TEXT_PREFIX: Final = 2
_TEXT_KINDS: Final = (TEXT_AFTER, TEXT_BEFORE)
_GUIDING_HEAD: Final = 8


def detect_names(files: Iterable[EntityFile[Any]]) -> TextEncoding:
    """Return the encoding of names."""
    return detect_encoding(islice(chain.from_iterable(file.non_ascii_texts(1 << 20) for file in files), _MOST_NAMES))


def detect_texts(
    moves: Any, annotations: Any, records: StoredRecords, files: Iterable[EntityFile[Any]]
) -> TextEncoding:
    """Return the encoding of comments and titles of guiding texts; that of names if these are all ASCII."""
    texts = [text for text in islice(_texts(moves, annotations, records), _MOST_TEXTS) if not text.isascii()]
    return detect_encoding(texts) if texts else detect_names(files)


def _texts(moves: Any, annotations: Any, records: StoredRecords) -> Iterator[bytes]:
    marks = GAME.column(records, "marks")
    offsets = GAME.column(records, "cba_offset")
    annotated = np.flatnonzero(~is_text(marks) & (offsets != 0))
    # Sampled across the base: its parts may have come from different sources.
    step = max(1, len(annotated) // _MOST_BLOBS)
    remaining = _MOST_IN_ALL
    for row in annotated[::step].tolist():
        blob = _annotations_at(annotations, int(offsets[row]))
        remaining -= len(blob)
        if remaining < 0:
            break
        yield from _comments(blob)
    for row in np.flatnonzero(is_text(marks))[:_MOST_BLOBS].tolist():
        record = TEXT.decode(records[row].tobytes())
        yield from _titles(moves, int(record["cbg_offset"]))


def _annotations_at(data: Any, offset: int) -> bytes:
    """Return the beginning of an annotation blob."""
    size = int.from_bytes(data[offset + 10 : offset + _BLOB_HEADER], "big")
    return bytes(data[offset : offset + min(size, _MOST_BYTES)])


def _comments(blob: bytes) -> Iterator[bytes]:
    """Yield the texts of an annotation blob, as far as it is valid."""
    place = _BLOB_HEADER
    while place + _RECORD_HEADER < len(blob):
        length = int.from_bytes(blob[place + 4 : place + _RECORD_HEADER], "big")
        if length < _RECORD_HEADER:
            return
        if blob[place + 3] in _TEXT_KINDS:
            yield blob[place + _RECORD_HEADER + _TEXT_PREFIX : place + length]
        place += length


def _titles(data: Any, offset: int) -> Iterator[bytes]:
    """Yield the titles of a guiding text, as far as it is valid."""
    head = bytes(data[offset : offset + _GUIDING_HEAD])
    if len(head) < _GUIDING_HEAD:
        return
    place = offset + _GUIDING_HEAD
    for _ in range(min(int.from_bytes(head[6:8], "little"), 16)):
        length = int.from_bytes(data[place + 2 : place + 4], "little")
        yield bytes(data[place + 4 : place + 4 + length])
        place += 4 + length
