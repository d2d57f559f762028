"""``.cbm``: manifests, which list the media files that a guiding text uses.

Little-endian. Records of 1024 bytes; a long manifest continues in the following records, which then have no header.
"""

from __future__ import annotations

from typing import Any, Final

from tabiya.binary import Field, Layout

RECORD_SIZE: Final = 1024
_MOST_RECORDS: Final = 1024
"""A manifest of a megabyte is invalid."""

HEADER: Final = Layout(
    "cbm header",
    "<",
    Field(0, "u32", "version", "", 1),
    Field(4, "u32", "record_size", "", RECORD_SIZE),
    Field(8, "u32", "records"),
    Field(12, "i32", "unknown_12", "-1", -1),
    Field(16, "16s", "unknown_16", "leftovers"),
)

RECORD_HEAD: Final = Layout(
    "cbm record",
    "<",
    Field(0, "i32", "unknown_0", "-1", -1),
    Field(4, "u32", "records", "how many the manifest takes", 1),
)

_TITLE: Final = b"FilesUsed"


def manifest_at(data: Any, offset: int) -> bytes | None:
    """Return the manifest whose text begins at ``offset``, as stored in .cbj; None if there is none."""
    head = offset - RECORD_HEAD.size
    if head < HEADER.size or offset > len(data):
        return None
    records = int(RECORD_HEAD.decode(bytes(data[head:offset]))["records"])
    if not 1 <= records <= _MOST_RECORDS:
        return None
    text = bytes(data[offset : head + records * RECORD_SIZE]).partition(b"\0")[0]
    return text if text.startswith(_TITLE) else None


def encode_manifest(text: bytes) -> bytes:
    """Return the records of a manifest; the inverse of ``manifest_at``."""
    records = -(-(RECORD_HEAD.size + len(text) + 1) // RECORD_SIZE)
    return (RECORD_HEAD.encode({"records": records}) + text).ljust(records * RECORD_SIZE, b"\0")


def parse_manifest(text: bytes) -> list[bytes]:
    """Return the names of the files in a manifest."""
    lines = text.split(b"\n")
    return [line for line in lines[2:] if line] if lines[0] == _TITLE else []


def format_manifest(names: list[bytes]) -> bytes:
    """Return the manifest of these files; the inverse of ``parse_manifest``."""
    return b"".join(line + b"\n" for line in [_TITLE, str(len(names)).encode(), *names])
