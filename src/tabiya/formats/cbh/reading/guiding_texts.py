"""Guiding texts, from their blobs in ``.cbg`` to columns of a batch. They are few, so they are read one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.chessbase.list_columns import lists_at
from tabiya.chessbase.shared_bodies import REFUSED_BODY
from tabiya.formats.cbh.bodies.blobs import move_sizes
from tabiya.formats.cbh.bodies.guiding_text import DecodedText, decode_guiding_text
from tabiya.formats.cbh.reading.header_window import Window
from tabiya.game.annotations import TextEncoding
from tabiya.game.record import Problem
from tabiya.game.schema import EXTRA, PROBLEM, TEXT

if TYPE_CHECKING:
    import pyarrow as pa

BODY_MISSING: Final = 126
_SMALLEST_BLOB: Final = 4


def read_texts(data: Any, window: Window, encoding: TextEncoding) -> tuple[pa.Array, pa.Array, pa.Array]:
    """Return the column ``texts``, and the members that guiding texts add to ``extras`` and ``problems``."""
    rows = np.flatnonzero(window.is_text)
    offsets = window.selected_offsets(".cbg")[rows]
    sizes = move_sizes(data, offsets)
    found = [_decode(data, *place, encoding) for place in zip(offsets.tolist(), sizes.tolist(), strict=True)]
    texts = [[(t.lang, t.title, t.format, t.body, t.formatting) for t in each.texts] for each in found]
    extras = [[(extra.key, extra.value) for extra in each.extras] for each in found]
    problems = [[(p.code, p.offset, p.text) for p in each.problems] for each in found]
    return (
        lists_at(TEXT, rows, texts, window.count),
        lists_at(EXTRA, rows, extras, window.count),
        lists_at(PROBLEM, rows, problems, window.count),
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
