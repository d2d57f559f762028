import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

from tabiya.game.columns_kernel import BatchBuilder
from tabiya.game.view_kernel import BatchView

def write_blobs(
    batch: BatchView,
    scratch: BatchBuilder,
    raw_present: NDArray[np.uint8] | Buffer,
    raw_ends: NDArray[np.int32] | Buffer,
    raw_data: NDArray[np.uint8] | Buffer,
    numbers: NDArray[np.int64] | Buffer,
    first_number: int,
    letters: NDArray[np.uint16] | Buffer,
    letter_bytes: NDArray[np.uint8] | Buffer,
    utf8: bool,
    spelled: bytes,
    flags: NDArray[np.uint32] | Buffer,
    statistics: NDArray[np.uint8],
    move_ends: NDArray[np.int64],
    annotation_ends: NDArray[np.int64],
) -> tuple[Buffer, Buffer, list[tuple[int, int]]]: ...
