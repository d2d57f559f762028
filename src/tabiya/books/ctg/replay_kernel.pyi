import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def pack_places(
    tapes: NDArray[np.uint16] | Buffer, start: bytes, places: NDArray[np.int64] | Buffer, signatures: NDArray[np.uint8]
) -> None: ...
