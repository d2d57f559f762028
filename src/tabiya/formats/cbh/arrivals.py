"""What of the headers of a batch does not come back from the records that were made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.formats.cbh.carriers import Carrier, Table
from tabiya.formats.cbh.cbh import GAME, TEXT
from tabiya.formats.cbh.cbj import RECORD as CBJ
from tabiya.formats.cbh.records import CBJ_CARRIERS, GAME_CARRIERS, TEXT_CARRIERS
from tabiya.formats.cbh.values import CHESS960_ECO, RESULTS, date_parts, is_canonical_date
from tabiya.formats.cbh.window import ROLES
from tabiya.formats.losses import MAX_EXAMPLES, Loss
from tabiya.game.record import RecordKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.formats.cbh.entity_codec import Encoded
    from tabiya.formats.cbh.headers import Group, Headers

    Rows = NDArray[np.int64]
    Mask = NDArray[np.bool_]

__all__ = ["BODY_KEYS", "Arrivals"]

_LOSSES: Final = {
    "cbh-names": "names longer than their field, cut",
    "cbh-spellings": "names that come back in another spelling",
    "cbh-rounds": "rounds other than a number, or two with a dot",
    "cbh-ecos": "ECO codes other than A00 to E99, or in games of Chess960",
    "cbh-dates": "dates that ChessBase has no code for",
    "cbh-elos": "ratings of 0, which come back as none",
    "cbh-results": "games without a result, which come back as lines",
    "cbh-text-fields": "players, dates and the like of guiding texts, which have no place for them",
    "cbh-game-texts": "guiding texts within games",
    "cbh-tag-values": "tags with a value that ChessBase has no place for",
    "cbh-tag-order": "games whose tags come back in another order",
    "cbh-details": "details of ChessBase that do not fit their game, or that nobody knows",
}
_RANK: Final = 600
_RANKS: Final = {what: _RANK + place for place, what in enumerate(_LOSSES)}

BODY_KEYS: Final = ("cbh.blob", "cbh.annotations", "cbh.text_titles", "cbh.text_original")
"""Extras that are bytes of bodies."""
_TAGS: Final = tuple(carrier.key for role in ROLES for carrier in role.carriers if carrier.is_tag)
_EXTRAS: Final = (
    *dict.fromkeys(each.key for each in (*GAME_CARRIERS, *TEXT_CARRIERS, *CBJ_CARRIERS)),
    *("cbh.top_game", "cbh.media"),
    *(carrier.key for role in ROLES for carrier in role.carriers if not carrier.is_tag),
    *BODY_KEYS,
)
"""Tags and extras in the order in which a base is read."""


@dataclass(frozen=True)
class Arrivals:
    """Compares a batch with its records."""

    records: pa.RecordBatch
    headers: Headers
    groups: tuple[tuple[Group, list[Encoded]], ...]
    body_losses: Mapping[str, Mask]
    """For the keys of bodies, and for media and top games, the rows where the extra is of no use."""

    def losses(self) -> list[Loss]:
        """All of them."""
        return [*self._of_columns(), *self._of_texts(), *self._of_names(), *self._of_tags(), *self._of_extras()]

    # Columns.

    @cached_property
    def _is_text(self) -> Mask:
        found: Mask = self.records["kind"].to_numpy() == RecordKind.TEXT
        return found

    def _of_columns(self) -> Iterator[Loss]:
        games, is_game = self.headers.games, ~self._is_text
        yield from self._loss("cbh-rounds", self.headers.lost_rounds)
        codes = GAME.column(games, "eco")
        lost = np.zeros(len(games), np.bool_)
        lost[self.headers.lost_ecos] = True
        lost |= _valid(self.records["eco"]) & (codes >= CHESS960_ECO)
        yield from self._loss("cbh-ecos", np.flatnonzero(lost & is_game))
        yield from self._loss("cbh-dates", np.flatnonzero(self._lost_dates() & is_game))
        for name in ("white_elo", "black_elo"):
            column = self.records[name]
            zero = _valid(column) & (_filled(column, 1) == 0)
            yield from self._loss("cbh-elos", np.flatnonzero(zero & is_game))
        missing = ~_valid(self.records["result"]) & (GAME.column(games, "result") < len(RESULTS))
        yield from self._loss("cbh-results", np.flatnonzero(missing & is_game))

    def _lost_dates(self) -> Mask:
        codes = GAME.column(self.headers.games, "date")
        parts = date_parts(np.where(is_canonical_date(codes), codes, 0))
        lost = np.zeros(len(codes), np.bool_)
        for name, part in zip(("year", "month", "day"), parts, strict=True):
            column = self.records[name]
            lost |= _valid(column) & ((_filled(column, 0) != part) | (part == 0))
        return lost

    def _of_texts(self) -> Iterator[Loss]:
        if self._is_text.any():
            names = ("white", "black", "year", "month", "day", "white_elo", "black_elo", "result", "eco", "start")
            given = np.logical_or.reduce([_valid(self.records[name]) for name in names])
            for name in ("moves", "annotations"):
                given |= _lengths(self.records[name]) > 0
            yield from self._loss("cbh-text-fields", np.flatnonzero(given & self._is_text))
        within = (_lengths(self.records["texts"]) > 0) & ~self._is_text
        yield from self._loss("cbh-game-texts", np.flatnonzero(within))

    # Entities.

    def _of_names(self) -> Iterator[Loss]:
        for number, (group, _) in enumerate(self.groups):
            for key in group.role.columns:
                for was_cut, what in ((True, "cbh-names"), (False, "cbh-spellings")):
                    yield from self._loss(what, np.flatnonzero(self._losing(number, key, was_cut=was_cut)))

    @cached_property
    def _bad(self) -> list[dict[tuple[int, bool], list[int]]]:
        """For each group the places of entities that lose something, by place of the key and whether it was cut."""
        found: list[dict[tuple[int, bool], list[int]]] = []
        for _, encoded in self.groups:
            bad: dict[tuple[int, bool], list[int]] = {}
            for place, each in enumerate(encoded):
                for entry in each.lost:
                    bad.setdefault(entry, []).append(place)
            found.append(bad)
        return found

    def _losing(self, number: int, key: str, *, was_cut: bool) -> Mask:
        """The rows whose entity in a group loses something."""
        group, encoded = self.groups[number]
        bad = np.zeros(len(encoded) + 1, np.bool_)
        bad[self._bad[number].get((group.role.keys.index(key), was_cut), [])] = True
        return bad[group.of_record]

    def _lost_values(self, key: str) -> Mask:
        """The rows whose text under a key of an entity comes back otherwise."""
        lost = np.zeros(len(self.records), np.bool_)
        for number, (group, encoded) in enumerate(self.groups):
            if any(carrier.key == key for carrier in group.role.carriers):
                lost |= self._losing(number, key, was_cut=True) | self._losing(number, key, was_cut=False)
                # A text that says nothing makes no entity.
                nothing = [each.content is None for each in encoded] + [True]
                lost |= np.array(nothing)[group.of_record]
        return lost

    # Tags and extras.

    def _of_tags(self) -> Iterator[Loss]:
        items = _Items.of(self.records["tags"], frozenset(_TAGS))  # of the others ``Keeps`` tells that they get lost
        lost, disordered = items.judged(_TAGS, self._lost_values)
        yield from self._loss("cbh-tag-values", items.rows[lost], items.names(lost))
        yield from self._loss("cbh-tag-order", np.unique(items.rows[disordered & ~lost]))

    def _of_extras(self) -> Iterator[Loss]:
        items = _Items.of(self.records["extras"])
        if not len(items.rows):
            return
        lost, disordered = items.judged(_EXTRAS, lambda key: self._lost_extras(key, items))
        own = items.among(frozenset(key for key in items.keys if key.startswith("cbh.")))
        bad = (lost | disordered) & own
        yield from self._loss("cbh-details", items.rows[bad], items.names(bad))

    def _lost_extras(self, key: str, items: _Items) -> Mask:
        if key in self.body_losses:
            return self.body_losses[key]
        if key in BODY_KEYS:
            return np.zeros(len(self.records), np.bool_)
        tables = self._tables.get(key)
        if tables is None:
            return self._lost_values(key)
        lost = np.ones(len(self.records), np.bool_)  # a row of another kind has no such field
        given = items.column(key, len(self.records))
        for rows, table, carrier in tables:
            back, told = carrier.texts(table).cast(pa.binary()), given.take(pa.array(rows))
            lost[rows] = ~_numpy(pc.fill_null(pc.equal(back, told), fill_value=False))
        return lost

    @cached_property
    def _tables(self) -> dict[str, list[tuple[Rows, Table, Carrier]]]:
        """By key of the records of games, guiding texts and ``.cbj``: the rows that have it, and their records."""
        games, texts = np.flatnonzero(~self._is_text), np.flatnonzero(self._is_text)
        both = np.arange(len(self.records))
        elos = {
            name: np.where(self._is_text, 0, GAME.column(self.headers.games, name))
            for name in ("white_elo", "black_elo")
        }
        found: dict[str, list[tuple[Rows, Table, Carrier]]] = {}
        for carriers, rows, table in (
            (GAME_CARRIERS, games, Table(GAME, self.headers.games[games])),
            (TEXT_CARRIERS, texts, Table(TEXT, self.headers.games[texts].view(TEXT.dtype))),
            (CBJ_CARRIERS, both, Table(CBJ, self.headers.cbj, more=elos)),
        ):
            for carrier in carriers:
                found.setdefault(carrier.key, []).append((rows, table, carrier))
        return found

    def _loss(self, what: str, rows: Rows, examples: Iterable[str] = ()) -> Iterator[Loss]:
        if len(rows):
            numbers = self.records["number"].to_numpy()
            first = int(numbers[rows].min())
            yield Loss(what, _LOSSES[what], len(rows), first, tuple(examples)[:MAX_EXAMPLES], _RANKS[what])


@dataclass(frozen=True)
class _Items:
    """The members of a column of tags or extras."""

    keys: list[str]
    """The different keys."""
    codes: Rows
    """For each member the place of its key."""
    rows: Rows
    values: pa.Array

    @classmethod
    def of(cls, lists: pa.Array, wanted: frozenset[str] | None = None) -> _Items:
        """All members, or those with a wanted key."""
        flat = lists.flatten()
        encoded = flat.field(0).dictionary_encode()
        rows = np.repeat(np.arange(len(lists)), _lengths(lists))
        items = cls(encoded.dictionary.to_pylist(), encoded.indices.to_numpy().astype(np.int64), rows, flat.field(1))
        if wanted is None:
            return items
        chosen = np.flatnonzero(items.among(wanted))
        return cls(items.keys, items.codes[chosen], rows[chosen], flat.field(1))

    def among(self, wanted: frozenset[str]) -> Mask:
        return np.array([*(key in wanted for key in self.keys), False])[self.codes]

    def names(self, chosen: Mask) -> list[str]:
        """The keys of some members, in the order they are met."""
        _, places = np.unique(self.codes[chosen], return_index=True)
        return [self.keys[code] for code in self.codes[chosen][np.sort(places)].tolist()]

    def column(self, key: str, count: int) -> pa.Array:
        """The first value under a key by row, as bytes."""
        members = np.flatnonzero(self.codes == self.keys.index(key))[::-1]
        places = np.full(count, -1)
        places[self.rows[members]] = members  # backwards, so that the first one stays
        return self.values.take(pa.array(places, mask=places < 0)).cast(pa.binary())

    def judged(self, order: tuple[str, ...], lost_rows: Callable[[str], Mask]) -> tuple[Mask, Mask]:
        """Which members do not come back (keys not in ``order``, repeats), and which come back in another order."""
        ranks = {key: rank for rank, key in enumerate(order)}
        lost = np.zeros(len(self.codes), np.bool_)
        for code, key in enumerate(self.keys):
            members = np.flatnonzero(self.codes == code)
            if len(members):
                lost[members] = lost_rows(key)[self.rows[members]] if key in ranks else True
        lost |= self._repeated()
        rank = np.array([*(ranks.get(key, -1) for key in self.keys), -1], np.int64)[self.codes]
        return lost, self._disordered(rank, ~lost)

    def _repeated(self) -> Mask:
        """The members whose key stood in the same row before."""
        if not len(self.rows):
            return np.zeros(0, np.bool_)
        begin = int(self.rows[0])
        pairs = (self.rows - begin) * len(self.keys) + self.codes
        firsts = np.zeros((int(self.rows[-1]) - begin + 1) * len(self.keys), np.int32)
        firsts[pairs[::-1]] = np.arange(len(pairs) - 1, -1, -1)  # backwards, so that the first one stays
        repeated: Mask = firsts[pairs] != np.arange(len(pairs))
        return repeated

    def _disordered(self, ranks: Rows, present: Mask) -> Mask:
        """The members that stand behind one of a higher rank in their row."""
        places = np.flatnonzero(present)
        # Rows go up, so the greatest number so far is that of the same row.
        numbers = self.rows[places] * (int(ranks.max(initial=0)) + 2) + ranks[places]
        behind = np.zeros(len(present), np.bool_)
        behind[places] = numbers < np.maximum.accumulate(numbers) if len(places) else False
        return behind


def _valid(column: pa.Array) -> Mask:
    found: Mask = column.is_valid().to_numpy(zero_copy_only=False)
    return found


def _filled(column: pa.Array, missing: int) -> NDArray[Any]:
    return _numpy(column.fill_null(missing))


def _numpy(column: pa.Array) -> NDArray[Any]:
    values: NDArray[Any] = column.to_numpy(zero_copy_only=False)
    return values


def _lengths(lists: pa.Array) -> Rows:
    lengths: Rows = np.diff(lists.offsets.to_numpy()).astype(np.int64)
    return lengths
