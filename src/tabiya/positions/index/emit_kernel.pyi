import numpy as np
from numpy.typing import NDArray

from tabiya.game.view_kernel import BatchView

def emit(
    batch: BatchView,
    first: int,
    words: NDArray[np.uint64],
    variations: NDArray[np.uint64],
    counters: NDArray[np.int64],
    chess960: bool = True,
) -> tuple[int, int]: ...
