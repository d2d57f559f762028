from typing import Any

class BatchView:
    def __init__(self, records: int, columns: dict[str, Any]) -> None: ...
