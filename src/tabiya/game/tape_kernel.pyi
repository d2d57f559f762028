import numpy as np
from numpy.typing import NDArray

def replay(
    moves: NDArray[np.uint16],
    offsets: NDArray[np.int32],
    start_bytes: NDArray[np.uint8],
    start_offsets: NDArray[np.int32],
    variants: NDArray[np.uint8],
    failures: NDArray[np.int32],
    keys: NDArray[np.uint64],
    checked: bool,
) -> None: ...
