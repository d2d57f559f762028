import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def walk_tree(
    data: NDArray[np.uint8] | Buffer,
    keys: NDArray[np.uint64],
    places: NDArray[np.int32],
    parents: NDArray[np.int32],
    moves: NDArray[np.uint16],
    faults: NDArray[np.int32],
    counts: NDArray[np.int64],
) -> int: ...
