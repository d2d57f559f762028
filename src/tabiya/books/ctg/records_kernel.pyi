import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer

def measure_pages(ctg: Buffer, first: int, last: int) -> tuple[int, int]: ...
def read_pages(
    ctg: Buffer,
    first: int,
    last: int,
    signatures: npt.NDArray[np.uint8],
    statistics: npt.NDArray[np.int64],
    marks: npt.NDArray[np.uint8],
    move_ends: npt.NDArray[np.int64],
    moves: npt.NDArray[np.uint16],
    nags: npt.NDArray[np.uint8],
) -> int: ...
def write_records(
    signatures: npt.NDArray[np.uint8],
    statistics: npt.NDArray[np.int64],
    marks: npt.NDArray[np.uint8],
    move_ends: npt.NDArray[np.int64],
    moves: npt.NDArray[np.uint16],
    nags: npt.NDArray[np.uint8],
    out: npt.NDArray[np.uint8],
    sizes: npt.NDArray[np.uint16],
    keys: npt.NDArray[np.uint32],
    lost: npt.NDArray[np.int64],
) -> tuple[int, int]: ...
