"""From rows of jose's tables to a batch, and how the parts of a row that are no moves are read."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.formats.jose.characters import decode_characters
from tabiya.formats.jose.codec import decode_games
from tabiya.formats.jose.dates import EVENT_SHIFT, decode_date, next_day
from tabiya.formats.jose.evaluations import add_evaluations
from tabiya.formats.jose.row import OWN_TAGS, Row
from tabiya.game import GameBatch
from tabiya.game.schema import EXTRA, NAME_COLUMNS, PROBLEM, RECORD_SCHEMA, TAG
from tabiya.game.tags import COLUMN_TAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["batch_of_rows"]

_RESULTS: Final = {2: 1, 0: 2, 1: 3}
"""Ours by jose's; -1 is no result, or ``*``."""
_USER_FLAGS: Final = 0x170
_RESULT_DIFFERS: Final = 164
_HEADERS: Final = (*NAME_COLUMNS, "year", "month", "day", "white_elo", "black_elo", "result", "variant")

Pairs = list[tuple[str, str]]


def batch_of_rows(rows: Sequence[Row], *, first_number: int = 1, shift_dates: bool = False) -> GameBatch:
    """The batch of some rows. ``shift_dates`` adds the day that old archives have lost."""
    columns = Row(*zip(*rows, strict=True)) if rows else Row(*((),) * len(Row._fields))  # type: ignore[arg-type]
    texts = _Texts()
    codes: Any = columns.codes
    starts: Any = [texts(start) for start in columns.fen]  # type: ignore[union-attr]
    body = decode_games(codes, columns.comments, starts, first_number=first_number)  # type: ignore[arg-type]
    builder = _Headers(body.record_batch, texts)
    for index, row in enumerate(rows):
        builder.add(index, _shifted(row) if shift_dates else row)
    batch = builder.batch()
    blobs: Any = columns.evaluations
    return add_evaluations(batch, blobs) if any(blobs) else batch


class _Texts(dict[bytes | None, str | None]):
    """Texts that have been decoded: names repeat from game to game."""

    def __call__(self, data: bytes | None) -> str | None:
        found = self.get(data, self)
        if found is self:
            found = decode_characters(data) if data is not None else None
            self[data] = found
        return found  # type: ignore[return-value]


def _shifted(row: Row) -> Row:
    return row._replace(game_date=next_day(row.game_date), event_date=next_day(row.event_date))


