"""Search for texts in columns of names and other texts, without a Python object per record.

Accents and case are ignored, and in names also punctuation and blanks. ``/…/`` is a regular expression (of RE2, which
needs linear time for any expression).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError, shortened

if TYPE_CHECKING:
    from collections.abc import Callable

    Matcher: TypeAlias = Callable[[pa.Array], pa.BooleanArray]


class Remembering:
    """A matcher that remembers the names that it has seen last.

    The columns of a record often share their names, and so do all stretches of a list. A large collection has hundreds
    of thousands of names, which take longer to test than millions of games by the numbers of their names.
    """

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self._last: tuple[pa.Array, pa.BooleanArray] | None = None

    def __call__(self, names: pa.Array) -> pa.BooleanArray:
        """Return which names match."""
        last = self._last  # another thread may replace it
        if last is None or not _same(last[0], names):
            last = self._last = names, self._matcher(names)
        return last[1]


def _same(one: pa.Array, other: pa.Array) -> bool:
    """Return whether two arrays are the same place in memory; false if that is uncertain."""
    if one.type != other.type or (one.offset, len(one)) != (other.offset, len(other)):
        return False
    places = [[None if each is None else each.address for each in array.buffers()] for array in (one, other)]
    return places[0] == places[1]


_LETTERS: Final = {
    **dict(zip("øłđðħŧıς", "olddhtiσ", strict=True)),
    **dict(zip("ßæœþ", ("ss", "ae", "oe", "th"), strict=True)),
}
"""Lower-case letters with strokes and the like, which Unicode does not decompose, and their usual replacements."""
_ACCENTS: Final = r"\p{M}+"
_NO_LETTERS: Final = r"[^\p{L}\p{N}]+"


def without_accents(texts: pa.Array) -> pa.Array:
    """Return texts in lower case without accents."""
    if pc.all(pc.string_is_ascii(texts), min_count=0).as_py():
        return pc.ascii_lower(texts)
    plain = pc.replace_substring_regex(pc.utf8_lower(pc.utf8_normalize(texts, "NFKD")), _ACCENTS, "")
    for letter, usual in _LETTERS.items():
        plain = pc.replace_substring(plain, letter, usual)
    return plain


def bare_name(names: pa.Array) -> pa.Array:
    """Return the significant part of names: letters and digits, in lower case and without accents."""
    return pc.replace_substring_regex(without_accents(names), _NO_LETTERS, "")


def checked_text(text: str) -> str:
    """Return a text to search for. The command line may contain bytes that are not UTF-8: no database has these."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UsageError(f"{text!a} cannot be searched for: it is not UTF-8") from error
    return text


def name_matcher(text: str, *, exact: bool) -> Matcher:
    """Return a function that finds a text in names; ``exact``: accents and punctuation are significant.

    A text without any letter or digit is searched for as it is.
    """
    if exact or _is_expression(text) or not _plain(bare_name, checked_text(text)):
        return text_matcher(text, exact=exact)
    return partial(_found, bare_name, _plain(bare_name, text))


def text_matcher(text: str, *, exact: bool) -> Matcher:
    """Return a function that finds a text in other texts, with punctuation; ``exact``: accents are significant."""
    checked_text(text)
    if _is_expression(text):
        return _expression(text)
    if exact:
        return partial(pc.match_substring, pattern=text, ignore_case=True)
    return partial(_found, without_accents, _plain(without_accents, text))


def _plain(function: Matcher, text: str) -> str:
    plain: str = function(pa.array([text]))[0].as_py()
    return plain


def _found(function: Matcher, searched: str, texts: pa.Array) -> pa.BooleanArray:
    return pc.match_substring(function(texts), pattern=searched)


def _is_expression(text: str) -> bool:
    return len(text) >= len("/./") and text.startswith("/") and text.endswith("/")


def _expression(text: str) -> Matcher:
    matcher = partial(pc.match_substring_regex, pattern=text[1:-1], ignore_case=True)
    try:
        matcher(pa.array([""]))
    except pa.ArrowInvalid as error:
        raise UsageError(
            f"{shortened(text)} cannot be searched for: {str(error)[:1].lower()}{str(error)[1:]}"
        ) from error
    return matcher
