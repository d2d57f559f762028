from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def read_sorted(
    data: NDArray[np.uint8] | Buffer, place: int, count: int, id_bytes: int, frequency_bytes: int
) -> tuple[int, Any, Any, Any]: ...
def write_sorted(
    letters: NDArray[np.uint8] | Buffer,
    ends: NDArray[np.int64] | Buffer,
    order: NDArray[np.int64] | Buffer,
    frequencies: NDArray[np.int64] | Buffer,
    id_bytes: int,
    frequency_bytes: int,
) -> bytes: ...
def read_records(data: NDArray[np.uint8] | Buffer) -> tuple[int, Any, Any, Any]: ...
