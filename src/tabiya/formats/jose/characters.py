"""Texts in jose's tables: UTF-8 by units of UTF-16 (CESU-8), and lengths counted in these units."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from tabiya.errors import UsageError

_LAST_OF_PLANE: Final = "\uffff"
_NAME_LENGTH: Final = 255
_NOTHING: Final = frozenset({"", "-", "?"})


def decode_characters(data: bytes) -> str:
    """Return a text of a table. Bytes that are not UTF-8 are read as ISO 8859-1, as in databases of old versions."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        pass
    try:
        return data.decode(errors="surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def encode_characters(text: str) -> bytes:
    """Return a text as jose stores it."""
    if text.isascii() or max(text) <= _LAST_OF_PLANE:
        return text.encode()
    units = text.encode("utf-16-le")
    letters = (units[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(units), 2))
    return b"".join(letter.encode("utf-8", "surrogatepass") for letter in letters)


def are_characters(data: bytes) -> bool:
    """Return whether bytes are characters by units of UTF-16, as a text column requires."""
    try:
        data.decode(errors="surrogatepass")
    except UnicodeDecodeError:
        return False
    return True


def length_of(text: str) -> int:
    """Return the number of characters as jose counts."""
    return len(text) if text.isascii() else len(text) + sum(letter > _LAST_OF_PLANE for letter in text)


@lru_cache(1 << 14)
def stored_characters(text: str, length: int) -> bytes | None:
    """Return a text as a column of this length stores it; None if it would not return the text unchanged.

    jose treats ``?``, ``-`` and empty as equal. Names repeat, so the latest results are cached.
    """
    if text in _NOTHING or length_of(text) > length or "\0" in text or text.endswith(" "):
        return None
    return encode_characters(text)


def collection_name(name: str) -> bytes:
    """Return the name of a collection as jose stores it.

    Raises:
        UsageError: The name is invalid.
    """
    if not name or length_of(name) > _NAME_LENGTH or "\0" in name or name != name.rstrip(" "):
        rule = f"a name has 1 to {_NAME_LENGTH} characters, and no blank at its end"
        raise UsageError(f"no collection can be called {name[:60]!r}: {rule}")
    return encode_characters(name)


def parameter_of(data: bytes | None) -> str | bytes | None:
    """Return a stored text as a statement parameter: as characters if MySQL accepts them, else as bytes."""
    if data is None:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data
