"""Replays the games of a batch to find illegal moves. Bulk work is done by the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow.compute as pc

from tabiya.chess import Color, Move, Position
from tabiya.errors import FormatError, TabiyaError
from tabiya.game.record import RecordKind, Variant
from tabiya.game.tape import BEGIN, END, check_tape
from tabiya.game.tape_kernel import replay

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.game.batch import GameBatch

_GOOD = -1


def failures(batch: GameBatch) -> NDArray[np.int32]:
    """Return for each record the index of the first illegal token, -1 if there is none, -3 for a bad start position.

    Variations are played too. Linear in the number of tokens; no Python object per move.
    """
    return _replayed(batch, np.empty(0, np.uint64))


def keys_after_moves(batch: GameBatch, most: int) -> NDArray[np.uint64]:
    """Return the keys of the positions after the first moves of each record, at most ``most``, variations included."""
    moves = batch.record_batch["moves"]
    offsets = moves.offsets.to_numpy()
    keys = np.zeros(len(moves.values), np.uint64)
    _replayed(batch, keys)
    own = keys[offsets[0] : offsets[-1]]
    place = np.arange(len(own)) - np.repeat(offsets[:-1] - offsets[0], np.diff(offsets))
    found: NDArray[np.uint64] = own[(place < most) & (own != 0)]
    return found


def _replayed(batch: GameBatch, keys: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Play all records; return their failures, and put the keys of positions into ``keys`` unless it is empty."""
    records = batch.record_batch
    moves = records["moves"]
    starts = pc.fill_null(records["start"], "")
    found = np.full(len(batch), _GOOD, np.int32)
    replay(
        moves.values.to_numpy(),
        np.ascontiguousarray(moves.offsets.to_numpy(), np.int32),
        *_joined(starts),
        records["variant"].to_numpy(),
        found,
        keys,
        checked=True,
    )
    return found


def unplayable(batch: GameBatch) -> Iterator[tuple[int, str]]:
    """Yield the rows of games that cannot be played to their end, each with the reason in a sentence."""
    records = batch.record_batch
    games = records["kind"].to_numpy() == RecordKind.GAME
    for row in np.flatnonzero(games & (failures(batch) != _GOOD)).tolist():
        start, chess960 = records["start"][row].as_py(), records["variant"][row].as_py() == Variant.CHESS960
        yield row, _reason(start, records["moves"][row].as_py(), chess960=chess960)


def _joined(texts: pa.StringArray) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return the bytes of all texts, with the start and end of each."""
    if len(texts) == 0:
        return np.empty(0, np.uint8), np.zeros(1, np.int32)
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    return np.frombuffer(data or b"", np.uint8), ends


def _reason(start: str | None, tape: Sequence[int], *, chess960: bool) -> str:
    """Replay one tape, slowly, until it fails."""
    try:
        check_tape(tape)
        before = after = Position.from_fen(start, chess960=chess960) if start else Position()
        outside: list[tuple[Position, Position]] = []
        for token in tape:
            if token == BEGIN:
                outside.append((before, after))
                after = before
            elif token == END:
                before, after = outside.pop()
            else:
                before, after = after, _play(after, Move(token))
    except TabiyaError as error:
        return error.message
    return "the moves cannot be played"


def _play(position: Position, move: Move) -> Position:
    try:
        return position.play(move)
    except FormatError as error:
        dots = "." if position.turn is Color.WHITE else "..."
        raise FormatError(f"{position.fullmove_number}{dots}{error.message}") from error
