"""The description of archives as a format: ``tabiya.open("base.cbv")`` reads the base inside, ``create`` writes one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabiya.formats.cbh import CBH, WRITE_OPTIONS
from tabiya.formats.format import PASSWORD, Format, Match, file_at

if TYPE_CHECKING:
    from tabiya.formats.database import Database
    from tabiya.formats.format import Place
    from tabiya.formats.tools import Extracted
    from tabiya.formats.writer import Writer

__all__ = ["CBV", "HEAD_BYTES", "is_archive_head", "is_encrypted"]

HEAD_BYTES: Final = 8
_PLAIN, _ENCRYPTED = ".cbv", ".cbz"


def is_encrypted(name: str) -> bool:
    """Return whether a file of this name is an archive with a password: nothing else tells it."""
    return name.lower().endswith(_ENCRYPTED)


def is_archive_head(head: bytes) -> bool:
    """Return whether bytes are the beginning of an archive that is not encrypted.

    The size of the head, the number of members, the size of an entry and a 3 that may be a version.
    """
    return len(head) >= HEAD_BYTES and head[:2] == b"\x08\0" and head[4:8] == b"\xad\0\x03\0"


def _sniff(head: bytes, _path: Path | None) -> Match:
    return Match.CERTAIN if is_archive_head(head) else Match.NO  # what is encrypted is known by its suffix only


def _open(place: Place, /, *, password: str | None = None, encoding: str | None = None) -> Database:
    from tabiya.formats.cbh.archive.database import CbvDatabase  # noqa: PLC0415 - needs pyarrow

    return CbvDatabase(file_at(place), CBV, password=password, encoding=encoding)


def _create(
    place: Place,
    /,
    *,
    overwrite: bool = False,
    strict: bool = False,
    append: bool = False,
    encoding: str | None = None,
    title: str | None = None,
    password: str | None = None,
) -> Writer:
    from tabiya.formats.cbh.archive.writer import CbvWriter  # noqa: PLC0415 - needs pyarrow

    return CbvWriter(
        place, overwrite=overwrite, strict=strict, append=append, encoding=encoding, title=title, password=password
    )


def _pack(path: Path, target: Path, /, *, overwrite: bool = False, password: str | None = None) -> list[str]:
    from tabiya.formats.cbh.archive.packing import check_name, check_password, pack  # noqa: PLC0415 - needs numpy

    check_name(target)
    check_password(target, password)
    return pack(path, target, overwrite=overwrite, password=password)


def _extract(
    path: Path,
    folder: Path | None,
    /,
    *,
    overwrite: bool = False,
    password: str | None = None,
    limit: int | None = None,
) -> Extracted:
    from tabiya.formats.cbh.archive.cbv import Archive  # noqa: PLC0415 - needs numpy
    from tabiya.formats.cbh.archive.extracting import extract  # noqa: PLC0415 - needs numpy
    from tabiya.formats.tools import Extracted  # noqa: PLC0415 - needs pyarrow

    with Archive(path, password=password) as opened:
        if folder is None:
            return Extracted(opened.members, [], ())
        return Extracted(opened.members, *extract(opened, folder, overwrite=overwrite, limit=limit))


CBV: Final = Format(
    name="cbv",
    title="ChessBase archive",
    suffixes=(_PLAIN, _ENCRYPTED),
    keeps=CBH.keeps,
    sniff=_sniff,
    open=_open,
    create=_create,
    read_options=(*CBH.read_options, PASSWORD),
    write_options=(*WRITE_OPTIONS, PASSWORD),  # nothing is appended to an archive
    problems={142: "a file in the archive is damaged; it was read up to the damage"},
    left_out={142: "data after damage in an archive"},
    encrypted_suffixes=(_ENCRYPTED,),
    pack=_pack,
    extract=_extract,
)
