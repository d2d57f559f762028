"""Functions about positions for DuckDB: call ``tabiya.register(connection)``, then use them in SQL.

They work on the column ``moves`` of a database, a column at a time and without an object per move. Invalid data in a
file (an illegal move, an impossible start position) yields null; invalid arguments of the query raise an error.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.books.position_text import parse_line
from tabiya.errors import UnsupportedError, UsageError
from tabiya.game.record import Variant
from tabiya.game.tag_values import RESULTS
from tabiya.positions.main_lines_kernel import main_lines
from tabiya.search.sql_kernel import Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import duckdb
    from numpy.typing import NDArray

_NO_TOKEN: Final = 0xFFFF
"""Replaces nulls among the moves: not a legal move."""
_PIECE_BITS: Final = 6
_MOST_PIECES: Final = (1 << _PIECE_BITS) - 1
_MATERIAL: Final = re.compile(r"K([QRBNP]*)v?K([QRBNP]*)")
_FEN, _PIECES, _MOVE, _LINE = range(4)
"""The values of ``what`` in ``Lines.texts_at``."""
_MOST_PLIES: Final = 1 << 31
_RESULTS: Final = pa.array(RESULTS.values(), pa.string())


class SqlFunction(NamedTuple):
    """A function that SQL can call."""

    arguments: str
    """In the form of the documentation, with optional ones in brackets."""
    returns: str
    """The type in SQL."""
    answer: Callable[[Sequence[Any]], pa.Array]
    """From columns to a column."""
    meaning: str

    def limits(self) -> tuple[int, int]:
        """Return the minimum and maximum number of arguments."""
        names = self.arguments.split(",")
        return sum("[" not in name for name in names), len(names)


def register(connection: duckdb.DuckDBPyConnection) -> None:
    """Add the functions of ``FUNCTIONS`` to a DuckDB connection; they replace functions of the same names.

        connection = duckdb.connect()
        tabiya.register(connection)
        connection.sql("SELECT white, black FROM 'games.parquet' WHERE first_ply(moves, '1.e4 c5') IS NOT NULL")

    Raises:
        UsageError: The object is not a DuckDB connection.
    """
    try:
        import duckdb  # noqa: PLC0415 - an extra
        from duckdb.func import ARROW, SPECIAL  # noqa: PLC0415
    except ImportError as error:
        raise UnsupportedError("this needs DuckDB; install it with: pip install 'tabiya[sql]'") from error
    if not isinstance(connection, duckdb.DuckDBPyConnection):
        raise UsageError("functions are registered with a connection of DuckDB: tabiya.register(duckdb.connect())")
    for name, function in FUNCTIONS.items():
        with suppress(duckdb.InvalidInputException):  # it did not exist
            connection.remove_function(name)
        connection.create_function(
            name, _called(name, function), None, function.returns, type=ARROW, null_handling=SPECIAL
        )


def _called(name: str, function: SqlFunction) -> Callable[..., pa.Array]:
    """Return the function that DuckDB calls with any number of columns of any type."""
    least, most = function.limits()

    def call(*columns: Any) -> pa.Array:
        if not least <= len(columns) <= most:
            raise UsageError(f"{name} takes other arguments: {name}({function.arguments})")
        try:
            return function.answer(columns)
        except pa.ArrowException as error:
            raise UsageError(
                f"an argument has another type than {name}({function.arguments}) takes: {error}"
            ) from error

    return call


# --- from columns to lines and back -----------------------------------------------------------------------------------


def _array(column: Any, kind: pa.DataType) -> pa.Array:
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return whole.cast(kind)


def _lines(columns: Sequence[Any], selected: pa.Array | None = None) -> Lines:
    """Return the main lines of a column of tapes, optionally followed by columns of start positions and variants.

    ``selected`` marks the rows that are needed; null tapes are unknown.
    """
    tapes = _array(columns[0], pa.list_(pa.uint16()))
    offsets = tapes.offsets.to_numpy()
    tokens = pc.fill_null(tapes.values, _NO_TOKEN).to_numpy(zero_copy_only=False)
    moves, ends = np.empty(len(tokens), np.uint16), np.empty(len(offsets), np.int64)
    count = main_lines(tokens, offsets, moves, ends)
    known = tapes.is_valid() if selected is None else pc.and_(tapes.is_valid(), selected)
    starts = _array(columns[1] if len(columns) > 1 else pa.nulls(len(tapes)), pa.string())
    variants = _variants(columns[2]) if len(columns) > 2 else pa.nulls(len(tapes), pa.uint8())
    return Lines(moves[:count], ends, *_letters(starts), _filled(variants, np.uint8), _filled(known, np.uint8))


def _variants(column: Any) -> pa.Array:
    """Return the codes of variants, which tables store as words."""
    if pa.types.is_integer(column.type) or pa.types.is_null(column.type):
        return _array(column, pa.uint8())
    return pc.equal(_array(column, pa.string()), Variant.CHESS960.name.lower()).cast(pa.uint8())


def _letters(texts: pa.Array) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return the bytes of a column of texts and where each ends; null is an empty text."""
    filled = pc.fill_null(texts, "")
    _, ends, letters = filled.buffers()
    if not len(filled):
        return np.zeros(0, np.uint8), np.zeros(1, np.int32)
    bounds = np.frombuffer(ends, np.int32)[filled.offset : filled.offset + len(filled) + 1]
    return np.frombuffer(letters or b"", np.uint8), bounds


