import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def merge_sorted(
    data: NDArray[np.uint8] | Buffer,
    starts: NDArray[np.int64] | Buffer,
    keys: NDArray[np.uint32] | Buffer,
    order: NDArray[np.int64],
    largest: bool,
    out: NDArray[np.uint8],
    sizes: NDArray[np.uint16],
    out_keys: NDArray[np.uint32],
) -> tuple[int, int, int, int]: ...
def find_leaves(
    keys: NDArray[np.uint32] | Buffer,
    ends: NDArray[np.int64] | Buffer,
    depth: int,
    bits: int,
    forced: int,
    deepest: int,
    nodes: NDArray[np.int64],
    stops: NDArray[np.int64],
) -> int: ...
