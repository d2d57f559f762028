"""Compare two databases, of any formats, by content: which records differ, and how."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from tabiya.formats.operations.alignment import align, keys_of
from tabiya.formats.progress import watched_batches
from tabiya.game import GameBatch, difference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.formats.database import Database
    from tabiya.formats.open_and_create import Locations
    from tabiya.formats.progress import Watcher
    from tabiya.game import Game

_WINDOW_RECORDS = 4096
"""How far to look for the matching record after insertions or deletions."""
_NO_CONTENT = frozenset({"number", "problems"})


@dataclass(frozen=True, slots=True)
class RecordDifference:
    """A record that differs, or that only one of the databases has; the other number is then None."""

    a: int | None
    """Its number in the first database, from 1."""
    b: int | None
    title: str
    """The players, or the title of a text."""
    differences: tuple[str, ...] = ()
    """Sentences; each names the value of the first database first."""

    def as_dict(self) -> dict[str, Any]:
        """Return the difference for JSON."""
        return {"a": self.a, "b": self.b, "title": self.title, "differences": list(self.differences)}


class Comparison:
    """Iterator over the differences between two databases; it can be used once.

    Columns are compared first; only records whose columns differ are decoded. Records are matched by position, and
    after insertions or deletions by players, date and first moves. Memory is bounded.
    """

    def __init__(
        self, a: Locations | Database, b: Locations | Database, *, threads: int = 1, progress: Watcher = None
    ) -> None:
        """Prepare to compare what ``tabiya.open`` takes, or open databases, which remain open."""
        self._a = _Rows(watched_batches(a, threads, progress))
        self._b = _Rows(watched_batches(b, threads, None))
        self.compared = 0
        """Pairs of records compared."""
        self.different = 0
        """Pairs of records that differ."""
        self.only_a = 0
        """Records that only the first database has."""
        self.only_b = 0
        """Records that only the second database has."""

    def __iter__(self) -> Iterator[RecordDifference]:
        while self._a.available and self._b.available:
            rows = min(self._a.available, self._b.available)
            a, b = self._a.peek(rows), self._b.peek(rows)
            places = _differing(a, b)
            stranger = _first_stranger(a, b, places)
            if stranger is not None:
                rows = stranger
                places = [place for place in places if place < stranger]
            self._a.drop(rows)
            self._b.drop(rows)
            self.compared += rows
            for place in places:
                yield from self._pair(a[place], b[place])
            if stranger is not None:
                yield from self._realigned()
        while rest := self._a.available:
            yield from self._only_a(self._a.peek(rest))
            self._a.drop(rest)
        while rest := self._b.available:
            yield from self._only_b(self._b.peek(rest))
            self._b.drop(rest)

    def _realigned(self) -> Iterator[RecordDifference]:
        """Compare a window of records whose positions no longer match."""
        a, b = self._a.peek(_WINDOW_RECORDS), self._b.peek(_WINDOW_RECORDS)
        more = len(a) == _WINDOW_RECORDS or len(b) == _WINDOW_RECORDS
        pairs = align(keys_of(a.record_batch), keys_of(b.record_batch), more=more)
        both = [(x, y) for x, y in pairs if x is not None and y is not None]
        unequal = {both[i] for i in _differing(_taken(a, [x for x, _ in both]), _taken(b, [y for _, y in both]))}
        self.compared += len(both)
        for x, y in pairs:
            if y is None and x is not None:
                yield from self._only_a(a[x : x + 1])
            elif x is None and y is not None:
                yield from self._only_b(b[y : y + 1])
            elif x is not None and y is not None and (x, y) in unequal:
                yield from self._pair(a[x], b[y])
        self._a.drop(sum(x is not None for x, _ in pairs))
        self._b.drop(sum(y is not None for _, y in pairs))

    def _pair(self, a: Game, b: Game) -> Iterator[RecordDifference]:
        found = difference(a, b)  # empty if only details differ, such as the order of kinds
        if found:
            self.different += 1
            yield RecordDifference(a.number, b.number, _title(a), tuple(found))

    def _only_a(self, batch: GameBatch) -> Iterator[RecordDifference]:
        for game in batch.games():
            self.only_a += 1
            yield RecordDifference(game.number, None, _title(game))

    def _only_b(self, batch: GameBatch) -> Iterator[RecordDifference]:
        for game in batch.games():
            self.only_b += 1
            yield RecordDifference(None, game.number, _title(game))


class _Rows:
    """The batches of a database as one sequence of records, with lookahead."""

    def __init__(self, batches: Iterator[GameBatch]) -> None:
        self._batches = batches
        self._loaded: deque[GameBatch] = deque()

    @property
    def available(self) -> int:
        """Number of records available without joining batches; 0 at the end."""
        while not self._loaded and self._load():
            pass
        return len(self._loaded[0]) if self._loaded else 0

    def peek(self, count: int) -> GameBatch:
        """Return the next ``count`` records, or as many as there are."""
        while sum(map(len, self._loaded)) < count and self._load():
            pass
        found: list[GameBatch] = []
        for batch in self._loaded:
            found.append(batch[:count])
            count -= len(found[-1])
            if count == 0:
                break
        return found[0] if len(found) == 1 else GameBatch.concat(found)

    def drop(self, count: int) -> None:
        """Skip ``count`` records, which were peeked at before."""
        while count:
            batch = self._loaded.popleft()
            if count < len(batch):
                self._loaded.appendleft(batch[count:])
            count -= min(count, len(batch))

    def _load(self) -> bool:
        batch = next(self._batches, None)
        if batch is not None and len(batch):
            self._loaded.append(batch)
        return batch is not None


def _differing(a: GameBatch, b: GameBatch) -> list[int]:
    """Return the rows whose columns differ; equal halves are skipped as a whole."""
    columns_a, columns_b = _content(a.record_batch), _content(b.record_batch)
    places = []
    todo = [(0, len(a))]
    while todo:
        begin, length = todo.pop()
        if columns_a.slice(begin, length).equals(columns_b.slice(begin, length)):
            continue
        if length == 1:
            places.append(begin)
            continue
        half = length // 2
        todo += [(begin + half, length - half), (begin, half)]
    return places


def _content(records: pa.RecordBatch) -> pa.RecordBatch:
    """Return the columns to compare; names as plain text, because batches number them differently."""
    names = [name for name in records.schema.names if name not in _NO_CONTENT]
    columns = [records[name] for name in names]
    plain = [each.dictionary_decode() if pa.types.is_dictionary(each.type) else each for each in columns]
    return pa.RecordBatch.from_arrays(plain, names)


def _first_stranger(a: GameBatch, b: GameBatch, places: list[int]) -> int | None:
    """Return the first of these rows where the two records appear unrelated."""
    if not places:
        return None
    keys_a, keys_b = keys_of(_taken(a, places).record_batch), keys_of(_taken(b, places).record_batch)
    pairs = zip(places, keys_a, keys_b, strict=True)
    return next((place for place, key_a, key_b in pairs if key_a != key_b), None)


def _taken(batch: GameBatch, places: list[int]) -> GameBatch:
    return GameBatch(batch.record_batch.take(pa.array(places, pa.int64())))


def _title(game: Game) -> str:
    if game.texts:
        return game.texts[0].title
    return f"{game.tags.get('White', '?')} – {game.tags.get('Black', '?')}"
