import numpy as np
from numpy.typing import NDArray

def sort_rows(words: NDArray[np.uint64], out: NDArray[np.uint64]) -> int: ...
