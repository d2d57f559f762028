import numpy as np
from numpy.typing import NDArray

def find_lines(
    moves: NDArray[np.uint16],
    ends: NDArray[np.int64],
    start_ends: NDArray[np.int32],
    starts: NDArray[np.uint8],
    wanted: NDArray[np.uint8],
    fen: bytes,
    chess960: bool,
    any_rights: bool,
    keys: NDArray[np.uint64],
    found: NDArray[np.int32],
    plies: NDArray[np.int16],
    played: NDArray[np.int16],
) -> int: ...
def rows_of_lines(
    moves: NDArray[np.uint16],
    ends: NDArray[np.int64],
    start_ends: NDArray[np.int32],
    starts: NDArray[np.uint8],
    wanted: NDArray[np.uint8],
    most: int,
    keys: NDArray[np.int64],
    found: NDArray[np.int32],
    plies: NDArray[np.int16],
    played: NDArray[np.int16],
) -> int: ...
def beginnings(
    moves: NDArray[np.uint16],
    ends: NDArray[np.int64],
    records: NDArray[np.int64],
    plies: NDArray[np.int16],
    hashes: NDArray[np.uint64],
) -> None: ...
