from typing import Any

from tabiya.game.columns_kernel import BatchBuilder

def read_texts(
    builder: BatchBuilder,
    codes: Any,
    code_ends: Any,
    texts: Any,
    text_ends: Any,
    starts: Any,
    start_ends: Any,
    has_start: Any,
    inline_texts: bool,
    document: bool,
    commands: bytes,
    languages: bytes,
    leave_all: bool,
    flags: Any,
) -> None: ...
