from typing_extensions import Buffer

from tabiya.game.view_kernel import BatchView

def write_games(
    batch: BatchView,
    before: bytes,
    one_line: bool,
    plain: bool,
    plies: bool,
    names_sides: bool,
    languages: bytes,
    rare: bytes,
) -> tuple[memoryview, Buffer, list[tuple[int, int]], tuple[int, int] | None]: ...
