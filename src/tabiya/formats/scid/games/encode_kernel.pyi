from typing import Any

from tabiya.game.view_kernel import BatchView

def write_games(
    batch: BatchView,
    loose: bool,
    commands: bytes,
    places_in_comments: bytes,
    languages: bytes,
    lines: Any,
    ends: Any,
    status: Any,
    places: Any,
    derived: Any,
    pawns: Any,
) -> bytes: ...
