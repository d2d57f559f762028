"""Fields of ChessBase's headers: a field defines its position in the record and how its value is stored in a batch.

It is stored as a tag if PGN has a usual one, else as an extra ``cbh.…``. Reading, writing, the loss count and the
tables of the documentation are all derived from the fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from tabiya import binary
from tabiya.binary import Layout, Records, Value
from tabiya.chessbase.field_codecs import DEGREES, HEXADECIMAL, NUMBER, Codec, nothing
from tabiya.chessbase.strings import decode_field, encode_field, fixed_texts
from tabiya.chessbase.tag_order import TAG_ORDER
from tabiya.game.annotations import UTF8, TextEncoding

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

PREFIX: Final = "cbh."
"""Prefix of the keys of extras."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field(binary.Field):
    """A field, and how it is stored in a batch.

    In keys ``{side}`` and ``{Side}`` mean white and black, whose entities have the same layout.
    """

    column: str = ""
    """The column of a batch that contains its text."""
    tag: str = ""
    extra: str = ""
    """The extra, in addition to a tag, for values that the codec has no text for."""
    codec: Codec | None = None
    """The codec; by default a number in digits, and bytes in hexadecimal digits."""
    extras: tuple[tuple[str, Codec], ...] = ()
    """Further extras derived from it, each with its own codec."""
    rank: int = 0
    """Extras are in the order of their fields, but those of a lower rank come first."""

    @property
    def usual_codec(self) -> Codec:
        """The codec of the field."""
        by_kind = HEXADECIMAL if self.is_bytes else DEGREES if self.kind == "f64" else NUMBER
        return self.codec or by_kind

    def carriers(self) -> Iterable[Carrier]:
        """Yield a carrier for each key."""
        codec = self.usual_codec
        if self.tag:
            yield Carrier(self.tag, self, codec)
        if self.extra:
            yield Carrier(self.extra, self, (codec.unusual or codec) if self.tag else codec)
        for key, other in self.extras:
            yield Carrier(key, self, other)

    def display(self, value: Value, encoding: TextEncoding) -> Any:
        """Return a value of the field for display."""
        return self.usual_codec.display(decode_field(value, encoding) if isinstance(value, bytes) else value)


@dataclass(frozen=True, slots=True)
class Table:
    """Records of one layout, and the data for reading them; ``more`` contains columns of other tables."""

    layout: HeaderLayout
    records: Records
    encoding: TextEncoding = UTF8
    more: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.records)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a field of all records."""
        found = self.more.get(name)
        return self.layout.column(self.records, name) if found is None else found

    def __contains__(self, name: str) -> bool:
        """Return whether these records are long enough to have the field."""
        return name in (self.records.dtype.names or ()) or name in self.more

    def texts(self, name: str) -> pa.Array:
        """Return a text field of all records, null where empty."""
        return fixed_texts(self[name], self.encoding)


@dataclass(frozen=True, slots=True)
class Carrier:
    """One key, and the field stored under it."""

    key: str
    field: Field
    codec: Codec

    @property
    def is_tag(self) -> bool:
        """Whether it is a tag instead of an extra."""
        return "." not in self.key

    def texts(self, table: Table) -> pa.Array:
        """Return the text of every record; null for defaults."""
        return self.codec.texts(table, self.field) if self.field.name in table else nothing(table)

    def values(self, text: str, encoding: TextEncoding) -> dict[str, Value]:
        """Return the field values of a text; empty if it is invalid."""
        if self.codec.value is None:
            return {self.field.name: encode_field(text, self.field.size + self.codec.fills, encoding)}
        value = self.codec.value(text)
        return value if isinstance(value, dict) else {} if value is None else {self.field.name: value}


class HeaderLayout(Layout):
    """A table of such fields; ``rest`` is the additional data of a longer version of the record."""

    fields: tuple[Field, ...]

    def __init__(self, name: str, order: str, *fields: Field, rest: Field | None = None) -> None:
        super().__init__(name, order, *fields)
        self._rest = rest

    @cache  # noqa: B019 - layouts live as long as the program
    def carriers(self, side: str = "") -> tuple[Carrier, ...]:
        """Return the keys of a record: tags in the order of PGN, then extras; ``side`` is white or black."""
        fields = self.fields if self._rest is None else (*self.fields, self._rest)
        found = [
            Carrier(carrier.key.format(side=side, Side=side.capitalize()), carrier.field, carrier.codec)
            for each in sorted(fields, key=lambda field: field.rank)
            for carrier in each.carriers()
        ]
        tags = sorted((each for each in found if each.is_tag), key=lambda each: _rank(each.key))
        return (*tags, *(each for each in found if not each.is_tag))

    @cache  # noqa: B019
    def columns(self, side: str = "") -> dict[str, Carrier]:
        """Return the fields that are columns of a batch."""
        fields = {each.column.format(side=side): each for each in self.fields if each.column}
        return {key: Carrier(key, each, each.usual_codec) for key, each in fields.items()}

    def markdown(self) -> str:
        """Return the table for the documentation."""
        head, line, *rows = super().markdown().split("\n")
        keys = [", ".join(f"`{key}`" for key in self._keys(each)) for each in self.fields]
        return "\n".join([f"{head} travels as |", f"{line}---|", *map("{} {} |".format, rows, keys)])

    def _keys(self, field: Field) -> list[str]:
        """Return the keys of a field, those of White for both sides."""
        keys = (field.column, *(carrier.key for carrier in field.carriers()))
        return [key.format(side="white", Side="White") for key in keys if key]


def _rank(tag: str) -> int:
    """Return the place of a tag among all tags; those that ChessBase's exports do not have come last."""
    return TAG_ORDER.index(tag) if tag in TAG_ORDER else len(TAG_ORDER)


def parse_fields(carriers: Iterable[Carrier], found: Mapping[str, str], encoding: TextEncoding) -> dict[str, Value]:
    """Return the fields of one record from the texts under the keys; the inverse of ``Carrier.texts``.

    An invalid text leaves its field at the default.
    """
    fields: dict[str, Value] = {}
    for carrier in carriers:
        if (text := found.get(carrier.key)) is not None:
            fields |= carrier.values(text, encoding)
    return fields
