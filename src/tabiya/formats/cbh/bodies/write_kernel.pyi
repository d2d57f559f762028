from typing import Any

from typing_extensions import Buffer

from tabiya.game.columns_kernel import BatchBuilder
from tabiya.game.view_kernel import BatchView

def write_blobs(
    batch: BatchView,
    scratch: BatchBuilder,
    raw_present: Any,
    raw_ends: Any,
    raw_data: Buffer,
    numbers: Any,
    first_number: int,
    letters: Any,
    letter_bytes: Any,
    utf8: bool,
    spelled: bytes,
    flags: Any,
    statistics: Any,
    move_ends: Any,
    annotation_ends: Any,
) -> tuple[Buffer, Buffer, list[tuple[int, int]]]: ...
