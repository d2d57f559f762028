"""Batches: many records as Arrow columns, and conversion between them and games.

Batch to games to batch is the identity for canonical batches: annotations sorted by move, variations of one move one
after the other (see ``tabiya.game.tree``), typed columns as ``fold_tags`` fills them, names interned by first use.
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, Final, overload

import numpy as np
import pyarrow as pa

from tabiya.errors import CorruptError, FormatError, UsageError
from tabiya.game.annotations import Annotation, Side
from tabiya.game.fields import LISTS
from tabiya.game.game import Game
from tabiya.game.record import Extra, GuidingText, Problem, RecordKind, Result, Variant
from tabiya.game.schema import NAME_COLUMNS, RECORD_SCHEMA
from tabiya.game.tags import COLUMN_TAGS, fold_tags, unfold_tags
from tabiya.game.tree import fold_tree, unfold_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tabiya.game.tags import Tags

_LISTS: Final = frozenset(field.name for field in LISTS)
_SIDES: Final = tuple(Side)
_CODES: Final = {"kind": RecordKind, "variant": Variant, "result": Result}
_UNFIT: Final = (pa.ArrowException, OverflowError, TypeError, ValueError)
"""What pyarrow raises for values that do not fit a column."""
_TAG_FIELDS: Final = tuple(
    RECORD_SCHEMA.field(name) for name in ("tags", *(name for tag in COLUMN_TAGS.values() for name in tag.columns))
)
"""The columns that ``unfold_tags`` uses."""
_ROWS_AT_ONCE: Final = 256
"""Number of records that ``games`` turns into Python values at a time."""


class GameBatch:
    """Many records in the columns of ``RECORD_SCHEMA``; immutable, and cheap to slice and pass on.

    ``batch[i]`` counts from 0 and creates a new ``Game`` each time, in O(size of the record).
    """

    __slots__ = ("_records",)

    def __init__(self, record_batch: pa.RecordBatch) -> None:
        if not record_batch.schema.equals(RECORD_SCHEMA):
            raise UsageError("the columns of a batch must be those of RECORD_SCHEMA")
        self._records = record_batch

    @classmethod
    def from_games(cls, games: Iterable[Game], first_number: int = 1) -> GameBatch:
        """Convert games to a batch. Games without a number are numbered from ``first_number``.

        Raises:
            FormatError: A game contains a value that does not fit the columns, such as a text without UTF-8 form.
        """
        rows = [_fold(game, number) for number, game in enumerate(games, start=first_number)]
        try:
            return cls(_record_batch(rows))
        except _UNFIT:
            for row in rows:
                _check_row(row)
            raise

    @classmethod
    def empty(cls) -> GameBatch:
        """Return a batch without records."""
        return cls(_record_batch([]))

    @classmethod
    def concat(cls, batches: Iterable[GameBatch]) -> GameBatch:
        """Return all records of several batches in one; O(size)."""
        records = [batch.record_batch for batch in batches]
        if not records:
            return cls.empty()
        try:
            return cls(pa.concat_batches(records))
        except pa.ArrowInvalid as error:
            raise UsageError(f"these batches are too large for one: {error}") from error

    @property
    def record_batch(self) -> pa.RecordBatch:
        """The columns of ``RECORD_SCHEMA``. Results are codes here, those of ``Result``; ``to_arrow`` returns texts."""
        return self._records

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        """Export the columns to any library that supports Arrow."""
        capsules: tuple[object, object] = self._records.__arrow_c_array__(requested_schema)
        return capsules

    def __len__(self) -> int:
        return int(self._records.num_rows)

    @overload
    def __getitem__(self, index: int) -> Game: ...
    @overload
    def __getitem__(self, index: slice) -> GameBatch: ...
    def __getitem__(self, index: int | slice) -> Game | GameBatch:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step != 1:
                return GameBatch(self._records.take(pa.array(range(start, stop, step), pa.int64())))
            return self.slice(start, max(0, stop - start))
        place = index + len(self) if index < 0 else index
        if not 0 <= place < len(self):
            raise IndexError(f"record {index} of a batch of {len(self)}")
        return next(self.slice(place, 1).games())

    def slice(self, start: int, length: int | None = None) -> GameBatch:
        """Return consecutive records, counted from 0, without copying."""
        return GameBatch(self._records.slice(start, length))

    def numbered(self, first: int) -> GameBatch:
        """Return the same records, numbered from ``first``."""
        return GameBatch(number_records(self._records, first))

    def games(self) -> Iterator[Game]:
        """Yield the records as games, one after the other.

        Raises:
            CorruptError: A record is invalid; the error names it.
        """
        for start in range(0, len(self), _ROWS_AT_ONCE):
            yield from map(_unfold, _rows(self._records.slice(start, _ROWS_AT_ONCE)))

    __iter__ = games

    def by_tags(self) -> Iterator[tuple[Tags, Callable[[], Game]]]:
        """Yield the tags of each record, and a function that returns the game; it costs nothing until it is called.

        Raises:
            CorruptError: A record is invalid; the error names it.
        """
        for start in range(0, len(self), _ROWS_AT_ONCE):
            rows = _Rows(self._records.slice(start, _ROWS_AT_ONCE))
            for place, row in enumerate(_rows(rows.records, _TAG_FIELDS)):
                yield unfold_tags(row), partial(rows.game, place)

    def __repr__(self) -> str:
        return f"<GameBatch of {len(self)} records>"


# Games to columns.


def _fold(game: Game, number: int) -> dict[str, Any]:
    """Return a row: a value per column, where lists contain one tuple per member, in the order of its fields."""
    row = fold_tags(game.tags)
    tape, annotations = fold_tree(game.root)
    row["number"] = number if game.number is None else game.number
    row["kind"] = game.kind
    row["deleted"] = game.deleted
    row["moves"] = tape
    row["annotations"] = [(move, a.side, a.kind, a.lang, a.data, a.raw) for move, a in annotations]
    row["texts"] = [(t.lang, t.title, t.format, t.body, t.formatting) for t in game.texts]
    row["extras"] = [(extra.key, extra.value) for extra in game.extras]
    row["problems"] = [(problem.code, problem.offset, problem.text) for problem in game.problems]
    return row


def number_records(records: pa.RecordBatch, first: int) -> pa.RecordBatch:
    """Return records, or headers of records, numbered from ``first``."""
    numbers = pa.array(np.arange(first, first + records.num_rows, dtype=np.int64))
    return records.set_column(0, RECORD_SCHEMA.field("number"), numbers)


def _record_batch(rows: list[dict[str, Any]]) -> pa.RecordBatch:
    return pa.record_batch(
        [_column(field, [row[field.name] for row in rows]) for field in RECORD_SCHEMA], RECORD_SCHEMA
    )


def _column(field: pa.Field, values: list[Any]) -> pa.Array:
    if field.name in NAME_COLUMNS:
        return pa.array(values, pa.string()).dictionary_encode()
    if field.name not in _LISTS:
        return pa.array(values, field.type)
    offsets = np.fromiter(accumulate(map(len, values), initial=0), np.int64)
    if offsets[-1] > np.iinfo(np.int32).max:
        raise UsageError("these games are too large for one batch")
    members = [member for value in values for member in value]
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()), _members(field.type.value_type, members), type=field.type
    )


def _members(item: pa.DataType, members: list[Any]) -> pa.Array:
    if not pa.types.is_struct(item):
        return pa.array(members, item)
    fields = [item.field(i) for i in range(item.num_fields)]
    columns = [pa.array([member[i] for member in members], field.type) for i, field in enumerate(fields)]
    return pa.StructArray.from_arrays(columns, fields=fields)


def _check_row(row: dict[str, Any]) -> None:
    try:
        _record_batch([row])
    except _UNFIT as error:
        raise FormatError(f"this game holds something that a batch cannot: {error}", game=row["number"]) from error


# Columns to games.


def _rows(records: pa.RecordBatch, fields: Iterable[pa.Field] = RECORD_SCHEMA) -> Iterator[dict[str, Any]]:
    """Yield the rows in the form of ``_fold``, with some or all columns."""
    names = [field.name for field in fields]
    try:
        columns = [_values(records.column(field.name), field) for field in fields]
    except (pa.ArrowException, UnicodeError, IndexError, _NullError) as error:
        if len(records) == 1:
            number = records.column("number")[0].as_py()
            raise CorruptError(f"the columns of a batch are damaged: {error}", game=number) from error
        for i in range(len(records)):
            yield from _rows(records.slice(i, 1), fields)
        return
    for values in zip(*columns, strict=True):
        yield dict(zip(names, values, strict=True))


class _NullError(Exception):
    """A null in a column without nulls."""


class _Rows:
    """Records that become Python values all at once, when the first of them is needed."""

    def __init__(self, records: pa.RecordBatch) -> None:
        self.records = records
        self._values: list[dict[str, Any]] | None = None

    def game(self, place: int) -> Game:
        if self._values is None:
            self._values = list(_rows(self.records))
        return _unfold(self._values[place])


def _values(column: pa.Array, field: pa.Field) -> list[Any]:
    if column.null_count and not field.nullable:
        raise _NullError(f"null in {field.name}")
    if field.name not in _LISTS:
        return list(column.to_pylist())
    item = field.type.value_field
    members = column.flatten()
    if pa.types.is_struct(item.type):
        fields = [item.type.field(i) for i in range(item.type.num_fields)]
        parts = [_values(part, part_field) for part, part_field in zip(members.flatten(), fields, strict=True)]
        flat = list(zip(*parts, strict=True))
    else:
        flat = _values(members, item)
    offsets = (column.offsets.to_numpy() - column.offsets[0].as_py()).tolist()
    return [flat[begin:end] for begin, end in pairwise(offsets)]


def _unfold(row: Mapping[str, Any]) -> Game:
    number = row["number"]
    for name, codes in _CODES.items():
        if row[name] is not None and row[name] >= len(codes):
            raise CorruptError(f"the column {name} holds {row[name]}, which is not a valid value", game=number)
    game = Game(unfold_tags(row))
    game.kind = RecordKind(row["kind"])
    game.number = number
    game.deleted = row["deleted"]
    game.texts = [GuidingText(*text) for text in row["texts"]]
    game.extras = [Extra(*extra) for extra in row["extras"]]
    game.problems = [Problem(*problem) for problem in row["problems"]]
    unfold_tree(game.root, row["moves"], _annotations(row["annotations"], number), number=number)
    return game


def _annotations(members: Iterable[tuple[Any, ...]], number: int) -> Iterator[tuple[int, Annotation]]:
    for move, side, kind, lang, data, raw in members:
        if side >= len(_SIDES):
            raise CorruptError(f"an annotation on the unknown side {side}", game=number)
        yield move, Annotation(kind, data, lang, raw, _SIDES[side])
