import numpy as np
from numpy.typing import NDArray

from tabiya.game.view_kernel import BatchView

def write_lines(batch: BatchView, refused: NDArray[np.uint8]) -> tuple[bytes, list[tuple[int, int]]]: ...
