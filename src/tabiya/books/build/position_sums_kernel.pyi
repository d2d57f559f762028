import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

def add_up(
    rows: NDArray[np.uint64] | Buffer,
    done: int,
    sums: NDArray[np.uint64],
    count: int,
    slots: NDArray[np.int32],
    seed: int,
) -> tuple[int, int]: ...
def fill_slots(sums: NDArray[np.uint64], count: int, slots: NDArray[np.int32], seed: int) -> None: ...
