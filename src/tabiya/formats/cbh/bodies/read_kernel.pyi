import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

from tabiya.game.columns_kernel import BatchBuilder

def read_blobs(
    builder: BatchBuilder,
    moves: NDArray[np.uint8] | Buffer,
    annotations: NDArray[np.uint8] | Buffer,
    move_pieces: NDArray[np.int64] | Buffer,
    annotation_pieces: NDArray[np.int64] | Buffer,
    is_game: NDArray[np.uint8] | Buffer,
    letters: NDArray[np.uint16] | Buffer,
    letter_bytes: NDArray[np.uint8] | Buffer,
    utf8: bool,
    first_number: int,
) -> None: ...
