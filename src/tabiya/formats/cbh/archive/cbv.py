"""CBV archives: the files of a base, compressed block by block into one file. ``.cbz`` is the same, encrypted.

Little-endian: a header, an entry per member, then the members, each a chain of blocks with their lengths and checksums.
ChessBase cuts members every 61,440 bytes; ``unpack_kernel`` describes how a block is compressed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from tabiya.binary import Field, Layout
from tabiya.errors import CorruptError, UnsupportedError, UsageError
from tabiya.files.closing import Closing
from tabiya.files.file_errors import errors_of
from tabiya.formats.cbh.archive.encryption import open_source
from tabiya.formats.cbh.archive.unpack_kernel import checksum, unpack_block

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAD: Final = Layout(
    "cbv head",
    "<",
    Field(0, "u16", "head_size", "", 8),
    Field(2, "u16", "members"),
    Field(4, "u16", "entry_size", "", 173),
    Field(6, "u16", "version", "", 3),
)

ENTRY: Final = Layout(
    "cbv entry",
    "<",
    Field(0, "128s", "name", "ends at a NUL, with leftovers behind it; folders end with a backslash"),
    Field(128, "u32", "short_offset", "where the blocks begin"),
    Field(132, "u32", "short_packed", "bytes of all blocks, heads included"),
    Field(136, "u32", "short_size", "bytes of the file"),
    Field(140, "u8", "unknown_140", "", 1),
    Field(141, "u32", "date", "last change, in decimal digits YYYYMMDD"),
    Field(145, "u32", "time", "in decimal digits HHMMSScc"),
    Field(149, "u64", "offset", "the same three again"),
    Field(157, "u64", "packed"),
    Field(165, "u64", "size"),
)

BLOCK_HEAD: Final = Layout(
    "cbv block",
    "<",
    Field(0, "u16", "length", "of what follows"),
    Field(2, "u16", "checksum", "sum of the words that follow"),
)

BLOCK_BYTES: Final = 61_440
"""Bytes that ChessBase puts into a block."""
NAME_ENCODING: Final = "cp1252"
_MOST_BLOCK_BYTES: Final = 1 << 20
"""Far more than any regular block expands to; a run of zeros could expand to 90 MB."""

_FAULTS: Final = {
    1: "is truncated",
    2: "is packed in an unknown way",
    3: "has an invalid code",
    4: "copies from before its beginning",
    5: "unpacks to more bytes than it should",
}


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive."""

    name: str
    """The stored name, with ``/`` between folders."""
    offset: int
    packed: int
    """Bytes in the archive."""
    size: int
    """Bytes of the file."""
    date: int
    time: int

    @property
    def modified(self) -> datetime | None:
        """Time of last change, in local time; None if the archive does not store it."""
        (year, month_day), (clock, hundredths) = divmod(self.date, 10_000), divmod(self.time, 100)
        hour, minute_second = divmod(clock, 10_000)
        try:
            return datetime(year, *divmod(month_day, 100), hour, *divmod(minute_second, 100), hundredths * 10_000)
        except ValueError:
            return None


class Archive(Closing):
    """An archive open for reading.

    Raises:
        FormatError: The file is not an archive.
        UsageError: It is encrypted, and the password is missing or wrong.
        CorruptError: It is truncated within its list of members.
    """

    def __init__(self, path: Path, *, password: str | None = None) -> None:
        self.path = path
        with errors_of(path):
            self._source = open_source(path, password)
            try:
                self.members = self._read_members()
                """All files, in order."""
            except BaseException:
                self._source.close()
                raise

    @property
    def encrypted(self) -> bool:
        """Whether a password was needed to open it."""
        return self._source.encrypted

    @property
    def packed_size(self) -> int:
        """Size of the archive in bytes."""
        return self._source.size

    @property
    def size(self) -> int:
        """Total size of all members in bytes, as declared in the archive."""
        return sum(member.size for member in self.members)

    def _read_members(self) -> tuple[Member, ...]:
        head = HEAD.decode(self._source.read(0, HEAD.size))
        if (head["head_size"], head["entry_size"], head["version"]) != (HEAD.size, ENTRY.size, 3):
            raise UnsupportedError("is an archive of an unknown kind", path=self.path, offset=0)
        count = int(head["members"])
        entries = self._source.read(HEAD.size, count * ENTRY.size)
        if len(entries) < count * ENTRY.size:
            raise CorruptError(
                f"ends in the middle of the list of its {count} files", path=self.path, offset=self.packed_size
            )
        return tuple(_member(entries[place : place + ENTRY.size]) for place in range(0, len(entries), ENTRY.size))

    def member(self, name: str) -> Member:
        """Return the member of this name, ignoring case."""
        normalized = name.replace("\\", "/").casefold()
        for member in self.members:
            if member.name.casefold() == normalized:
                return member
        raise UsageError(f"there is no {name!r} in the archive", path=self.path)

    def blocks(self, member: Member) -> Iterator[bytes]:
        """Yield the content of a member in pieces, each checked first.

        Raises:
            CorruptError: A block is damaged, or the member is longer or shorter than it should be.
        """
        place, end = member.offset, member.offset + member.packed
        remaining = member.size
        while place < end:
            with errors_of(self.path):
                data, fault = self._block(place, end, remaining)
                if fault:
                    raise CorruptError(f"{member.name!r} in the archive {fault}", path=self.path, offset=place)
            place += BLOCK_HEAD.size + len(data)
            content, code = unpack_block(data, min(remaining, _MOST_BLOCK_BYTES))
            if code:
                raise CorruptError(
                    f"a block of {member.name!r} in the archive {_FAULTS[code]}", path=self.path, offset=place
                )
            remaining -= len(content)
            yield content
        if remaining:
            raise CorruptError(
                f"{member.name!r} in the archive is {remaining} bytes too short", path=self.path, offset=member.offset
            )

    def _block(self, place: int, end: int, remaining: int) -> tuple[bytes, str]:
        """Return the bytes of the block here, and an error message."""
        head = self._source.read(place, BLOCK_HEAD.size)
        if len(head) < BLOCK_HEAD.size or place + BLOCK_HEAD.size > end:
            return b"", "is truncated"
        fields = BLOCK_HEAD.decode(head)
        length = int(fields["length"])
        data = self._source.read(place + BLOCK_HEAD.size, length)
        if len(data) < length or place + BLOCK_HEAD.size + length > end:
            return b"", "is truncated"
        if checksum(data) != fields["checksum"]:
            return b"", "is damaged: the checksum of a block is wrong"
        return data, "" if remaining else "has more blocks than it should"

    def read(self, member: Member | str) -> bytes:
        """Return the content of a member as a whole."""
        return b"".join(self.blocks(member if isinstance(member, Member) else self.member(member)))

    def close(self) -> None:
        """Close the file."""
        self._source.close()

    def __repr__(self) -> str:
        return f"<archive {self.path}, {len(self.members)} files>"


def _member(data: bytes) -> Member:
    entry = {name: value for name, value in ENTRY.decode(data).items() if isinstance(value, int)}
    name = data[: ENTRY["name"].size].partition(b"\0")[0].decode(NAME_ENCODING, "replace")
    # The first reader of these archives uses only the first three; the others matter only beyond 4 GB.
    long = all(entry[key] & 0xFFFFFFFF == entry[f"short_{key}"] for key in ("offset", "packed", "size"))
    offset, packed, size = (entry[key if long else f"short_{key}"] for key in ("offset", "packed", "size"))
    return Member(name.replace("\\", "/"), offset, packed, size, entry["date"], entry["time"])
