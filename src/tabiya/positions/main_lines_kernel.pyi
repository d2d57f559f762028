import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def main_lines(
    moves: NDArray[np.uint16] | Buffer,
    ends: NDArray[np.int32] | Buffer,
    out: NDArray[np.uint16],
    out_ends: NDArray[np.int64],
) -> int: ...
