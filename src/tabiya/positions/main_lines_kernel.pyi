import numpy as np
from numpy.typing import NDArray

def main_lines(
    moves: NDArray[np.uint16], ends: NDArray[np.int32], out: NDArray[np.uint16], out_ends: NDArray[np.int64]
) -> int: ...
