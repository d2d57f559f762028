import numpy as np
from numpy.typing import NDArray

class Lines:
    def __init__(
        self,
        moves: NDArray[np.uint16],
        ends: NDArray[np.int64],
        start_letters: NDArray[np.uint8],
        start_ends: NDArray[np.int32],
        variants: NDArray[np.uint8],
        known: NDArray[np.uint8],
    ) -> None: ...
    def keys_at(self, plies: NDArray[np.int64], keys: NDArray[np.uint64], found: NDArray[np.uint8]) -> None: ...
    def texts_at(
        self,
        what: int,
        plies: NDArray[np.int64],
        letters: NDArray[np.uint8],
        ends: NDArray[np.int64],
        found: NDArray[np.uint8],
    ) -> None: ...
    def room(self, what: int) -> int: ...
    def positions(self) -> int: ...
    def first_plies(self, keys: NDArray[np.uint64], plies: NDArray[np.int32], found: NDArray[np.uint8]) -> None: ...
    def first_material_plies(
        self, signatures: NDArray[np.uint64], plies: NDArray[np.int32], found: NDArray[np.uint8]
    ) -> None: ...
    def all_keys(self, keys: NDArray[np.uint64], ends: NDArray[np.int64], found: NDArray[np.uint8]) -> int: ...
