import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def gather(
    records: int, columns: list[tuple[NDArray[np.int64], NDArray[np.uint8], int, NDArray[np.int32], NDArray[np.uint8]]]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], bytes]: ...
def first_members(
    codes: NDArray[np.int32] | Buffer,
    slots: NDArray[np.int32] | Buffer,
    lists: NDArray[np.int32] | Buffer,
    firsts: NDArray[np.int32],
    repeated: NDArray[np.uint8],
) -> None: ...
def later_members(
    codes: NDArray[np.int32] | Buffer,
    ranks: NDArray[np.int32] | Buffer,
    lists: NDArray[np.int32] | Buffer,
    left_out: NDArray[np.uint8] | Buffer,
    later: NDArray[np.uint8],
) -> None: ...
