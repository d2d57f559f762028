import numpy as np
from numpy.typing import NDArray

from tabiya.game.columns_kernel import BatchBuilder

def read_games(
    builder: BatchBuilder,
    data: NDArray[np.uint8],
    begins: NDArray[np.int64],
    lengths: NDArray[np.int64],
    index: NDArray[np.int32],
    code_page: NDArray[np.uint16],
    commands: bytes,
    languages: bytes,
    headers_only: bool,
    leave_all: bool,
    flags: NDArray[np.uint8],
) -> None: ...
