"""The columns of a batch, in one table from which schema, growing columns, views and the lookup of tags are derived.

Needs only Python, because tags are used without batches, too. Kernels repeat the names of columns in two structures,
``Columns`` with its ``Header`` (columns.pxd) and ``View`` (batch_view.pxd), and number the tags in
tag_names_kernel.pxd; tests/game/test_fields.py compares all of them with this table.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

NAME: Final = "name"
TEXTS: Final = ("string", "binary")
LIST: Final = "list"
_SIZES: Final = {"uint8": 1, "uint16": 2, "int32": 4, "int64": 8}


@dataclass(frozen=True, slots=True)
class Field:
    """A column, or a member of a column of lists."""

    name: str
    type: str
    """Its Arrow type. A ``name`` is a string that is stored once, however often it occurs; a ``list`` is one of
    structs, or of plain values if its only member is ``item``.
    """
    missing: int | None = None
    """The value for null in kernels; None if there is always a value. For a text it is in a separate column ``has_…``,
    which otherwise contains 1.
    """
    tag: str | None = None
    """The tag whose text the column contains, alone or with other columns."""
    members: tuple[Field, ...] = ()
    alias: str = ""
    """The name in kernels, if different."""

    def stored(self, prefix: str = "") -> Iterator[tuple[str, int]]:
        """Yield the columns in which kernels store this field: their names, and the size of a value in bytes."""
        name = f"{prefix}{self.alias or self.name}"
        if self.type == LIST:
            item = f"{self.name.removesuffix('s')}_"
            yield f"{item}ends", 4
            for member in self.members:
                yield from [(name, _SIZES[member.type])] if member.name == "item" else member.stored(item)
        elif self.type in TEXTS:
            yield name, 1
            yield f"{name}_ends", 4
            if self.missing is not None:
                yield f"{prefix}has_{self.name}", 1
        else:
            yield name, _SIZES[self.type]


FIELDS: Final = (
    Field("number", "int64"),
    Field("kind", "uint8"),
    Field("deleted", "bool"),
    Field("variant", "uint8", tag="Variant"),
    Field("start", "string", 0, "FEN"),
    Field("white", NAME, -1, "White"),
    Field("black", NAME, -1, "Black"),
    Field("event", NAME, -1, "Event"),
    Field("site", NAME, -1, "Site"),
    Field("round", NAME, -1, "Round"),
    Field("annotator", NAME, -1, "Annotator"),
    Field("eco", NAME, -1, "ECO"),
    Field("year", "uint16", 0, "Date"),
    Field("month", "uint8", 0, "Date"),
    Field("day", "uint8", 0, "Date"),
    Field("white_elo", "uint16", -1, "WhiteElo"),
    Field("black_elo", "uint16", -1, "BlackElo"),
    Field("result", "uint8", 255, "Result"),
    Field("tags", LIST, members=(Field("name", "string", alias="names"), Field("value", "string", alias="values"))),
    Field("moves", LIST, members=(Field("item", "uint16"),)),
    Field(
        "annotations",
        LIST,
        members=(
            Field("move", "int32"),
            Field("side", "uint8"),
            Field("kind", "uint16"),
            Field("lang", "uint8"),
            Field("data", "binary"),
            Field("raw", "binary", 0),
        ),
    ),
    Field(
        "texts",
        LIST,
        members=(
            Field("lang", "uint16"),
            Field("title", "string"),
            Field("format", "uint16"),
            Field("body", "binary"),
            Field("formatting", "binary", 0),
        ),
    ),
    Field("extras", LIST, members=(Field("key", "string", alias="keys"), Field("value", "binary", alias="values"))),
    Field("problems", LIST, members=(Field("code", "uint16"), Field("offset", "int64", -1), Field("text", "string"))),
)

TAGS: Final = (
    *("Event", "Site", "Date", "Round", "White", "Black", "Result"),
    *("WhiteElo", "BlackElo", "ECO", "Annotator", "Variant", "SetUp", "FEN"),
)
"""The tags with their own columns in the order of display, the Seven Tag Roster first.

``SetUp`` has no column: it follows from ``FEN``.
"""

LISTS: Final = tuple(field for field in FIELDS if field.members)
NAMES: Final = tuple(field for field in FIELDS if field.type == NAME)
HEADER: Final = tuple(field for field in FIELDS if field.type not in (*TEXTS, LIST, "int64"))
"""The single values of a record, which kernels store as numbers of 32 bits: for names the index among all names."""
STORED: Final = tuple(column for field in FIELDS if field.members or field.type in TEXTS for column in field.stored())
"""All other columns of kernels. The number of a record is not among them: readers count."""
