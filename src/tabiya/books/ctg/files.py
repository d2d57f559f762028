"""The three files of a book: their names and the tables at their heads.

The container is the extendible hash of the Unix dbm library. ``.ctg`` holds pages of records, ``.ctb`` the bitmap of
nodes that were split, ``.cto`` the page of every leaf. Numbers are big-endian.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tabiya.errors import CorruptError, FormatError
from tabiya.formats.atomic import AtomicFile
from tabiya.formats.file_errors import errors_of

__all__ = [
    "PAGE_SIZE",
    "BookFiles",
    "Header",
    "copy_options",
    "decode_bitmap",
    "decode_slots",
    "encode_bitmap",
    "encode_slots",
]

PAGE_SIZE: Final = 4096

_HEAD: Final = struct.Struct(">HHHHIHHIiII")
"""Length of this block, page size, version, unknown, offset of the first page, lengths of key and record (variable),
pages, first free page, positions, games."""
_VARIABLE: Final = 0x7FFF
_NO_PAGE: Final = -1
_SCHEMA_AT: Final = 0x400
_SCHEMA: Final = struct.pack(">HH10H", 1, 5, *(1, _VARIABLE), *(3, _VARIABLE), *(5, 30), *(6, 2), *(7, 1))
"""Version, number of fields, and (field, length) of each: signature, moves, statistics, recommendation, NAG. The same
bytes in all books seen."""
_OPTIONS_AT: Final = 0x800
_OPTIONS_SIZE: Final = 32

_BITMAP_HEAD: Final = struct.Struct(">HHII")
_SLOTS_HEAD: Final = struct.Struct(">HHIII")
_SUFFIXES: Final = (".ctg", ".ctb", ".cto", ".ini")


@dataclass(frozen=True, slots=True)
class BookFiles:
    """Where the files of a book are. All but the pages may be missing."""

    ctg: Path
    ctb: Path | None
    cto: Path | None
    ini: Path | None = None
    """Options of programs that show the book; nothing else needs them."""

    @classmethod
    def found(cls, path: Path) -> BookFiles:
        """The files beside any one of them, in whatever capitals their suffixes are written.

        A name with none of the suffixes is that of the pages.
        """
        ctb, cto, ini = (_sibling(path, suffix) for suffix in _SUFFIXES[1:])
        ctg = _sibling(path, _SUFFIXES[0]) if path.suffix.lower() in _SUFFIXES else path
        if ctg is None:
            raise FormatError("the file with the pages of the book is missing", path=path)
        return cls(ctg, ctb, cto, ini)

    @classmethod
    def named(cls, path: Path) -> BookFiles:
        """The names of the files of a new book, of which any may be given: suffixes in capitals if the given one is."""
        ctg, ctb, cto, ini = (path.with_suffix(_spelled(suffix, path)) for suffix in _SUFFIXES)
        return cls(ctg if path.suffix.lower() in _SUFFIXES else path, ctb, cto, ini)

    def all(self) -> tuple[Path, ...]:
        """Those that are there, the pages first."""
        return tuple(place for place in (self.ctg, self.ctb, self.cto, self.ini) if place is not None)


def copy_options(source: Path, target: Path, *, overwrite: bool = False) -> bool:
    """Copy the ``.ini`` of a book to another one that has none (or has, with ``overwrite``); whether there was one."""
    ini, place = BookFiles.found(source).ini, BookFiles.named(target).ini
    if ini is None or place is None or (place.exists() and not overwrite):
        return ini is not None
    with errors_of(ini):
        data = ini.read_bytes()
    file = AtomicFile(place, overwrite=overwrite)
    try:
        file.stream.write(data)
        file.commit()
    finally:
        file.discard()
    return True


def _spelled(suffix: str, path: Path) -> str:
    return suffix.upper() if path.suffix.isupper() else suffix


def _sibling(path: Path, suffix: str) -> Path | None:
    """The file called like ``path`` with another suffix; capitals are ignored only where nothing fits exactly."""
    if path.suffix.lower() == suffix and path.exists():
        return path
    likely = path.with_suffix(_spelled(suffix, path))
    if likely.exists():
        return likely
    wanted = likely.name.lower()
    fitting = sorted(place for place in path.parent.iterdir() if place.name.lower() == wanted)
    return next((place for place in fitting if place.stem == path.stem), fitting[0] if fitting else None)


@dataclass(frozen=True, slots=True)
class Header:
    """The first page of ``.ctg``. Its counts are hints: a real book says 570 positions more than it has."""

    pages: int
    positions: int
    games: int
    options: bytes = bytes(_OPTIONS_SIZE)
    """32 bytes of unknown meaning at 0x800."""
    free_page: int = _NO_PAGE

    @classmethod
    def decode(cls, page: bytes, path: Path) -> Header:
        """Read the first page; FormatError if it is none."""
        if len(page) < PAGE_SIZE or not looks_like_pages(page):
            raise FormatError("is not a CTG book", path=path)
        *_, pages, free_page, positions, games = _HEAD.unpack_from(page)
        return cls(pages, positions, games, page[_OPTIONS_AT : _OPTIONS_AT + _OPTIONS_SIZE], free_page)

    def encode(self) -> bytes:
        """The first page of a book."""
        page = bytearray(PAGE_SIZE)
        lengths = (_VARIABLE, _VARIABLE)
        counts = (self.pages, self.free_page, self.positions, self.games)
        _HEAD.pack_into(page, 0, _HEAD.size, PAGE_SIZE, 1, 1, PAGE_SIZE, *lengths, *counts)
        page[_SCHEMA_AT : _SCHEMA_AT + len(_SCHEMA)] = _SCHEMA
        page[_OPTIONS_AT : _OPTIONS_AT + _OPTIONS_SIZE] = self.options
        return bytes(page)


def looks_like_pages(head: bytes) -> bool:
    """Whether a file begins as ``.ctg`` does."""
    return head[:6] == struct.pack(">HHH", _HEAD.size, PAGE_SIZE, 1)


def looks_like_directory(head: bytes) -> bool:
    """Whether a file begins as ``.ctb`` or ``.cto`` does."""
    return head[:4] in (struct.pack(">HH", _BITMAP_HEAD.size, 1), struct.pack(">HH", _SLOTS_HEAD.size, 1))


def schema_is_usual(page: bytes) -> bool:
    """Whether the first page describes records as all books do."""
    return page[_SCHEMA_AT : _SCHEMA_AT + len(_SCHEMA)] == _SCHEMA


def _split_below(bitmap: bytes) -> int:
    """All nodes below this number are split: eight for every leading byte that is full."""
    return 8 * (len(bitmap) - len(bitmap.lstrip(b"\xff")))


def encode_bitmap(bitmap: bytes) -> bytes:
    """The file ``.ctb``. It ends with the byte of the last split node."""
    bitmap = bitmap.rstrip(b"\0")
    return _BITMAP_HEAD.pack(_BITMAP_HEAD.size, 1, _split_below(bitmap), 8 * len(bitmap)) + bitmap


def decode_bitmap(data: bytes, path: Path) -> memoryview:
    """The bitmap within ``.ctb``; CorruptError if the head makes no sense."""
    return memoryview(data)[_directory_head(data, _BITMAP_HEAD, path) :]


def encode_slots(slots: bytes, bitmap: bytes) -> bytes:
    """The file ``.cto`` from its slots, four bytes each."""
    head = _SLOTS_HEAD.pack(_SLOTS_HEAD.size, 1, len(slots) // 4, 0, _split_below(bitmap.rstrip(b"\0")))
    return head + slots


def decode_slots(data: bytes, path: Path) -> memoryview:
    """The slots within ``.cto``, as many as it says and has; CorruptError if the head makes no sense."""
    begin = _directory_head(data, _SLOTS_HEAD, path)
    _, _, count, _, _ = _SLOTS_HEAD.unpack_from(data)
    return memoryview(data)[begin : begin + 4 * count]


def _directory_head(data: bytes, head: struct.Struct, path: Path) -> int:
    if len(data) < head.size or data[:4] != struct.pack(">HH", head.size, 1):
        raise CorruptError("does not begin as such a file does; repair the book", path=path)
    return head.size
