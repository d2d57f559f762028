from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Bytes: TypeAlias = npt.NDArray[np.uint8]
Counts: TypeAlias = npt.NDArray[np.int64]
Sizes: TypeAlias = npt.NDArray[np.uint16]
Keys: TypeAlias = npt.NDArray[np.uint32]

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
