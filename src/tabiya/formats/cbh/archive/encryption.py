"""The bytes of an archive, encrypted (``.cbz``) or not: DES without chaining, with a key from a password.

The derivation of the key is known only from three samples of another program. A wrong key also decrypts without an
error; only the first bytes of the result show whether it is an archive.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabiya.errors import FormatError, UsageError
from tabiya.formats.cbh.archive.des import BLOCK_BYTES, KEY_BYTES, decrypt, encrypt
from tabiya.formats.cbh.archive.format import HEAD_BYTES, is_archive_head, is_encrypted

if TYPE_CHECKING:
    from typing import BinaryIO

_CHUNK: Final = 1 << 20
"""A multiple of the block size of DES."""


def key_of(password: str) -> bytes:
    """Return the key of a password: eight letters are the key, fewer are repeated, more are folded.

    Raises:
        UsageError: The password is empty, or has a letter outside Windows' Western code page.
    """
    try:
        letters = password.encode("cp1252")
    except UnicodeEncodeError as error:
        raise UsageError(f"a ChessBase password cannot contain the letter {password[error.start]!r}") from error
    if not letters:
        raise UsageError("the password is empty")
    if len(letters) <= KEY_BYTES:
        return (letters * KEY_BYTES)[:KEY_BYTES]
    key = bytearray(KEY_BYTES)
    for place, letter in enumerate(letters):
        key[place % KEY_BYTES] = (key[place % KEY_BYTES] << 1 & 0xFF) ^ letter
    return bytes(key)


class ArchiveBytes:
    """A file with random access; decrypted on reading if there is a key."""

    def __init__(self, path: Path, key: bytes | None = None) -> None:
        self._file = path.open("rb")
        self._key = key
        self.size = self._file.seek(0, 2)

    @property
    def encrypted(self) -> bool:
        """Whether there is a key."""
        return self._key is not None

    def read(self, place: int, count: int) -> bytes:
        """Return this many bytes, or fewer at the end of the file."""
        count = min(count, self.size - place)
        if count <= 0:
            return b""
        if self._key is None:
            self._file.seek(place)
            return self._file.read(count)
        first = place - place % BLOCK_BYTES
        self._file.seek(first)
        data = self._file.read(-(-(place + count - first) // BLOCK_BYTES) * BLOCK_BYTES)
        data = decrypt(data[: len(data) - len(data) % BLOCK_BYTES], self._key)  # a partial block cannot be decrypted
        return data[place - first :][:count]

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def open_source(path: Path, password: str | None) -> ArchiveBytes:
    """Open an archive; its content decides, not its name.

    Raises:
        FormatError: The file is not an archive.
        UsageError: The password is missing or wrong.
    """
    source = ArchiveBytes(path)
    try:
        if is_archive_head(source.read(0, HEAD_BYTES)):
            return source
    except BaseException:
        source.close()
        raise
    source.close()
    if password is None:
        if is_encrypted(path.name):
            raise UsageError("is encrypted: give its password", path=path)
        raise FormatError("is not a ChessBase archive; if it is encrypted, give its password", path=path)
    source = ArchiveBytes(path, key_of(password))
    if is_archive_head(source.read(0, HEAD_BYTES)):
        return source
    source.close()
    raise UsageError("the password is wrong, or this is not a ChessBase archive", path=path)


def encrypt_stream(stream: BinaryIO, password: str) -> None:
    """Encrypt a file in place, padded with NULs to a whole block."""
    key = key_of(password)
    size = stream.seek(0, 2)
    stream.write(bytes(-size % BLOCK_BYTES))
    for place in range(0, size, _CHUNK):
        stream.seek(place)
        data = stream.read(_CHUNK)
        stream.seek(place)
        stream.write(encrypt(data, key))