def _filled(column: pa.Array, kind: type[np.number[Any]]) -> NDArray[Any]:
    values = pc.fill_null(column, pa.scalar(0).cast(column.type)).to_numpy(zero_copy_only=False)
    return np.ascontiguousarray(values, kind)


def _answer_buffers(records: int, kind: type[np.number[Any]]) -> tuple[NDArray[Any], NDArray[np.uint8]]:
    """Return arrays for results, and for whether they exist."""
    return np.empty(records, kind), np.empty(records, np.uint8)


def _numbers(values: NDArray[Any], found: NDArray[np.uint8]) -> pa.Array:
    return pa.array(values, mask=found == 0)


def _keys_at(columns: Sequence[Any], plies: pa.Array) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    keys, found = _answer_buffers(len(plies), np.uint64)
    _lines(columns, plies.is_valid()).keys_at(_filled(plies, np.int64), keys, found)
    return keys, found


def _texts_at(columns: Sequence[Any], plies: pa.Array, what: int) -> pa.Array:
    lines = _lines(columns, plies.is_valid())
    letters = np.empty(lines.text_size(what), np.uint8)
    ends, found = np.empty(len(plies) + 1, np.int64), np.empty(len(plies), np.uint8)
    lines.texts_at(what, _filled(plies, np.int64), letters, ends, found)
    buffers = [np.packbits(found, bitorder="little"), ends, letters[: ends[-1]]]
    return pa.Array.from_buffers(pa.large_string(), len(plies), [pa.py_buffer(buffer) for buffer in buffers])


def _zeros_where(selected: pa.Array) -> pa.Array:
    """Return ply 0 for requested rows, else null."""
    return pc.if_else(selected, pa.scalar(0, pa.int64()), pa.scalar(None, pa.int64()))


def _different(column: Any, of: Callable[[str], Any], kind: pa.DataType) -> pa.Array:
    """Return the results of a function for texts, calling it once per distinct text."""
    texts = _array(column, pa.string()).dictionary_encode()
    return pa.array([of(text) for text in texts.dictionary.to_pylist()], kind).take(texts.indices)


def _fens(column: Any) -> pa.Array:
    """Return the FENs of positions from their usual notations."""
    return _different(column, lambda text: text if "/" in text else parse_line(text).fen(), pa.string())


def _keys(fens: pa.Array) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """Return the keys of FENs; FormatError if one is invalid."""
    keys, found = _keys_at(
        [_moves_of(pa.nulls(0), np.zeros(len(fens) + 1, np.int32)), fens], _zeros_where(fens.is_valid())
    )
    for place in np.flatnonzero(_filled(fens.is_valid(), np.uint8) > found)[:1]:
        parse_line(fens[int(place)].as_py())  # raises the error with the reason
    return keys, found


def _moves_of(tokens: pa.Array, ends: NDArray[np.int32]) -> pa.ListArray:
    return pa.ListArray.from_arrays(pa.array(ends), tokens.cast(pa.uint16()))


def _signature(text: str) -> int:
    """Return this material as a number of ``Lines.first_material_plies``."""
    sides = _MATERIAL.fullmatch(text)
    if sides is None:
        raise UsageError(f"{text[:40]!r} is not a material such as KRPPKRP: the pieces of White, then those of Black")
    signature = 0
    for side in reversed(sides.groups()):
        pieces = Counter(side)
        for letter in "QRBNP":
            signature = signature << _PIECE_BITS | min(pieces[letter], _MOST_PIECES)
    return signature


# --- the functions in SQL -------------------------------------------------------------------------------------------


def _position_key(columns: Sequence[Any]) -> pa.Array:
    keys, found = _keys(_fens(columns[0]))
    return _numbers(keys.view(np.int64), found)


def _move_san(columns: Sequence[Any]) -> pa.Array:
    """The move is the only one of a line that starts with the position."""
    fens = _fens(columns[0])
    _keys(fens)
    tokens = _array(columns[1], pa.int64())
    sound = pc.and_(pc.greater_equal(tokens, 0), pc.less(tokens, _NO_TOKEN))
    lines = _moves_of(pc.if_else(sound, tokens, _NO_TOKEN), np.arange(len(tokens) + 1, dtype=np.int32))
    return _texts_at([lines, fens], _zeros_where(fens.is_valid()), _MOVE)


