"""Reading a file while a writer may replace it, and replacing a file while others may read it.

POSIX allows both. Windows does only if the reader shares the file for deletion, which Python's ``open`` does not, and
if the writer requests the semantics of POSIX, which ``os.replace`` does not (NTFS has them since Windows 10).
"""

from __future__ import annotations

import os
import struct
import sys
from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_PATIENCE: Final = 1.0
"""Seconds to repeat what Windows refuses: virus scanners and search services open new files for a moment."""
_TURN: Final = 0.02
_REPLACE_WITH_POSIX_SEMANTICS: Final = 0x1 | 0x2
"""FILE_RENAME_FLAG_REPLACE_IF_EXISTS and FILE_RENAME_FLAG_POSIX_SEMANTICS."""
_OTHERWISE: Callable[[Path, Path], None] | None = None
"""How to replace a file that the system does not replace in the usual way."""


def rename_information(target: str) -> bytes:
    """Return the FILE_RENAME_INFO of Windows that renames a file to an absolute path, also over an open file."""
    name = target.encode("utf-16-le", "surrogatepass")
    return struct.pack("@IPI", _REPLACE_WITH_POSIX_SEMANTICS, 0, len(name)) + name + b"\0\0"


if sys.platform == "win32":
    import _winapi
    import ctypes
    import msvcrt
    from ctypes import wintypes

    _SHARED: Final = 0x1 | 0x2 | 0x4
    """Others may read, write and delete the file."""
    _RENAMING: Final = 0x0001_0000 | 0x0010_0000
    """DELETE and SYNCHRONIZE."""
    _ITSELF: Final = 0x0200_0000 | 0x0020_0000
    """Of a folder or a link, not what it leads to."""
    _FILE_RENAME_INFO_EX: Final = 22

    def open_shared(path: Path) -> int:
        """Return a descriptor for reading; others may replace or remove the file meanwhile."""
        try:
            handle = _winapi.CreateFile(
                os.fspath(path), _winapi.GENERIC_READ, _SHARED, _winapi.NULL, _winapi.OPEN_EXISTING, 0, _winapi.NULL
            )
        except OSError as error:
            error.filename = os.fspath(path)
            raise
        try:
            return msvcrt.open_osfhandle(handle, os.O_RDONLY | os.O_BINARY)
        except BaseException:
            _winapi.CloseHandle(handle)
            raise

    def _replace_open(source: Path, target: Path) -> None:
        """Replace a file that is open, but shared for deletion."""
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        rename = kernel.SetFileInformationByHandle
        rename.argtypes = (wintypes.HANDLE, ctypes.c_int, ctypes.c_char_p, wintypes.DWORD)
        rename.restype = wintypes.BOOL
        data = rename_information(os.fspath(target.absolute()))
        handle = _winapi.CreateFile(
            os.fspath(source), _RENAMING, _SHARED, _winapi.NULL, _winapi.OPEN_EXISTING, _ITSELF, _winapi.NULL
        )
        try:
            if not rename(handle, _FILE_RENAME_INFO_EX, data, len(data)):
                raise ctypes.WinError(ctypes.get_last_error())
        finally:
            _winapi.CloseHandle(handle)

    _OTHERWISE = _replace_open
else:

    def open_shared(path: Path) -> int:
        """Return a descriptor for reading; others may replace or remove the file meanwhile."""
        return os.open(path, os.O_RDONLY)


def open_to_read(path: Path) -> BinaryIO:
    """Open a file for reading; others may replace or remove it meanwhile."""
    return os.fdopen(open_shared(path), "rb") if sys.platform == "win32" else path.open("rb")


def replace(source: Path, target: Path, otherwise: Callable[[Path, Path], None] | None = _OTHERWISE) -> None:
    """Rename a file or folder; a file replaces an existing one, even if that is open.

    ``otherwise`` is tried if the system refuses the usual way, and both again for a moment.
    """
    end = monotonic() + _PATIENCE
    while True:
        try:
            source.replace(target)
        except PermissionError:
            if otherwise is None:
                raise
            with suppress(OSError):
                otherwise(source, target)
                return
            if monotonic() >= end:
                raise
        else:
            return
        sleep(_TURN)
