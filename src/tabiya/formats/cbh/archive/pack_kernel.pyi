import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def pack_block(data: NDArray[np.uint8] | Buffer) -> bytes: ...
