import numpy as np
from numpy.typing import NDArray

def page_head(rows: int, plain: int, stored: int, crc32: int | None = None) -> bytes: ...
def encode_groups(
    words: NDArray[np.uint64],
    group: int,
    columns: NDArray[np.int32],
    packed: NDArray[np.uint8],
    out: NDArray[np.uint8],
    sizes: NDArray[np.int64],
) -> int: ...
