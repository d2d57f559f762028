from tabiya.game.view_kernel import BatchView

def write_games(
    batch: BatchView,
    first: bool,
    after_opaque: bool,
    one_line: bool,
    plain: bool,
    plies: bool,
    names_sides: bool,
    languages: bytes,
    rare: bytes,
) -> tuple[memoryview, list[tuple[int, int]], tuple[int, int] | None]: ...
