from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer

Bytes: TypeAlias = npt.NDArray[np.uint8]
Counts: TypeAlias = npt.NDArray[np.int64]
Tokens: TypeAlias = npt.NDArray[np.uint16]

def measure_pages(ctg: Buffer, first: int, last: int) -> tuple[int, int]: ...
def read_pages(
    ctg: Buffer,
    first: int,
    last: int,
    signatures: Bytes,
    statistics: Counts,
    marks: Bytes,
    move_ends: Counts,
    moves: Tokens,
    nags: Bytes,
) -> int: ...
def write_records(
    signatures: Bytes,
    statistics: Counts,
    marks: Bytes,
    move_ends: Counts,
    moves: Tokens,
    nags: Bytes,
    out: Bytes,
    sizes: Tokens,
    keys: npt.NDArray[np.uint32],
    lost: Counts,
) -> tuple[int, int]: ...
