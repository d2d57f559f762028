"""Sort keys of games: fields of a record as bytes that compare in the required order.

The bytes of all fields are concatenated, so one comparison of bytes decides. Repeated values are encoded once per
batch.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.game.filter_content import ply_counts
from tabiya.game.filter_texts import without_accents
from tabiya.game.tag_texts import COLUMN_TEXTS, tag_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

_VALUE, _NONE = b"\x01", b"\x02"
"""Unknown values come last, in either direction."""
_TURNED: Final = bytes(255 - byte for byte in range(256))
_RUNS: Final = re.compile(r"(\d+)")


class _Kind(NamedTuple):
    """How a field is read and compared."""

    column: Callable[[pa.RecordBatch, str], pa.Array]
    encode: Callable[[Any, Any], bytes]
    """From a value; for a text also from its letters without case and accents."""
    needs_moves: bool = False


class SortField(NamedTuple):
    """A field, and its direction."""

    name: str
    kind: _Kind
    argument: str = ""
    descending: bool = False

    @property
    def needs_moves(self) -> bool:
        """Whether it cannot be computed from headers alone."""
        return self.kind.needs_moves


def sort_fields(by: str | Iterable[str]) -> tuple[SortField, ...]:
    """Return the fields of a text: ``date,-white_elo``, or of several texts; a minus reverses the order.

    Raises:
        UsageError: A field is unknown, or there is none.
    """
    texts = [by] if isinstance(by, str) else list(by)
    names = [name.strip() for text in texts for name in text.split(",") if name.strip()]
    if not names:
        raise UsageError(f"give a field to sort or split by; known: {', '.join(FIELDS)}")
    return tuple(map(_field, names))


def _field(text: str) -> SortField:
    name = text.removeprefix("-").strip()
    base, _, argument = name.partition(":")
    kind = FIELDS.get("tag:NAME" if base == "tag" and argument else name)
    if kind is None:
        raise UsageError(f"{name!r} is not a field to sort or split by; known: {', '.join(FIELDS)}")
    return SortField(name, kind, argument, text.startswith("-"))


def keys_of(records: pa.RecordBatch, fields: Sequence[SortField]) -> pa.BinaryArray:
    """Return for each record the bytes that it is sorted by."""
    columns = [_encoded(field.kind.column(records, field.argument or field.name), field) for field in fields]
    return columns[0] if len(columns) == 1 else pc.binary_join_element_wise(*columns, b"")


def _encoded(column: pa.Array, field: SortField) -> pa.Array:
    values = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    plain = values.dictionary
    folded = without_accents(plain).to_pylist() if pa.types.is_string(plain.type) else plain.to_pylist()
    encoded = [field.kind.encode(value, letters) for value, letters in zip(plain.to_pylist(), folded, strict=True)]
    if field.descending:
        encoded = [each.translate(_TURNED) for each in encoded]
    known = pa.array([_VALUE + each for each in encoded], pa.binary()).take(values.indices)
    return pc.fill_null(known, _NONE)


def labels_of(records: pa.RecordBatch, field: SortField) -> pa.Array:
    """Return the values of a field as texts, null where unknown."""
    texts = _LABELS.get(field.name)
    column = field.kind.column(records, field.argument or field.name) if texts is None else texts(records)
    plain = column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
    return plain.cast(pa.string())


def places_of(first: int, count: int) -> pa.Array:
    """Return ascending numbers as bytes: appended to the keys of records they make the sort stable."""
    numbers = np.arange(first, first + count, dtype=">u8")
    return pa.Array.from_buffers(pa.binary(8), count, [None, pa.py_buffer(numbers)]).cast(pa.binary())


# --- values as bytes -------------------------------------------------------------------------------------------------


def _ended(letters: bytes) -> bytes:
    """Return letters with a terminator that sorts before any continuation."""
    return letters.replace(b"\0", b"\0\xff") + b"\0\0"


def _text(value: str, letters: str) -> bytes:
    """Return a key of the letters, then of the exact spelling, so that equal spellings are adjacent."""
    return _ended(letters.encode()) + _ended(value.encode())


def _natural(value: str, letters: str) -> bytes:
    """Return the same, but 9 comes before 10, and 3.9 before 3.10."""
    parts = _RUNS.split(letters)
    found = b"".join(_counted(part) if place % 2 else _ended(part.encode()) for place, part in enumerate(parts))
    return found + _ended(value.encode())


def _counted(digits: str) -> bytes:
    plain = digits.encode("ascii", "ignore").lstrip(b"0")
    return min(len(plain), 255).to_bytes(1) + _ended(plain)


def _number(value: int, _: Any) -> bytes:
    return (int(value) + (1 << 63)).to_bytes(8)


# --- fields ----------------------------------------------------------------------------------------------------------


def _stored(records: pa.RecordBatch, name: str) -> pa.Array:
    return records[name]


def _days(records: pa.RecordBatch, _: str) -> pa.Array:
    """Return dates as numbers; unknown parts come first within the year or month."""
    year, month, day = (
        pc.fill_null(records[name], 0).to_numpy(zero_copy_only=False).astype(np.int64)
        for name in ("year", "month", "day")
    )
    return pa.array((year << 16) + (month << 8) + day, mask=year == 0)


def _results(records: pa.RecordBatch, _: str) -> pa.Array:
    return COLUMN_TEXTS["Result"](records)


def _mean_elo(records: pa.RecordBatch, _: str) -> pa.Array:
    white, black = (records[name].cast(pa.int32()) for name in ("white_elo", "black_elo"))
    return pc.add(white, black)


def _plies(records: pa.RecordBatch, _: str) -> pa.Array:
    return pa.array(ply_counts(records))


_TEXTS: Final = ("white", "black", "event", "site", "annotator", "eco")
_NUMBERS: Final = ("number", "kind", "deleted", "variant", "year", "month", "day", "white_elo", "black_elo")
FIELDS: Final[dict[str, _Kind]] = {
    **dict.fromkeys(_TEXTS, _Kind(_stored, _text)),
    "round": _Kind(_stored, _natural),
    "date": _Kind(_days, _number),
    "result": _Kind(_results, _text),
    **dict.fromkeys(_NUMBERS, _Kind(_stored, _number)),
    "mean_elo": _Kind(_mean_elo, _number),
    "ply_count": _Kind(_plies, _number, needs_moves=True),
    "tag:NAME": _Kind(tag_texts, _natural),
}
"""The fields that games can be sorted by, by name."""
_LABELS: Final[dict[str, Callable[[pa.RecordBatch], pa.Array]]] = {
    "date": COLUMN_TEXTS["Date"],
    "mean_elo": lambda records: pc.floor(pc.divide(_mean_elo(records, "").cast(pa.float64()), 2)).cast(pa.int32()),
}
