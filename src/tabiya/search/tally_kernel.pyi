import numpy as np
from numpy.typing import NDArray

def add_up(
    facts: NDArray[np.uint8],
    first: int,
    games: NDArray[np.int32],
    moves: NDArray[np.int16],
    allowed: NDArray[np.uint8],
    bounds: NDArray[np.int64],
    results: NDArray[np.uint8],
    codes: NDArray[np.uint8],
    roles: NDArray[np.int64],
    names: NDArray[np.uint8],
    turn: int,
    statistics: NDArray[np.int64],
    best: NDArray[np.int64],
    latest: NDArray[np.int64],
    counted: NDArray[np.uint8],
) -> tuple[int, int, int]: ...
