import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def scatter(
    rows: NDArray[np.uint64] | Buffer, shift: int, out: NDArray[np.uint64], ends: NDArray[np.int32]
) -> None: ...
def gather(
    words: NDArray[np.uint64] | Buffer,
    begins: NDArray[np.int64] | Buffer,
    ends: NDArray[np.int64] | Buffer,
    out: NDArray[np.uint64],
) -> None: ...
