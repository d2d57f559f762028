import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def hash_lines(
    moves: NDArray[np.uint16] | Buffer,
    ends: NDArray[np.int64] | Buffer,
    seeds: NDArray[np.uint64] | Buffer,
    out: NDArray[np.uint64],
) -> None: ...
def mix(hashes: NDArray[np.uint64] | Buffer, values: NDArray[np.uint64] | Buffer, out: NDArray[np.uint64]) -> None: ...
def fill_table(keys: NDArray[np.uint64] | Buffer, slots: NDArray[np.int32], marks: NDArray[np.uint8]) -> None: ...
def find_prefixes(
    moves: NDArray[np.uint16] | Buffer,
    ends: NDArray[np.int64] | Buffer,
    seeds: NDArray[np.uint64] | Buffer,
    salts: NDArray[np.uint64] | Buffer,
    selected: NDArray[np.uint8] | Buffer,
    least: int,
    keys: NDArray[np.uint64] | Buffer,
    slots: NDArray[np.int32] | Buffer,
    marks: NDArray[np.uint8] | Buffer,
    lines: NDArray[np.int32],
    found: NDArray[np.int32],
    first: int,
) -> tuple[int, int]: ...
def choose_kept(
    order: NDArray[np.int64] | Buffer,
    ends: NDArray[np.int64] | Buffer,
    runs: NDArray[np.int32] | Buffer,
    white: NDArray[np.int32] | Buffer,
    black: NDArray[np.int32] | Buffer,
    given: NDArray[np.uint64] | Buffer,
    first_days: NDArray[np.int32] | Buffer,
    last_days: NDArray[np.int32] | Buffer,
    slack: int,
    hosts: NDArray[np.int32] | Buffer,
    ids: NDArray[np.int32] | Buffer,
    moments: NDArray[np.int64] | Buffer,
    winners: NDArray[np.uint8] | Buffer,
    links: NDArray[np.uint64] | Buffer,
    kept: NDArray[np.int64],
) -> None: ...
