import numpy as np
from numpy.typing import NDArray

def scatter(rows: NDArray[np.uint64], shift: int, out: NDArray[np.uint64], ends: NDArray[np.int32]) -> None: ...
