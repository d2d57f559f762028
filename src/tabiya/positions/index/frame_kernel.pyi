import numpy as np
from numpy.typing import NDArray

def page_head(rows: int, plain: int, stored: int, crc32: int | None = None) -> bytes: ...
def fill(
    constants: NDArray[np.uint8],
    ends: NDArray[np.int32],
    is_word: NDArray[np.uint8],
    numbers: NDArray[np.int64],
    out: NDArray[np.uint8],
) -> int: ...
def encode_groups(
    words: NDArray[np.uint64],
    group: int,
    columns: NDArray[np.int32],
    packed: NDArray[np.uint8],
    out: NDArray[np.uint8],
    sizes: NDArray[np.int64],
) -> int: ...
