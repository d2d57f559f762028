import numpy as np
from numpy.typing import NDArray

def scatter(rows: NDArray[np.uint64], shift: int, out: NDArray[np.uint64], ends: NDArray[np.int32]) -> None: ...
def gather(
    words: NDArray[np.uint64], begins: NDArray[np.int64], ends: NDArray[np.int64], out: NDArray[np.uint64]
) -> None: ...
