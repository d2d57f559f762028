import numpy as np
from numpy.typing import NDArray

def scan_games(
    moves: NDArray[np.uint16],
    offsets: NDArray[np.int64],
    start_bytes: NDArray[np.uint8],
    start_offsets: NDArray[np.int64],
    variants: NDArray[np.uint8],
    results: NDArray[np.uint8],
    wanted: NDArray[np.uint8],
    program: NDArray[np.uint8],
    begins: NDArray[np.int32],
    needs: NDArray[np.uint64],
    variations: bool,
    everything: bool,
    found: NDArray[np.int32],
) -> None: ...
