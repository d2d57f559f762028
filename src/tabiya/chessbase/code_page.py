"""The encoding of the texts of a base as tables for the kernel of texts."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.game.annotations import TextEncoding

_SIGNS: Final = {"♔": 0xA2, "♕": 0xA3, "♖": 0xA6, "♗": 0xA5, "♘": 0xA4, "♙": 0xA7, "▦": 0x9E}
"""The bytes of figurines and diagrams in texts that are not UTF-8; see ``TextEncoding``."""


@cache
def code_page(encoding: TextEncoding) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """Return the letters of the bytes 0x80 to 0xFF in texts that are not UTF-8, and the bytes of letters and signs."""
    letters = np.array([ord(encoding.decode_name(bytes([byte]))) for byte in range(0x80, 0x100)], np.uint16)
    letter_bytes = np.zeros(0x10000, np.uint8)
    letter_bytes[letters] = np.arange(0x80, 0x100)
    for sign, byte in _SIGNS.items():
        letter_bytes[ord(sign)] = byte
    return letters, letter_bytes
