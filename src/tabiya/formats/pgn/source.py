"""The bytes of a PGN file: decompressed, converted from UTF-16, without byte order marks, in chunks of whole games.

Chunks end where a game begins after an empty line (see ``find_cut``) or, failing that, after a result (see
``find_game``), judged by bytes alone: the same file always gives the same chunks. Memory is bounded by the chunk; text
without a boundary is cut off at ``LONGEST_GAME``, and this is reported.
"""

from __future__ import annotations

import codecs
import io
import lzma
import re
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, cast

import numpy as np
import pyarrow as pa

from tabiya.errors import CorruptError
from tabiya.files.shared_files import open_to_read
from tabiya.formats.pgn.read_kernel import find_cut, find_game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tabiya.formats.format import Place

CHUNK_BYTES: Final = 1 << 22
LONGEST_GAME: Final = 1 << 26
_BLOCK_BYTES: Final = 1 << 20
_BOUNDARY_BYTES: Final = 1 << 12
"""A boundary closer than this to the end of the bytes read may be revised by what follows."""

_XZ: Final = b"\xfd7zXZ\0"
_PACKINGS: Final = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd", _XZ: "xz"}
"""First bytes of compressed files; Arrow decompresses all but the last."""
_XZ_MEMORY: Final = 256 << 20
"""For the window that the file requires: 64 MB with the highest level of xz, up to 4 GB in a hostile file."""
UTF8_MARK: Final = b"\xef\xbb\xbf"
_UTF16: Final = re.compile(rb"[\[0-9]\0[^\0]\0|\0[\[0-9]\0[^\0]", re.DOTALL)


class Tail(IntEnum):
    """How a chunk ends."""

    WHOLE = 0
    TOO_LONG = 1
    """The text continued without a boundary; it was omitted up to the next one."""
    DAMAGED = 2
    """The compressed file broke off or was damaged here."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some consecutive games; ``offset`` counts bytes of the decompressed text."""

    text: memoryview
    offset: int
    tail: Tail = Tail.WHOLE


class DamagedError(Exception):
    """The compressed file is damaged, or breaks off."""


@contextmanager
def unpacked(place: Place) -> Iterator[BinaryIO]:
    """Yield the bytes of a file or stream, decompressed from gzip, bzip2, xz or Zstandard; a stream is left open."""
    if isinstance(place, Path):
        with open_to_read(place) as file:
            yield _unpacker(file)
    else:
        yield _unpacker(place)


def _unpacker(stream: BinaryIO) -> BinaryIO:
    buffered = stream if hasattr(stream, "peek") else io.BufferedReader(cast("io.RawIOBase", stream))
    packing = packing_of(buffered.peek(len(_XZ)))
    if packing is None:
        return buffered
    if packing == "xz":
        return cast("BinaryIO", _UnpackedXz(buffered))
    return cast("BinaryIO", _Unpacked(pa.CompressedInputStream(pa.PythonFile(_Borrowed(buffered), "r"), packing)))


def packing_of(head: bytes) -> str | None:
    """Return the compression of a file with these first bytes: gzip, bz2, zstd, xz; None if there is none."""
    return next((packing for magic, packing in _PACKINGS.items() if head.startswith(magic)), None)


