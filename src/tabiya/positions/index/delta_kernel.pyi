import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def encode_pages(
    words: NDArray[np.uint64],
    group: int,
    columns: NDArray[np.int32],
    out: NDArray[np.uint8],
    ends: NDArray[np.int64],
) -> None: ...
def find_key(page: Buffer, count: int, key: int) -> tuple[int, int]: ...
def read_column(page: Buffer, count: int, column: int, begin: int, end: int, out: NDArray[np.uint8]) -> bool: ...
def read_rows(page: Buffer, column: int, words: NDArray[np.uint64]) -> bool: ...
