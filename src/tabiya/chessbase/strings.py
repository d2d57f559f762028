"""Texts in fields of fixed width, many at once: they end at a NUL, after which anything may follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.game.annotations import TextEncoding

if TYPE_CHECKING:
    from numpy.typing import NDArray

_HIGH: Final = 0x80
_NO_TEXT: Final = pa.scalar(None, pa.string())


def text_lengths(matrix: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return the number of bytes before the NUL, for each row."""
    ends = matrix == 0
    width = matrix.shape[1]
    lengths: NDArray[np.int64] = np.where(ends.any(axis=1), ends.argmax(axis=1), width).astype(np.int64)
    return lengths


def non_ascii(matrix: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which rows have a letter beyond ASCII in their text."""
    inside = np.arange(matrix.shape[1]) < text_lengths(matrix)[:, None]
    found: NDArray[np.bool_] = np.any((matrix >= _HIGH) & inside, axis=1)
    return found


def fixed_texts(matrix: NDArray[np.uint8], encoding: TextEncoding) -> pa.Array:
    """Return the text of each row, null if it is empty.

    Only rows with letters beyond ASCII are decoded one by one, in Python.
    """
    lengths = text_lengths(matrix)
    unusual = non_ascii(matrix)
    texts = packed_rows(matrix, np.where(unusual, 0, lengths))
    if unusual.any():
        found = [decode_field(bytes(matrix[row]), encoding) for row in np.flatnonzero(unusual)]
        texts = pc.replace_with_mask(texts, pa.array(unusual), pa.array(found, pa.string()))
    return pc.if_else(pa.array(lengths == 0), _NO_TEXT, texts)


def packed_rows(matrix: NDArray[np.uint8], lengths: NDArray[np.int64]) -> pa.Array:
    """Return the beginnings of rows, all ASCII, as texts."""
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    letters = matrix[np.arange(matrix.shape[1]) < lengths[:, None]]
    return pa.Array.from_buffers(pa.string(), len(lengths), [None, pa.py_buffer(offsets), pa.py_buffer(letters)])


def decode_field(field: bytes, encoding: TextEncoding) -> str:
    """Return the text of one field. A UTF-8 character cut by the end of the field is omitted."""
    text = field.partition(b"\0")[0]
    if len(text) + 1 >= len(field):
        # Newer versions of ChessBase fill all but the last byte; those that convert from .2cbh fill all of it.
        try:
            text.decode()
        except UnicodeDecodeError as error:
            complete = text[: error.start]
            if error.reason == "unexpected end of data" and not complete.isascii():
                return complete.decode()
    return encoding.decode_name(text)


def encode_field(text: str, width: int, encoding: TextEncoding) -> bytes:
    """Return the bytes of a text for a field of this width, without padding NULs.

    Space for one NUL is kept, as ChessBase does, and the text is cut before a character that does not fit.
    """
    data = encoding.encode_name(text)
    while len(data) >= width:
        text = text[: min(len(text) - 1, width - 1)]
        data = encoding.encode_name(text)
    return data


def masked(values: pa.Array, keep: NDArray[np.bool_] | Any) -> pa.Array:
    """Return the values with null where ``keep`` is false."""
    return pc.if_else(pa.array(keep), values, pa.scalar(None, values.type))


def by_value(values: NDArray[Any], text_of: Callable[[Any], str | None]) -> pa.Array:
    """Return the text of each value; ``text_of`` is called once per distinct value."""
    different, places = np.unique(values, return_inverse=True)
    return pa.array([text_of(value) for value in different.tolist()], pa.string()).take(pa.array(places))
