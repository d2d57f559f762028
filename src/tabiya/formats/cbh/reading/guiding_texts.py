"""Guiding texts, from their blobs in ``.cbg`` to columns of a batch. They are few, so they are read one by one."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from tabiya.chessbase.body_columns import DecodedText, Texts
from tabiya.chessbase.shared_bodies import REFUSED_BODY
from tabiya.formats.cbh.bodies.blobs import move_sizes
from tabiya.formats.cbh.bodies.guiding_text import decode_guiding_text
from tabiya.formats.cbh.reading.header_window import Window
from tabiya.game.annotations import TextEncoding
from tabiya.game.record import Problem

BODY_MISSING: Final = 126
_SMALLEST_BLOB: Final = 4


def read_texts(data: Any, window: Window, encoding: TextEncoding) -> Texts:
    """Return the guiding texts of a window."""
    rows = np.flatnonzero(window.is_text)
    offsets = window.selected_offsets(".cbg")[rows]
    sizes = move_sizes(data, offsets)
    found = [_decode(data, *place, encoding) for place in zip(offsets.tolist(), sizes.tolist(), strict=True)]
    return Texts.of(found, rows, window.count)


def _decode(data: Any, offset: int, size: int, encoding: TextEncoding) -> DecodedText:
    if offset == REFUSED_BODY:
        return DecodedText()
    if size < _SMALLEST_BLOB:
        return DecodedText(problems=(Problem(BODY_MISSING, offset, ""),))
    decoded = decode_guiding_text(bytes(data[offset : offset + size]), encoding)
    moved = tuple(
        Problem(each.code, None if each.offset is None else offset + each.offset, each.text)
        for each in decoded.problems
    )
    return DecodedText(decoded.texts, decoded.extras, moved)
