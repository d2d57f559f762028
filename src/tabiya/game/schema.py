"""The schema of a batch of records: the common form that every format reads into and writes from.

It is derived from :mod:`tabiya.game.fields`. Later versions add columns but do not change these (a test pins the
schema). A missing value is null, never ``?``.
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa

from tabiya.game.fields import FIELDS, LIST, LISTS, NAME, NAMES, Field

NAME_COLUMNS: Final = tuple(field.name for field in NAMES)
"""Columns of interned strings."""


def _field(field: Field) -> pa.Field:
    return pa.field(field.name, _type(field), nullable=field.missing is not None)


def _type(field: Field) -> pa.DataType:
    if field.type == NAME:
        return pa.dictionary(pa.int32(), pa.string())
    if field.type != LIST:
        return pa.type_for_alias(field.type)
    members = [_field(member) for member in field.members]
    return pa.list_(members[0] if members[0].name == "item" else pa.field("item", pa.struct(members), nullable=False))


RECORD_SCHEMA: Final = pa.schema([_field(field) for field in FIELDS])

TAG, _, ANNOTATION, TEXT, EXTRA, PROBLEM = (RECORD_SCHEMA.field(field.name).type.value_type for field in LISTS)
