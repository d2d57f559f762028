import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

from tabiya.game.view_kernel import BatchView

def collect_values(
    batch: BatchView,
    limits: NDArray[np.int32] | Buffer,
    ends: NDArray[np.int32],
    starts: NDArray[np.int32],
    black_begins: NDArray[np.uint8],
    scores: NDArray[np.int32],
    clocks: NDArray[np.int32],
    times: NDArray[np.int32],
    phases: NDArray[np.uint8],
    plies: NDArray[np.int32],
) -> int: ...
