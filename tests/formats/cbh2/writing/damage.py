"""Damage on purpose: each function returns the files of a base with one fault, and leaves its argument as it is.

Records are counted from 0. The offsets of bodies are those that the headers state.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Final

from tests.formats.cbh2.writing.container import HEAD, HEADER_SIZE, checksum
from tests.formats.cbh2.writing.headers import FIELDS, RECORD_SIZE

Files = dict[str, bytes]

UNKNOWN_KIND: Final = 0x7E
_BODY_FIELDS: Final = {".2cbg": "moves_at", ".2cba": "annotations_at"}
_SIZE, _SPARE, _CHECKSUM, _TAG = 8, 12, 16, 24


def _changed(files: Mapping[str, bytes], suffix: str, place: int, data: bytes) -> Files:
    old = files[suffix]
    return {**files, suffix: old[:place] + data + old[place + len(data) :]}


def header_at(number: int) -> int:
    """Where the header of a record begins."""
    return RECORD_SIZE * (number + 1)


def body_at(files: Mapping[str, bytes], number: int, suffix: str = ".2cbg") -> int:
    """Where the body of a record begins."""
    place, layout = FIELDS["game"][_BODY_FIELDS[suffix]]
    found: int = struct.unpack_from(layout, files[".2cbh"], header_at(number) + place)[0]
    return found


def body_size(files: Mapping[str, bytes], number: int, suffix: str = ".2cbg") -> int:
    """The number of bytes of content in a body."""
    return int.from_bytes(_piece(files, suffix, body_at(files, number, suffix) + _SIZE, 4), "little")


def _piece(files: Mapping[str, bytes], suffix: str, place: int, size: int) -> bytes:
    return files[suffix][place : place + size]


def bad_checksum(files: Mapping[str, bytes], number: int, suffix: str = ".2cbg") -> Files:
    """One bit of the checksum of a body is wrong."""
    place = body_at(files, number, suffix) + _CHECKSUM + 7
    return _changed(files, suffix, place, bytes([files[suffix][place] ^ 0x10]))


def bad_content(files: Mapping[str, bytes], number: int, suffix: str = ".2cbg", *, at: int = 0) -> Files:
    """One byte of the content of a body is wrong; its checksum is that of the sound content."""
    place = body_at(files, number, suffix) + HEAD + at
    return _changed(files, suffix, place, bytes([files[suffix][place] ^ 0x01]))


def bad_magic(files: Mapping[str, bytes], number: int, suffix: str = ".2cbg") -> Files:
    """A body does not begin as it should."""
    return _changed(files, suffix, body_at(files, number, suffix), bytes(8))


def bad_tag(files: Mapping[str, bytes], number: int, suffix: str = ".2cbg", tag: bytes = b"\x09\x09") -> Files:
    """A body has the tag of no known content."""
    return _changed(files, suffix, body_at(files, number, suffix) + _TAG, tag)


def wrong_size(files: Mapping[str, bytes], number: int, size: int, suffix: str = ".2cbg") -> Files:
    """A body states another size of its content before it; negative and huge ones, too."""
    return _changed(files, suffix, body_at(files, number, suffix) + _SIZE, struct.pack("<i", size))


def wrong_spare(files: Mapping[str, bytes], number: int, spare: int, suffix: str = ".2cbg") -> Files:
    """A body states another number of spare bytes."""
    return _changed(files, suffix, body_at(files, number, suffix) + _SPARE, struct.pack("<i", spare))


def wrong_size_behind(files: Mapping[str, bytes], number: int, size: int, suffix: str = ".2cbg") -> Files:
    """A body states another size of the whole record behind it."""
    begin = body_at(files, number, suffix)
    sizes = struct.unpack_from("<ii", files[suffix], begin + _SIZE)
    return _changed(files, suffix, begin + HEAD + sum(sizes), struct.pack("<q", size))


def wrong_file_size(files: Mapping[str, bytes], size: int, suffix: str = ".2cbg") -> Files:
    """A file of bodies states another size of itself."""
    return _changed(files, suffix, 0, struct.pack("<q", size))


def cut(files: Mapping[str, bytes], suffix: str, length: int) -> Files:
    """A file breaks off."""
    return {**files, suffix: files[suffix][:length]}


def without(files: Mapping[str, bytes], suffix: str) -> Files:
    """A file is missing."""
    return {name: data for name, data in files.items() if name != suffix}


def bad_offset(files: Mapping[str, bytes], number: int, offset: int, suffix: str = ".2cbg") -> Files:
    """The header of a record states another offset of its body."""
    place, layout = FIELDS["game"][_BODY_FIELDS[suffix]]
    return _changed(files, ".2cbh", header_at(number) + place, struct.pack(layout, offset))


def bad_reference(files: Mapping[str, bytes], number: int, field: str, entity: int) -> Files:
    """The header of a game refers to another entity, which may not exist."""
    place, layout = FIELDS["game"][field]
    return _changed(files, ".2cbh", header_at(number) + place, struct.pack(layout, entity))


def with_content(files: Mapping[str, bytes], number: int, suffix: str, change: Callable[[bytes], bytes]) -> Files:
    """A body has other content of the same size, with the right checksum."""
    begin = body_at(files, number, suffix)
    size = body_size(files, number, suffix)
    content = change(_piece(files, suffix, begin + HEAD, size))
    if len(content) != size:
        raise ValueError("the content must keep its size")
    sealed = _changed(files, suffix, begin + HEAD, content)
    return _changed(sealed, suffix, begin + _CHECKSUM, checksum(content))


def unknown_annotation(files: Mapping[str, bytes], number: int, *, at: int = 8) -> Files:
    """An annotation has an unknown kind: the first one of the record, or one at another place of its content."""

    def change(content: bytes) -> bytes:
        return content[:at] + struct.pack("<H", UNKNOWN_KIND) + content[at + 2 :]

    return with_content(files, number, ".2cba", change)


def with_word(files: Mapping[str, bytes], number: int, index: int, word: int) -> Files:
    """A stream of moves has another word at an index."""

    def change(content: bytes) -> bytes:
        return content[: 2 * index] + struct.pack("<H", word) + content[2 * index + 2 :]

    return with_content(files, number, ".2cbg", change)


EVERY: Final[Mapping[str, Callable[[Mapping[str, bytes], int], Files]]] = {
    "checksum of the moves": bad_checksum,
    "checksum of the annotations": lambda files, number: bad_checksum(files, number, ".2cba"),
    "content of the moves": bad_content,
    "content of the annotations": lambda files, number: bad_content(files, number, ".2cba"),
    "magic number": bad_magic,
    "magic number of the annotations": lambda files, number: bad_magic(files, number, ".2cba"),
    "tag": bad_tag,
    "tag of the annotations": lambda files, number: bad_tag(files, number, ".2cba"),
    "size": lambda files, number: wrong_size(files, number, body_size(files, number) + 2),
    "negative size": lambda files, number: wrong_size(files, number, -1),
    "huge size": lambda files, number: wrong_size(files, number, 0x7FFFFFFF),
    "size of the annotations": lambda files, number: wrong_size(files, number, 0x7FFFFFFF, ".2cba"),
    "spare bytes": lambda files, number: wrong_spare(files, number, 1),
    "negative spare bytes": lambda files, number: wrong_spare(files, number, -34),
    "size behind": lambda files, number: wrong_size_behind(files, number, 35),
    "size behind the annotations": lambda files, number: wrong_size_behind(files, number, -1, ".2cba"),
    "offset before the bodies": lambda files, number: bad_offset(files, number, HEADER_SIZE - 1),
    "negative offset": lambda files, number: bad_offset(files, number, -8),
    "offset at the end": lambda files, number: bad_offset(files, number, len(files[".2cbg"])),
    "huge offset": lambda files, number: bad_offset(files, number, (1 << 63) - 1),
    "offset inside a body": lambda files, number: bad_offset(files, number, body_at(files, number) + 2),
    "offset of the annotations": lambda files, number: bad_offset(files, number, 1 << 40, ".2cba"),
    "missing player": lambda files, number: bad_reference(files, number, "white", 1 << 40),
    "negative player": lambda files, number: bad_reference(files, number, "white", -1),
    "missing tournament": lambda files, number: bad_reference(files, number, "tournament", 0x7FFFFFFF),
}
"""Every fault that concerns one record, by name; for records that are games."""
