"""Detect the code page of texts that are not UTF-8, from a sample of them."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.files.file_bytes import gathered
from tabiya.formats.cbh2.container import HEAD, record_sizes
from tabiya.game.annotations import TextEncoding, detect_encoding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

_MOST_TEXTS: Final = 2000
_MOST_RECORDS: Final = 2000
_RUN: Final = 20
"""Number of records one after the other in a sample."""
_MOST_BYTES: Final = 1 << 18
"""Maximum bytes of one record."""
_MOST_IN_ALL: Final = 1 << 24
_TEXT: Final = re.compile(rb"[\x02\x82]\x00\x00\x00[\x00-\x12]\x00([^\x00]...)", re.DOTALL)
"""What looks like the beginning of a text: its type, a zero, a language, and its length."""


def detect_texts(annotations: Any, offsets: NDArray[np.int64], names: TextEncoding) -> TextEncoding:
    """Return the encoding of comments; that of names if these are all ASCII."""
    texts = [text for text in islice(_texts(annotations, offsets), _MOST_TEXTS) if not text.isascii()]
    return detect_encoding(texts) if texts else names


def _texts(data: Any, offsets: NDArray[np.int64]) -> Iterator[bytes]:
    # Sampled across the base: its parts may have come from different sources. Neighbours are read at once.
    runs = np.arange(len(offsets)) // _RUN
    wanted = offsets[runs % max(1, len(offsets) // _MOST_RECORDS) == 0]
    sizes = np.minimum(record_sizes(data, wanted), _MOST_BYTES)
    left = _MOST_IN_ALL
    for begin in range(0, len(wanted), _RUN):
        run = sizes[begin : begin + _RUN]
        left -= int(run.sum())
        if left < 0:
            return
        records, places = gathered(data, wanted[begin : begin + _RUN], run)
        for place, size in zip(places.tolist(), run.tolist(), strict=True):
            record = records[place + HEAD.size : place + size].tobytes()
            for found in _TEXT.finditer(record):
                length = int.from_bytes(found[1], "little")
                if length <= len(record) - found.end():
                    yield record[found.end() : found.end() + length]
