"""Small codes of the index and their inverses: dates, ECO codes, kinds of ratings, rounded counts, flags."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

COMMON_TAGS: Final = (
    *("WhiteCountry", "BlackCountry", "Annotator", "PlyCount", "EventDate", "Opening", "Variation", "Setup"),
    *("Source", "SetUp"),
)
"""Names of tags that have a number in game data, from 241 on."""

RATING_TYPES: Final = ("Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "ECF")
"""The rest of the tag name after ``White`` or ``Black``, by number."""
NAMELESS_RATING: Final = 7
"""The 3-bit number that Scid has no name for: such a rating is shown as Elo, and an extra stores the number."""

DERIVED_FLAGS: Final = 0b111
"""Own start position, promotion, underpromotion: these are derived from the game."""
DELETED: Final = 1 << 3
FLAG_LETTERS: Final = "WBMENPTKQ!?U123456"
"""Letters of the bits from 4 on, as in the tag ScidFlags."""
_FIRST_LETTER: Final = 4

_ECO: Final = re.compile(r"([A-E])([0-9]{2})(?:([a-z])([1-4])?)?")
_PER_CODE: Final = 131
MOST_ECO: Final = 500 * _PER_CODE
"""The highest number that is an ECO code, ``E99z4``."""
MONTHS: Final = 12
"""The index could store three more."""
RESULTS: Final = 4
"""Number of valid result codes; si4 can store sixteen."""
_COUNT_LIMITS: Final = np.array([*range(1, 11), 13, 18, 25, 35, 45])
"""The smallest numbers for the codes 1 to 15."""


@cache
def decode_eco(code: int) -> str | None:
    """Return the ECO code of a number: ``B12a1``; None for 0 and for invalid numbers."""
    number, extension = divmod(code - 1, _PER_CODE)
    if not 0 <= number < 500:
        return None
    text = f"{'ABCDE'[number // 100]}{number % 100:02}"
    if extension:
        letter, digit = divmod(extension - 1, 5)
        text += chr(ord("a") + letter) + (str(digit) if digit else "")
    return text


def encode_eco(text: str) -> int:
    """Return the number of an ECO code, 0 if it has none."""
    match = _ECO.fullmatch(text)
    if match is None:
        return 0
    extension = 1 + 5 * (ord(match[3]) - ord("a")) + int(match[4] or 0) if match[3] else 0
    return 1 + _PER_CODE * (100 * "ABCDE".index(match[1]) + int(match[2])) + extension


def count_codes(counts: NDArray[Any]) -> NDArray[np.int64]:
    """Return the 4-bit codes for numbers of comments, variations or NAGs."""
    return np.searchsorted(_COUNT_LIMITS, counts, side="right")


def flag_letters(flags: int) -> str:
    """Return the letters of user flags, without the deletion mark."""
    return "".join(letter for place, letter in enumerate(FLAG_LETTERS) if flags >> (_FIRST_LETTER + place) & 1)


def flags_of(letters: str) -> int:
    """Return the flags for some letters, as Scid reads them: in any case, D for deleted; other letters are ignored."""
    known, given = enumerate(f"D{FLAG_LETTERS}", _FIRST_LETTER - 1), letters.upper()
    return sum(1 << place for place, letter in known if letter in given)
