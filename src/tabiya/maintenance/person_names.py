"""Names of people as they are written: family and given names, in whatever order, script and spelling.

``Kortschnoj,V``, ``Korchnoi, Viktor`` and ``Viktor Korchnoy`` have one family name by its *sound*, a spelling that all
of them lead to. It is blunt on purpose: names that sound alike are worth a look, and no proof of anything.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa

from tabiya.game.filter_texts import without_accents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Person", "packed_given", "people_of", "sound_of"]

_GIVEN_WORDS: Final = 4
_PACKED_BYTES: Final = 8
_MOST_INITIALS: Final = 3
_ASIDE: Final = re.compile(r"\([^)]*\)|\[[^]]*\]")
_NO_WORD: Final = re.compile(r"[\W_]+")
_PARTICLES: Final = frozenset(re.findall(r"\w+", "al da de del della den der di do dos du el la le ten ter van von zu"))
_TITLES: Final = frozenset(re.findall(r"\w+", "gm im fm cm wgm wim wfm wcm dr prof"))
_CYRILLIC: Final = str.maketrans(
    dict(
        zip(
            "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ",
            "a b v g d e zh z i i k l m n o p r s t u f h c ch sh sh - i - e iu ia i i e g".replace("-", "").split(" "),
            strict=True,
        )
    )
)
_SOUNDS: Final = (
    *(("tsch", "ch"), ("dsch", "j"), ("tch", "ch"), ("tsh", "ch"), ("dzh", "j"), ("sch", "sh"), ("kh", "h")),
    *(("ck", "k"), ("ph", "f"), ("th", "t"), ("cz", "ch"), ("tz", "c"), ("ts", "c"), ("x", "ks"), ("q", "k")),
    *(("w", "v"), ("j", "i"), ("y", "i"), ("ie", "e"), ("ae", "a"), ("oe", "o"), ("ue", "u")),
)
"""Spellings of one sound in English, German, French and Polish; applied in this order."""
_DOUBLED: Final = re.compile(r"(.)\1+")
_RUSSIAN_ENDING: Final = re.compile(r"(?<=[oe])ff?$")


class Person(NamedTuple):
    """A name taken apart; all words are sounds."""

    family: str
    """The longest word of the family name, particles like *van* left out."""
    given: tuple[str, ...]
    """Given names and initials, in their order."""


def sound_of(word: str) -> str:
    """Return what a word, in small letters without accents, sounds like."""
    sound = word.translate(_CYRILLIC)
    for spelling, usual in _SOUNDS:
        sound = sound.replace(spelling, usual)
    return _RUSSIAN_ENDING.sub("v", _DOUBLED.sub(r"\1", sound)) or word


def people_of(names: Sequence[str]) -> list[Person]:
    """Take names apart.

    Before a comma stands the family name. Without a comma it is the word that is a family name in most of the other
    names, or else the last one: ``Magnus Carlsen`` is found because there is a ``Carlsen, M``.
    """
    plain = without_accents(pa.array(names, pa.string())).to_pylist()
    parts = [_parts(name, text) for name, text in zip(names, plain, strict=True)]
    families = Counter(word for family, given in parts if given is not None for word in family)
    return [_person(family, given, families) for family, given in parts]


def _parts(name: str, plain: str) -> tuple[list[str], list[str] | None]:
    """Return the sounds before and after the comma; None for the latter if there is no comma."""
    before, comma, after = _ASIDE.sub(" ", plain).partition(",")
    shouted = name.isupper()
    family = [word for word in _words(before, "" if shouted else name) if word not in _TITLES]
    return family or [plain], _words(after, "" if shouted else name) if comma else None


def _words(text: str, original: str) -> list[str]:
    """Return the sounds of words; ``RJ`` in a name that is not all capitals is two initials."""
    found: list[str] = []
    for word in _NO_WORD.split(text):
        if 1 < len(word) <= _MOST_INITIALS and word.isalpha() and re.search(rf"\b{word.upper()}\b", original):
            found += [sound_of(letter)[0] for letter in word]
        elif word:
            found.append(sound_of(word)[: len(word) if len(word) == 1 else None])
    return found


def _person(words: list[str], given: list[str] | None, families: Counter[str]) -> Person:
    if given is None:
        chosen = max(range(len(words)), key=lambda place: (_may_be_family(words[place]), families[words[place]], place))
        given, words = words[:chosen] + words[chosen + 1 :], words[chosen : chosen + 1]
    own = [word for word in words if word not in _PARTICLES] or words
    family = max(sorted(own), key=len)
    return Person(family, tuple(word for word in given if word not in _PARTICLES))


def _may_be_family(word: str) -> bool:
    """Return whether it is neither an initial nor the number of an engine's version."""
    return len(word) > 1 and word.isalpha()


def packed_given(people: Sequence[Person]) -> NDArray[np.uint64]:
    """Return the given names of people as numbers, for ``choose_kept``."""
    packed = np.zeros((len(people), _GIVEN_WORDS), np.uint64)
    for place, person in enumerate(people):
        for word, sound in enumerate(person.given[:_GIVEN_WORDS]):
            packed[place, word] = int.from_bytes(sound.encode()[:_PACKED_BYTES], "little")
    return packed
