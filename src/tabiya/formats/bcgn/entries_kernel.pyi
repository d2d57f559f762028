import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def find_entries(
    data: NDArray[np.uint8] | Buffer, ends: NDArray[np.int64], level: int, headerless: bool, final: bool
) -> tuple[int, int, int]: ...
