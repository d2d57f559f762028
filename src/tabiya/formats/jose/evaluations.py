"""The column Eval of jose 1.5: what an engine thinks after each move, as chances to win and to draw.

Two signed 16-bit numbers, big-endian, for every move in the order of the codes: win and draw for White, times 32767;
-32768 is no value. Here evaluations are hundredths of a pawn. The two are related by the expected score e, a logistic
function of the evaluation (four pawns are worth a factor of ten), with win = e², draw = 2e(1-e), loss = (1-e)². Values
of jose that do not lie on this curve are kept as they are in the extras, for writing them again.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.errors import FormatError
from tabiya.formats.jose.changes import change_rows
from tabiya.game.annotations import Annotation, Side
from tabiya.game.annotations.evaluations import Evaluation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabiya.game import GameBatch

__all__ = ["add_evaluations", "decode_evaluations", "encode_evaluations", "evaluation_of", "take_evaluations"]

_ONE: Final = 32767
_NONE: Final = -32768
_PAIR: Final = 4
_TENFOLD: Final = 400.0
"""So many hundredths of a pawn multiply the odds by ten."""
_MOST: Final = 2000
"""Beyond twenty pawns the numbers of jose have no finer steps than won."""
_EXTRA: Final = "jose.eval"
_DOES_NOT_FIT: Final = 166
_KIND: Final = Evaluation.kind


def evaluation_of(win: int, draw: int) -> int | None:
    """Hundredths of a pawn; None for no value."""
    if win == _NONE or draw == _NONE:
        return None
    score = min(max((win + draw / 2) / _ONE, 0.0), 1.0)
    if score in (0.0, 1.0):
        return _MOST if score else -_MOST
    return max(-_MOST, min(_MOST, round(_TENFOLD * math.log10(score / (1 - score)))))


def chances_of(value: int) -> tuple[int, int]:
    """Chances to win and to draw of an evaluation in hundredths of a pawn."""
    if abs(value) >= _MOST:
        return (_ONE, 0) if value > 0 else (0, 0)
    score = 1 / (1 + 10 ** (-value / _TENFOLD))
    win, draw = round(_ONE * score * score), round(_ONE * 2 * score * (1 - score))
    return win, min(draw, _ONE - win)


def decode_evaluations(blob: bytes) -> list[int | None]:
    """An evaluation or None for every move; an incomplete last value is passed over."""
    numbers = np.frombuffer(blob[: len(blob) // _PAIR * _PAIR], ">i2").reshape(-1, 2).tolist()
    return [evaluation_of(win, draw) for win, draw in numbers]


def encode_evaluations(values: Sequence[int | None]) -> bytes | None:
    """The column Eval; None if no move has a value."""
    if all(value is None for value in values):
        return None
    pairs = [(_NONE, _NONE) if value is None else chances_of(value) for value in values]
    return np.array(pairs, ">i2").tobytes()


# Batches. Rows with evaluations are few, or few in a batch that has any: they are changed as Python values.


def add_evaluations(batch: GameBatch, blobs: Sequence[bytes | None]) -> GameBatch:
    """The batch with the evaluations of the column Eval on its moves; one that a comment gives counts more."""

    def change(row: dict[str, Any], index: int) -> None:
        blob = blobs[index] or b""
        values = decode_evaluations(blob)
        moves = sum(token < 0x8000 for token in row["moves"])
        told = {note["move"] for note in row["annotations"] if note["kind"] == _KIND}
        row["annotations"] += [_note(move, value) for move, value in _known(values[:moves]) if move not in told]
        row["annotations"].sort(key=_rank)
        if len(blob) != _PAIR * moves:
            row["problems"].append({"code": _DOES_NOT_FIT, "offset": None, "text": ""})
        if encode_evaluations(values) != blob or len(values) != moves:
            row["extras"].append({"key": _EXTRA, "value": blob})

    return change_rows(batch, [index for index, blob in enumerate(blobs) if blob], change)


def take_evaluations(batch: GameBatch) -> tuple[GameBatch, dict[int, bytes]]:
    """The batch without the evaluations that the column Eval gives back exactly, and that column by row."""
    blobs: dict[int, bytes] = {}

    def change(row: dict[str, Any], index: int) -> None:
        moves = sum(token < 0x8000 for token in row["moves"])
        values: list[int | None] = [None] * moves
        exact: list[dict[str, Any]] = []
        for note in row["annotations"]:
            if note["kind"] == _KIND and 0 <= note["move"] < moves and values[note["move"]] is None:
                value, is_exact = _value(note)
                values[note["move"]] = value
                exact += [note] if is_exact else []
        stored = next((each["value"] for each in row["extras"] if each["key"] == _EXTRA), None)
        if stored is not None and decode_evaluations(stored)[:moves] == values:
            blobs[index] = stored
            exact = [n for n in row["annotations"] if n["kind"] == _KIND and n == _note(n["move"], values[n["move"]])]
        elif (blob := encode_evaluations(values)) is not None:
            blobs[index] = blob
        row["annotations"] = [note for note in row["annotations"] if all(note is not each for each in exact)]

    column = batch.record_batch.column("annotations")
    kinds = column.flatten().field("kind").to_numpy(zero_copy_only=False)
    offsets = column.offsets.to_numpy() - column.offsets[0].as_py()
    found = np.concatenate(([0], np.cumsum(kinds == _KIND)))[offsets]
    stored = [i for i, extras in enumerate(_keys(batch)) if _EXTRA in extras]
    rows = sorted({*np.flatnonzero(np.diff(found)).tolist(), *stored})
    return change_rows(batch, rows, change), blobs


def _keys(batch: GameBatch) -> list[list[str]]:
    column = batch.record_batch.column("extras")
    if not len(column.flatten()):
        return []
    return [[extra["key"] for extra in extras] for extras in column.to_pylist()]


def _value(note: dict[str, Any]) -> tuple[int | None, bool]:
    """The value of an annotation in hundredths of a pawn, and whether the column Eval holds all that it says."""
    try:
        evaluation = Evaluation.of(Annotation(_KIND, note["data"]))
    except FormatError:
        return None, False
    if evaluation.is_mate:
        return (_MOST if evaluation.value > 0 else -_MOST), False
    if evaluation.type:
        return None, False
    value = max(-_MOST, min(_MOST, evaluation.value))
    return value, note == _note(note["move"], value) and evaluation_of(*chances_of(value)) == value


def _note(move: int, value: int | None) -> dict[str, Any]:
    data = Evaluation(value or 0).annotation().data
    return {"move": move, "side": int(Side.AFTER), "kind": _KIND, "lang": 0, "data": data, "raw": None}


def _known(values: Sequence[int | None]) -> list[tuple[int, int]]:
    return [(move, value) for move, value in enumerate(values) if value is not None]


def _rank(note: dict[str, Any]) -> tuple[int, bool]:
    return note["move"], note["side"] == Side.LATE
