"""DES (FIPS 46-3) in its plain mode, ECB: the encryption of ChessBase's ``.cbz`` archives.

DES is no longer secure; it is here to read existing archives. The tables are those of the standard, which counts bits
from 1, the highest first. They are converted to tables that permute byte by byte, and that substitute and permute in
one step; the kernel applies these to the blocks.
"""

from __future__ import annotations

from array import array
from functools import cache
from typing import TYPE_CHECKING, Final

from tabiya.errors import UsageError
from tabiya.formats.cbh.archive.des_kernel import crypt_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import Buffer

BLOCK_BYTES: Final = 8
KEY_BYTES: Final = 8
"""The lowest bit of each byte of a key is ignored: 56 bits count."""

_INITIAL: Final = tuple(bit for first in (58, 60, 62, 64, 57, 59, 61, 63) for bit in range(first, 0, -8))
_PERMUTATION: Final = (
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
    2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25,
)  # fmt: skip
_KEY_CHOICE: Final = (
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
    63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
)  # fmt: skip
_ROUND_KEY_CHOICE: Final = (
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
)  # fmt: skip
_SHIFTS: Final = (1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1)
_BOXES: Final = (
    "e4d12fb83a6c5907 0f74e2d1a6cb9538 41e8d62bfc973a50 fc8249175b3ea06d",
    "f18e6b34972dc05a 3d47f28ec01a69b5 0e7ba4d158c6932f d8a13f42b67c05e9",
    "a09e63f51dc7b428 d709346a285ecbf1 d6498f30b12c5ae7 1ad069874fe3b52c",
    "7de3069a1285bc4f d8b56f03472c1ae9 a690cb7df13e5284 3f06a1d8945bc72e",
    "2c417ab6853fd0e9 eb2c47d150fa3986 421bad78f9c5630e b8c71e2d6f09a453",
    "c1af92680d34e75b af427c9561de0b38 9ef528c3704a1db6 432c95fabe17608d",
    "4b2ef08d3c975a61 d0b7491ae35c2f86 14bdc37eaf680592 6bd814a7950fe23c",
    "d2846fb1a93e50c7 1fd8a374c56b0e92 7b419ce206adf358 21e74a8dfc90356b",
)
"""The eight substitutions: four rows each, one hexadecimal digit for each of 16 columns."""


def encrypt(data: Buffer, key: bytes) -> bytes:
    """Encrypt blocks of eight bytes, each separately."""
    return crypt_blocks(data, b"".join(_round_keys(key)), *_tables())


def decrypt(data: Buffer, key: bytes) -> bytes:
    """Undo ``encrypt``: the same with the round keys in reverse order."""
    return crypt_blocks(data, b"".join(reversed(_round_keys(key))), *_tables())


def _permuted(value: int, bits: int, choice: Sequence[int]) -> int:
    """Return selected bits of a number of the given width, concatenated."""
    result = 0
    for bit in choice:
        result = result << 1 | value >> (bits - bit) & 1
    return result


def _round_keys(key: bytes) -> list[bytes]:
    """Return the keys of the 16 rounds: six bits for each of the eight substitutions."""
    if len(key) != KEY_BYTES:
        raise UsageError(f"a DES key has {KEY_BYTES} bytes, not {len(key)}")
    chosen = _permuted(int.from_bytes(key, "big"), 64, _KEY_CHOICE)
    left, right = chosen >> 28, chosen & 0xFFFFFFF
    keys = []
    for shift in _SHIFTS:
        left, right = ((half << shift | half >> 28 - shift) & 0xFFFFFFF for half in (left, right))
        round_key = _permuted(left << 28 | right, 56, _ROUND_KEY_CHOICE)
        keys.append(bytes(round_key >> 42 - 6 * box & 63 for box in range(8)))
    return keys


@cache
def _tables() -> tuple[array[int], array[int], array[int]]:
    """Return, by byte position and value, its initial and final permutation; and by box and bits, its substitution."""
    final = sorted(range(1, 65), key=lambda bit: _INITIAL[bit - 1])
    places = [(byte, value) for byte in range(8) for value in range(256)]
    permutations = [
        array("Q", (_permuted(value << 56 - 8 * byte, 64, choice) for byte, value in places))
        for choice in (_INITIAL, final)
    ]
    substitution = array("I")
    for number, box in enumerate(_BOXES):
        rows = box.split()
        for bits in range(64):
            row, column = bits >> 4 & 2 | bits & 1, bits >> 1 & 15
            output = int(rows[row][column], 16) << 28 - 4 * number
            substitution.append(_permuted(output, 32, _PERMUTATION))
    return permutations[0], permutations[1], substitution
