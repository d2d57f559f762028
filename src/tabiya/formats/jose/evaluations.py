"""The column Eval of jose 1.5: engine evaluations after each move, as probabilities of win and draw.

Two signed 16-bit numbers, big-endian, for every move in the order of the codes: win and draw for White, times 32767;
-32768 is no value. Here evaluations are hundredths of a pawn. The two are related by the expected score e, a logistic
function of the evaluation (four pawns are worth a factor of ten), with win = e², draw = 2e(1-e), loss = (1-e)². Values
of jose that are not on this curve are kept unchanged in the extras, for writing them again.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabiya.game import GameBatch
from tabiya.game.annotations import Side
from tabiya.game.annotations.evaluations import Evaluation
from tabiya.game.lists import filtered, joined, members, owners
from tabiya.game.schema import ANNOTATION, RECORD_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

_ONE: Final = 32767
_NONE: Final = -32768
_PAIR: Final = 4
_TENFOLD: Final = 400.0
"""This number of hundredths of a pawn multiplies the odds by ten."""
_MOST: Final = 2000
"""Beyond twenty pawns the numbers of jose do not distinguish an advantage from a win."""
_EXTRA: Final = "jose.eval"
_DOES_NOT_FIT: Final = 166
_KIND: Final = Evaluation.kind
_PAYLOAD: Final = np.dtype([("value", "<i2"), ("type", "<i2"), ("depth", "<i2")])
_NO_PAYLOAD: Final = pa.scalar(bytes(_PAYLOAD.itemsize), pa.binary())
_PAWNS, _MATE = 0, 1
_FIRST_MARK: Final = 0x8000
"""Tokens of a tape below this are moves."""


def evaluation_of(win: int, draw: int) -> int | None:
    """Return hundredths of a pawn; None for no value."""
    if win == _NONE or draw == _NONE:
        return None
    score = min(max((win + draw / 2) / _ONE, 0.0), 1.0)
    if score in (0.0, 1.0):
        return _MOST if score else -_MOST
    return max(-_MOST, min(_MOST, round(_TENFOLD * math.log10(score / (1 - score)))))


def chances_of(value: int) -> tuple[int, int]:
    """Return the probabilities of win and draw for an evaluation in hundredths of a pawn."""
    if abs(value) >= _MOST:
        return (_ONE, 0) if value > 0 else (0, 0)
    score = 1 / (1 + 10 ** (-value / _TENFOLD))
    win, draw = round(_ONE * score * score), round(_ONE * 2 * score * (1 - score))
    return win, min(draw, _ONE - win)


def decode_evaluations(blob: bytes) -> list[int | None]:
    """Return an evaluation or None for every move; an incomplete last value is skipped."""
    numbers = np.frombuffer(blob[: len(blob) // _PAIR * _PAIR], ">i2").reshape(-1, 2).tolist()
    return [evaluation_of(win, draw) for win, draw in numbers]


def encode_evaluations(values: Sequence[int | None]) -> bytes | None:
    """Return the column Eval; None if no move has a value."""
    if all(value is None for value in values):
        return None
    pairs = [(_NONE, _NONE) if value is None else chances_of(value) for value in values]
    return np.array(pairs, ">i2").tobytes()


# Batches, column by column.


@cache
def _curve() -> tuple[NDArray[np.int16], NDArray[np.bool_]]:
    """Return, by evaluation plus ``_MOST``, its probabilities, and whether they reproduce it."""
    values = range(-_MOST, _MOST + 1)
    chances = [chances_of(value) for value in values]
    exact = [evaluation_of(*pair) == value for pair, value in zip(chances, values, strict=True)]
    return np.array(chances, np.int16), np.array(exact, np.bool_)


def _decoded(pairs: NDArray[np.int16]) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return the evaluations of pairs of probabilities, and where there is one; each distinct pair is decoded once."""
    distinct, places = np.unique(np.ascontiguousarray(pairs).view(np.int32).reshape(-1), return_inverse=True)
    found = [evaluation_of(win, draw) for win, draw in distinct.view(np.int16).reshape(-1, 2).tolist()]
    known = np.array([value is not None for value in found], np.bool_)
    return np.array([value or 0 for value in found], np.int64)[places], known[places]


