import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def scan_games(
    moves: NDArray[np.uint16] | Buffer,
    offsets: NDArray[np.int64] | Buffer,
    start_bytes: NDArray[np.uint8] | Buffer,
    start_offsets: NDArray[np.int64] | Buffer,
    variants: NDArray[np.uint8] | Buffer,
    results: NDArray[np.uint8] | Buffer,
    selected: NDArray[np.uint8] | Buffer,
    program: NDArray[np.uint8] | Buffer,
    begins: NDArray[np.int32] | Buffer,
    needs: NDArray[np.uint64] | Buffer,
    variations: bool,
    everything: bool,
    values: NDArray[np.int32] | Buffer,
    value_offsets: NDArray[np.int64] | Buffer,
    found: NDArray[np.int32],
) -> None: ...
