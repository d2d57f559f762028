"""Destinations for the bytes of one file: a file, a device, or a stream of the caller."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import BinaryIO, Final, Protocol, cast

from tabiya.files.file_errors import errors_of
from tabiya.files.transaction import AtomicFile

_BUFFER_BYTES: Final = 1 << 20
_HELD_BYTES: Final = 16 << 20


class Target(Protocol):
    """A destination for bytes: write to ``stream``, then call ``commit`` or ``discard``, once."""

    @property
    def stream(self) -> BinaryIO:
        """The stream to write to."""

    def commit(self) -> None:
        """Make the bytes visible and durable."""

    def discard(self) -> None:
        """Remove everything that was written, as far as the destination allows it."""


def open_target(place: Path | BinaryIO, *, overwrite: bool = False, hold: bool = False) -> Target:
    """Open the right kind of target for a path or a stream.

    Data written to a stream cannot be removed; with ``hold`` nothing reaches the stream before the commit.
    """
    if not isinstance(place, Path):
        return HeldStream(place) if hold else PlainStream(place)
    with errors_of(place):
        if place.exists() and not place.is_file() and not place.is_dir():
            # A device or a pipe: there is nothing to protect, and renaming over it would destroy it.
            device = place.open("wb")
            return HeldStream(device, close=True) if hold else PlainStream(device, close=True)
    return AtomicFile(place, overwrite=overwrite)


class PlainStream:
    """A stream of the caller: written directly, never closed unless ``close`` is true."""

    def __init__(self, stream: BinaryIO, *, close: bool = False) -> None:
        self.stream = stream
        self._close = close

    def commit(self) -> None:
        """Flush the stream."""
        self.stream.flush()
        self.discard()

    def discard(self) -> None:
        """Stop writing; what was written remains in the stream."""
        if self._close:
            self.stream.close()


class HeldStream:
    """Holds all data, in memory or a temporary file, until the commit copies it to the stream."""

    def __init__(self, stream: BinaryIO, *, close: bool = False) -> None:
        self._final = PlainStream(stream, close=close)
        self.stream = cast("BinaryIO", tempfile.SpooledTemporaryFile(max_size=_HELD_BYTES))  # noqa: SIM115

    def commit(self) -> None:
        """Copy everything to the stream."""
        try:
            self.stream.seek(0)
            shutil.copyfileobj(self.stream, self._final.stream, _BUFFER_BYTES)
            self._final.commit()
        finally:
            self.discard()

    def discard(self) -> None:
        """Discard the data."""
        self.stream.close()
        self._final.discard()
