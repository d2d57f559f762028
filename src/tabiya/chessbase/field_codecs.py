"""Conversion of field values to texts, for all records of a table at once, and back from single texts.

A text is null where the field has its default. The texts to parse repeat often, so each distinct text is parsed once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.binary import Value
from tabiya.chessbase.codes import date_of, date_text, is_canonical_date, parse_date_text
from tabiya.chessbase.strings import by_value
from tabiya.game.nations import nation_code, nation_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.chessbase.header_fields import Field, Table


@dataclass(frozen=True, slots=True)
class Codec:
    """The texts of a field, in both directions."""

    texts: Callable[[Table, Field], pa.Array]
    """Returns the text of every record."""
    value: Callable[[str], Value | dict[str, Value] | None] | None = None
    """Returns the value of a text, or those of several fields; None if the text is invalid. Without it, the field
    contains the text itself."""
    display: Callable[[Any], Any] = lambda value: value
    """The value for display; for bytes the text in them."""
    unusual: Codec | None = None
    """Codec of a further key for values that have no text here."""
    is_number: bool = False
    """Whether a text is only the number in digits: then many texts can be parsed at once."""
    fills: bool = False
    """Whether a text may fill the whole field, without a NUL."""


def parse_number(text: str) -> int | None:
    """Return a non-negative number in digits; None if invalid or above 64 bits."""
    if not (text.isascii() and text.isdigit() and len(text) <= 20):
        return None
    return found if (found := int(text)) < 1 << 64 else None


def parse_numbers(texts: pa.Array) -> NDArray[np.uint64] | None:
    """Return many numbers at once; None if ``parse_number`` would reject one of them."""
    if not pc.all(pc.match_substring_regex(texts, _DIGITS)).as_py():
        return None
    numbers: NDArray[np.uint64] = texts.cast(pa.uint64()).to_numpy()
    return numbers


_DIGITS: Final = r"^[0-9]{1,19}\z"
"""Integers that certainly have no more than 64 bits."""


def digits(values: NDArray[Any], *, keep: NDArray[np.bool_] | None = None, default: int = 0) -> pa.Array:
    """Return numbers as texts: those to keep, or those other than the default."""
    keep = values != default if keep is None else keep
    if not keep.any():
        return pa.nulls(len(values), pa.string())
    return pa.array(values, mask=~keep).cast(pa.string())


def nothing(table: Table) -> pa.Array:
    """Return no text for any record."""
    return pa.nulls(len(table), pa.string())


# Integers.


def number(display: Callable[[int], Any] = int) -> Codec:
    """Return a codec of numbers in digits; ``display`` converts them for display."""
    return Codec(
        lambda table, field: digits(table[field.name], default=int(field.default)),
        parse_number,
        display,
        is_number=True,
    )


def bits(mask: int) -> Codec:
    """Return a codec of some bits of a field."""

    def texts(table: Table, field: Field) -> pa.Array:
        values = table[field.name]
        return digits(values & values.dtype.type(mask))

    return Codec(texts, parse_number, is_number=True)


def number_where(keep: Callable[[NDArray[Any]], NDArray[np.bool_]]) -> Codec:
    """Return a codec of numbers in digits with a custom rule for which of them are needed."""

    def texts(table: Table, field: Field) -> pa.Array:
        values = table[field.name]
        return digits(values, keep=keep(values))

    return Codec(texts, parse_number)


def spelled(
    text_of: Callable[[int], str | None],
    value_of: Callable[[str], int | None],
    display: Callable[[int], Any] | None = None,
    unusual: Codec | None = None,
) -> Codec:
    """Return a codec of numbers with texts of their own; others are written in digits."""

    def invalid_texts(table: Table, field: Field) -> pa.Array:
        return by_value(table[field.name], lambda value: str(value) if value and text_of(value) is None else None)

    return Codec(
        lambda table, field: by_value(table[field.name], text_of),
        value_of,
        display or (lambda value: text_of(value) or ""),
        unusual or Codec(invalid_texts, parse_number),
    )


NUMBER: Final = number()
_QUALITIES: Final = ("", "high", "medium", "low")
QUALITY: Final = number(display=lambda code: _QUALITIES[code] if code < len(_QUALITIES) else str(code))
BIT: Final = number(display=lambda bits: bool(bits & 1))
NATION: Final = spelled(lambda code: nation_code(code) if code else None, nation_number)
"""A nation by its three-letter code."""
INVALID_DATE: Final = number_where(lambda codes: ~is_canonical_date(codes))
DATE: Final = spelled(date_text, parse_date_text, date_of, INVALID_DATE)


# Texts and bytes.


TEXT: Final = Codec(lambda table, field: table.texts(field.name))
FULL_TEXT: Final = replace(TEXT, fills=True)


def _hexadecimal_texts(table: Table, field: Field) -> pa.Array:
    matrix = table[field.name]
    usual = np.frombuffer((field.default or b"").ljust(matrix.shape[1], b"\0"), np.uint8)  # type: ignore[union-attr]
    return hexadecimal_texts(matrix, (matrix != usual).any(axis=1))


def hexadecimal_texts(matrix: NDArray[np.uint8], keep: NDArray[np.bool_]) -> pa.Array:
    """Return the digits of the rows to keep; each distinct row is converted once."""
    if not keep.any():
        return pa.nulls(len(matrix), pa.string())
    found = np.full(len(matrix), -1)
    different, places = np.unique(np.ascontiguousarray(matrix[keep]), axis=0, return_inverse=True)
    found[keep] = places.reshape(-1)
    texts = [row.tobytes().rstrip(b"\0").hex() for row in different]
    return pa.array(texts, pa.string()).take(pa.array(found, mask=found < 0))


def parse_hexadecimal(text: str) -> bytes | None:
    """Return bytes from their digits; None if invalid."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None


HEXADECIMAL: Final = Codec(_hexadecimal_texts, parse_hexadecimal)
"""Bytes of unknown meaning, in hexadecimal digits; trailing NULs are omitted."""


# Floating-point numbers.


def _parse_degrees(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


DEGREES: Final = Codec(
    lambda table, field: by_value(
        table[field.name], lambda value: None if not value or not math.isfinite(value) else repr(value)
    ),
    _parse_degrees,
)
"""A geographical coordinate, with all its digits."""
