import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def crypt_blocks(
    data: NDArray[np.uint8] | Buffer,
    keys: NDArray[np.uint8] | Buffer,
    initial: NDArray[np.uint64] | Buffer,
    final: NDArray[np.uint64] | Buffer,
    boxes: NDArray[np.uint32] | Buffer,
) -> bytes: ...
