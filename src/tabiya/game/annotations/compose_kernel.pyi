import numpy as np
from numpy.typing import NDArray

from tabiya.game.view_kernel import BatchView

def find_rare(batch: BatchView, rare: bytes) -> NDArray[np.uint8]: ...
