from typing import Any

from typing_extensions import Buffer

def crypt_blocks(data: Buffer, keys: bytes, initial: Any, final: Any, boxes: Any) -> bytes: ...
