import numpy as np
from numpy.typing import NDArray

def packed(data: NDArray[np.uint8] | bytes) -> tuple[bytes, int]: ...
