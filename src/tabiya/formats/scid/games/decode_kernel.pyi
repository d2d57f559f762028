import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

from tabiya.game.annotations.read_comments_kernel import Commands
from tabiya.game.columns_kernel import BatchBuilder

def read_games(
    builder: BatchBuilder,
    data: NDArray[np.uint8] | Buffer,
    begins: NDArray[np.int64] | Buffer,
    lengths: NDArray[np.int64] | Buffer,
    index: NDArray[np.int32] | Buffer,
    code_page: NDArray[np.uint16] | Buffer,
    commands: Commands,
    headers_only: bool,
    flags: NDArray[np.uint8],
) -> None: ...
