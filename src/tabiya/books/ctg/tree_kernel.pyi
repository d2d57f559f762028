import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]
Sizes = npt.NDArray[np.uint16]
Keys = npt.NDArray[np.uint32]

def merge_sorted(
    data: Bytes,
    starts: Counts,
    keys: Keys,
    order: Counts,
    largest: bool,
    out: Bytes,
    sizes: Sizes,
    out_keys: Keys,
) -> tuple[int, int, int, int]: ...
def find_leaves(
    keys: Keys,
    ends: Counts,
    depth: int,
    bits: int,
    forced: int,
    deepest: int,
    nodes: Counts,
    stops: Counts,
) -> int: ...
