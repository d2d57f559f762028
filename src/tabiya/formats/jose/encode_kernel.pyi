import numpy as np
from numpy.typing import NDArray

from tabiya.game.view_kernel import BatchView

def write_texts(
    batch: BatchView,
    inline_texts: bool,
    document: bool,
    loose: bool,
    commands: bytes,
    places_in_comments: bytes,
    languages: bytes,
    code_ends: NDArray[np.int64],
    text_ends: NDArray[np.int64],
    status: NDArray[np.uint8],
    places: NDArray[np.int32],
    plies: NDArray[np.int32],
    attributes: NDArray[np.uint8],
    changed: NDArray[np.uint8],
) -> tuple[bytes, bytes]: ...
