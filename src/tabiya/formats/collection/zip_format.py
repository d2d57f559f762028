"""The description of ZIP archives: the databases in one are read as a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.formats.capabilities import Keeps
from tabiya.formats.format import Format, Lazy, Match

if TYPE_CHECKING:
    from pathlib import Path

DAMAGED_MEMBER: Final = 191
"""Problem code: a file cannot be unpacked completely."""
_HEADS: Final = (b"PK\x03\x04", b"PK\x05\x06")
"""First bytes of an archive, and of an empty one."""


def is_zip_head(head: bytes) -> bool:
    """Return whether bytes begin a ZIP archive."""
    return head.startswith(_HEADS)


def _sniff(head: bytes, _path: Path | None) -> Match:
    return Match.MAYBE if is_zip_head(head) else Match.NO  # other formats may use ZIP, and recognise themselves


ZIP: Final = Format(
    name="zip",
    title="ZIP archive",
    suffixes=(".zip",),
    keeps=Keeps.everything(),
    sniff=_sniff,
    open=Lazy("tabiya.formats.collection.zip_archive:ZipCollection"),
    problems={DAMAGED_MEMBER: "a file in the archive is damaged; it was read up to the damage"},
    left_out={DAMAGED_MEMBER: "data after damage in a ZIP archive"},
)
"""Not in FORMATS: it does not contain games itself. ``tabiya.open`` falls back on it."""