class _Borrowed(io.RawIOBase):
    """A stream that remains open when its reader is closed."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        return self._stream.read(size)


class _Unpacked:
    """Returns everything before the damage, then raises DamagedError."""

    def __init__(self, stream: pa.NativeFile) -> None:
        self._stream = stream
        self._damage: DamagedError | None = None

    def read(self, size: int, /) -> bytes:
        if self._damage is not None:
            raise self._damage
        buffer = bytearray(size)
        try:
            size = self._stream.readinto(buffer)
        except OSError as error:  # Arrow raises this for any damage
            self._damage = DamagedError(str(error))
            # Arrow does not report how much was decompressed before it; a text does not end with zero bytes.
            size = len(buffer.rstrip(b"\0"))
            if not size:
                raise self._damage from error
        return bytes(memoryview(buffer)[:size])


class _UnpackedXz:
    """The same for xz, which Arrow does not support; concatenated streams are one."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder: lzma.LZMADecompressor | None = None
        self._waiting = b""

    def read(self, size: int, /) -> bytes:
        try:
            while not (text := self._piece(size)) and (self._decoder is not None or self._fill()):
                pass
        except (lzma.LZMAError, MemoryError) as error:
            raise DamagedError(str(error) or "its window is too large") from error
        return text

    def _piece(self, size: int) -> bytes:
        """Return the next bytes; empty if more input is needed, or if a stream has ended and another may follow."""
        if self._decoder is None:
            return b""
        if self._decoder.needs_input and not self._fill():
            raise DamagedError("the file breaks off")
        waiting, self._waiting = self._waiting, b""
        text = self._decoder.decompress(waiting, size)
        if self._decoder.eof:
            # Padding between streams is zero bytes.
            self._waiting = self._decoder.unused_data.lstrip(b"\0")
            self._decoder = None
        return text

    def _fill(self) -> bool:
        """Provide input, for a new stream if the last one has ended; False at the end of the file."""
        if not self._waiting:
            self._waiting = self._stream.read(_BLOCK_BYTES)
            if self._decoder is None:
                self._waiting = self._waiting.lstrip(b"\0")
        if self._waiting and self._decoder is None:
            self._decoder = lzma.LZMADecompressor(lzma.FORMAT_XZ, _XZ_MEMORY)
        return bool(self._waiting)


class _Transcoded(io.RawIOBase):
    """A stream of another encoding read as UTF-8."""

    def __init__(self, stream: BinaryIO, encoding: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._ready = b""
        self._ended = False

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        while not self._ended and (size < 0 or len(self._ready) < size):
            block = self._stream.read(_BLOCK_BYTES)
            self._ended = not block
            self._ready += self._decoder.decode(block, final=self._ended).encode("utf-8", "replace")
        taken = self._ready if size < 0 else self._ready[:size]
        self._ready = self._ready[len(taken) :]
        return taken


def text_of(stream: BinaryIO, encoding: str | None) -> tuple[BinaryIO, bytes, int]:
    """Return the text after a byte order mark, its first bytes, which are read already, and their offset.

    UTF-16 is recognised by its mark, or by the zero bytes around a first bracket or digit; ``encoding`` names an
    encoding with several bytes per character for all text except UTF-16.
    """
    head = _read(stream, 4)
    if head.startswith(UTF8_MARK):
        return stream, head[len(UTF8_MARK) :], len(UTF8_MARK)
    utf16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}.get(head[:2])
    if utf16 is not None:
        rest = _Replayed(head[2:], stream)
        return cast("BinaryIO", _Transcoded(cast("BinaryIO", rest), utf16)), b"", 0
    if _UTF16.fullmatch(head):
        encoding = "utf-16-be" if head[0] == 0 else "utf-16-le"
    if encoding is not None:
        rest = _Replayed(head, stream)
        return cast("BinaryIO", _Transcoded(cast("BinaryIO", rest), encoding)), b"", 0
    return stream, head, 0


