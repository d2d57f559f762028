"""Texts in jose's tables: UTF-8 by units of UTF-16 (CESU-8), and lengths counted in these units."""

from __future__ import annotations

from typing import Final

__all__ = ["decode_characters", "encode_characters", "is_storable", "length_of"]

_LAST_OF_PLANE: Final = "\uffff"
_NOTHING: Final = frozenset({"", "-", "?"})


def decode_characters(data: bytes) -> str:
    """A text of a table. What is not UTF-8 is ISO 8859-1, as in databases of old versions."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        pass
    try:
        return data.decode(errors="surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def encode_characters(text: str) -> bytes:
    """A text as jose stores it."""
    if not text or max(text) <= _LAST_OF_PLANE:
        return text.encode()
    units = text.encode("utf-16-le")
    letters = (units[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(units), 2))
    return b"".join(letter.encode("utf-8", "surrogatepass") for letter in letters)


def length_of(text: str) -> int:
    """How many characters jose counts."""
    return len(text) + sum(letter > _LAST_OF_PLANE for letter in text)


def is_storable(text: str, length: int) -> bool:
    """Whether a column of this length gives a text back as it is: jose takes ``?``, ``-`` and nothing for the same."""
    return text not in _NOTHING and length_of(text) <= length and "\0" not in text and text == text.rstrip(" ")
