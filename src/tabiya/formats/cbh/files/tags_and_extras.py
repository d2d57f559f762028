"""How the fields of records travel in a batch, both ways: as tags where PGN has a usual one, else as extras ``cbh.…``.

A carrier is made for one key. Its ``texts`` gives, for all records of a table at once, the text under that key, null
where the field has its default and need not be told; ``values`` gives the fields back for one text. What a writer has
to parse repeats a lot, so it asks once per different text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.formats.cbh.files.codes import date_text, is_canonical_date, parse_date_text
from tabiya.formats.cbh.files.layout import Layout, Records, Value
from tabiya.formats.cbh.files.strings import by_value, encode_field, fixed_texts
from tabiya.game.annotations import UTF8, TextEncoding
from tabiya.game.nations import nation_code, nation_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "PREFIX",
    "Carrier",
    "Table",
    "dates",
    "degrees",
    "hexadecimal",
    "nation",
    "number",
    "parse_fields",
    "text",
]

PREFIX: Final = "cbh."
"""What the keys of extras begin with."""


@dataclass(frozen=True, slots=True)
class Table:
    """Records of one layout, and what it takes to read them; ``more`` holds columns of other tables."""

    layout: Layout
    records: Records
    encoding: TextEncoding = UTF8
    more: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A field of all records."""
        found = self.more.get(name)
        return self.layout.column(self.records, name) if found is None else found

    def __contains__(self, name: str) -> bool:
        """Whether these records are long enough to have the field."""
        return name in (self.records.dtype.names or ()) or name in self.more

    def texts(self, name: str) -> pa.Array:
        """A text field of all records, null where empty."""
        return fixed_texts(self[name], self.encoding)


@dataclass(frozen=True, slots=True)
class Carrier:
    """One key, and what stands under it."""

    key: str
    texts: Callable[[Table], pa.Array]
    values: Callable[[str, TextEncoding], dict[str, Value]]
    number: str | None = None
    """The field, if it is nothing but a whole number: then many texts can be parsed at once."""

    @property
    def is_tag(self) -> bool:
        """Whether it is a tag, not an extra."""
        return not self.key.startswith(PREFIX)


def number(key: str, name: str, *, default: int = 0, mask: int | None = None) -> Carrier:
    """A number in digits; of a field of flags perhaps only some bits."""

    def texts(table: Table) -> pa.Array:
        if name not in table:
            return nothing(table)
        values = table[name]
        return digits(values if mask is None else values & values.dtype.type(mask), default=default)

    return Carrier(key, texts, lambda text, _: _one(name, parse_number(text)), name)


def text(key: str, name: str, width: int) -> Carrier:
    """A text."""
    return Carrier(key, lambda table: table.texts(name), lambda text, page: {name: encode_field(text, width, page)})


def nation(key: str, name: str) -> Carrier:
    """A nation by its code of three letters."""

    def texts(table: Table) -> pa.Array:
        return by_value(table[name], lambda code: nation_code(code) if code else None)

    return Carrier(key, texts, lambda text, _: _one(name, nation_number(text)))


def dates(tag: str, extra: str, name: str) -> tuple[Carrier, Carrier]:
    """A date as a tag; or, where it is none that PGN can write, its code as an extra."""

    def odd(table: Table) -> pa.Array:
        codes = table[name]
        return digits(codes, keep=~is_canonical_date(codes))

    return (
        Carrier(tag, lambda table: by_value(table[name], date_text), lambda text, _: {name: parse_date_text(text)}),
        Carrier(extra, odd, lambda text, _: _one(name, parse_number(text))),
    )


def hexadecimal(key: str, name: str, *, default: bytes = b"") -> Carrier:
    """Bytes that nobody understands, in hexadecimal digits; NULs at their end are left out."""

    def texts(table: Table) -> pa.Array:
        if name not in table:
            return nothing(table)
        matrix = table[name]
        usual = np.frombuffer(default.ljust(matrix.shape[1], b"\0"), np.uint8)
        return hexadecimal_texts(matrix, (matrix != usual).any(axis=1))

    return Carrier(key, texts, lambda text, _: _one(name, parse_hexadecimal(text)))


def hexadecimal_texts(matrix: NDArray[np.uint8], keep: NDArray[np.bool_]) -> pa.Array:
    """The digits of the rows to keep; each different row is written once."""
    if not keep.any():
        return pa.nulls(len(matrix), pa.string())
    found = np.full(len(matrix), -1)
    different, places = np.unique(np.ascontiguousarray(matrix[keep]), axis=0, return_inverse=True)
    found[keep] = places.reshape(-1)
    texts = [row.tobytes().rstrip(b"\0").hex() for row in different]
    return pa.array(texts, pa.string()).take(pa.array(found, mask=found < 0))


def degrees(key: str, name: str) -> Carrier:
    """A geographical coordinate, with all its digits."""

    def texts(table: Table) -> pa.Array:
        return by_value(table[name], lambda value: None if not value or not math.isfinite(value) else repr(value))

    def values(text: str, _: TextEncoding) -> dict[str, Value]:
        try:
            value = float(text)
        except ValueError:
            return {}
        return {name: value} if math.isfinite(value) else {}

    return Carrier(key, texts, values)


def parse_number(text: str) -> int | None:
    """A number from 0 on in digits; None if it is none of 64 bits."""
    if not (text.isascii() and text.isdigit() and len(text) <= 20):
        return None
    return found if (found := int(text)) < 1 << 64 else None


def parse_numbers(texts: pa.Array) -> NDArray[np.uint64] | None:
    """Many numbers at once; None if one of them is not as ``parse_number`` wants it."""
    if not pc.all(pc.match_substring_regex(texts, _DIGITS)).as_py():
        return None
    numbers: NDArray[np.uint64] = texts.cast(pa.uint64()).to_numpy()
    return numbers


_DIGITS: Final = r"^[0-9]{1,19}\z"
"""Whole numbers that certainly have no more than 64 bits."""


def parse_hexadecimal(text: str) -> bytes | None:
    """Bytes from their digits; None if they are not."""
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None


def _one(name: str, value: Value | None) -> dict[str, Value]:
    return {} if value is None else {name: value}


def parse_fields(carriers: Iterable[Carrier], found: Mapping[str, str], encoding: TextEncoding) -> dict[str, Value]:
    """The fields of one record from the texts under the keys; the inverse of ``texts``.

    A text that makes no sense leaves its field at the default.
    """
    fields: dict[str, Value] = {}
    for carrier in carriers:
        if (text := found.get(carrier.key)) is not None:
            fields |= carrier.values(text, encoding)
    return fields


def nothing(table: Table) -> pa.Array:
    """No text for any record."""
    return pa.nulls(len(table), pa.string())


def digits(values: NDArray[Any], *, keep: NDArray[np.bool_] | None = None, default: int = 0) -> pa.Array:
    """Numbers as texts: those to keep, or those other than the default."""
    keep = values != default if keep is None else keep
    if not keep.any():
        return pa.nulls(len(values), pa.string())
    return pa.array(values, mask=~keep).cast(pa.string())
