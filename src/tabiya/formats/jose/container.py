"""What a ``.jose`` file is made of: tar or zip, plain or packed with gzip or with jose's bzip2.

Members are copied into temporary files under no name at all; only the tables of jose are taken. They may lie in one
folder, as in ``tar cf x.jose folder``. Names that leave the archive, links, and archives that unpack to far more than
they are, are refused.
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

__all__ = [
    "DAMAGE",
    "SERVED_TABLES",
    "TABLES",
    "close_scratch",
    "copy_folder",
    "folder_of",
    "scratch_file",
    "unpack",
    "write_archive",
]

TABLES: Final = ("MetaInfo", "IO_Collection", "IO_Player", "IO_Event", "IO_Site", "IO_Opening", "IO_Game")
"""In the order in which jose writes them."""
SERVED_TABLES: Final = ("Collection", "Player", "Event", "Site", "Opening", "Game", "MoreGame")
"""Of a database of jose, as its server keeps them in a folder."""
SUFFIXES: Final = (".frm", ".MYI", ".MYD")
DAMAGE: Final = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    gzip.BadGzipFile,
    NotImplementedError,
)
"""What the libraries raise for damaged archives; zipfile a NotImplementedError for packing that it does not know."""

_MOST_BYTES: Final = 8 << 30
_FREE_BYTES: Final = 64 << 20
_MOST_RATIO: Final = 300
_MOST_MEMBERS: Final = 1000
_MOST_NAME: Final = 1 << 16
_PIECE: Final = 1 << 20
_WANTED: Final = {f"{table}{suffix}" for table in TABLES for suffix in SUFFIXES}
_IN_FOLDERS: Final = {
    f"{table}{suffix}".lower(): f"{table}{suffix}" for table in (*TABLES, *SERVED_TABLES) for suffix in SUFFIXES
}
"""Servers on some systems write names in lower case."""
_HERE: Final = "./"
_ONE_FOLDER: Final = re.compile(r"(?!\.\./)([^/:]+/)?")
"""No folder, or a single one that does not lead out of the archive."""
_OF_THE_FINDER: Final = "__MACOSX/"
"""Where the Finder of macOS puts what it knows about files, in zips of a folder."""


def unpack(stream: BinaryIO, stack: ExitStack) -> dict[str, IO[bytes]]:
    """Return the tables of an archive as temporary files, by name; ``stack`` closes them.

    Raises:
        UnsupportedError: the archive is of a kind that cannot be unpacked here.
        CorruptError: a member has a name or a size that no archive of jose has.
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
        if name in _WANTED:
            found[name] = _copied(member, stack, budget)
    return found


def folder_of(path: Path) -> Path | None:
    """Return the folder with tables of jose that a path is, or that one of its tables was named instead; else None."""
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
    """Return an unnamed temporary file. Its errors name the folder that has no room for it, not the target."""
    with errors_of(tempfile.gettempdir()):
        return tempfile.TemporaryFile(prefix="tabiya-")


def close_scratch(file: IO[bytes]) -> None:
    """Throws a temporary file away, also what could not be flushed because its folder is full."""
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
    """Return the folder of a member, with the slash behind it, and its name there."""
    folder, slash, name = path.removeprefix(_HERE).replace("\\", "/").rpartition("/")
    return folder + slash, name


def _plain(stream: io.BufferedReader, stack: ExitStack) -> io.BufferedReader:
    """Return the stream without its outermost packing."""
    head = stream.peek(4)[:4]
    if head.startswith(b"Rar"):
        raise UnsupportedError(
            "this archive is packed with RAR: unpack it first, with unar or unrar, then read the folder with its files"
        )
    packed: IO[bytes]
    if head.startswith(b"\x1f\x8b"):
        packed = cast("IO[bytes]", gzip.GzipFile(fileobj=stream))
    elif len(head) > 1 and head[:1] == b"h" and b"1" <= head[1:2] <= b"9":
        # Ant's bzip2 leaves out the letters BZ in front.
        packed = cast("IO[bytes]", bz2.BZ2File(io.BufferedReader(_Prefixed(b"BZ", stream))))
    else:
        return stream
    stack.callback(packed.close)
    return io.BufferedReader(cast("io.RawIOBase", packed), _PIECE)


class _Member(tarfile.TarInfo):
    """A header of a tar; those that tarfile would read into memory as a whole, however long they are, stay short."""

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
                continue  # tar names the folder that was packed
            if not member.isfile() or member.issparse():
                raise CorruptError(f"this is not a jose archive: {member.name[:60]!r} is not a plain file")
            if _parted(member.name)[1] not in _WANTED:
                budget.spend(member.size)  # passing over it means unpacking it
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
    """A stream of somebody else that knows how much of it has been read; closing it leaves that stream open."""

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
    """How much may still be unpacked: no more than a limit, and no more than packing can honestly save."""

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
        gzip.GzipFile(filename="", fileobj=stream, mode="wb", mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w|", format=tarfile.USTAR_FORMAT) as archive,
    ):
        for name, size, content in members:
            member = tarfile.TarInfo(name)
            member.size = size
            archive.addfile(member, content)
