from typing import Any

from tabiya.game.view_kernel import BatchView

def write_texts(
    batch: BatchView,
    inline_texts: bool,
    document: bool,
    loose: bool,
    commands: bytes,
    places_in_comments: bytes,
    languages: bytes,
    code_ends: Any,
    text_ends: Any,
    status: Any,
    places: Any,
    plies: Any,
    attributes: Any,
    changed: Any,
) -> tuple[bytes, bytes]: ...
