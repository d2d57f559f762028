"""Files that appear under their name only when they are complete.

If the process is killed, either the old file or the new one remains. A killed process leaves at most a file called
``.tabiya-….tmp`` beside the target, which the next writer in the same folder removes.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.temporary import Claim, fresh_name

_BUFFER_BYTES = 1 << 20
_HELD_BYTES = 16 << 20


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


def refuse_existing(path: Path, *, overwrite: bool) -> None:
    """Raise ``UsageError`` if ``path`` cannot become a new file."""
    if path.is_dir():
        raise UsageError("is a folder", path=path)
    if not overwrite and path.exists():
        raise UsageError("already exists; overwrite=True replaces it", path=path)


class AtomicFile:
    """Writes to a temporary file in the same folder; ``commit`` flushes it to disk and renames it.

    An existing target keeps its permissions, and a symbolic link keeps pointing to the replaced file. A file that is
    neither committed nor discarded is removed with the object.
    """

    def __init__(self, path: Path, *, overwrite: bool = False) -> None:
        self.path = path
        self._overwrite = overwrite
        with errors_of(path):
            refuse_existing(path, overwrite=overwrite)
            self._final = path.resolve()
            temporary = fresh_name(self._final.parent)
            self.stream: BinaryIO = temporary.open("x+b", buffering=_BUFFER_BYTES)
        claim = Claim(temporary)
        self._temporary = claim.path
        self._remove = weakref.finalize(self, _remove, self.stream, claim, os.getpid())

    def complete(self) -> None:
        """Flush everything to disk under the temporary name, so that ``commit`` is only a rename and needs no space."""
        with errors_of(self.path):
            self.stream.flush()
            os.fsync(self.stream.fileno())
            self.stream.close()
            if self._overwrite and self._final.exists():
                self._temporary.chmod(stat.S_IMODE(self._final.stat().st_mode))

    def commit(self) -> None:
        """Flush, rename, and also flush the folder, so that the new name survives a power failure."""
        try:
            if not self.stream.closed:
                self.complete()
            with errors_of(self.path):
                if self._overwrite:
                    self._temporary.replace(self._final)
                else:
                    _move_to_new(self._temporary, self._final)
                flush_folder(self._final.parent)
        finally:
            self.discard()

    def discard(self) -> None:
        """Remove the temporary file; do nothing after a commit."""
        self._remove()


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


def _remove(stream: BinaryIO, claim: Claim, owner: int) -> None:
    if os.getpid() != owner:  # a forked child must not remove the file of its parent
        return
    with suppress(OSError):  # a full disk: data that could not be flushed is discarded anyway
        stream.close()
    claim.end()


def _move_to_new(temporary: Path, final: Path) -> None:
    """Rename, but never over a file that has appeared in the meantime."""
    try:
        final.hardlink_to(temporary)
    except FileExistsError:
        refuse_existing(final, overwrite=False)
        raise
    except OSError:  # a file system without hard links
        refuse_existing(final, overwrite=False)
        temporary.rename(final)
    else:
        with suppress(OSError):  # the file is in place; its other name is removed later
            temporary.unlink()


def flush_folder(folder: Path) -> None:
    """Flush renames in a folder to disk as far as possible; the renames themselves have succeeded."""
    if os.name == "nt":
        return
    with suppress(OSError):  # some network file systems cannot, and a folder may be writable but not readable
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def flush_tree(folder: Path) -> None:
    """Flush all files and folders in a folder to disk, including the folder itself."""
    for place, _, names in os.walk(folder):
        for name in names:
            with Path(place, name).open("rb") as file:
                os.fsync(file.fileno())
        flush_folder(Path(place))
