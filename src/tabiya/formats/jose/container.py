"""The container of a ``.jose`` file: tar or zip, plain or compressed with gzip or with jose's bzip2.

Members are copied into unnamed temporary files; only the tables of jose are extracted. They may be in one folder, as
from ``tar cf x.jose folder``. Names that leave the archive, links, and archives with excessive contents are rejected.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import tarfile
import tempfile
import zipfile
import zlib
from contextlib import ExitStack, suppress
from typing import IO, TYPE_CHECKING, BinaryIO, Final, cast

from tabiya.errors import CorruptError, UnsupportedError
from tabiya.files.file_errors import errors_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TABLES: Final = ("MetaInfo", "IO_Collection", "IO_Player", "IO_Event", "IO_Site", "IO_Opening", "IO_Game")
"""In the order in which jose writes them."""
SERVED_TABLES: Final = ("Collection", "Player", "Event", "Site", "Opening", "Game", "MoreGame")
"""Tables of a jose database, as its server stores them in a folder."""
SUFFIXES: Final = (".frm", ".MYI", ".MYD")
DAMAGE: Final = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    gzip.BadGzipFile,
    NotImplementedError,
)
"""Exceptions of the libraries for damaged archives; zipfile raises NotImplementedError for unknown compression."""

_MOST_BYTES: Final = 8 << 30
_FREE_BYTES: Final = 64 << 20
_MOST_RATIO: Final = 300
_MOST_MEMBERS: Final = 1000
_MOST_NAME: Final = 1 << 16
_PIECE: Final = 1 << 20
_LEVEL: Final = 6
"""Of compression, the usual one of Java: level 9 takes a third more time to save 0.6 %."""
_TABLE_FILES: Final = {f"{table}{suffix}" for table in TABLES for suffix in SUFFIXES}
_IN_FOLDERS: Final = {
    f"{table}{suffix}".lower(): f"{table}{suffix}" for table in (*TABLES, *SERVED_TABLES) for suffix in SUFFIXES
}
"""Servers on some systems write names in lower case."""
_HERE: Final = "./"
_ONE_FOLDER: Final = re.compile(r"(?!\.\./)([^/:]+/)?")
"""No folder, or a single one inside the archive."""
_OF_THE_FINDER: Final = "__MACOSX/"
"""Folder in which the Finder of macOS stores metadata, in zips of a folder."""


def unpack(stream: BinaryIO, stack: ExitStack) -> dict[str, IO[bytes]]:
    """Return the tables of an archive as temporary files, by name; ``stack`` closes them.

    Raises:
        UnsupportedError: The kind of archive is not supported.
        CorruptError: A member has an invalid name or size.
    """
    counted = _Counted(stream)
    plain = _plain(io.BufferedReader(counted, _PIECE), stack)
    budget = _Budget(counted)
    found: dict[str, IO[bytes]] = {}
    head = plain.peek(4)[:4]
    if not head:
        raise CorruptError("the archive is empty")
    members = _zip_members(plain, budget, stack) if head.startswith(b"PK\x03\x04") else _tar_members(plain, budget)
    folder = None
    for count, (path, member) in enumerate(members):
        place, name = _parted(path)
        folder = place if folder is None else folder
        astray = place != folder or not _ONE_FOLDER.fullmatch(place) or ":" in name
        if astray or name in found or count > _MOST_MEMBERS:
            raise CorruptError(f"this is not a jose archive: it has a member {path.removeprefix(_HERE)[:60]!r}")
        if name in _TABLE_FILES:
            found[name] = _copied(member, stack, budget)
    return found


def folder_of(path: Path) -> Path | None:
    """Return the folder with tables of jose that a path, or the parent of one of its tables, is; else None."""
    try:
        if path.is_dir():
            names = {each.name.lower() for each in path.iterdir()}
            return path if not names.isdisjoint({"game.myd", "io_game.myd"}) else None
        return path.parent if path.name.lower() in _IN_FOLDERS and path.is_file() else None
    except OSError:
        return None


def copy_folder(folder: Path, stack: ExitStack) -> dict[str, IO[bytes]]:
    """Return the tables in a folder, like ``unpack``: copies, because a server may change them at any time."""
    found: dict[str, IO[bytes]] = {}
    for path in sorted(folder.iterdir()):
        name = _IN_FOLDERS.get(path.name.lower())
        if name is not None and name not in found and path.is_file():
            with path.open("rb") as file:
                found[name] = _copied(file, stack)
    return found


def scratch_file() -> IO[bytes]:
    """Return an unnamed temporary file. Its errors name the full temporary folder, not the target."""
    with errors_of(tempfile.gettempdir()):
        return tempfile.TemporaryFile(prefix="tabiya-")


def close_scratch(file: IO[bytes]) -> None:
    """Discard a temporary file, including data that could not be flushed because its folder is full."""
    with suppress(OSError):
        file.close()


def _copied(source: IO[bytes], stack: ExitStack, budget: _Budget | None = None) -> IO[bytes]:
    file = scratch_file()
    stack.callback(close_scratch, file)
    while piece := source.read(_PIECE):
        if budget is not None:
            budget.spend(len(piece))
        with errors_of(tempfile.gettempdir()):
            file.write(piece)
            file.flush()
    return file


def _parted(path: str) -> tuple[str, str]:
    """Return the folder of a member, with the trailing slash, and its name there."""
    folder, slash, name = path.removeprefix(_HERE).replace("\\", "/").rpartition("/")
    return folder + slash, name


def _plain(stream: io.BufferedReader, stack: ExitStack) -> io.BufferedReader:
    """Return the stream without its outermost compression."""
    head = stream.peek(4)[:4]
    if head.startswith(b"Rar"):
        raise UnsupportedError(
            "this archive is packed with RAR: unpack it first, with unar or unrar, then read the folder with its files"
        )
    packed: IO[bytes]
    if head.startswith(b"\x1f\x8b"):
        packed = cast("IO[bytes]", gzip.GzipFile(fileobj=stream))
    elif len(head) > 1 and head[:1] == b"h" and b"1" <= head[1:2] <= b"9":
        # Ant's bzip2 omits the leading letters BZ.
        packed = cast("IO[bytes]", bz2.BZ2File(io.BufferedReader(_Prefixed(b"BZ", stream))))
    else:
        return stream
    stack.callback(packed.close)
    return io.BufferedReader(cast("io.RawIOBase", packed), _PIECE)


class _Member(tarfile.TarInfo):
    """A tar header; headers that tarfile would read into memory as a whole are limited in size."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Member:
        member = super().frombuf(buf, encoding, errors)
        is_about_another = member.type not in tarfile.REGULAR_TYPES
        if member.type == tarfile.GNUTYPE_SPARSE or (is_about_another and member.size > _MOST_NAME):
            raise CorruptError(f"this is not a jose archive: {member.name[:60]!r} is not a plain file")
        return member


