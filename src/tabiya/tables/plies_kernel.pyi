from typing import Any

from tabiya.game.view_kernel import BatchView

def describe_plies(batch: BatchView, requested: int, padded: bool) -> dict[str, Any]: ...
