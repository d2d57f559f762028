import numpy as np
from numpy.typing import NDArray

from tabiya.game.view_kernel import BatchView

def write_games(
    batch: BatchView, level: int, headerless: bool, reference: bool, refused: NDArray[np.uint8]
) -> tuple[bytes, list[tuple[int, int]]]: ...
