"""Guiding texts: the blobs of a ``.cbg`` file that contain prose, with titles and bodies in several languages.

A blob is the byte 0x80, its own size in three bytes (BE, these four included), then in LE: the version (1, 2 or 3) and
the number of titles as words, the titles (language, length, bytes), a byte that is 1 in all samples, the number of
bodies as a word, the bodies. A body is a language, text with its length, formatting with its length; versions differ in
the width of lengths. Version 3 contains HTML and no formatting.

In tabiya one language of a text is one ``GuidingText``. Titles and bodies are paired by language, but need not be:
*Hedgehog* has German titles to English bodies, both being Russian. So a ``GuidingText`` has no body in the base if its
body is empty and its formatting is None, and no title if that is empty; empty formatting is None if there is a body.
What this cannot express (the bytes of titles in an unusual encoding, their order, damage) is stored in extras, from
which the blob is reproduced exactly as long as they match the texts.
"""

from __future__ import annotations

import struct
from collections import defaultdict, deque
from typing import TYPE_CHECKING, Final

from tabiya.chessbase.body_columns import DecodedText
from tabiya.errors import FormatError, UnsupportedError
from tabiya.game.annotations.encoding import UTF8, TextEncoding
from tabiya.game.record import Extra, GuidingText, Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

DAMAGED: Final = 140
"""Problem code: the blob breaks off or is inconsistent."""
UNKNOWN_VERSION: Final = 141
"""Problem code: the layout of this version is unknown."""

TITLES: Final = "cbh.text_titles"
"""Key of an extra: the name of an encoding, NUL, and the bytes of the blob from the number of titles to the bodies."""
ORIGINAL: Final = "cbh.text_original"
"""Key of an extra: the name of an encoding, NUL, and the whole blob, because it is damaged or of an unknown kind."""

_FLAGS: Final = 0x80
_PROLOG_BYTES: Final = 4
_TITLE: Final = struct.Struct("<HH")
_WORD: Final = struct.Struct("<H")
_LONG: Final = struct.Struct("<I")
_LENGTHS: Final = {1: _WORD, 2: _LONG, 3: _LONG}
VERSIONS: Final = frozenset(_LENGTHS)
_MARK: Final = b"\1"
"""The byte between titles and bodies; its meaning is unknown."""
_MOST_BYTES: Final = 0xFFFFFF
_MOST_PARTS: Final = 0xFFFF


class _BrokenError(Exception):
    """An invalid length, at an offset in the blob."""

    def __init__(self, offset: int, what: str) -> None:
        super().__init__(what)
        self.problem = Problem(DAMAGED, offset, what)


class _Cursor:
    """A read position in a blob."""

    def __init__(self, data: bytes, place: int = 0) -> None:
        self.data = data
        self.place = place

    def number(self, kind: struct.Struct, what: str) -> int:
        value: int = kind.unpack(self.bytes(kind.size, what))[0]
        return value

    def bytes(self, size: int, what: str) -> bytes:
        if size > len(self.data) - self.place:
            raise _BrokenError(self.place, f"{what} is truncated")
        self.place += size
        return self.data[self.place - size : self.place]


def decode_guiding_text(blob: bytes, encoding: TextEncoding = UTF8) -> DecodedText:
    """Return the texts of a blob; damage becomes a problem, with the texts before it and the blob itself in the extras.

    There are no extras if ``encode_guiding_text`` makes the same bytes from the texts alone. Offsets of problems count
    from the beginning of the blob. ``encoding`` is that of the titles. Bodies remain bytes.
    """
    texts, titles, problem = _decode(blob, encoding)
    page = encoding.page.encode() + b"\0"
    if problem is None:
        if _encode(texts, encoding) == blob:
            return DecodedText(texts)
        extra = Extra(TITLES, page + titles)
        if encode_guiding_text(texts, [extra], encoding) == blob:
            return DecodedText(texts, (extra,))
    return DecodedText(texts, (Extra(ORIGINAL, page + blob),), () if problem is None else (problem,))


def encode_guiding_text(
    texts: Sequence[GuidingText], extras: Iterable[Extra] = (), encoding: TextEncoding = UTF8
) -> bytes:
    """Return the blob for these texts; exactly the original one if the extras still match them.

    Raises:
        UnsupportedError: A text is too long, or the texts are not all of the same version.
    """
    kept = {extra.key: extra.value for extra in extras}
    for key in (ORIGINAL, TITLES):
        page, separator, data = kept.get(key, b"").partition(b"\0")
        if separator and (blob := _restored(key, data, tuple(texts), page)) is not None:
            return blob
    return _encode(texts, encoding)


def _restored(key: str, data: bytes, texts: tuple[GuidingText, ...], page: bytes) -> bytes | None:
    """Return the blob of an extra; None if it no longer matches these texts, which may have been edited."""
    try:
        encoding = TextEncoding(page.decode())
        # A blob that broke off gets its actual length: another one will follow it.
        blob = _sized(data) if key == ORIGINAL else _joined(_version_of(texts), data, texts)
        return blob if _decode(blob, encoding)[0] == texts else None
    except (FormatError, UnicodeError, UnsupportedError):  # extras may come from anywhere, for example from PGN
        return None


