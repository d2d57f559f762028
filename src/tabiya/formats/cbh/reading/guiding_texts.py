"""Guiding texts, from their blobs in ``.cbg`` to columns of a batch. They are few, so they are read one by one."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyarrow as pa

from tabiya.formats.cbh.bodies.blobs import move_sizes
from tabiya.formats.cbh.bodies.guiding_text import DecodedText, decode_guiding_text
from tabiya.formats.cbh.reading.header_window import REFUSED_BODY, Window
from tabiya.game.annotations import TextEncoding
from tabiya.game.record import Problem
from tabiya.game.schema import EXTRA, PROBLEM, TEXT

BODY_MISSING: Final = 126
_SMALLEST_BLOB: Final = 4


def read_texts(data: Any, window: Window, encoding: TextEncoding) -> tuple[pa.Array, pa.Array, pa.Array]:
    """Return the column ``texts``, and the members that guiding texts add to ``extras`` and ``problems``."""
    rows = np.flatnonzero(window.is_text)
    offsets = window.wanted_offsets(".cbg")[rows]
    sizes = move_sizes(data, offsets)
    found = [_decode(data, *place, encoding) for place in zip(offsets.tolist(), sizes.tolist(), strict=True)]
    texts = [[(t.lang, t.title, t.format, t.body, t.formatting) for t in each.texts] for each in found]
    extras = [[(extra.key, extra.value) for extra in each.extras] for each in found]
    problems = [[(p.code, p.offset, p.text) for p in each.problems] for each in found]
    return (
        _lists(TEXT, rows, texts, window.count),
        _lists(EXTRA, rows, extras, window.count),
        _lists(PROBLEM, rows, problems, window.count),
    )


def _decode(data: Any, offset: int, size: int, encoding: TextEncoding) -> DecodedText:
    if offset == REFUSED_BODY:
        return DecodedText(())
    if size < _SMALLEST_BLOB:
        return DecodedText((), problems=(Problem(BODY_MISSING, offset, ""),))
    decoded = decode_guiding_text(bytes(data[offset : offset + size]), encoding)
    moved = tuple(
        Problem(each.code, None if each.offset is None else offset + each.offset, each.text)
        for each in decoded.problems
    )
    return DecodedText(decoded.texts, decoded.extras, moved)


def _lists(kind: pa.StructType, rows: Any, lists: list[list[tuple[Any, ...]]], count: int) -> pa.Array:
    """Return a column of lists, empty except for some rows."""
    lengths = np.zeros(count + 1, np.int64)
    lengths[rows + 1] = [len(each) for each in lists]
    members = [member for each in lists for member in each]
    fields = [kind.field(i) for i in range(kind.num_fields)]
    columns = [pa.array([member[i] for member in members], each.type) for i, each in enumerate(fields)]
    return pa.ListArray.from_arrays(
        pa.array(np.cumsum(lengths).astype(np.int32)),
        pa.StructArray.from_arrays(columns, fields=fields),
        type=pa.list_(pa.field("item", kind, nullable=False)),
    )
