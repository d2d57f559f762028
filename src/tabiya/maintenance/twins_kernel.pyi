import numpy as np
from numpy.typing import NDArray

def hash_lines(
    moves: NDArray[np.uint16], ends: NDArray[np.int64], seeds: NDArray[np.uint64], out: NDArray[np.uint64]
) -> None: ...
def mix(hashes: NDArray[np.uint64], values: NDArray[np.uint64], out: NDArray[np.uint64]) -> None: ...
def fill_table(keys: NDArray[np.uint64], slots: NDArray[np.int32], marks: NDArray[np.uint8]) -> None: ...
def find_prefixes(
    moves: NDArray[np.uint16],
    ends: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    salts: NDArray[np.uint64],
    wanted: NDArray[np.uint8],
    least: int,
    keys: NDArray[np.uint64],
    slots: NDArray[np.int32],
    marks: NDArray[np.uint8],
    lines: NDArray[np.int32],
    found: NDArray[np.int32],
    first: int,
) -> tuple[int, int]: ...
def choose_kept(
    order: NDArray[np.int64],
    ends: NDArray[np.int64],
    runs: NDArray[np.int32],
    white: NDArray[np.int32],
    black: NDArray[np.int32],
    given: NDArray[np.uint64],
    first_days: NDArray[np.int32],
    last_days: NDArray[np.int32],
    slack: int,
    hosts: NDArray[np.int32],
    ids: NDArray[np.int32],
    moments: NDArray[np.int64],
    winners: NDArray[np.uint8],
    links: NDArray[np.uint64],
    kept: NDArray[np.int64],
) -> None: ...
