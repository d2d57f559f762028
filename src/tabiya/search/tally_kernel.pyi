import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def add_up(
    facts: NDArray[np.uint8] | Buffer,
    first: int,
    games: NDArray[np.int32] | Buffer,
    moves: NDArray[np.int16] | Buffer,
    allowed: NDArray[np.uint8] | Buffer,
    bounds: NDArray[np.int64] | Buffer,
    results: NDArray[np.uint8] | Buffer,
    codes: NDArray[np.uint8] | Buffer,
    roles: NDArray[np.int64] | Buffer,
    names: NDArray[np.uint8] | Buffer,
    turn: int,
    statistics: NDArray[np.int64],
    best: NDArray[np.int64],
    latest: NDArray[np.int64],
    counted: NDArray[np.uint8],
) -> tuple[int, int, int]: ...
