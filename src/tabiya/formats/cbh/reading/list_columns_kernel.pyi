import numpy as np
from numpy.typing import NDArray

def gather(
    records: int,
    columns: list[tuple[NDArray[np.int64], NDArray[np.uint8], int, NDArray[np.int32], NDArray[np.uint8]]],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32], bytes]: ...
def first_members(
    codes: NDArray[np.int32],
    slots: NDArray[np.int32],
    lists: NDArray[np.int32],
    firsts: NDArray[np.int32],
    repeated: NDArray[np.uint8],
) -> None: ...
def members_behind(
    codes: NDArray[np.int32],
    ranks: NDArray[np.int32],
    lists: NDArray[np.int32],
    left_out: NDArray[np.uint8],
    behind: NDArray[np.uint8],
) -> None: ...
