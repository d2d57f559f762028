import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def replay(
    moves: NDArray[np.uint16] | Buffer,
    offsets: NDArray[np.int32] | Buffer,
    start_bytes: NDArray[np.uint8] | Buffer,
    start_offsets: NDArray[np.int32] | Buffer,
    variants: NDArray[np.uint8] | Buffer,
    failures: NDArray[np.int32],
    keys: NDArray[np.uint64],
    checked: bool,
) -> None: ...
