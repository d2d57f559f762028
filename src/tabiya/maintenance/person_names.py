"""Names of people as written: family and given names, in any order, script and spelling.

``Kortschnoj,V``, ``Korchnoi, Viktor`` and ``Viktor Korchnoy`` have the same family name by its *sound*, a spelling that
all of them are mapped to. It is coarse on purpose: names with the same sound are candidates, not matches.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.game.filter_texts import without_accents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_GIVEN_WORDS: Final = 4
_PACKED_BYTES: Final = 8
_MOST_INITIALS: Final = 3
_SHORTEST_BEGINNING: Final = 3
_ASIDE: Final = re.compile(r"\([^()]*\)|\[[^][]*\]")
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
    """A parsed name; words are sounds unless stated otherwise."""

    family: str
    """The longest word of the family name, without particles such as *van*."""
    given: tuple[str, ...]
    """Given names and initials, in order."""
    families: frozenset[str]
    """All words of the family name, except particles."""
    written: frozenset[str]
    """The same as written, in lower case without accents."""


class _Word(NamedTuple):
    sound: str
    plain: str


def sound_of(word: str) -> str:
    """Return the sound of a word in lower case without accents."""
    sound = word.translate(_CYRILLIC)
    for spelling, usual in _SOUNDS:
        sound = sound.replace(spelling, usual)
    return _RUSSIAN_ENDING.sub("v", _DOUBLED.sub(r"\1", sound)) or word


def people_of(names: Sequence[str]) -> list[Person]:
    """Parse names.

    The part before a comma is the family name. Without a comma it is the word that is a family name in most of the
    other names, or else the last one: ``Magnus Carlsen`` is recognised because there is a ``Carlsen, M``.
    """
    plain = without_accents(pa.array(names, pa.string())).to_pylist()
    parts = [_parts(name, text) for name, text in zip(names, plain, strict=True)]
    families = Counter(word.sound for family, given in parts if given is not None for word in family)
    return [_person(family, given, families) for family, given in parts]


def _parts(name: str, plain: str) -> tuple[list[_Word], list[_Word] | None]:
    """Return the words before and after the comma; None for the latter if there is no comma."""
    before, comma, after = _ASIDE.sub(" ", plain).partition(",")
    original = "" if name.isupper() else name
    family = [word for word in _words(before, original) if word.plain not in _TITLES]
    return family or [_Word(plain, plain)], _words(after, original) if comma else None


def _words(text: str, original: str) -> list[_Word]:
    """Return words; ``RJ`` in a name that is not all capitals is two initials."""
    found: list[_Word] = []
    for word in _NO_WORD.split(text):
        if 1 < len(word) <= _MOST_INITIALS and word.isalpha() and re.search(rf"\b{word.upper()}\b", original):
            found += [_Word(sound_of(letter)[0], letter) for letter in word]
        elif word:
            found.append(_Word(sound_of(word)[: 1 if len(word) == 1 else None], word))
    return found


def _person(words: list[_Word], given: list[_Word] | None, families: Counter[str]) -> Person:
    if given is None:
        chosen = max(
            range(len(words)),
            key=lambda place: (_may_be_family(words[place].plain), families[words[place].sound], place),
        )
        given, words = words[:chosen] + words[chosen + 1 :], words[chosen : chosen + 1]
    own = _without_particles(words)
    sounds = frozenset(word.sound for word in own)
    return Person(
        max(sorted(sounds), key=len),
        tuple(word.sound for word in _without_particles(given)),
        sounds,
        frozenset(word.plain for word in own),
    )


def _without_particles(words: list[_Word]) -> list[_Word]:
    """Return words without particles, unless there is nothing else."""
    return [word for word in words if word.plain not in _PARTICLES] or words


def _may_be_family(word: str) -> bool:
    """Return whether a word is neither an initial nor a version number of an engine."""
    return len(word) > 1 and word.isalpha()


def given_fit(one: Person, other: Person) -> bool:
    """Return whether the given names may be those of one person, by the rule of the kernel: see ``names_match``.

    All of the shorter list occur in the longer one, in order: the same, as an initial, or cut to three letters or more.
    A name without given names matches every member of the family.
    """
    short, long = sorted((one.given[:_GIVEN_WORDS], other.given[:_GIVEN_WORDS]), key=len)
    remaining = iter(long)
    return all(any(_word_fits(word, long_word) for long_word in remaining) for word in short)


def _word_fits(one: str, other: str) -> bool:
    """Return whether one word may abbreviate another: two letters are a name, and digits the version of an engine."""
    short, long = sorted((one, other), key=len)
    may_be_short = len(short) == 1 or len(short) >= _SHORTEST_BEGINNING
    return one == other or (may_be_short and not short[0].isdigit() and long.startswith(short))


def spellings_of(name: str, names: pa.StringArray) -> list[int]:
    """Return which of these names may be other spellings of a name: the family name is the same, given names fit."""
    person = people_of([name])[0]
    longest = max(sorted(person.written), key=len)
    candidates = np.flatnonzero(pc.match_substring(without_accents(names), pattern=longest))
    texts = names.take(pa.array(candidates)).to_pylist()
    person, *people = people_of([name, *texts])
    return [
        place
        for place, text, other in zip(candidates.tolist(), texts, people, strict=True)
        if text != name and person.families & other.families and given_fit(person, other)
    ]


def packed_given(people: Sequence[Person]) -> NDArray[np.uint64]:
    """Return the given names of people as numbers, for ``choose_kept``."""
    packed = np.zeros((len(people), _GIVEN_WORDS), np.uint64)
    for place, person in enumerate(people):
        for word, sound in enumerate(person.given[:_GIVEN_WORDS]):
            packed[place, word] = int.from_bytes(sound.encode()[:_PACKED_BYTES], "little")
    return packed
