import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def measure_pages(ctg: NDArray[np.uint8] | Buffer, first: int, last: int) -> tuple[int, int]: ...
def read_pages(
    ctg: NDArray[np.uint8] | Buffer,
    first: int,
    last: int,
    signatures: NDArray[np.uint8],
    statistics: NDArray[np.int64],
    marks: NDArray[np.uint8],
    move_ends: NDArray[np.int64],
    moves: NDArray[np.uint16],
    nags: NDArray[np.uint8],
) -> int: ...
def write_records(
    signatures: NDArray[np.uint8] | Buffer,
    statistics: NDArray[np.int64] | Buffer,
    marks: NDArray[np.uint8] | Buffer,
    move_ends: NDArray[np.int64] | Buffer,
    moves: NDArray[np.uint16] | Buffer,
    nags: NDArray[np.uint8] | Buffer,
    out: NDArray[np.uint8],
    sizes: NDArray[np.uint16],
    keys: NDArray[np.uint32],
    lost: NDArray[np.int64],
) -> tuple[int, int]: ...
