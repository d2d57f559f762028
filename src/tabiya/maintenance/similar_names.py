"""Spellings that may be the same person: found by family name and given names, with the evidence.

This module does not merge names. Names that share a FIDE id belong together; names with different ids, and names that
have played each other, do not. The others are candidates if their family names sound alike and their given names match:
the same, cut short, or an initial. An initial that matches several names is listed with the best of them, and marked as
ambiguous.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.game.filter_texts import bare_name
from tabiya.maintenance.name_evidence import Evidence, read_evidence
from tabiya.maintenance.person_names import given_fit, people_of

if TYPE_CHECKING:
    from tabiya.formats import Database
    from tabiya.formats.open_and_create import Locations
    from tabiya.formats.progress import Watcher

_MOST_COMPARED: Final = 1000
"""Number of names of one family that a name is compared with: the fullest and most frequent ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """A spelling of a name, with data about the player."""

    name: str
    games: int
    first_year: int | None
    last_year: int | None
    lowest_rating: int | None
    highest_rating: int | None
    fide_ids: tuple[str, ...]
    reasons: tuple[str, ...] = ()
    """Why it may be the person of the group: ``FIDE id``; or else how it differs: ``writing`` (accents, case,
    punctuation, order of names), ``initials``, ``fewer names`` in the family name, ``spelling``."""
    common_opponents: int = 0
    """Number of opponents that both spellings have met."""
    ambiguous: bool = False
    """Whether it may also be another person of the list."""

    def as_dict(self) -> dict[str, Any]:
        """Return the spelling for JSON."""
        values = {name: getattr(self, name) for name in Spelling.__slots__}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


@dataclass(frozen=True, slots=True)
class NameGroup:
    """Spellings that may be the same person."""

    main: Spelling
    """The fullest spelling; of several the most frequent."""
    others: tuple[Spelling, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the group for JSON."""
        return {"main": self.main.as_dict(), "others": [each.as_dict() for each in self.others]}


def find_similar_names(source: Locations | Database, *, threads: int = 1, progress: Watcher = None) -> list[NameGroup]:
    """Find spellings of players that may be the same person; nothing is changed.

    Args:
        source: what ``tabiya.open`` takes, several databases included, or an open database, which remains open.
        threads: number of threads that read.
        progress: called after every batch that was read.

    Returns:
        Groups in the order of their names. After a review, pass them to ``correct_names``.
    """
    evidence = read_evidence(source, threads=threads, progress=progress)
    return _Finder(evidence).groups()


class _Finder:
    """Compares names, given by their numbers."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._names = evidence.names.names()
        self._people = people_of(self._names)
        self._ids: dict[int, set[str]] = {}
        """By main spelling: the FIDE ids of all spellings that have joined it."""
        self._letters = ["".join(sorted(bare)) for bare in bare_name(pa.array(self._names, pa.string())).to_pylist()]

    def groups(self) -> list[NameGroup]:
        """Return the groups: each name joins the best of the matching names that are fuller or more frequent."""
        found: dict[int, list[tuple[int, bool]]] = {}
        mains: dict[str, list[int]] = {}
        for number in sorted(np.flatnonzero(self._evidence.games).tolist(), key=self._fullness):
            keys = [f"id {each}" for each in self._evidence.ids_of(number)]
            words = [f"family {each}" for each in self._people[number].families]
            near = dict.fromkeys(main for key in (*keys, *words) for main in mains.get(key, ())[:_MOST_COMPARED])
            fits = [main for main in near if self._may_be(number, main)]
            if not fits:
                found[number], self._ids[number] = [], {*self._evidence.ids_of(number)}
                joins = number
            else:
                joins = max(fits, key=lambda main: (self._common(number, main), self._evidence.games[main]))
                found[joins].append((number, len(fits) > 1))
                self._ids[joins] |= self._evidence.ids_of(number)
            for key in keys if fits else (*keys, *words):
                mains.setdefault(key, []).append(joins)
        groups = [self._group(main, others) for main, others in found.items() if others]
        return sorted(groups, key=lambda group: group.main.name.casefold())

    def _fullness(self, number: int) -> tuple[int, int, bool, str]:
        """Return a key that sorts the fullest and most frequent names first, and of these those with accents."""
        full = sum(len(word) > 1 for word in self._people[number].given)
        name = self._names[number]
        return -min(full, 1), -int(self._evidence.games[number]), name.isascii(), name

    def _may_be(self, one: int, main: int) -> bool:
        ids, others = self._evidence.ids_of(one), self._ids[main]
        if ids & others:
            return True
        if (ids and others) or self._evidence.have_met(one, main):
            return False  # different FIDE ids, or they have played each other
        person, other = self._people[one], self._people[main]
        few, many = sorted((person.families, other.families), key=len)
        return few <= many and given_fit(person, other)

    def _common(self, one: int, main: int) -> int:
        opponents = self._evidence.opponents_of
        return len(np.intersect1d(opponents(one), opponents(main), assume_unique=True))

    def _group(self, main: int, others: list[tuple[int, bool]]) -> NameGroup:
        listed = sorted(others, key=lambda each: (-self._evidence.games[each[0]], self._names[each[0]]))
        return NameGroup(
            self._spelling(main),
            tuple(
                self._spelling(
                    number,
                    reasons=self._reasons(number, main),
                    common_opponents=self._common(number, main),
                    ambiguous=ambiguous,
                )
                for number, ambiguous in listed
            ),
        )

    def _reasons(self, one: int, main: int) -> tuple[str, ...]:
        person, other = self._people[one], self._people[main]
        reasons = ["FIDE id"] if self._evidence.ids_of(one) & self._evidence.ids_of(main) else []
        if self._letters[one] == self._letters[main]:
            return (*reasons, "writing")
        if person.given != other.given and given_fit(person, other):
            reasons.append("initials")
        few, many = sorted((person.written, other.written), key=len)
        return (*reasons, *([] if few == many else ["fewer names"] if few <= many else ["spelling"]))

    def _spelling(self, number: int, **more: Any) -> Spelling:
        evidence = self._evidence
        (first, last), (lowest, highest) = evidence.years[number].tolist(), evidence.ratings[number].tolist()
        return Spelling(
            name=self._names[number],
            games=int(evidence.games[number]),
            first_year=first or None,
            last_year=last or None,
            lowest_rating=lowest or None,
            highest_rating=highest or None,
            fide_ids=tuple(sorted(evidence.ids_of(number))),
            **more,
        )
