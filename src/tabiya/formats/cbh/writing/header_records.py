"""From columns, tags and extras to records: the inverse of ``header_window``.

The writer computes offsets, flags and magnitudes that follow from bodies, and the ids of entities: it knows the
positions in the files. For entities it gets the distinct ones of a batch, and for each record the index of its entity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.binary import Layout, Records, Value
from tabiya.chessbase.codes import CHESS960_ECO, RESULTS, parse_eco, parse_round
from tabiya.chessbase.field_codecs import parse_numbers
from tabiya.chessbase.header_fields import Carrier, parse_fields
from tabiya.chessbase.record_marks import KEPT_MARKS, Mark
from tabiya.formats.cbh.entities.cbp import encode_player
from tabiya.formats.cbh.files.cbh import GAME, TEXT
from tabiya.formats.cbh.files.cbj import RECORD as CBJ
from tabiya.formats.cbh.files.cbj import usual_rating_types
from tabiya.formats.cbh.reading.header_window import ROLES, Role
from tabiya.game.annotations import TextEncoding
from tabiya.game.record import RecordKind, Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.formats.cbh.reading.keyed_members import Items

_LINE: Final = RESULTS.index(Result.LINE)
_RESULT_NUMBERS: Final = np.array(
    [RESULTS.index(result) if result in RESULTS else _LINE for result in Result] + [_LINE], np.uint8
)
"""ChessBase's numbers by value of ``Result``, the last for none: a game without a result is a line there."""
_NO_ID: Final = -1
_MOST_YEARS: Final = 0xFFF
_MANY: Final = 64
_DENSE: Final = 16
"""Numbers up to this multiple of their count are counted in a table, not sorted."""


@dataclass(frozen=True, slots=True)
class Group:
    """The distinct entities of one role in a batch."""

    role: Role
    of_record: NDArray[np.int64]
    """For each record the index of its entity in ``texts``; -1 if it has none."""
    texts: list[tuple[str | None, ...]]
    """For each entity its texts under all keys of the role, in the order of ``Role.keys``."""
    firsts: NDArray[np.int64]
    """For each entity the first record that has it."""

    def fields(self, encoding: TextEncoding) -> list[dict[str, Value]]:
        """Return the fields of each entity."""
        return [entity_fields(self.role, texts, encoding) for texts in self.texts]


@dataclass(frozen=True, slots=True)
class Headers:
    """The records of a batch, without the data that only a writer has."""

    games: Records
    """In the layout of games; the rows of guiding texts contain the bytes of their own layout."""
    cbj: Records
    groups: tuple[Group, ...]
    lost_rounds: NDArray[np.int64]
    """Rows whose round is not a pair of numbers."""
    lost_ecos: NDArray[np.int64]
    """Rows whose ECO code is invalid."""


@dataclass(frozen=True, slots=True)
class _Texts:
    """The texts of extras by key, for all records."""

    columns: Mapping[str, pa.Array]
    encoding: TextEncoding

    def put(self, layout: Layout, records: Records, carrier: Carrier, mask: NDArray[np.bool_]) -> None:
        """Set the fields of a carrier in the records of a mask."""
        for name, rows, values in self.parsed(layout, carrier, mask):
            if name in layout:
                layout.put(records, name, values, rows)

    def parsed(
        self, layout: Layout, carrier: Carrier, mask: NDArray[np.bool_]
    ) -> Iterable[tuple[str, NDArray[np.int64], NDArray[Any]]]:
        """Yield for each field of a carrier the rows that have it, and its values; each text is parsed once."""
        column = self.columns.get(carrier.key)
        if column is None:
            return
        encoded = column.dictionary_encode()
        places = _filled(encoded.indices, -1)
        if (numbers := _numbers(layout, carrier, encoded.dictionary)) is not None:
            rows = np.flatnonzero((places >= 0) & mask)
            if len(rows):
                yield carrier.field.name, rows, numbers[places[rows]]
            return
        known = [
            _fitting(layout, carrier.values(_text(value), self.encoding)) for value in encoded.dictionary.to_pylist()
        ]
        for name in sorted({name for fields in known for name in fields}):
            present = np.array([*(name in fields for fields in known), False])
            rows = np.flatnonzero(present[places] & mask)
            if len(rows):
                yield name, rows, _values(layout, name, [fields.get(name, 0) for fields in known])[places[rows]]


