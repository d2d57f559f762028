"""Guiding texts: a version, then one page of HTML per language. Their titles are in ``.2lid``."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.chessbase.body_columns import DecodedText, Texts
from tabiya.chessbase.shared_bodies import REFUSED_BODY
from tabiya.formats.cbh2 import messages
from tabiya.formats.cbh2.base_files import MOVES
from tabiya.formats.cbh2.container import HEAD, LEAST, TAIL, checksum
from tabiya.formats.cbh2.entities import LANGUAGES, TAGS
from tabiya.game.record import Extra, GuidingText, Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabiya.formats.cbh2.header_window import Window

TAG: Final = b"\x00\x10"
VERSION: Final = 5
ORIGINAL: Final = "2cbh.text_original"
"""Key of an extra: the content of a text that has more than its columns can hold."""
_HTML: Final = 3
"""The format of texts in HTML, as classic bases number it."""
_HEAD: Final = struct.Struct("<Hii")
_ENTRY: Final = struct.Struct("<ii")
NUMBERS: Final = {42: 0, 53: 1, 49: 2, 43: 3, 70: 4, 103: 5, 117: 6, 0: 7}
"""The numbers of languages in texts of classic bases, by nation code."""


def decode_text(content: bytes, titles: Mapping[int, str]) -> DecodedText:
    """Return the texts of a content, with their titles by nation code; damage keeps the content in the extras."""
    pages, whole = _pages(content)
    bodies = dict(pages)
    texts = [
        GuidingText(NUMBERS[code], titles.get(code, ""), _HTML, bodies.get(code, b""))
        for code in NUMBERS
        if bodies.get(code) or titles.get(code)
    ]
    if whole:
        return DecodedText(tuple(texts))
    return DecodedText(tuple(texts), (Extra(ORIGINAL, content),), (Problem(messages.DAMAGED_TEXT, None, ""),))


def _pages(content: bytes) -> tuple[list[tuple[int, bytes]], bool]:
    """Return the pages by nation code, and whether there is nothing else."""
    pages: list[tuple[int, bytes]] = []
    if len(content) < _HEAD.size:
        return pages, False
    version, size, count = _HEAD.unpack_from(content)
    place = _HEAD.size
    for _ in range(count):
        if place + _ENTRY.size > len(content):
            return pages, False
        code, length = _ENTRY.unpack_from(content, place)
        place += _ENTRY.size
        if not 0 <= length <= len(content) - place:
            return pages, False
        pages.append((code, content[place : place + length]))
        place += length
    known = all(code in NUMBERS for code, _ in pages) and len(dict(pages)) == len(pages)
    return pages, version == VERSION and size == len(content) - _HEAD.size + 4 and place == len(content) and known


def read_texts(data: Any, window: Window) -> Texts:
    """Return the guiding texts of a window."""
    rows = np.flatnonzero(window.is_text)
    offsets, sizes = window.places(MOVES, data).of(rows)
    titles = _titles(window) if len(rows) else []
    places = zip(offsets.tolist(), sizes.tolist(), titles, strict=True)
    found = [_read(data, offset, size, title) for offset, size, title in places]
    return Texts.of(found, rows, window.count)


def _titles(window: Window) -> list[dict[int, str]]:
    """Return the titles of the texts of a window, by nation code."""
    known = window.source.entities.names(TAGS, window.titles, whole=False)
    columns = {code: known.known.table.strings[name].to_pylist() for code, name in LANGUAGES.items()}
    return [
        {code: text for code, column in columns.items() if place >= 0 and (text := column[place])}
        for place in known.places.tolist()
    ]


def _read(data: Any, offset: int, size: int, titles: Mapping[int, str]) -> DecodedText:
    if offset == REFUSED_BODY:
        return DecodedText()
    if size < LEAST:
        return DecodedText(problems=(Problem(messages.MISSING_TEXT, offset, ""),))
    stored = bytes(data[offset : offset + size])
    head = HEAD.decode(stored[: HEAD.size])
    content = stored[HEAD.size : HEAD.size + head["size"] if head["size"] >= 0 else None]
    noted: list[Problem] = []
    code = _fault(head, content, stored)
    if code:
        noted.append(Problem(code, offset, ""))
    decoded = decode_text(content, titles)
    noted += (Problem(each.code, offset + HEAD.size, each.text) for each in decoded.problems)
    extras = decoded.extras or ((Extra(ORIGINAL, content),) if code else ())
    return DecodedText(decoded.texts, extras, tuple(noted))


def _fault(head: Mapping[str, Any], content: bytes, stored: bytes) -> int:
    """Return the problem of the frame around a content, 0 for none."""
    total = head["size"] + head["spare"] + LEAST
    if head["magic"] != HEAD["magic"].default or min(head["size"], head["spare"]) < 0:
        return messages.DAMAGED_FRAME
    if total > len(stored):
        return messages.CUT_RECORD
    if int.from_bytes(stored[total - TAIL : total], "little") != total:
        return messages.DAMAGED_FRAME
    if head["checksum"] != checksum(content):
        return messages.WRONG_CHECKSUM
    return 0 if head["tag"] == TAG else messages.UNKNOWN_TAG
