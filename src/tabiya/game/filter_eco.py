"""Selection of ECO codes: by prefix, by range, or by the name of an opening."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.game.filter_texts import checked_text
from tabiya.openings import codes_of

if TYPE_CHECKING:
    from collections.abc import Callable

_BEGINNING: Final = re.compile(r"[A-E][0-9]{0,2}|[A-E][0-9]{2}(?:/[0-9]{1,2}|[A-Z]{1,2})")
"""The prefix of a code, possibly with the finer division of ChessBase or Scid: B, B9, B97, B97/05, B97b."""
_RANGE: Final = re.compile(r"([A-E][0-9]{0,2})\s*(?:-|–|\.\.)\s*([A-E]?[0-9]{0,2})")
_CODES: Final = tuple(f"{letter}{number:02}" for letter in "ABCDE" for number in range(100))
_CODE_LENGTH: Final = 3
_SHORTEST_NAME: Final = 3
"""Fewer letters are a mistyped code."""
_LONGEST_NAME: Final = 200
_MOST_PARTS: Final = 1000


def eco_matcher(text: str) -> Callable[[pa.Array], pa.BooleanArray]:
    """Return a function that checks whether codes are selected by a text.

    ``B9`` is the prefix of a code, ``B90-B99`` (or ``B90-99``) an inclusive range; several of these are separated by
    commas. Anything else is the name of an opening, or part of one.

    Raises:
        UsageError: There is no such code and no such opening.
    """
    beginnings: set[str] = set()
    codes: set[str] = set()
    parts = [*dict.fromkeys(part.strip() for part in checked_text(text).split(","))]
    if len(parts) > _MOST_PARTS:
        raise UsageError(f"at most {_MOST_PARTS:,} codes and names of openings can be given, not {len(parts):,}")
    if not all(map(_is_code, parts)) and (found := _codes_of(text)):
        parts, codes = [], {*found}
    for part in parts:
        code = part.upper()
        if _BEGINNING.fullmatch(code):
            beginnings.add(code)
        elif ends := _RANGE.fullmatch(code):
            codes |= _between(text, *ends.groups())
        elif found := _codes_of(part):
            codes |= found
        else:
            raise UsageError(f"{part!r} is neither an ECO code (A00 to E99) nor part of the name of an opening")
    return partial(_matches, sorted(beginnings), pa.array(sorted(codes), pa.string()))


def _codes_of(name: str) -> frozenset[str]:
    """Return the codes of openings with a name like this; none if it is too short or too long for a name."""
    return codes_of(name) if _SHORTEST_NAME <= len(name) <= _LONGEST_NAME else frozenset()


def _is_code(part: str) -> bool:
    return bool(_BEGINNING.fullmatch(part.upper()) or _RANGE.fullmatch(part.upper()))


def _between(text: str, first: str, last: str) -> set[str]:
    last = last if last[:1].isalpha() else first[0] + last
    low, high = first.ljust(_CODE_LENGTH, "0"), last.ljust(_CODE_LENGTH, "9")
    if low > high:
        raise UsageError(f"{text!r} ends before it begins")
    return {code for code in _CODES if low <= code <= high}


def _matches(beginnings: list[str], codes: pa.Array, values: pa.Array) -> pa.BooleanArray:
    values = pc.utf8_upper(values)
    mask = pc.is_in(pc.utf8_slice_codeunits(values, 0, _CODE_LENGTH), codes)
    for beginning in beginnings:
        mask = pc.or_(mask, pc.starts_with(values, beginning))
    return mask