def encode_headers(records: pa.RecordBatch, tags: Items, extras: Items, encoding: TextEncoding) -> Headers:
    """Return the records of ``.cbh`` and ``.cbj`` for the columns of a batch, and the entities that they refer to."""
    texts = _Texts(extras.columns(), encoding)
    is_text = records["kind"].to_numpy() == RecordKind.TEXT
    rounds, lost_rounds = _by_text(records["round"], _round_code)
    ecos, lost_ecos = _by_text(records["eco"], parse_eco)
    games = GAME.new(len(records))
    columns: dict[str, NDArray[Any]] = {
        "marks": _marks(records, is_text, texts),
        "date": _dates(records),
        "result": _RESULT_NUMBERS[_filled(records["result"], len(_RESULT_NUMBERS) - 1)],
        "round": rounds >> 8,
        "subround": rounds & 0xFF,
        "white_elo": _filled(records["white_elo"], 0),
        "black_elo": _filled(records["black_elo"], 0),
        "eco": ecos,
    }
    for name, values in columns.items():
        GAME.put(games, name, values)
    _override_games(games, texts, records, ~is_text)
    _put_texts(games, texts, rounds, is_text)
    groups = tuple(_group(role, records, (tags, extras)) for role in ROLES)
    return Headers(games, _cbj(games, texts, is_text), groups, lost_rounds, lost_ecos)


# Numbers of records.


def _marks(records: pa.RecordBatch, is_text: NDArray[np.bool_], texts: _Texts) -> NDArray[np.uint8]:
    marks = np.full(len(records), int(Mark.USED), np.uint8)
    carrier = next(each for each in GAME.carriers() if each.field.name == "marks")
    for _, rows, values in texts.parsed(GAME, carrier, np.ones(len(records), np.bool_)):
        marks[rows] = values & np.uint64(KEPT_MARKS)
    deleted = records["deleted"].to_numpy(zero_copy_only=False)
    return marks | np.where(is_text, np.uint8(Mark.TEXT), 0) | np.where(deleted, np.uint8(Mark.DELETED), 0)


def _dates(records: pa.RecordBatch) -> NDArray[np.int64]:
    year, month, day = (_filled(records[name], 0).astype(np.int64) for name in ("year", "month", "day"))
    codes: NDArray[np.int64] = np.where(year > _MOST_YEARS, 0, year) << 9 | month << 5 | day
    return codes


def _filled(column: pa.Array, missing: int) -> NDArray[Any]:
    values: NDArray[Any] = column.fill_null(missing).to_numpy(zero_copy_only=False)
    return values


@lru_cache(maxsize=1 << 14)
def _round_code(text: str | None) -> int:
    found = parse_round(text)
    return 0 if found is None else found[0] << 8 | found[1]


