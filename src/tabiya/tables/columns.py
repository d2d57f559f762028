"""The columns that a table can have: those of a record, any tag, and values computed on request."""

from __future__ import annotations

import re
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.errors import UsageError
from tabiya.formats.database import BODY_COLUMNS, ORIGIN_SCHEMA
from tabiya.game import GameBatch, RecordKind
from tabiya.game.record import Variant
from tabiya.game.schema import RECORD_SCHEMA
from tabiya.game.tag_texts import tag_texts
from tabiya.game.tag_values import RESULTS
from tabiya.search.sql import FUNCTIONS
from tabiya.tables.ply_columns import PLY_COLUMNS, Plies, by_position
from tabiya.tables.value_columns import GAME_VALUES, MOVE_VALUES, SIDES, ValueColumns

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from numpy.typing import NDArray

ROWS: Final = ("games", "positions")
"""What a row of a table can represent."""
_PLY: Final = re.compile(r"-?[0-9]{1,9}")
_WORD: Final = pa.dictionary(pa.int32(), pa.string())


class Piece:
    """Records that columns are made of; the results of replaying their moves are computed once for all columns."""

    def __init__(self, records: pa.RecordBatch, requested: Collection[str], *, padded: bool = False) -> None:
        self.records = records
        self._requested = requested
        self._padded = padded

    @cached_property
    def plies(self) -> Plies:
        """What the kernel returns about all plies."""
        batch = GameBatch(self.records.select(RECORD_SCHEMA.names))
        return Plies(batch, self._requested, padded=self._padded)

    @cached_property
    def places(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The record and the ply of each position."""
        return by_position(self.plies.positions)

    @cached_property
    def values(self) -> ValueColumns:
        """What evaluations say about games and moves."""
        return ValueColumns(GameBatch(self.records.select(RECORD_SCHEMA.names)))


class Column(NamedTuple):
    """A computed column."""

    type: pa.DataType
    meaning: str
    make: Callable[[Piece, str], pa.Array]
    """From records, and the argument after the colon of the name."""
    plies: str = ""
    """The kernel output it requires."""
    argument: str = ""
    """The argument allowed after the colon of the name, as shown in the documentation."""
    needs_moves: bool = True


class Chosen(NamedTuple):
    """A requested column, by name."""

    field: pa.Field
    make: Callable[[Piece], pa.Array]
    plies: str = ""
    needs_body: bool = False
    is_plain: bool = False
    """Whether it is a column of the records, which needs no moves to be replayed."""


# --- computed columns ------------------------------------------------------------------------------------------------


def _at_ply(function: str, kind: pa.DataType, piece: Piece, argument: str) -> pa.Array:
    """Return the value of an SQL function for the position at a ply."""
    records = piece.records
    plies = pa.array(np.full(len(records), int(argument or -1), np.int64))
    answer = FUNCTIONS[function].answer([records["moves"], plies, records["start"], records["variant"]])
    return _of_games(records, answer.cast(kind))


def _movetext(piece: Piece, _: str) -> pa.Array:
    records = piece.records
    answer = FUNCTIONS["main_line"].answer([records[name] for name in ("moves", "start", "variant")])
    return _of_games(records, answer.cast(pa.string()))


def _of_games(records: pa.RecordBatch, answer: pa.Array) -> pa.Array:
    return pc.if_else(pc.equal(records["kind"], RecordKind.GAME), answer, pa.scalar(None, answer.type))


def _dates(piece: Piece, _: str) -> pa.Array:
    """Return dates; null where a part is unknown or the day does not exist."""
    parts = [piece.records[name] for name in ("year", "month", "day")]
    known = np.logical_and.reduce([part.is_valid().to_numpy(zero_copy_only=False) for part in parts])
    years, months, days = (pc.fill_null(part, 1).to_numpy().astype(np.int64) for part in parts)
    first = (years - 1970).astype("M8[Y]").astype("M8[M]") + (months - 1).astype("m8[M]")
    dates = first.astype("M8[D]") + (days - 1).astype("m8[D]")
    return pa.array(dates, pa.date32(), mask=~known | (dates.astype("M8[M]") != first))


def _tag(piece: Piece, name: str) -> pa.Array:
    return tag_texts(piece.records, name)


def _lists(name: str, meaning: str) -> Column:
    return Column(pa.list_(PLY_COLUMNS[name]), meaning, lambda piece, _: piece.plies.lists(name), name)


def _members(name: str, meaning: str) -> Column:
    return Column(PLY_COLUMNS[name], meaning, lambda piece, _: piece.plies.members(name), name)


def _of_side(side: int, name: str, piece: Piece, _: str) -> pa.Array:
    return piece.values.of_games(side, name)


def _of_move(name: str, piece: Piece, _: str) -> pa.Array:
    return piece.values.of_moves(name, *piece.places)


def _at(function: str, kind: pa.DataType, meaning: str) -> Column:
    return Column(kind, meaning, partial(_at_ply, function, kind), argument="PLY")


_PLY_COUNT: Final = Column(pa.int32(), "how many half-moves it has", lambda piece, _: piece.plies.counts())
_DATE: Final = Column(pa.date32(), "the date, if it is known to the day", _dates, needs_moves=False)
_TAG: Final = Column(pa.string(), "the text of a tag", _tag, argument="NAME", needs_moves=False)

COLUMNS: Final = {
    "san": _lists("san", "the moves, as in `Nf3`"),
    "uci": _lists("uci", "the moves, as in `g1f3`; castling is `e1g1`, in Chess960 king takes rook"),
    "movetext": Column(pa.string(), "the moves as one text: `1. e4 e5 2. Nf3`", _movetext),
    "ply_count": _PLY_COUNT,
    "fen": _at("fen_at", pa.string(), "the FEN of the last position, or at a ply"),
    "fens": _lists("fens", "the FENs of all positions, the first and the last included"),
    "key": _at("key_at", pa.int64(), "Polyglot's key of the last position, or at a ply"),
    "keys": _lists("keys", "the keys of all positions"),
    "material": _at("material_at", pa.string(), "the pieces of the last position, or at a ply: `KRPPKRP`"),
    "clocks": _lists("clocks", "seconds on the clock of the side that moved, after each move"),
    "times": _lists("times", "whole seconds spent on each move"),
    "evaluations": _lists("evaluations", "evaluation after each move in pawns, from White's point of view"),
    "mates": _lists("mates", "moves to mate after each move, negative if Black mates"),
    **{
        f"{side}_{name}": Column(kind, f"{meaning} of {side.capitalize()}", partial(_of_side, number, name))
        for side, number in SIDES.items()
        for name, (kind, meaning) in GAME_VALUES.items()
    },
    "date": _DATE,
    "tag": _TAG,
}
"""Columns computed from a game, in addition to the columns of its record, by name."""

POSITION_COLUMNS: Final = {
    "ply": Column(pa.int32(), "how many half-moves have led there", lambda piece, _: pa.array(piece.places[1])),
    "key": _members("keys", "Polyglot's key of the position"),
    "fen": _members("fens", "its FEN"),
    "san": _members("san", "the move that follows, as in `Nf3`; null after the last"),
    "uci": _members("uci", "the same as in `g1f3`"),
    "move": _members("tokens", "the same as a token of the tape"),
    "clock": _members("clocks", "seconds on the clock of the side that has just moved"),
    "time": _members("times", "whole seconds spent on the move that led there"),
    "evaluation": _members("evaluations", "evaluation in pawns, from White's point of view"),
    "mate": _members("mates", "moves to mate, negative if Black mates"),
    **{name: Column(kind, meaning, partial(_of_move, name)) for name, (kind, meaning) in MOVE_VALUES.items()},
}
"""Columns of a position, by name."""
_OF_GAMES: Final = {"ply_count": _PLY_COUNT, "date": _DATE, "tag": _TAG}
"""Further columns in a row of a position, from its game."""

_WORDS: Final = {
    "result": pa.array(RESULTS.values()),
    "kind": pa.array([kind.name.lower() for kind in RecordKind]),
    "variant": pa.array([variant.name.lower() for variant in Variant]),
}
"""Columns of a record that contain codes of tabiya, and the meaning of the codes: tables contain these words instead.
"""
_CODES: Final = {f"{name}_code": name for name in _WORDS}
"""Columns with the codes themselves, and the corresponding columns of a record."""


# --- requested columns -----------------------------------------------------------------------------------------------


def column_of(name: str, rows: str) -> Chosen:
    """Return the column with a name.

    Raises:
        UsageError: The column does not exist, or the argument after its colon is invalid.
    """
    base, colon, argument = name.partition(":")
    of_positions = rows == "positions"
    offered = POSITION_COLUMNS | _OF_GAMES if of_positions else COLUMNS
    column = offered.get(base)
    if column is not None and bool(colon) <= bool(column.argument):
        _check_argument(name, column, argument)
        repeated = of_positions and base not in POSITION_COLUMNS
        make = partial(_repeated, column.make, argument) if repeated else partial(_made, column.make, argument)
        return Chosen(pa.field(name, column.type), make, column.plies, of_positions or column.needs_moves)
    field = _stored_field(name)
    if field is None or (of_positions and name in BODY_COLUMNS):
        raise UsageError(f"no column is called {name!r}; known: {', '.join(_offer(rows))}")
    stored = _words if name in _WORDS else _stored
    if of_positions:
        return Chosen(field, partial(_repeated, stored, name), needs_body=True)
    return Chosen(field, partial(_made, stored, name), needs_body=name in BODY_COLUMNS, is_plain=True)


def _check_argument(name: str, column: Column, argument: str) -> None:
    if column.argument == "PLY" and ":" in name and not _PLY.fullmatch(argument):
        raise UsageError(
            f"{name!r} names no ply: give a number of half-moves, {name.partition(':')[0]}:20; below 0 it counts from "
            "the end"
        )
    if column.argument == "NAME" and not argument:
        raise UsageError("a column of a tag needs its name: tag:TimeControl")


def _stored_field(name: str) -> pa.Field | None:
    for schema in (RECORD_SCHEMA, ORIGIN_SCHEMA):
        if _CODES.get(name, name) in schema.names:
            field = schema.field(_CODES.get(name, name)).with_name(name)
            return field.with_type(_WORD) if name in _WORDS else field
    return None


def _offer(rows: str) -> list[str]:
    of_positions = rows == "positions"
    stored = [*RECORD_SCHEMA.names, *ORIGIN_SCHEMA.names, *_CODES]
    if of_positions:
        stored = [name for name in stored if name not in BODY_COLUMNS]
    offered = POSITION_COLUMNS | _OF_GAMES if of_positions else COLUMNS
    spelled = {"PLY": "{0}, {0}:PLY", "NAME": "{0}:NAME", "": "{0}"}
    return stored + [spelled[column.argument].format(name) for name, column in offered.items()]


def _made(make: Callable[[Piece, str], pa.Array], argument: str, piece: Piece) -> pa.Array:
    return make(piece, argument)


def _repeated(make: Callable[[Piece, str], pa.Array], argument: str, piece: Piece) -> pa.Array:
    """Return a value of a game once for each of its positions."""
    return make(piece, argument).take(pa.array(piece.places[0]))


def _stored(piece: Piece, name: str) -> pa.Array:
    return piece.records[_CODES.get(name, name)]


def _words(piece: Piece, name: str) -> pa.Array:
    return pa.DictionaryArray.from_arrays(piece.records[name].cast(pa.int32()), _WORDS[name])