class _Evaluations:
    """The evaluations among the annotations of a batch, as arrays, and the moves of its records concatenated."""

    def __init__(self, batch: GameBatch) -> None:
        tokens, offsets = members(batch.record_batch.column("moves"))
        self.begins: Numbers = np.concatenate(([0], np.cumsum(tokens.to_numpy() < _FIRST_MARK)))[offsets]
        """Where the moves of each record begin among all moves, and the end."""
        notes, offsets = members(batch.record_batch.column("annotations"))
        self.places: Numbers = np.flatnonzero(notes.field("kind").to_numpy() == _KIND)
        """Positions of the evaluations among all annotations."""
        found = notes.take(pa.array(self.places))
        self.row: Numbers = owners(offsets)[self.places]
        moves = found.field("move").to_numpy().astype(np.int64)
        self.inside = (moves >= 0) & (moves < np.diff(self.begins)[self.row])
        """Whether they belong to an existing move."""
        self.move: Numbers = np.where(self.inside, self.begins[self.row] + moves, 0)
        """The position of that move among all moves."""
        is_whole = pc.equal(pc.binary_length(found.field("data")), _PAYLOAD.itemsize)
        payloads = pc.if_else(is_whole, found.field("data"), _NO_PAYLOAD).cast(pa.binary(_PAYLOAD.itemsize))
        whole = is_whole.to_numpy(zero_copy_only=False)
        numbers = np.frombuffer(payloads.buffers()[1] or b"", _PAYLOAD, len(payloads))
        stored, mate = numbers["value"].astype(np.int64), numbers["type"] == _MATE
        self.known = whole & (mate | (numbers["type"] == _PAWNS)) & self.inside
        self.value = np.where(mate, np.where(stored > 0, _MOST, -_MOST), np.clip(stored, -_MOST, _MOST))
        self.plain = (
            (whole & (numbers["type"] == _PAWNS) & (numbers["depth"] == 0) & (stored == self.value))
            & (found.field("side").to_numpy() == Side.AFTER)
            & (found.field("lang").to_numpy() == 0)
            & found.field("raw").is_null().to_numpy(zero_copy_only=False)
        )
        """Whether they contain only the number."""


