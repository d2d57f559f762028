"""Encodings by name, and code pages for kernels: a character for each byte beyond ASCII."""

from __future__ import annotations

import codecs
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from tabiya.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def encoding_called(name: str) -> codecs.CodecInfo:
    """Return the encoding of this name, which must be a text encoding: Python has others, too, such as ``hex``."""
    try:
        "".encode(name)
        b"".decode(name, "replace")
        return codecs.lookup(name)
    except (LookupError, ValueError) as error:  # a name that contains a NUL is a ValueError
        raise UsageError(f"no encoding is called {name!r}") from error


@lru_cache(64)
def code_page(encoding: str) -> NDArray[np.uint16] | None:
    """Return the characters of the bytes 0x80 to 0xFF, or None if the encoding does not have one byte per character.

    A byte without a character represents the control character of its number, so that no byte is ever lost.
    """
    decode = encoding_called(encoding).decode
    # In every multi-byte encoding one of these is longer, even if bytes below 0x80 begin longer characters (hz).
    if any(len(character.encode(encoding, "ignore")) > 1 for character in "éЯא丁日한"):
        return None
    characters = [decode(bytes((byte,)), "ignore")[0] or chr(byte) for byte in range(0x80, 0x100)]
    page = np.array([ord(character) for character in characters], np.uint16)
    page.flags.writeable = False  # all callers share it
    return page
