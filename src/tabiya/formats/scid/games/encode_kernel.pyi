import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

from tabiya.game.view_kernel import BatchView

def write_games(
    batch: BatchView,
    loose: bool,
    commands: bytes,
    places_in_comments: bytes,
    languages: bytes,
    lines: NDArray[np.int32] | Buffer,
    ends: NDArray[np.int64],
    status: NDArray[np.uint8],
    places: NDArray[np.int32],
    derived: NDArray[np.int32],
    pawns: NDArray[np.uint8],
) -> bytes: ...
