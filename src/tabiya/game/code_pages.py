"""Encodings by name, and code pages as kernels take them: a character for each byte beyond ASCII."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

import numpy as np

from tabiya.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["code_page", "encoding_called"]


def encoding_called(name: str) -> codecs.CodecInfo:
    """The encoding of this name, which must be one of texts: Python has others, too, such as ``hex``."""
    try:
        "".encode(name)
        b"".decode(name, "replace")
        return codecs.lookup(name)
    except (LookupError, ValueError) as error:  # a name with a NUL in it is no value
        raise UsageError(f"no encoding is called {name!r}") from error


def code_page(encoding: str) -> NDArray[np.uint16] | None:
    """The characters of the bytes 0x80 to 0xFF, or None if the encoding does not have one byte per character.

    A byte without a character stands for the control character of its number, so that no byte is ever lost.
    """
    decode = encoding_called(encoding).decode
    pairs = (bytes((byte, second)) for byte in range(0x80, 0x100) for second in (0x41, 0xC0))
    if len(decode(bytes(range(0x80)), "replace")[0]) != 0x80 or any(
        len(decode(pair, "replace")[0]) != 2 for pair in pairs
    ):
        return None
    characters = [decode(bytes((byte,)), "ignore")[0] or chr(byte) for byte in range(0x80, 0x100)]
    if any(len(character) != 1 for character in characters):
        return None
    return np.array([ord(character) for character in characters], np.uint16)
