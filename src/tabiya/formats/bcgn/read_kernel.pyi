import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

from tabiya.game.columns_kernel import BatchBuilder

def read_games(
    builder: BatchBuilder,
    data: NDArray[np.uint8] | Buffer,
    ends: NDArray[np.int64] | Buffer,
    offset: int,
    level: int,
    headerless: bool,
    final: bool,
    bare: bool,
    code_page: NDArray[np.uint16] | Buffer,
    always_code_page: bool,
) -> None: ...
