"""ChessBase's encodings of texts: UTF-8 in newer bases, the author's Windows code page in older ones, or a mixture.

Reading tries UTF-8 strictly, then the code page. Writing returns bytes that are read as the same text: in the code page
if it has all the letters, else in UTF-8. Callers that need the original bytes must compare and keep them.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from tabiya.errors import FormatError

_FIGURINES: Final = {0xA2: "♔", 0xA3: "♕", 0xA6: "♖", 0xA5: "♗", 0xA4: "♘", 0xA7: "♙"}
_DIAGRAM: Final = "▦"
_DIAGRAM_BYTE: Final = 0x9E
_SIGNS: Final = {0xE024: "♔", 0xE025: "♕", 0xE026: "♖", 0xE027: "♗", 0xE028: "♘", 0xE029: "♙", 0xE005: _DIAGRAM}
"""ChessBase's private characters in UTF-8 whose meaning is certain; all others stay as they are."""
_PRIVATE: Final = re.compile("[\ue005\ue024-\ue029]")
_HIDE_SIGNS: Final = {ord(sign): code for code, sign in _SIGNS.items()}

# In a code page only these bytes can safely be shown as symbols: most others are letters and quotes, too. A figurine
# directly precedes a file, a rank or "x"; the diagram is separate, or it is a Czech or Serbian letter.
_SAFE_SIGN: Final = re.compile(rb"[\xa2-\xa7](?=[a-hx1-8])|(?<![A-Za-z\x80-\xff])\x9e(?![A-Za-z\x80-\xff])")

# Latin, Greek, Cyrillic and Hebrew letters, punctuation, ChessBase's private characters, emoji. Not all letters: "ß…"
# in cp1252 is one of the N'Ko script.
_SEQUENCE: Final = re.compile(
    rb"[\xc2-\xca\xce-\xd1\xd7][\x80-\xbf]|\xe2[\x80-\xbf]{2}|\xee\x80[\x80-\xbf]|\xf0\x9f[\x80-\xbf]{2}"
)
"""A UTF-8 character that may occur among bytes of a code page."""
_ASCII: Final = bytes(range(128))

# Letters of cp1251 beyond the block from C0 on: Ё Є Ї І і ґ ё є ї.
_CYRILLIC: Final = rb"[\xc0-\xff\xa8\xaa\xaf\xb2\xb3\xb4\xb8\xba\xbf]"
_CYRILLIC_WORD: Final = re.compile(rb"(?<![A-Za-z\x80-\xff])%b{2,}(?![A-Za-z\x80-\xff])|%b{3}" % (_CYRILLIC, _CYRILLIC))


def show_signs(text: str) -> str:
    """Return a text with ChessBase's private figurines and diagram marks replaced by characters of usual fonts."""
    return text.translate(_SIGNS) if _PRIVATE.search(text) else text


@cache
def _letters(page: str) -> str:
    """Return the character of each byte; an unassigned byte is the control character of its number, as in browsers."""
    try:
        letters = [bytes([byte]).decode(page, "ignore") or chr(byte) for byte in range(256)]
        count = len(bytes(range(256)).decode(page, "replace"))
    except LookupError as error:
        raise FormatError(f"{page!r} is not the name of a code page") from error
    if letters[:128] != [chr(byte) for byte in range(128)] or len(set(letters)) != 256 or count != 256:
        raise FormatError(f"{page!r} is not a code page of one byte per letter")
    return "".join(letters)


@cache
def _encoder(page: str) -> Callable[[str], bytes]:
    """Return a function from text to bytes; it raises UnicodeEncodeError if a letter cannot be encoded."""
    table = codecs.charmap_build(_letters(page))
    return lambda text: codecs.charmap_encode(text, "strict", table)[0]


@cache
def _sign_letters(page: str) -> dict[int, str]:
    """Return the letters of a code page that represent symbols."""
    return {ord(sign): _letters(page)[byte] for byte, sign in [*_FIGURINES.items(), (_DIAGRAM_BYTE, _DIAGRAM)]}


