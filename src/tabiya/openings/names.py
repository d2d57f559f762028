"""Names of openings for positions, whatever the order of moves that led there.

The table stands in ``openings.tsv``: a line per name with its ECO code and Polyglot's keys of its positions.
``scripts/opening_names.py`` makes it of the names that Lichess collects (CC0). It is read when the first name is asked
for, which takes some milliseconds.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["TABLE", "Opening", "codes_of", "find", "opening_at", "plain"]

TABLE: Final = "openings.tsv"
_UNDECOMPOSED: Final = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "'": "", "’": ""})
_BETWEEN_WORDS: Final = re.compile(r"[\W_]+")
_SPELLINGS: Final = (("defence", "defense"), ("ae", "a"), ("oe", "o"), ("ue", "u"))
"""British and American; Gruenfeld and Grünfeld. Done to names and questions alike, so that it may be done bluntly."""
_USUAL_SHARE: Final = 1 / 2
"""Of the names of a code; a code stands for what more of its names have in common."""


class Opening(NamedTuple):
    """An opening as players name it."""

    eco: str
    """The code of the Encyclopaedia of Chess Openings, A00 to E99."""
    name: str
    """Family, variation and subvariation: ``Sicilian Defense: Najdorf Variation, English Attack``."""

    def __str__(self) -> str:
        return f"{self.eco} {self.name}"


def opening_at(key: int) -> Opening | None:
    """Return the name of a position, by Polyglot's key (signed or unsigned); None if it has none of its own.

    A game has the name of the last position on its way that has one.
    """
    return _by_key().get(key & 0xFFFF_FFFF_FFFF_FFFF)


def find(text: str) -> list[Opening]:
    """Return the openings whose names contain a text, in the order of their codes; if none does, its words in a row.

    Case, accents and punctuation do not matter: ``Gruenfeld`` finds the Grünfeld, ``french defence`` the French
    Defense, ``sicilian najdorf`` the Sicilian Defense: Najdorf Variation. A word may be cut short, but not at its
    beginning: ``slav`` is no part of a Yugoslav Attack.
    """
    if not (wanted := plain(text)):
        return []
    found = [opening for name, opening in _by_name() if f" {wanted}" in name]
    words = re.compile(".*".join(f" {word}" for word in wanted.split()))
    return found or [opening for name, opening in _by_name() if words.search(name)]


def codes_of(text: str) -> frozenset[str]:
    """Return the ECO codes of the openings whose names contain a text: ``najdorf`` is B90 to B99.

    Codes are coarse. One that has the text in few of its names stands for other openings (A00 for a Reversed Catalan,
    B84 for the one line of the Scheveningen that is called Najdorf), so it counts only if none has it in most of them.
    """
    found = Counter(opening.eco for opening in find(text))
    usual = frozenset(eco for eco, count in found.items() if count > _USUAL_SHARE * _names_per_code()[eco])
    return usual or frozenset(found)


def plain(text: str) -> str:
    """Return a name without all that may be written in several ways: its words in small letters, a space in between."""
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