class _Replayed:
    """A stream with some bytes put back in front."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head = head
        self._stream = stream

    def read(self, size: int, /) -> bytes:
        if self._head:
            taken, self._head = self._head[:size], self._head[size:]
            return taken
        return self._stream.read(size)


def _read(stream: BinaryIO, size: int) -> bytes:
    data = b""
    while len(data) < size and (piece := stream.read(size - len(data))):
        data += piece
    return data


def chunks(stream: BinaryIO, *, encoding: str | None = None, begin: int = 0) -> Iterator[Chunk]:
    """Cut a text into chunks; text before damage is returned, and the last chunk reports the damage.

    ``begin`` is the offset of the chunk to start with. A plain file is read from there; a compressed or transcoded one
    must be read from its start.
    """
    text, head, offset = text_of(stream, encoding)
    if begin and text is stream and isinstance(stream, io.BufferedReader) and stream.seekable():
        stream.seek(begin)
        head, offset = b"", begin
    cutter = _Cutter(text, head, offset)
    for chunk in _cut(cutter):
        if chunk.offset >= begin:
            yield chunk


def _cut(cutter: _Cutter) -> Iterator[Chunk]:
    while cutter.fill():
        yield from cutter.cuts()
        if len(cutter) > cutter.patience:
            yield from cutter.emergency_cuts()
    yield from cutter.cuts()
    if len(cutter) or cutter.tail:
        yield cutter.take(len(cutter), cutter.tail)


class _Cutter:
    """The text that has been read and not yet returned.

    Chunks are views of it: bytes are copied once, from the stream, except for the few after the last boundary.
    """

    def __init__(self, text: BinaryIO, head: bytes, offset: int) -> None:
        self.tail = Tail.WHOLE
        self.patience = LONGEST_GAME // 4
        """How much text is collected before it is searched for other cuts."""
        self._data = np.frombuffer(head, np.uint8)
        self._begin = 0
        self._end = len(head)
        self._text = text
        self._offset = offset
        self._searched = CHUNK_BYTES
        self._ended = False

    def __len__(self) -> int:
        return self._end - self._begin

    @property
    def _rest(self) -> NDArray[np.uint8]:
        return self._data[self._begin : self._end]

    def fill(self) -> bool:
        """Read more; False at the end."""
        needed = max(_BLOCK_BYTES, CHUNK_BYTES - len(self) + _BLOCK_BYTES)
        if self._begin or self._end + needed > len(self._data):
            # Returned chunks keep the old memory. Twice as much for a text that has no boundaries.
            rest = self._rest
            self._data = np.empty(len(rest) + max(needed, len(rest)), np.uint8)
            self._data[: len(rest)] = rest
            self._begin, self._end = 0, len(rest)
        try:
            size = _read_into(self._text, self._data[self._end : self._end + needed])
        except DamagedError as error:
            if self._offset == 0 and not len(self):
                raise CorruptError(f"damaged: {error}") from error
            size, self.tail = 0, Tail.DAMAGED
        self._end += size
        self._ended = not size
        return bool(size)

    def take(self, size: int, tail: Tail = Tail.WHOLE) -> Chunk:
        """Return the first bytes."""
        chunk = Chunk(self._rest[:size].data, self._offset, tail)
        self._drop(size)
        return chunk

    def _drop(self, size: int) -> None:
        self._begin += size
        self._offset += size
        self._searched = CHUNK_BYTES
        self.patience = LONGEST_GAME // 4

    def _boundary(self, begin: int) -> int:
        """Return the first boundary from ``begin`` on that further text cannot change, or -1."""
        cut = find_cut(self._rest.data, begin)
        return cut if self._ended or cut + _BOUNDARY_BYTES <= len(self) else -1

    def cuts(self) -> Iterator[Chunk]:
        """Yield all complete chunks."""
        while (cut := self._boundary(self._searched)) >= 0:
            yield self.take(cut)
        self._searched = max(CHUNK_BYTES, len(self) - 2 * _BOUNDARY_BYTES)

    def emergency_cuts(self) -> Iterator[Chunk]:
        """Cut a text without boundaries after results; without any, omit all up to the next boundary."""
        while (cut := find_game(self._rest.data, CHUNK_BYTES)) >= 0:
            yield self.take(cut)
        if len(self) > LONGEST_GAME:
            yield self.take(len(self), Tail.TOO_LONG)
            self._skip()
        else:
            # The search restarts at the front, so it is worthwhile only when there is much more text.
            self.patience = min(max(self.patience, 2 * len(self)), LONGEST_GAME)

    def _skip(self) -> None:
        """Omit everything up to the next boundary."""
        more = True
        while more:
            more = self.fill()
            cut = self._boundary(0)
            if cut >= 0:
                self._drop(cut)
                return
            self._drop(max(0, len(self) - 2 * _BOUNDARY_BYTES) if more else len(self))


def _read_into(stream: BinaryIO, buffer: NDArray[np.uint8]) -> int:
    """Read at most as much as fits; 0 at the end."""
    if isinstance(stream, io.BufferedReader):
        return stream.readinto(buffer.data)
    block = stream.read(len(buffer))
    buffer[: len(block)] = np.frombuffer(block, np.uint8)
    return len(block)
