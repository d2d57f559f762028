import numpy as np
from numpy.typing import NDArray

def pack_places(
    tapes: NDArray[np.uint16], start: bytes, places: NDArray[np.int64], signatures: NDArray[np.uint8]
) -> None: ...
