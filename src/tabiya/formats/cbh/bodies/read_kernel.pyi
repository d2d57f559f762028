from typing import Any

from tabiya.game.columns_kernel import BatchBuilder

def read_blobs(
    builder: BatchBuilder,
    moves: Any,
    annotations: Any,
    move_pieces: Any,
    annotation_pieces: Any,
    is_game: Any,
    letters: Any,
    letter_bytes: Any,
    utf8: bool,
    first_number: int,
) -> None: ...
