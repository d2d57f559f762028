import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

from tabiya.game.annotations.read_comments_kernel import Commands
from tabiya.game.columns_kernel import BatchBuilder

def read_texts(
    builder: BatchBuilder,
    codes: NDArray[np.uint8] | Buffer,
    code_ends: NDArray[np.int64] | Buffer,
    texts: NDArray[np.uint8] | Buffer,
    text_ends: NDArray[np.int64] | Buffer,
    starts: NDArray[np.uint8] | Buffer,
    start_ends: NDArray[np.int64] | Buffer,
    has_start: NDArray[np.uint8] | Buffer,
    inline_texts: bool,
    document: bool,
    commands: Commands,
    flags: NDArray[np.uint8],
) -> None: ...