def _decode(blob: bytes, encoding: TextEncoding) -> tuple[tuple[GuidingText, ...], bytes, Problem | None]:
    """Return the texts, the bytes from the number of titles to the bodies, and the problem."""
    titles: list[tuple[int, str]] = []
    bodies: list[tuple[int, bytes, bytes | None]] = []
    cursor = _Cursor(blob)
    version = middle = 0
    problem = None
    try:
        size = int.from_bytes(cursor.bytes(_PROLOG_BYTES, "the text")[1:], "big")
        if size > len(blob):
            problem = Problem(DAMAGED, len(blob), f"{size - len(blob)} bytes are missing at the end")
        elif size < len(blob):
            problem = Problem(DAMAGED, size, "the text is shorter than its record states")
        version = cursor.number(_WORD, "the version")
        if version not in VERSIONS:
            return (), b"", Problem(UNKNOWN_VERSION, _PROLOG_BYTES, str(version))
        middle = cursor.place
        for _ in range(cursor.number(_WORD, "the number of titles")):
            lang = cursor.number(_WORD, "a title")
            title = cursor.bytes(cursor.number(_WORD, "a title"), "a title")
            titles.append((lang, encoding.decode_name(title)))
        cursor.bytes(len(_MARK), "the text")
        end_of_titles = cursor.place
        count = cursor.number(_WORD, "the number of bodies")
        bodies.extend(_decode_body(cursor, _LENGTHS[version]) for _ in range(count))
    except _BrokenError as error:
        return _paired(titles, bodies, version), b"", problem or error.problem
    if cursor.place < min(size, len(blob)):
        problem = problem or Problem(DAMAGED, cursor.place, f"{size - cursor.place} bytes are left after the text")
    return _paired(titles, bodies, version), blob[middle:end_of_titles], problem


def _decode_body(cursor: _Cursor, length: struct.Struct) -> tuple[int, bytes, bytes | None]:
    """Return a language, a body and its formatting."""
    lang = cursor.number(_WORD, "a body")
    body = cursor.bytes(cursor.number(length, "a body"), "a body")
    formatting = cursor.bytes(cursor.number(length, "formatting"), "formatting")
    return lang, body, formatting or (None if body else b"")


def _encode_body(text: GuidingText, length: struct.Struct) -> bytes:
    formatting = text.formatting or b""
    try:
        return b"".join(
            [_WORD.pack(text.lang), length.pack(len(text.body)), text.body, length.pack(len(formatting)), formatting]
        )
    except struct.error as error:
        raise UnsupportedError(
            f"the text {text.title!r} is too long for version {text.format} of guiding texts"
        ) from error


def _paired(
    titles: Sequence[tuple[int, str]], bodies: Sequence[tuple[int, bytes, bytes | None]], version: int
) -> tuple[GuidingText, ...]:
    """Return the bodies in order, each with the first unused title of its language; then the other titles."""
    remaining: dict[int, deque[str]] = defaultdict(deque)
    for lang, title in titles:
        remaining[lang].append(title)
    texts = []
    for lang, body, formatting in bodies:
        title = remaining[lang].popleft() if remaining[lang] else ""
        texts.append(GuidingText(lang, title, version, body, formatting))
    return (*texts, *(GuidingText(lang, title, version, b"") for lang, others in remaining.items() for title in others))


def _encode(texts: Sequence[GuidingText], encoding: TextEncoding) -> bytes:
    version = _version_of(texts)
    titles = [(text.lang, encoding.encode_name(text.title)) for text in texts if text.title]
    parts = [_WORD.pack(len(titles))]
    for lang, title in titles:
        try:
            parts += [_TITLE.pack(lang, len(title)), title]
        except struct.error as error:
            raise UnsupportedError(f"a title of {len(title)} bytes is too long for a guiding text") from error
    return _joined(version, b"".join([*parts, _MARK]), texts)


def _joined(version: int, titles: bytes, texts: Sequence[GuidingText]) -> bytes:
    """Return the blob of titles, given as bytes, and of the bodies of texts."""
    bodies = [_encode_body(text, _LENGTHS[version]) for text in texts if text.body or text.formatting is not None]
    prolog = bytes([_FLAGS]) + bytes(_PROLOG_BYTES - 1)
    return _sized(b"".join([prolog, _WORD.pack(version), titles, _WORD.pack(len(bodies)), *bodies]))


def _sized(blob: bytes) -> bytes:
    """Return a blob with its size in its prolog."""
    if not _PROLOG_BYTES <= len(blob) <= _MOST_BYTES:
        raise UnsupportedError(f"a guiding text of {len(blob)} bytes: a record holds at most {_MOST_BYTES}")
    return blob[:1] + len(blob).to_bytes(_PROLOG_BYTES - 1, "big") + blob[_PROLOG_BYTES:]


def _version_of(texts: Sequence[GuidingText]) -> int:
    versions = {text.format for text in texts} or {max(VERSIONS)}
    if len(versions) > 1 or len(texts) > _MOST_PARTS or not versions <= VERSIONS:
        named = ", ".join(map(str, sorted(versions)))
        raise UnsupportedError(f"no guiding text can hold {len(texts)} texts of version {named}")
    return versions.pop()
