"""Display of guiding texts: as HTML, as plain text, and the media files that they use.

Texts of format 3 are HTML already. Those of formats 1 and 2 are letters in a code page, lines that end with a CR, and a
byte 4 for every embedded object: a picture, a diagram, a link. The formatting describes the objects: two words, the
number of objects and how many of them are pictures, then for each object its kind, the offset after its byte 4 and its
length (words, LE). Most occur twice, in an older form and in a newer one with more data. Fonts and paragraphs follow,
whose format is not known. A diagram has 64 half bytes, files from a to h, upwards on each: 1 to 6 are king, queen,
knight, bishop, rook and pawn of White, 9 to 14 of Black. A link to a game has the header of the game, as a quotation.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Final

from tabiya.errors import FormatError
from tabiya.game.annotations.encoding import UTF8, TextEncoding, detect_encoding
from tabiya.game.annotations.quotation import Quotation
from tabiya.game.markup import html_to_text, references

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabiya.game.record import GuidingText

_HTML_FORMAT: Final = 3
_OBJECT: Final = struct.Struct("<HHH")
_WORD: Final = struct.Struct("<H")
_MARK: Final = "\x04"
_PAGE: Final = """\
<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>{title}</title></head><body>
{body}
</body></html>
"""


def guiding_html(text: GuidingText, encoding: TextEncoding | None = None) -> str:
    """Return a page of HTML: for format 3 the stored one, for older ones a plain one with the same text."""
    if text.format >= _HTML_FORMAT:
        return _decoded(text, encoding)
    return _old_page(text, encoding, _as_html)


def _old_page(text: GuidingText, encoding: TextEncoding | None, show: Callable[[_Object], str]) -> str:
    paragraphs = _old_text(text, encoding, show).split("\n")
    body = "\n".join(f"<p>{paragraph}</p>" if paragraph else "<br>" for paragraph in paragraphs)
    return _PAGE.format(title=escape(text.title), body=body)


def guiding_page(text: GuidingText) -> str:
    """Return a page like ``guiding_html``, in which older texts have links and diagrams in the form of format 3."""
    return guiding_html(text) if text.format >= _HTML_FORMAT else _old_page(text, None, _as_format_3)


def guiding_plain(text: GuidingText, encoding: TextEncoding | None = None) -> str:
    """Return the text for a terminal, with pictures, diagrams and links in words."""
    if text.format >= _HTML_FORMAT:
        return html_to_text(_decoded(text, encoding))
    return _old_text(text, encoding, _as_words).strip("\n")


def guiding_media(text: GuidingText) -> list[str]:
    """Return the files that the text shows or plays, named as in the text, with ``/`` between folders."""
    if text.format >= _HTML_FORMAT:
        found = references(_decoded(text, None))
    else:
        found = [each.file for each in _objects(text, _encoding_of(text)).values()]
    return list(dict.fromkeys(name.replace("\\", "/") for name in found if name))


def _encoding_of(text: GuidingText) -> TextEncoding:
    return detect_encoding([text.body])


def _decoded(text: GuidingText, encoding: TextEncoding | None) -> str:
    return (encoding or _encoding_of(text)).decode(text.body)


# Formats 1 and 2.


@dataclass(frozen=True, slots=True)
class _Object:
    """The object at a byte 4 of the text."""

    kind: str = "object"
    name: str = ""
    file: str = ""
    """For a picture, the file in the folder of pictures; its name is the original one."""
    payload: bytes = b""
    encoding: TextEncoding = UTF8


def _old_text(text: GuidingText, encoding: TextEncoding | None, show: Callable[[_Object], str]) -> str:
    """Return the text with line feeds between its lines, and its objects as returned by ``show``."""
    encoding = encoding or _encoding_of(text)
    objects = _objects(text, encoding)
    parts = []
    place = 0
    for piece in text.body.split(_MARK.encode()):
        letters = encoding.decode(piece).replace("\r\n", "\n").replace("\r", "\n")
        parts.append(letters if show is _as_words else escape(letters, quote=False))
        place += len(piece) + 1
        if place <= len(text.body):
            parts.append(show(objects.get(place, _Object())))
    return "".join(parts)


def _objects(text: GuidingText, encoding: TextEncoding) -> dict[int, _Object]:
    """Return objects by the offset after their mark; of two forms the one that has a name."""
    data = text.formatting or b""
    found: dict[int, _Object] = {}
    if len(data) < _OBJECT.size:
        return found
    _, count, _ = _OBJECT.unpack_from(data)
    place = _OBJECT.size
    for _ in range(count):
        if len(data) - place < _OBJECT.size:
            break
        kind, position, length = _OBJECT.unpack_from(data, place)
        place += _OBJECT.size
        payload = data[place : place + length]
        name, reader = _KINDS.get(kind, ("object", _no_name))
        number = _first(payload) if name == "picture" else b""
        file = f"{number.decode()}.bmp" if number.isdigit() else ""
        value = _Object(name, encoding.decode_name(reader(payload)), file, payload, encoding)
        if value.name or position not in found:
            found[position] = value
        place += length
    return found


def _strings(data: bytes) -> list[bytes]:
    """Return strings with preceding lengths (words), as far as they are complete."""
    found = []
    place = 0
    while len(data) - place >= _WORD.size:
        (length,) = _WORD.unpack_from(data, place)
        found.append(data[place + _WORD.size : place + _WORD.size + length])
        place += _WORD.size + length
    return found


def _no_name(_data: bytes) -> bytes:
    return b""


def _first(data: bytes) -> bytes:
    return next(iter(_strings(data)), b"")


def _second(data: bytes) -> bytes:
    return next(iter(_strings(data)[1:]), b"")


_KINDS: Final[dict[int, tuple[str, Callable[[bytes], bytes]]]] = {
    0x02: ("game", _no_name),
    0x05: ("text", _first),
    0x06: ("picture", _no_name),
    0x09: ("diagram", _no_name),
    0x0C: ("link", _first),
    0x0F: ("line", _no_name),
    0x10: ("link", _first),
    0x11: ("diagram", _no_name),
    0x17: ("picture", _second),
    0x19: ("text", _first),
    0x1A: ("game", _second),  # after a quotation, as in annotations, that describes the game
}
"""Kinds of objects, from the 27 texts of *Hedgehog*: what they are, and a function that returns their name."""


def _as_words(value: _Object) -> str:
    if value.kind == "line":
        return "-" * 20 + "\n"
    return f"[{value.kind} {value.name}]" if value.name else f"[{value.kind}]"


def _as_html(value: _Object) -> str:
    if value.kind == "line":
        return "<hr>"
    if value.file:
        return f'<img src="{escape(value.file)}" alt="{escape(value.name)}">'
    return f"<i>{escape(_as_words(value))}</i>"


def _as_format_3(value: _Object) -> str:
    """Return the object as ChessBase writes it into texts of format 3."""
    if value.kind == "diagram" and (position := _position(value.payload)):
        return f'<img alt="fen:{position};">'
    if value.kind == "text" and value.name:
        return f'<a href="javascript:CBLink(tag_text,{escape(value.name)},,,0)">{escape(value.name)}</a>'
    if value.kind == "game" and (game := _quoted_game(value)):
        players = ",".join(",".join([*name.split(",", 1), ""][:2]) for name in (game.white, game.black))
        words = value.name or " - ".join(filter(None, (game.white, game.black)))
        return f'<a href="javascript:CBLink(tag_game,{escape(players)},{escape(game.event)},)">{escape(words)}</a>'
    return _as_html(value)


_MEN: Final = "?KQNBRP??kqnbrp?"


def _position(payload: bytes) -> str:
    """Return the position of a diagram as FEN, with White to move: which side it is, is not known; "" if damaged."""
    halves = [half for byte in payload[_WORD.size : _WORD.size + 32] for half in (byte >> 4, byte & 15)]
    if len(halves) < 64 or any(half and _MEN[half] == "?" for half in halves):
        return ""
    men = [_MEN[half] if half else "1" for half in halves]
    board = "/".join("".join(men[rank::8]) for rank in range(7, -1, -1))
    return f"{re.sub('1+', lambda empty: str(len(empty[0])), board)} w - - 0 1"


def _quoted_game(value: _Object) -> Quotation | None:
    """Return the header of the game that a link leads to; None if it is damaged."""
    try:
        return Quotation.decode(_first(value.payload), value.encoding)
    except FormatError:
        return None