def add_evaluations(batch: GameBatch, blobs: Sequence[bytes | None]) -> GameBatch:
    """Return the batch with the evaluations of the column Eval on its moves; one from a comment takes precedence."""
    there = _Evaluations(batch)
    counts = np.diff(there.begins)
    given = [(row, blob) for row, blob in enumerate(blobs) if blob]
    rows = np.array([row for row, _ in given], np.int64)
    sizes = np.array([len(blob) for _, blob in given], np.int64)
    used = np.minimum(sizes // _PAIR, counts[rows])
    data = b"".join(blob[: _PAIR * count] for (_, blob), count in zip(given, used.tolist(), strict=True))
    pairs = np.frombuffer(data, ">i2").astype(np.int16).reshape(-1, 2)
    row = np.repeat(rows, used)
    move = np.arange(len(row)) - np.repeat(np.cumsum(used) - used, used)
    values, known = _decoded(pairs)
    annotated = np.zeros(there.begins[-1], np.bool_)
    annotated[there.move[there.inside]] = True
    new = known & ~annotated[there.begins[row] + move]
    records = _with_notes(batch.record_batch, row[new], move[new], values[new])
    again = np.where(known[:, None], _curve()[0][values + _MOST], np.int16(_NONE))
    regular = np.bincount(row, (pairs != again).any(axis=1), len(batch)) == 0
    regular &= np.bincount(row, known, len(batch)) > 0
    complete = sizes == _PAIR * counts[rows]
    kept = [{"key": _EXTRA, "value": blobs[index]} for index in rows[~(complete & regular[rows])].tolist()]
    records = _joined(records, "extras", kept, rows[~(complete & regular[rows])])
    problem = {"code": _DOES_NOT_FIT, "offset": None, "text": ""}
    return GameBatch(_joined(records, "problems", [problem] * int((~complete).sum()), rows[~complete]))


def _joined(records: pa.RecordBatch, name: str, more: list[dict[str, Any]], rows: Numbers) -> pa.RecordBatch:
    if not more:
        return records
    place, column = records.schema.get_field_index(name), records.column(name)
    lists = joined(column, pa.array(more, column.type.value_type), rows)
    return records.set_column(place, records.schema.field(place), lists)


def _with_notes(records: pa.RecordBatch, rows: Numbers, moves: Numbers, values: Numbers) -> pa.RecordBatch:
    """Return the records with more evaluations; annotations are in the order of moves, late ones last."""
    payloads = np.zeros(len(values), _PAYLOAD)
    payloads["value"] = values
    data = pa.Array.from_buffers(pa.binary(_PAYLOAD.itemsize), len(values), [None, pa.py_buffer(payloads.tobytes())])
    fields = {
        "move": pa.array(moves.astype(np.int32)),
        "side": pa.array(np.full(len(moves), Side.AFTER, np.uint8)),
        "kind": pa.array(np.full(len(moves), _KIND, np.uint16)),
        "lang": pa.array(np.zeros(len(moves), np.uint8)),
        "data": data.cast(pa.binary()),
        "raw": pa.nulls(len(moves), pa.binary()),
    }
    more = pa.StructArray.from_arrays([fields[field.name] for field in ANNOTATION], fields=list(ANNOTATION))
    place = records.schema.get_field_index("annotations")
    lists = joined(records.column(place), more, rows)
    notes, offsets = members(lists)
    late = notes.field("side").to_numpy() == Side.LATE
    order = np.lexsort((late, notes.field("move").to_numpy(), owners(offsets)))
    lists = pa.ListArray.from_arrays(lists.offsets, notes.take(pa.array(order)), type=lists.type)
    return records.set_column(place, records.schema.field(place), lists)


def take_evaluations(batch: GameBatch) -> tuple[GameBatch, dict[int, bytes]]:
    """Return the batch without the evaluations that the column Eval reproduces exactly, and that column by row."""
    there = _Evaluations(batch)
    stored = _stored(batch)
    if not len(there.places) and not stored:
        return batch, {}
    usable = np.flatnonzero(there.known)
    chosen = usable[np.unique(there.move[usable], return_index=True)[1]]  # the first on each move
    values, known = np.zeros(there.begins[-1], np.int64), np.zeros(there.begins[-1], np.bool_)
    values[there.move[chosen]] = there.value[chosen]
    known[there.move[chosen]] = True
    chances, exact = _curve()
    pairs = np.where(known[:, None], chances[values + _MOST], np.int16(_NONE)).astype(">i2")
    removed = np.zeros(len(there.places), np.bool_)
    removed[chosen] = there.plain[chosen] & exact[there.value[chosen] + _MOST]
    blobs = {
        row: pairs[there.begins[row] : there.begins[row + 1]].tobytes() for row in np.unique(there.row[chosen]).tolist()
    }
    for row, blob in stored.items():
        own = slice(there.begins[row], there.begins[row + 1])
        decoded = [value if there_is else None for value, there_is in zip(values[own], known[own], strict=True)]
        if decode_evaluations(blob)[: len(decoded)] == decoded:
            blobs[row] = blob
            here = (there.row == row) & there.known
            removed[here] = there.plain[here] & (there.value[here] == values[there.move[here]])
    column = batch.record_batch.column("annotations")
    kept = np.ones(len(members(column)[0]), np.bool_)
    kept[there.places[removed]] = False
    place = batch.record_batch.schema.get_field_index("annotations")
    return GameBatch(batch.record_batch.set_column(place, RECORD_SCHEMA.field(place), filtered(column, kept))), blobs


def _stored(batch: GameBatch) -> dict[int, bytes]:
    """Return the kept values of the column Eval, by row."""
    extras, offsets = members(batch.record_batch.column("extras"))
    places = np.flatnonzero(pc.equal(extras.field("key"), _EXTRA).to_numpy(zero_copy_only=False))
    found = extras.field("value").take(pa.array(places)).to_pylist()
    return dict(zip(reversed(owners(offsets)[places].tolist()), reversed(found), strict=True))  # the first of a record
