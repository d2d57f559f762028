"""The description of archives as a format: ``tabiya.open("base.cbv")`` reads the base inside, ``create`` writes one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabiya.formats.cbh import CBH, WRITE_OPTIONS
from tabiya.formats.format import PASSWORD, Format, Lazy, Match

if TYPE_CHECKING:
    from pathlib import Path

HEAD_BYTES: Final = 8
_PLAIN, _ENCRYPTED = ".cbv", ".cbz"


def is_encrypted(name: str) -> bool:
    """Return whether a file of this name is an encrypted archive: only the name shows it."""
    return name.lower().endswith(_ENCRYPTED)


def is_archive_head(head: bytes) -> bool:
    """Return whether bytes are the beginning of an unencrypted archive.

    The size of the header, the number of members, the size of an entry and a 3 that may be a version.
    """
    return len(head) >= HEAD_BYTES and head[:2] == b"\x08\0" and head[4:8] == b"\xad\0\x03\0"


def _sniff(head: bytes, _path: Path | None) -> Match:
    return Match.CERTAIN if is_archive_head(head) else Match.NO  # an encrypted file is recognised by its suffix only


CBV: Final = Format(
    name="cbv",
    title="ChessBase archive",
    suffixes=(_PLAIN, _ENCRYPTED),
    keeps=CBH.keeps,
    sniff=_sniff,
    open=Lazy("tabiya.formats.cbh.archive.database:CbvDatabase"),
    create=Lazy("tabiya.formats.cbh.archive.writer:CbvWriter"),
    read_options=(*CBH.read_options, PASSWORD),
    write_options=(*WRITE_OPTIONS, PASSWORD),  # archives cannot be appended to
    problems={142: "a file in the archive is damaged; it was read up to the damage"},
    left_out={142: "data after damage in an archive"},
    encrypted_suffixes=(_ENCRYPTED,),
    pack=Lazy("tabiya.formats.cbh.archive.packing:pack_archive"),
    extract=Lazy("tabiya.formats.cbh.archive.extracting:extract_archive"),
)
