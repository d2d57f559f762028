import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

from tabiya.game.columns_kernel import BatchBuilder

def count_lines(data: NDArray[np.uint8] | Buffer) -> int: ...
def read_lines(
    builder: BatchBuilder,
    data: NDArray[np.uint8] | Buffer,
    offset: int,
    code_page: NDArray[np.uint16] | Buffer,
    always_code_page: bool,
) -> None: ...
