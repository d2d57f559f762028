import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def find_lines(
    moves: NDArray[np.uint16] | Buffer,
    ends: NDArray[np.int64] | Buffer,
    start_ends: NDArray[np.int32] | Buffer,
    starts: NDArray[np.uint8] | Buffer,
    modes: NDArray[np.uint8] | Buffer,
    fen: bytes,
    chess960: bool,
    any_rights: bool,
    keys: NDArray[np.uint64] | Buffer,
    found: NDArray[np.int32],
    plies: NDArray[np.int16],
    played: NDArray[np.int16],
) -> int: ...
def rows_of_lines(
    moves: NDArray[np.uint16] | Buffer,
    ends: NDArray[np.int64] | Buffer,
    start_ends: NDArray[np.int32] | Buffer,
    starts: NDArray[np.uint8] | Buffer,
    modes: NDArray[np.uint8] | Buffer,
    most: int,
    keys: NDArray[np.int64],
    found: NDArray[np.int32],
    plies: NDArray[np.int16],
    played: NDArray[np.int16],
) -> int: ...
def beginnings(
    moves: NDArray[np.uint16] | Buffer,
    ends: NDArray[np.int64] | Buffer,
    records: NDArray[np.int64] | Buffer,
    plies: NDArray[np.int16] | Buffer,
    hashes: NDArray[np.uint64],
) -> None: ...
