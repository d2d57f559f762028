import numpy as np
import numpy.typing as npt

def merge_sorted(
    data: npt.NDArray[np.uint8],
    starts: npt.NDArray[np.int64],
    keys: npt.NDArray[np.uint32],
    order: npt.NDArray[np.int64],
    largest: bool,
    out: npt.NDArray[np.uint8],
    sizes: npt.NDArray[np.uint16],
    out_keys: npt.NDArray[np.uint32],
) -> tuple[int, int, int, int]: ...
def find_leaves(
    keys: npt.NDArray[np.uint32],
    ends: npt.NDArray[np.int64],
    depth: int,
    bits: int,
    forced: int,
    deepest: int,
    nodes: npt.NDArray[np.int64],
    stops: npt.NDArray[np.int64],
) -> int: ...
