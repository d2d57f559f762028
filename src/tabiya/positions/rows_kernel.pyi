import numpy as np
from numpy.typing import NDArray

from tabiya.game.view_kernel import BatchView

def collect_rows(
    batch: BatchView,
    mode: int,
    max_ply: int,
    first: int,
    words: NDArray[np.uint64],
    tapes: NDArray[np.uint16],
    counters: NDArray[np.int64],
) -> int: ...
