from typing import Any

from tabiya.game.view_kernel import BatchView

def describe_plies(batch: BatchView, wanted: int, padded: bool) -> dict[str, Any]: ...
