import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def packed(data: NDArray[np.uint8] | Buffer) -> tuple[bytes, int]: ...