@dataclass(frozen=True, slots=True)
class TextEncoding:
    """The encoding of the texts of a base or game.

    ``page`` is a Windows code page or ``utf-8``. In either case valid UTF-8 is read as such; invalid bytes in a UTF-8
    base are read as cp1252.
    """

    page: str = "utf-8"

    def __post_init__(self) -> None:
        object.__setattr__(self, "page", self.page.lower())
        _letters(self._table)

    @property
    def _table(self) -> str:
        return "cp1252" if self.page == "utf-8" else self.page

    # Texts of annotations, with symbols.

    def decode(self, data: bytes) -> str:
        """Return the text of these bytes, with figurines; never fails."""
        try:
            return show_signs(data.decode())
        except UnicodeDecodeError:
            pass
        sequences = list(_SEQUENCE.finditer(data))
        covered = sum(found.end() - found.start() for found in sequences)
        # A single one proves nothing: ChessBase's symbol for a weak point and a figurine look like a Hebrew letter.
        if len(sequences) < 2 or 2 * covered <= len(data.translate(None, _ASCII)):
            return self._decode_page(data)
        # UTF-8 with stray bytes, because most of the text is UTF-8.
        parts = []
        place = 0
        for found in sequences:
            parts += [self._decode_page(data[place : found.start()]), show_signs(found.group().decode())]
            place = found.end()
        return "".join([*parts, self._decode_page(data[place:])])

    def encode(self, text: str) -> bytes:
        """Return bytes that are read as this text, which has no private characters: ``decode`` replaces them."""
        data = self._encode_page(text)
        if data is not None and self.decode(data) == text:
            return data
        return _encode_utf8(text.translate(_HIDE_SIGNS))

    def _decode_page(self, data: bytes) -> str:
        text = codecs.charmap_decode(data, "strict", _letters(self._table))[0]
        signs = [(found.start(), found.group()[0]) for found in _SAFE_SIGN.finditer(data)]
        if not signs:
            return text
        letters = list(text)
        for place, byte in signs:
            letters[place] = _FIGURINES.get(byte, _DIAGRAM)
        return "".join(letters)

    def _encode_page(self, text: str) -> bytes | None:
        if self.page == "utf-8":
            return None
        if text.isascii():
            return text.encode()
        try:
            return _encoder(self._table)(text.translate(_sign_letters(self._table)))
        except UnicodeEncodeError:
            return None

    # Names, which contain no symbols.

    def decode_name(self, data: bytes) -> str:
        """Return the text of a name, a title, an address; never fails."""
        try:
            return data.decode()
        except UnicodeDecodeError:
            return codecs.charmap_decode(data, "strict", _letters(self._table))[0]

    def encode_name(self, text: str) -> bytes:
        """Return bytes that are read as this name."""
        if self.page != "utf-8" and not text.isascii():
            try:
                data = _encoder(self._table)(text)
            except UnicodeEncodeError:
                return _encode_utf8(text)
            if self.decode_name(data) == text:
                return data
        return _encode_utf8(text)


def _encode_utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise FormatError(f"a text that has no UTF-8 form: {text[error.start : error.end]!a}") from error


UTF8: Final = TextEncoding("utf-8")
CP1251: Final = TextEncoding("cp1251")
CP1252: Final = TextEncoding("cp1252")


def detect_encoding(texts: Iterable[bytes]) -> TextEncoding:
    """Return the encoding of a base from its texts: UTF-8 if all are, Cyrillic if most of the others look like it.

    A text looks Cyrillic if it has a word of Cyrillic letters alone, or three of them in a row. A single letter does
    not count: French has "à", Spanish "ó".
    """
    other_letters = cyrillic = 0
    for text in texts:
        if text.isascii():
            continue
        try:
            text.decode()
        except UnicodeDecodeError:
            other_letters += 1
            cyrillic += _CYRILLIC_WORD.search(text) is not None
    if not other_letters:
        return UTF8
    return CP1251 if 2 * cyrillic > other_letters else CP1252
