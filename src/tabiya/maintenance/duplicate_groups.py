"""The duplicates found, as a report: groups of games, what they have in common and how they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.game.record import Result
from tabiya.game.tag_values import Date, format_result
from tabiya.positions.game_facts import NO_RESULT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tabiya.positions.name_table import NameTable

_DIFFERENCES: Final = ("white", "black", "event", "site", "round", "date", "result")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedGame:
    """A game in a report; None is a value that the game does not have."""

    number: int
    """Number of the record."""
    white: str | None
    black: str | None
    event: str | None
    site: str | None
    round: str | None
    date: str | None
    """In PGN notation, ``2023.05.??``."""
    result: str | None
    plies: int
    annotations: int
    """Number of annotations, and of moves in variations."""

    def as_dict(self) -> dict[str, Any]:
        """Return the game for JSON."""
        return {name: getattr(self, name) for name in ListedGame.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin(ListedGame):
    """A game that equals one that is kept."""

    differs: tuple[str, ...]
    """How it differs: names of fields, and ``moves`` if one of the two continues after the end of the other."""

    def as_dict(self) -> dict[str, Any]:
        """Return the game for JSON."""
        return {**ListedGame.as_dict(self), "differs": list(self.differs)}


@dataclass(frozen=True, slots=True)
class DuplicateGroup:
    """Games that are equal."""

    kept: ListedGame
    """The game to keep."""
    twins: tuple[Twin, ...]
    """The other games, in the order of their numbers."""

    def as_dict(self) -> dict[str, Any]:
        """Return the group for JSON."""
        return {"kept": self.kept.as_dict(), "twins": [twin.as_dict() for twin in self.twins]}


class Duplicates:
    """The result of ``find_duplicates``: a sequence of groups, in the order of the games that are kept."""

    def __init__(self, rows: NDArray[Any], kept: NDArray[np.int64], names: NameTable, records: int) -> None:
        self._rows = rows
        self._names = names
        self.records = records
        """Records read."""
        self.games = len(rows)
        """Games compared."""
        self._twins = np.flatnonzero(kept >= 0)
        owners = kept[self._twins]
        order = np.lexsort((self._twins, owners))
        self._in_order = self._twins[order]
        self._kept, begins = np.unique(owners[order], return_index=True)
        self._ends = np.append(begins, len(order))

    @property
    def twins(self) -> int:
        """Number of games that can be removed."""
        return len(self._twins)

    @property
    def numbers(self) -> NDArray[np.int64]:
        """Numbers of the records that can be removed, ascending."""
        return np.sort(self._rows["number"][self._twins])

    def __len__(self) -> int:
        return len(self._kept)

    def __getitem__(self, index: int) -> DuplicateGroup:
        if not -len(self) <= index < len(self):
            raise IndexError(f"there is no group {index}: there are {len(self)}")
        place = index % len(self)
        kept = self._rows[self._kept[place]]
        others = self._in_order[self._ends[place] : self._ends[place + 1]]
        twins = (self._twin(self._rows[other], kept) for other in others.tolist())
        return DuplicateGroup(ListedGame(**self._fields(kept)), tuple(twins))

    def __iter__(self) -> Iterator[DuplicateGroup]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return f"<Duplicates: {self.twins} of {self.games} games>"

    def as_dict(self) -> dict[str, Any]:
        """Return the counts for JSON, without the groups."""
        return {"records": self.records, "games": self.games, "groups": len(self), "twins": self.twins}

    def _fields(self, row: Any) -> dict[str, Any]:
        date = int(row["date"])
        return {
            "number": int(row["number"]),
            **{name: self._names.name_of(int(row[name])) for name in ("white", "black", "event", "site", "round")},
            "date": str(Date(date // 10_000 or None, date // 100 % 100 or None, date % 100 or None)) if date else None,
            "result": None if row["result"] == NO_RESULT else format_result(Result(int(row["result"]))),
            "plies": int(row["plies"]),
            "annotations": int(row["notes"]),
        }

    def _twin(self, row: Any, kept: Any) -> Twin:
        differs = [name for name in _DIFFERENCES if row[name] != kept[name]]
        return Twin(**self._fields(row), differs=(*differs, *(["moves"] if row["line"] != kept["line"] else [])))
