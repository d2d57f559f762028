import numpy as np
from numpy.typing import NDArray
from typing_extensions import Buffer

class Lines:
    def __init__(
        self,
        moves: NDArray[np.uint16] | Buffer,
        ends: NDArray[np.int64] | Buffer,
        start_letters: NDArray[np.uint8] | Buffer,
        start_ends: NDArray[np.int32] | Buffer,
        variants: NDArray[np.uint8] | Buffer,
        usable: NDArray[np.uint8] | Buffer,
    ) -> None: ...
    def keys_at(
        self, plies: NDArray[np.int64] | Buffer, keys: NDArray[np.uint64], found: NDArray[np.uint8]
    ) -> None: ...
    def texts_at(
        self,
        what: int,
        plies: NDArray[np.int64] | Buffer,
        letters: NDArray[np.uint8],
        ends: NDArray[np.int64],
        found: NDArray[np.uint8],
    ) -> None: ...
    def text_size(self, what: int) -> int: ...
    def positions(self) -> int: ...
    def first_plies(
        self, keys: NDArray[np.uint64] | Buffer, plies: NDArray[np.int32], found: NDArray[np.uint8]
    ) -> None: ...
    def first_material_plies(
        self, signatures: NDArray[np.uint64] | Buffer, plies: NDArray[np.int32], found: NDArray[np.uint8]
    ) -> None: ...
    def all_keys(self, keys: NDArray[np.uint64], ends: NDArray[np.int64], found: NDArray[np.uint8]) -> int: ...
