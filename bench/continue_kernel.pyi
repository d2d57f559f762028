import numpy as np
from numpy.typing import NDArray

def continue_lines(
    moves: NDArray[np.uint16],
    ends: NDArray[np.int64],
    kept: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    out: NDArray[np.uint16],
    out_ends: NDArray[np.int64],
) -> int: ...
