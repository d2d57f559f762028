from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

from tabiya.game.columns_kernel import BatchBuilder

def read_games(
    builder: BatchBuilder,
    text: Buffer,
    offset: int,
    code_page: Any,
    always_code_page: bool,
    results: bytes,
    variants: bytes,
    signs: bytes,
    languages: bytes,
    rare: bytes,
    letters: bytes,
    tail: int,
) -> Buffer: ...
def find_cut(text: Buffer, begin: int) -> int: ...
def find_game(text: Buffer, begin: int) -> int: ...
def begins_with_any(ends: NDArray[np.int32], letters: NDArray[np.uint8], beginnings: Buffer) -> bool: ...
