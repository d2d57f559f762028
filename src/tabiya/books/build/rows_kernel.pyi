import numpy as np
from numpy.typing import NDArray

from tabiya.game.view_kernel import BatchView

def collect_rows(
    batch: BatchView,
    mode: int,
    max_ply: int,
    first: int,
    keys: NDArray[np.uint64],
    moves: NDArray[np.uint16],
    outcomes: NDArray[np.uint8],
    following: NDArray[np.uint64],
    places: NDArray[np.int64],
    ratings: NDArray[np.uint16],
    opponents: NDArray[np.uint16],
    tapes: NDArray[np.uint16],
    counters: NDArray[np.int64],
) -> int: ...
def pack_places(
    tapes: NDArray[np.uint16], start: bytes, places: NDArray[np.int64], signatures: NDArray[np.uint8]
) -> None: ...
