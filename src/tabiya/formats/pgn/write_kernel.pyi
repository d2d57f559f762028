from tabiya.game.view_kernel import BatchView

def write_games(
    batch: BatchView, first: bool, one_line: bool, plain: bool, plies: bool, languages: bytes, rare: bytes
) -> tuple[memoryview, list[tuple[int, int]], tuple[int, int] | None]: ...
