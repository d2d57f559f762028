"""The file to be changed: games are added to a copy of it, so a kill leaves the old file or the new one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, BinaryIO, Final

from tabiya.errors import CorruptError, UsageError
from tabiya.formats.pgn.source import DamagedError, packing_of, text_of, unpacked
from tabiya.game.record import RecordKind

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_TAG: Final = re.compile(rb'\s*\[\s*\w+\s*".*"\s*\]\s*')
_BLOCK_BYTES: Final = 1 << 20
_TAIL_BYTES: Final = 1 << 16
_PACKINGS: Final = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".xz": "xz"}


class OldFile:
    """A PGN file to be changed."""

    def __init__(self, path: Path) -> None:
        """Check that it can be changed.

        Raises:
            UsageError: Its compression does not match its suffix.
        """
        self._path = path
        self._status = path.stat()
        with path.open("rb") as file:
            self._packing = packing_of(file.read(8))
        if self._packing != _PACKINGS.get(path.suffix.lower()) and self._status.st_size:
            kind = "not packed" if self._packing is None else f"packed with {self._packing}"
            raise UsageError(
                f"is {kind} although its name says otherwise, so it cannot be changed; convert it first", path=path
            )

    def copy_to(self, stream: BinaryIO, pack: Callable[[memoryview], bytes] | None) -> RecordKind | None:
        """Copy the file, followed by what must separate its last game from the next.

        Returns:
            The kind of the last record, for the writer; None if the file is empty.

        Raises:
            CorruptError: It is compressed and damaged: games after the damage could not be read.
        """
        with self._path.open("rb") as file:
            while block := file.read(_BLOCK_BYTES):
                stream.write(block)
        tail = self._tail()
        if not tail.strip():
            return None
        missing = b"\n" * max(0, 2 - (len(tail) - len(tail.rstrip(b"\n"))))
        if _TAG.fullmatch(tail.strip().rpartition(b"\n")[2]):
            missing += b"*\n\n"  # without moves, the tags that follow would belong to the same game
        if missing:
            stream.write(missing if pack is None else pack(memoryview(missing)))
        # A game with unknown moves may end in any way, so the next game must mark its beginning.
        return RecordKind.OPAQUE

    def check_unchanged(self) -> None:
        """Raise ``UsageError`` if another program has written the file in the meantime."""
        now = self._path.stat()
        if (now.st_size, now.st_mtime_ns, now.st_ino) != (
            self._status.st_size,
            self._status.st_mtime_ns,
            self._status.st_ino,
        ):
            raise self.changed

    @property
    def changed(self) -> UsageError:
        """Return the error for a file that was changed."""
        return UsageError("was changed by another program in the meantime; nothing was written", path=self._path)

    def _tail(self) -> bytes:
        """Return the end of the text; a compressed file is decompressed completely, which proves that it is intact."""
        try:
            with unpacked(self._path) as stream:
                text, tail, _ = text_of(stream, None)
                if text is not stream:
                    raise UsageError("is UTF-16, to which nothing can be added; convert it first", path=self._path)
                if self._packing is None:
                    stream.seek(max(0, self._status.st_size - _TAIL_BYTES))
                    tail = b""
                while block := stream.read(_BLOCK_BYTES):
                    tail = (tail + block)[-_TAIL_BYTES:]
        except DamagedError as error:
            raise CorruptError(f"is damaged, so nothing can be added: {error}", path=self._path) from error
        return tail.replace(b"\r\n", b"\n")
