from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Column: TypeAlias = tuple[NDArray[np.int64], NDArray[np.uint8], int, NDArray[np.int32], NDArray[np.uint8]]

def gather(
    records: int, columns: list[Column]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], bytes]: ...
