import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def page_head(rows: int, plain: int, stored: int, crc32: int | None = None) -> bytes: ...
def fill(
    constants: NDArray[np.uint8] | Buffer,
    ends: NDArray[np.int32] | Buffer,
    is_word: NDArray[np.uint8] | Buffer,
    numbers: NDArray[np.int64] | Buffer,
    out: NDArray[np.uint8],
) -> int: ...
def encode_groups(
    words: NDArray[np.uint64] | Buffer,
    group: int,
    columns: NDArray[np.int32] | Buffer,
    packed: NDArray[np.uint8] | Buffer,
    out: NDArray[np.uint8],
    sizes: NDArray[np.int64],
) -> int: ...
