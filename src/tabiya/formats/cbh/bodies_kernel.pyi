from typing import Any

from typing_extensions import Buffer

from tabiya.game.columns_kernel import BatchBuilder

def read_blobs(
    builder: BatchBuilder,
    moves: Buffer,
    annotations: Buffer,
    move_offsets: Any,
    annotation_offsets: Any,
    is_game: Any,
    letters: Any,
    letter_bytes: Any,
    utf8: bool,
    first_number: int,
) -> None: ...
