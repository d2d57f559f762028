START: bytes
