"""The moves of all games of a book in temporary files, from which the remaining positions are replayed.

So rows need not contain whole positions. A range of games is read at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow.compute as pc

from tabiya.books.ctg.columns import SIGNATURE_SIZE
from tabiya.books.ctg.signature_kernel import pack_places
from tabiya.files.scratch import ScratchFile

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

_WINDOW_BYTES: Final = 4 << 20
_TOKEN: Final = 2


class Tapes:
    """The first ``max_ply`` moves of each game, and the start position if it is not the usual one."""

    def __init__(self, max_ply: int) -> None:
        self._max_ply = max_ply
        self._moves = ScratchFile()
        self._starts = ScratchFile()
        self._records = 0
        self._start_games: list[NDArray[np.int64]] = []
        self._start_lengths: list[NDArray[np.int64]] = []

    def add(self, tapes: NDArray[np.uint16], starts: pa.Array) -> None:
        """Take the games of a batch: their moves in the form of ``collect_rows``, and their start positions or null."""
        if starts.null_count < len(starts):
            given = starts.drop_null()
            self._start_games.append(self._records + np.flatnonzero(starts.is_valid().to_numpy(zero_copy_only=False)))
            self._start_lengths.append(pc.binary_length(given).to_numpy(zero_copy_only=False).astype(np.int64))
            self._starts.append(np.frombuffer("".join(given.to_pylist()).encode(), np.uint8))
        self._moves.append(tapes)
        self._records += len(tapes)

    def signatures(self, places: NDArray[np.uint64]) -> NDArray[np.uint8]:
        """Return the signatures of positions in CTG's frame, by ascending place (number of the game << 8 | ply)."""
        found = np.zeros((len(places), SIGNATURE_SIZE), np.uint8)
        needed = places.astype(np.int64)
        starts = np.concatenate((np.empty(0, np.int64), *self._start_games))
        ends = np.concatenate((np.zeros(1, np.int64), *self._start_lengths)).cumsum()
        low = 0
        while low < len(needed):
            first = int(needed[low]) >> 8
            window = max(1, _WINDOW_BYTES // (_TOKEN * self._max_ply))
            high = int(np.searchsorted(needed, first + window << 8))
            games = (int(needed[high - 1]) >> 8) - first + 1
            tapes = self._moves.read(_TOKEN * self._max_ply * first, games * self._max_ply, np.uint16)
            tapes = tapes.reshape(-1, self._max_ply)
            part, out = needed[low:high] - (first << 8), found[low:high]
            pack_places(tapes, b"", part, out)
            here = slice(*np.searchsorted(starts, (first, first + games)).tolist())
            self._pack_batches(tapes, part, out, starts[here] - first, ends[here.start : here.stop + 1])
            low = high
        return found

    def _pack_batches(
        self,
        tapes: NDArray[np.uint16],
        places: NDArray[np.int64],
        out: NDArray[np.uint8],
        games: NDArray[np.int64],
        ends: NDArray[np.int64],
    ) -> None:
        """Add games from other start positions."""
        lows, highs = np.searchsorted(places, games << 8), np.searchsorted(places, games + 1 << 8)
        texts = self._starts.read(int(ends[0]), int(ends[-1] - ends[0]), np.uint8).tobytes() if len(games) else b""
        for number in np.flatnonzero(lows < highs).tolist():
            low, high = int(lows[number]), int(highs[number])
            begin, end = (ends[number : number + 2] - ends[0]).tolist()
            pack_places(tapes, texts[begin:end], places[low:high], out[low:high])

    def close(self) -> None:
        """Remove all games. May be called twice."""
        self._moves.close()
        self._starts.close()
