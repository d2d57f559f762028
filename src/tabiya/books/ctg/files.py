"""The three files of a book: their names and headers.

The container is the extendible hash of the Unix dbm library. ``.ctg`` holds pages of records, ``.ctb`` the bitmap of
split nodes, ``.cto`` the page of every leaf. Numbers are big-endian.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from tabiya.binary import Layout, Record
from tabiya.errors import CorruptError, FormatError
from tabiya.files.file_errors import errors_of
from tabiya.files.recovery import FileSet
from tabiya.files.safe_names import folded

PAGE_SIZE: Final = 4096

_VARIABLE: Final = 0x7FFF
_NO_PAGE: Final = -1
_SCHEMA: Final = struct.pack(">HH10H", 1, 5, *(1, _VARIABLE), *(3, _VARIABLE), *(5, 30), *(6, 2), *(7, 1))
"""Version, number of fields, and (field, length) of each: signature, moves, statistics, recommendation, NAG. The same
bytes in all books seen."""

FIRST_PAGE: Final = Layout.of(
    *("ctg header", ">"),
    f"u16 head_size=32 page_size={PAGE_SIZE} version=1 unknown_6=1",
    f"u32 first_page={PAGE_SIZE}",
    f"u16 key_length={_VARIABLE} record_length={_VARIABLE}",
    *("u32 pages", f"i32 free_page={_NO_PAGE}", "u32 positions games"),
    *("992s unknown_32", "24s schema", "1000s unknown_1048", "32s options", "2016s unknown_2080"),
)
BITMAP_HEAD: Final = Layout.of("ctb head", ">", "u16 head_size=12 version=1", "u32 split_below nodes")
SLOTS_HEAD: Final = Layout.of("cto head", ">", "u16 head_size=16 version=1", "u32 slots unknown_8 split_below")
_SUFFIXES: Final = (".ctg", ".ctb", ".cto", ".ini")


@dataclass(frozen=True, slots=True)
class BookFiles:
    """The paths of the files of a book. All except the pages may be missing."""

    ctg: Path
    ctb: Path | None
    cto: Path | None
    ini: Path | None = None
    """Options of programs that display the book; nothing else needs them."""

    @classmethod
    def found(cls, path: Path) -> BookFiles:
        """Return the files beside any one of them, regardless of the case of their suffixes.

        A path without any of the suffixes is that of the pages.
        """
        ctb, cto, ini = (_sibling(path, suffix) for suffix in _SUFFIXES[1:])
        ctg = _sibling(path, _SUFFIXES[0]) if path.suffix.lower() in _SUFFIXES else path
        if ctg is None:
            raise FormatError("the file with the pages of the book is missing", path=path)
        return cls(ctg, ctb, cto, ini)

    @classmethod
    def named(cls, path: Path) -> BookFiles:
        """Return the file names of a new book from any one of them; suffixes are upper-case if the given one is."""
        ctg, ctb, cto, ini = (path.with_suffix(_spelled(suffix, path)) for suffix in _SUFFIXES)
        return cls(ctg if path.suffix.lower() in _SUFFIXES else path, ctb, cto, ini)

    def all(self) -> tuple[Path, ...]:
        """Return the existing files, the pages first."""
        return tuple(place for place in (self.ctg, self.ctb, self.cto, self.ini) if place is not None)


def files_of_book(pages: Path) -> FileSet:
    """Return the files that change together, named after the pages (links resolved)."""
    main = pages.resolve()
    suffixes = frozenset({*_SUFFIXES, main.suffix.lower()})
    # The pages come first, because a book is recognized by them; and so it is found after an interrupted change.
    return FileSet(main, main.name, suffixes, noun="book", last=_SUFFIXES[2])


def read_options(*sources: Path) -> bytes | None:
    """Return the content of the first ``.ini`` of these books; None if no book has one."""
    for ini in (BookFiles.found(source).ini for source in sources):
        if ini is not None:
            with errors_of(ini):
                return ini.read_bytes()
    return None


def _spelled(suffix: str, path: Path) -> str:
    return suffix.upper() if path.suffix.isupper() else suffix


def _sibling(path: Path, suffix: str) -> Path | None:
    """Return the file named like ``path`` with another suffix; case is ignored only without an exact match."""
    if path.suffix.lower() == suffix and path.exists():
        return path
    likely = path.with_suffix(_spelled(suffix, path))
    if likely.exists():
        return likely
    wanted = folded(likely.name)
    fitting = sorted(place for place in path.parent.iterdir() if folded(place.name) == wanted)
    return next((place for place in fitting if place.stem == path.stem), fitting[0] if fitting else None)


@dataclass(frozen=True, slots=True)
class Header:
    """The first page of ``.ctg``. Its counts are hints: a real book claims 570 positions more than it has."""

    pages: int
    positions: int
    games: int
    options: bytes = bytes(FIRST_PAGE["options"].size)
    """32 bytes of unknown meaning at 0x800."""
    free_page: int = _NO_PAGE

    @classmethod
    def decode(cls, page: bytes, path: Path) -> Header:
        """Read the first page; FormatError if it is invalid."""
        if len(page) < PAGE_SIZE or not looks_like_pages(page):
            raise FormatError("is not a CTG book", path=path)
        values = FIRST_PAGE.read(page)
        return cls(**{each.name: values[each.name] for each in fields(cls)})

    def encode(self) -> bytes:
        """Return the first page of a book."""
        return FIRST_PAGE.encode({"schema": _SCHEMA} | {each.name: getattr(self, each.name) for each in fields(self)})


def looks_like_pages(head: bytes) -> bool:
    """Return whether a file begins like a ``.ctg``."""
    return head[:6] == FIRST_PAGE.encode({})[:6]


def looks_like_directory(head: bytes) -> bool:
    """Return whether a file begins like a ``.ctb`` or ``.cto``."""
    return head[:4] in (BITMAP_HEAD.encode({})[:4], SLOTS_HEAD.encode({})[:4])


def schema_is_usual(page: bytes) -> bool:
    """Return whether the first page describes records as in all known books."""
    return bool(FIRST_PAGE.read(page)["schema"] == _SCHEMA)


def _split_below(bitmap: bytes) -> int:
    """Return the number below which all nodes are split: eight for every leading byte that is full."""
    return 8 * (len(bitmap) - len(bitmap.lstrip(b"\xff")))


def encode_bitmap(bitmap: bytes) -> bytes:
    """Return the file ``.ctb``. It ends with the byte of the last split node."""
    bitmap = bitmap.rstrip(b"\0")
    return BITMAP_HEAD.encode({"split_below": _split_below(bitmap), "nodes": 8 * len(bitmap)}) + bitmap


def decode_bitmap(data: bytes, path: Path) -> memoryview:
    """Return the bitmap in ``.ctb``; CorruptError if the header is invalid."""
    _directory_head(data, BITMAP_HEAD, path)
    return memoryview(data)[BITMAP_HEAD.size :]


def encode_slots(slots: bytes, bitmap: bytes) -> bytes:
    """Return the file ``.cto`` from its slots, four bytes each."""
    split_below = _split_below(bitmap.rstrip(b"\0"))
    return SLOTS_HEAD.encode({"slots": len(slots) // 4, "split_below": split_below}) + slots


def decode_slots(data: bytes, path: Path) -> memoryview:
    """Return the slots in ``.cto``, up to the number in the header; CorruptError if the header is invalid."""
    head = _directory_head(data, SLOTS_HEAD, path)
    return memoryview(data)[SLOTS_HEAD.size : SLOTS_HEAD.size + 4 * head["slots"]]


def _directory_head(data: bytes, head: Layout, path: Path) -> Record:
    if len(data) < head.size or data[:4] != head.encode({})[:4]:
        raise CorruptError("does not begin like a file of this kind; repair the book", path=path)
    return head.read(data)