def _tar_members(stream: io.BufferedReader, budget: _Budget) -> Iterator[tuple[str, IO[bytes]]]:
    with tarfile.open(fileobj=stream, mode="r|", tarinfo=_Member) as archive:
        for member in archive:
            if member.isdir() and _ONE_FOLDER.fullmatch(f"{member.name.removeprefix(_HERE)}/"):
                continue  # tar contains an entry for the packed folder
            if not member.isfile() or member.issparse():
                raise CorruptError(f"this is not a jose archive: {member.name[:60]!r} is not a plain file")
            if _parted(member.name)[1] not in _TABLE_FILES:
                budget.spend(member.size)  # skipping it means unpacking it
            content = archive.extractfile(member)
            if content is not None:
                yield member.name, content


def _zip_members(stream: io.BufferedReader, budget: _Budget, stack: ExitStack) -> Iterator[tuple[str, IO[bytes]]]:
    whole = _copied(stream, stack, budget)
    with zipfile.ZipFile(whole) as archive:
        for member in archive.infolist():
            if member.filename.startswith(_OF_THE_FINDER) or (
                member.is_dir() and _ONE_FOLDER.fullmatch(member.filename)
            ):
                continue
            if member.is_dir() or member.flag_bits & 1:
                raise CorruptError(f"this is not a jose archive: {member.filename[:60]!r} is not a plain file")
            with archive.open(member) as content:
                yield member.filename, content


class _Counted(io.RawIOBase):
    """A borrowed stream that counts the bytes read; closing it leaves the original open."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        piece = self._stream.read(len(buffer))
        buffer[: len(piece)] = piece
        self.count += len(piece)
        return len(piece)


class _Prefixed(io.RawIOBase):
    """A stream with some bytes in front."""

    def __init__(self, prefix: bytes, stream: IO[bytes]) -> None:
        self._prefix = prefix
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        piece = self._prefix[: len(buffer)] or self._stream.read(len(buffer))
        self._prefix = self._prefix[len(piece) :]
        buffer[: len(piece)] = piece
        return len(piece)


class _Budget:
    """How much may still be unpacked: at most a limit, and at most what the compression can plausibly save."""

    def __init__(self, source: _Counted) -> None:
        self._source = source
        self._spent = 0

    def spend(self, size: int) -> None:
        self._spent += size
        if self._spent > _MOST_BYTES or self._spent > _FREE_BYTES + _MOST_RATIO * self._source.count:
            raise CorruptError("this archive unpacks to far more than a database of jose can be")


def write_archive(stream: BinaryIO, members: Iterator[tuple[str, int, IO[bytes]]]) -> None:
    """Write a tar in gzip, as jose does; the same members give the same bytes."""
    with (
        gzip.GzipFile(filename="", fileobj=stream, mode="wb", compresslevel=_LEVEL, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name, size, content in members:
            member = tarfile.TarInfo(name)
            member.size = size
            archive.addfile(member, content)