def _key_at(columns: Sequence[Any]) -> pa.Array:
    tapes, plies, *rest = columns
    keys, found = _keys_at([tapes, *rest], _array(plies, pa.int64()))
    return _numbers(keys.view(np.int64), found)


def _text_at(what: int) -> Callable[[Sequence[Any]], pa.Array]:
    def answer(columns: Sequence[Any]) -> pa.Array:
        tapes, plies, *rest = columns
        return _texts_at([tapes, *rest], _array(plies, pa.int64()), what)

    return answer


def _main_line(columns: Sequence[Any]) -> pa.Array:
    return _texts_at(columns, pa.array(np.full(len(columns[0]), _MOST_PLIES, np.int64)), _LINE)


def _line_keys(columns: Sequence[Any]) -> pa.Array:
    lines, records = _lines(columns), len(columns[0])
    keys, found = np.empty(lines.positions(), np.uint64), np.empty(records, np.uint8)
    ends = np.empty(records + 1, np.int64)
    count = lines.all_keys(keys, ends, found)
    items = pa.array(keys[:count].view(np.int64))
    return pa.LargeListArray.from_arrays(pa.array(ends), items, mask=pa.array(found == 0))


def _plies(columns: Sequence[Any]) -> pa.Array:
    keys = _line_keys(columns)
    return pc.subtract(pc.list_value_length(keys), 1).cast(pa.int32())


def _first_ply(columns: Sequence[Any]) -> pa.Array:
    tapes, positions, *rest = columns
    if pa.types.is_integer(positions.type):
        requested = _array(positions, pa.int64())
        selected, keys = requested.is_valid(), _filled(requested, np.int64).view(np.uint64)
    else:
        fens = _fens(positions)
        selected, keys = fens.is_valid(), _keys(fens)[0]
    plies, found = _answer_buffers(len(keys), np.int32)
    _lines([tapes, *rest], selected).first_plies(keys, plies, found)
    return _numbers(plies, found)


def _first_material_ply(columns: Sequence[Any]) -> pa.Array:
    tapes, materials, *rest = columns
    requested = _different(materials, _signature, pa.uint64())
    plies, found = _answer_buffers(len(requested), np.int32)
    _lines([tapes, *rest], requested.is_valid()).first_material_plies(_filled(requested, np.uint64), plies, found)
    return _numbers(plies, found)


def _result_text(columns: Sequence[Any]) -> pa.Array:
    codes = _array(columns[0], pa.int64())
    known = pc.and_(pc.greater_equal(codes, 0), pc.less(codes, len(_RESULTS)))
    return _RESULTS.take(pc.if_else(known, codes, pa.scalar(None, pa.int64())))


FUNCTIONS: Final = {
    "position_key": SqlFunction("position", "BIGINT", _position_key, "the key of a position"),
    "key_at": SqlFunction("moves, ply[, start[, variant]]", "BIGINT", _key_at, "the key of the position at a ply"),
    "line_keys": SqlFunction("moves[, start[, variant]]", "BIGINT[]", _line_keys, "the keys of all positions"),
    "fen_at": SqlFunction("moves, ply[, start[, variant]]", "VARCHAR", _text_at(_FEN), "the FEN at a ply"),
    "material_at": SqlFunction(
        "moves, ply[, start[, variant]]", "VARCHAR", _text_at(_PIECES), "the pieces at a ply, White's first: `KRPPKRP`"
    ),
    "san_at": SqlFunction(
        "moves, ply[, start[, variant]]", "VARCHAR", _text_at(_MOVE), "the move that is played in the position at a ply"
    ),
    "move_san": SqlFunction(
        "position, move", "VARCHAR", _move_san, "a move of the tape, or of a row of the index, in a position"
    ),
    "main_line": SqlFunction("moves[, start[, variant]]", "VARCHAR", _main_line, "all moves: `1. e4 e5 2. Nf3`"),
    "line_to": SqlFunction(
        "moves, ply[, start[, variant]]", "VARCHAR", _text_at(_LINE), "the moves up to a ply, all if there are fewer"
    ),
    "plies": SqlFunction("moves[, start[, variant]]", "INTEGER", _plies, "the number of half-moves of the main line"),
    "first_ply": SqlFunction(
        "moves, position[, start[, variant]]", "INTEGER", _first_ply, "the ply at which a position comes first"
    ),
    "first_material_ply": SqlFunction(
        "moves, material[, start[, variant]]",
        "INTEGER",
        _first_material_ply,
        "the ply at which exactly these pieces are on the board first",
    ),
    "result_text": SqlFunction(
        "result", "VARCHAR", _result_text, "the result that a code in Parquet files of games means: `1-0`"
    ),
}
"""By name."""
