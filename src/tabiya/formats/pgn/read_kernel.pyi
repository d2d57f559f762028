import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

from tabiya.game.annotations.read_comments_kernel import Commands
from tabiya.game.columns_kernel import BatchBuilder

def read_games(
    builder: BatchBuilder,
    text: NDArray[np.uint8] | Buffer,
    offset: int,
    code_page: NDArray[np.uint16] | Buffer,
    always_code_page: bool,
    results: bytes,
    variants: bytes,
    signs: bytes,
    commands: Commands,
    letters: bytes,
    tail: int,
) -> Buffer: ...
def find_cut(text: NDArray[np.uint8] | Buffer, begin: int) -> int: ...
def find_game(text: NDArray[np.uint8] | Buffer, begin: int) -> int: ...
def begins_with_any(
    ends: NDArray[np.int32] | Buffer, letters: NDArray[np.uint8] | Buffer, beginnings: NDArray[np.uint8] | Buffer
) -> bool: ...
