"""Names of openings for positions, regardless of the move order.

The table is in ``openings.tsv``: one line per name with its ECO code and the Polyglot keys of its positions.
``scripts/opening_names.py`` generates it from the names that Lichess collects (CC0). It is read on first use, which
takes a few milliseconds.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

TABLE: Final = "openings.tsv"
_UNDECOMPOSED: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "'": "", "’": ""})
_BETWEEN_WORDS: Final = re.compile(r"[\W_]+")
_SPELLINGS: Final = (("defence", "defense"), ("ae", "a"), ("oe", "o"), ("ue", "u"))
"""British and American spellings; Gruenfeld and Grünfeld. Applied to names and queries alike."""
_USUAL_SHARE: Final = 1 / 2
"""A code is preferred if more than this share of its names contains the text."""


class Opening(NamedTuple):
    """An opening and its usual name."""

    eco: str
    """The code of the Encyclopaedia of Chess Openings, A00 to E99."""
    name: str
    """Family, variation and subvariation: ``Sicilian Defense: Najdorf Variation, English Attack``."""

    def __str__(self) -> str:
        return f"{self.eco} {self.name}"


def opening_at(key: int) -> Opening | None:
    """Return the name of a position, by Polyglot's key (signed or unsigned); None if the position has no name.

    The opening of a game is the one of its last position with a name.
    """
    return _by_key().get(key & 0xFFFF_FFFF_FFFF_FFFF)


def all_openings() -> Mapping[int, Opening]:
    """Return the names of all named positions, by Polyglot's key (unsigned)."""
    return MappingProxyType(_by_key())


def find(text: str) -> list[Opening]:
    """Return the openings whose names contain a text, by ECO code; if there are none, those with its words in order.

    Case, accents and punctuation are ignored: ``Gruenfeld`` finds the Grünfeld, ``french defence`` the French
    Defense, ``sicilian najdorf`` the Sicilian Defense: Najdorf Variation. The end of a word may be omitted, but not its
    beginning: ``slav`` does not match the Yugoslav Attack.
    """
    if not (searched := plain(text)):
        return []
    found = [opening for name, opening in _by_name() if f" {searched}" in name]
    words = re.compile(".*".join(f" {word}" for word in searched.split()))
    return found or [opening for name, opening in _by_name() if words.search(name)]


def codes_of(text: str) -> frozenset[str]:
    """Return the ECO codes of the openings whose names contain a text: ``najdorf`` is B90 to B99.

    Codes are coarse. A code with the text in only a few of its names mainly covers other openings (A00 for a Reversed
    Catalan, B84 for the one line of the Scheveningen that is called Najdorf). Such codes are returned only if no code
    has the text in most of its names.
    """
    found = Counter(opening.eco for opening in find(text))
    usual = frozenset(eco for eco, count in found.items() if count > _USUAL_SHARE * _names_per_code()[eco])
    return usual or frozenset(found)


def plain(text: str) -> str:
    """Return a name in normalized spelling: its words in lower case, separated by spaces."""
    letters = unicodedata.normalize("NFKD", text.casefold().translate(_UNDECOMPOSED))
    words = _BETWEEN_WORDS.sub(" ", "".join(letter for letter in letters if not unicodedata.combining(letter)))
    for spelling, usual in _SPELLINGS:
        words = words.replace(spelling, usual)
    return words.strip()


@cache
def _openings() -> list[tuple[Opening, str]]:
    """Return all openings, each with the keys of its positions in hexadecimal."""
    lines = Path(__file__).with_name(TABLE).read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return [(Opening(eco, name), keys) for eco, name, keys in rows]


@cache
def _by_key() -> dict[int, Opening]:
    return {int(key, 16): opening for opening, keys in _openings() for key in keys.split()}


@cache
def _by_name() -> list[tuple[str, Opening]]:
    return [(f" {plain(opening.name)}", opening) for opening, _ in _openings()]


@cache
def _names_per_code() -> Counter[str]:
    return Counter(opening.eco for opening, _ in _openings())