class _Headers:
    """Collects what stands outside of the moves, column by column."""

    def __init__(self, records: pa.RecordBatch, texts: _Texts) -> None:
        self._records = records
        self._text = texts
        self._columns: dict[str, list[Any]] = {name: records.column(name).to_pylist() for name in _HEADERS}
        self._starts = records.column("start").is_valid().to_pylist()
        self._tags: list[Pairs] = [[(tag["name"], tag["value"]) for tag in tags] for tags in records["tags"].to_pylist()]
        self._extras: dict[int, list[tuple[str, bytes]]] = {}
        self._problems: dict[int, tuple[int, int | None, str]] = {}
        self._deleted = np.zeros(len(records), dtype=np.bool_)

    def add(self, index: int, row: Row) -> None:
        """The values of one row."""
        columns = self._columns
        for name in ("white", "black", "event", "site", "annotator"):
            text = self._text(getattr(row, name))
            columns[name][index] = None if text == "-" else text or None
        columns["round"][index] = self._text(row.round) or None
        columns["eco"][index] = self._text(row.eco) or None
        date = decode_date(row.game_date, row.date_flags)
        if date is not None:
            columns["year"][index], columns["month"][index], columns["day"][index] = date.year, date.month, date.day
        columns["white_elo"][index] = row.white_elo or None
        columns["black_elo"][index] = row.black_elo or None
        self._deleted[index] = bool(row.deleted)
        self._add_result(index, row.result)
        pairs = self._own_tags(row)
        if row.info:
            pairs = self._add_info(index, self._text(row.info) or "", pairs)
        self._tags[index] += pairs
        if row.attributes & _USER_FLAGS:
            self._extras.setdefault(index, []).append(("jose.user_flags", b"%d" % (row.attributes & _USER_FLAGS)))

    def _add_result(self, index: int, result: int) -> None:
        """The result of the row counts more than that behind the moves, unless it is not known."""
        behind = self._columns["result"][index]
        told = _RESULTS.get(result)
        if told is not None and told != behind:
            self._columns["result"][index] = told
            if behind is not None:
                self._problems[index] = (_RESULT_DIFFERS, None, "")

    def _own_tags(self, row: Row) -> Pairs:
        event_date = decode_date(row.event_date, row.date_flags >> EVENT_SHIFT)
        values = (
            None if event_date is None else str(event_date),
            *(self._text(data) for data in (row.white_title, row.black_title, row.board, row.opening)),
        )
        return [(name, text) for name, text in zip(OWN_TAGS, values, strict=True) if text and text != "-"]

    def _add_info(self, index: int, info: str, own: Pairs) -> Pairs:
        """The tags of the column Info behind those with columns; a tag that stands here counts more than its column."""
        pairs = [_pair(part) for part in info.split(";") if part]
        names = [name for name, _ in pairs]
        listed: Pairs = []
        seen = set()
        for name, text in pairs:
            tag = COLUMN_TAGS.get(name)
            if name == "SetUp" and text == "1" and self._starts[index]:
                continue
            if tag is None or name == "FEN":
                listed.append((name, text))
                continue
            values = tag.parse(text)
            if name not in seen:
                seen.add(name)
                for column, value in zip(tag.columns, values, strict=True):
                    self._columns[column][index] = value if value is not None or column != "variant" else 0
            if names.count(name) > 1 or tag.format(*values) != text:
                listed.append((name, text))
        return [pair for pair in own if pair[0] not in names] + listed

    def batch(self) -> GameBatch:
        """The records with all their columns."""
        records = self._records
        arrays: dict[str, pa.Array] = {name: records.column(name) for name in RECORD_SCHEMA.names}
        for name, values in self._columns.items():
            kind = RECORD_SCHEMA.field(name).type
            arrays[name] = (
                pa.array(values, pa.string()).dictionary_encode() if name in NAME_COLUMNS else pa.array(values, kind)
            )
        arrays["deleted"] = pa.array(self._deleted)
        arrays["tags"] = _pairs_array(self._tags, TAG)
        if self._extras:
            kept = [[(each["key"], each["value"]) for each in extras] for extras in records["extras"].to_pylist()]
            arrays["extras"] = _pairs_array(
                [extras + self._extras.get(index, []) for index, extras in enumerate(kept)], EXTRA
            )
        if self._problems:
            found = [[tuple(each.values()) for each in problems] for problems in records["problems"].to_pylist()]
            merged = [[*each, self._problems[i]] if i in self._problems else each for i, each in enumerate(found)]
            arrays["problems"] = _pairs_array(merged, PROBLEM)
        return GameBatch(
            pa.RecordBatch.from_arrays([arrays[name] for name in RECORD_SCHEMA.names], schema=RECORD_SCHEMA)
        )


def _pair(part: str) -> tuple[str, str]:
    name, equals, text = part.partition("=")
    return (name, text) if equals and name else ("Info", part)


def _pairs_array(lists: Sequence[Sequence[tuple[Any, ...]]], kind: pa.StructType) -> pa.Array:
    """Lists of structs, given as tuples."""
    offsets = np.fromiter(accumulate(map(len, lists), initial=0), np.int32, len(lists) + 1)
    members = [member for each in lists for member in each]
    fields = [kind.field(i) for i in range(kind.num_fields)]
    arrays = [pa.array([member[i] for member in members], field.type) for i, field in enumerate(fields)]
    values = pa.StructArray.from_arrays(arrays, fields=fields)
    return pa.ListArray.from_arrays(
        pa.array(offsets), values, type=pa.list_(pa.field("item", kind, nullable=False))
    )