def _by_text(column: pa.Array, code_of: Callable[[str | None], int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the code of each text of a column of names, 0 for none; and the rows whose text has no code."""
    codes = np.array([*(code_of(text) for text in column.dictionary.to_pylist()), 0], np.int64)
    places = _filled(column.indices, len(codes) - 1)
    found = codes[places]
    return found, np.flatnonzero((found == 0) & (places != len(codes) - 1))


# Data from extras.


def _override_games(games: Records, texts: _Texts, records: pa.RecordBatch, is_game: NDArray[np.bool_]) -> None:
    """Set fields from extras that the columns leave open; a column that was set later takes precedence."""
    eco = GAME.column(games, "eco").astype(np.int64)
    allowed = {
        "cbh.date": GAME.column(games, "date") == 0,
        "cbh.result": ~_known(records["result"]),
        "cbh.eco": eco == 0,
        "cbh.chess960_number": eco == 0,
        "cbh.eco_sub": eco != 0,
    }
    for carrier in GAME.carriers():
        if carrier.field.name == "marks":
            continue
        mask = allowed.get(carrier.key, is_game) & is_game
        for name, rows, values in texts.parsed(GAME, carrier, mask):
            if name == "eco_sub":
                GAME.put(games, "eco", eco[rows] | values.astype(np.int64), rows)
            elif name == "chess960_number":
                GAME.put(games, "eco", CHESS960_ECO + values.astype(np.int64), rows)
            else:
                GAME.put(games, name, values, rows)


def _put_texts(games: Records, texts: _Texts, rounds: NDArray[np.int64], is_text: NDArray[np.bool_]) -> None:
    """Set the fields of guiding texts in their own layout."""
    places = np.flatnonzero(is_text)
    if not len(places):
        return
    found = TEXT.new(len(games))
    TEXT.put(found, "marks", GAME.column(games, "marks"))
    TEXT.put(found, "round", rounds >> 8)
    TEXT.put(found, "subround", rounds & 0xFF)
    for carrier in TEXT.carriers():
        if carrier.field.name != "marks":
            texts.put(TEXT, found, carrier, is_text)
    games[places] = found[places].view(GAME.dtype)


def _cbj(games: Records, texts: _Texts, is_text: NDArray[np.bool_]) -> Records:
    cbj = CBJ.new(len(games))
    for side in ("white", "black"):
        elos = np.where(is_text, 0, GAME.column(games, f"{side}_elo"))
        CBJ.put(cbj, f"{side}_rating_type", usual_rating_types(elos))
    everywhere = np.ones(len(games), np.bool_)
    for carrier in CBJ.carriers():
        texts.put(CBJ, cbj, carrier, everywhere)
    return cbj


def _numbers(layout: Layout, carrier: Carrier, texts: pa.Array) -> NDArray[np.uint64] | None:
    """Return many distinct numbers, if they are all valid and fit; stamps are different in every record."""
    if not carrier.codec.is_number or len(texts) < _MANY:
        return None
    try:
        numbers = parse_numbers(texts.cast(pa.string()))
    except pa.ArrowInvalid:  # not even text
        return None
    return numbers if numbers is not None and layout.fits(carrier.field.name, int(numbers.max())) else None


def _fitting(layout: Layout, fields: Mapping[str, Value]) -> dict[str, Value]:
    """Return the fields that the layout can store: texts may come from anywhere, for example from PGN."""
    return {name: value for name, value in fields.items() if layout.fits(name, value) or name not in layout}


def _values(layout: Layout, name: str, values: list[Any]) -> NDArray[Any]:
    if not any(isinstance(value, bytes) for value in values):
        return np.array(values, np.uint64)
    width = layout[name].size if name in layout else 1
    rows = b"".join((value or b"")[:width].ljust(width, b"\0") for value in values)
    return np.frombuffer(rows, np.uint8).reshape(len(values), width)


def _text(value: bytes | str) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _known(column: pa.Array) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = column.is_valid().to_numpy(zero_copy_only=False)
    return found


# Entities.


def _group(role: Role, records: pa.RecordBatch, items: Sequence[Items]) -> Group:
    present: list[Callable[[pa.Array], list[str | None]]] = []
    codes: list[NDArray[Any]] = []
    for key in role.keys:
        if key in role.columns:
            codes.append(_filled(records[key].indices, -1))
            present.append(_texts_in(records[key]))
        elif (holder := next((each for each in items if key in each.known), None)) is not None:
            codes.append(holder.value_codes(key))
            present.append(_texts_of(holder, key))
        else:
            present.append(lambda rows: [None] * len(rows))
    places, firsts = _different(codes, len(records))
    rows = pa.array(firsts)
    entities: list[tuple[str | None, ...]] = list(zip(*(texts(rows) for texts in present), strict=True))
    if role.optional:
        empty = np.array([not any(text is not None for text in each) for each in entities] + [False])
        places = np.where(empty[places], _NO_ID, places)
    if role.reference in ("white", "black"):
        places = np.where(records["kind"].to_numpy() == RecordKind.TEXT, _NO_ID, places)
    return Group(role, places, entities, firsts)


def _texts_in(names: pa.DictionaryArray) -> Callable[[pa.Array], list[str | None]]:
    return lambda rows: names.take(rows).dictionary_decode().to_pylist()


def _texts_of(items: Items, key: str) -> Callable[[pa.Array], list[str | None]]:
    def texts(rows: pa.Array) -> list[str | None]:
        members = items.first(key)[rows.to_numpy()]
        found = items.values.take(pa.array(members, mask=members < 0)).to_pylist()
        return [_text(text) if isinstance(text, bytes) else text for text in found]

    return texts


def _different(columns: Iterable[NDArray[Any]], count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return which rows have the same numbers, from -1 on, in all columns: a number for each row, and its first row."""
    places = np.zeros(count, np.int64)
    for column in columns:
        codes = _renumbered(column.astype(np.int64) + 1)
        # Numbers remain below the number of rows, so nothing overflows for any number of columns.
        places = _renumbered(places * (int(codes.max(initial=0)) + 1) + codes)
    firsts = np.zeros(int(places.max(initial=-1)) + 1, np.int64)
    firsts[places[::-1]] = np.arange(count - 1, -1, -1)  # backwards, so that the first one remains
    return places, firsts


def _renumbered(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the codes renumbered without gaps, in order."""
    most = int(codes.max(initial=0))
    if most > _DENSE * len(codes):
        return np.unique(codes, return_inverse=True)[1].reshape(-1)
    present = np.zeros(most + 1, np.int64)
    present[codes] = 1
    numbers: NDArray[np.int64] = (np.cumsum(present) - 1)[codes]
    return numbers


def entity_fields(role: Role, present: Sequence[str | None], encoding: TextEncoding) -> dict[str, Value]:
    """Return the fields of the entity with these texts under the keys of its role."""
    texts = {key: text for key, text in zip(role.keys, present, strict=True) if text is not None}
    if role.suffix == ".cbp":
        return encode_player(texts.get(role.side, ""), texts.get(role.carriers[0].key), encoding)
    return _fitting(role.layout, parse_fields((*role.columns.values(), *role.carriers), texts, encoding))
