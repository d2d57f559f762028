"""The header of a BCGN file: 32 bytes that define how its entries are read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tabiya.binary import Layout
from tabiya.errors import CorruptError, FormatError, UnsupportedError
from tabiya.formats.bcgn.move_index import LEVELS
from tabiya.game.record import Problem

if TYPE_CHECKING:
    from pathlib import Path

_MAGIC: Final = b"BCGN"
_VERSION: Final = 0
_NOT_PACKED: Final = 0
_HEADERLESS: Final = 0x80
_PROBLEM_RESERVED: Final = 61

_LAYOUT: Final = Layout.of("bcgn header", ">", "4s magic", "u8 version level packing flags", "24s reserved")
HEADER_BYTES: Final = _LAYOUT.size


@dataclass(frozen=True, slots=True)
class FileHeader:
    """The encoding parameters of a file."""

    level: int
    headerless: bool
    reserved_flags: int = 0
    """Flag bits without a meaning today; the reference program ignores them too."""

    def encode(self) -> bytes:
        """Return the bytes of the header."""
        flags = self.reserved_flags | (_HEADERLESS if self.headerless else 0)
        known = {"magic": _MAGIC, "version": _VERSION, "packing": _NOT_PACKED}
        return _LAYOUT.encode({**known, "level": self.level, "flags": flags})

    @classmethod
    def decode(cls, data: bytes, path: Path | None) -> FileHeader:
        """Read the first bytes of a file.

        Raises:
            FormatError: The file is not a BCGN file.
            CorruptError: The header is cut off, or its reserved bytes are not zero.
            UnsupportedError: The version, level or compression is unknown.
        """
        if data[: len(_MAGIC)] != _MAGIC:
            raise FormatError("is not a BCGN file: it does not begin with BCGN", path=path, offset=0)
        if len(data) < HEADER_BYTES:
            raise CorruptError(f"the file ends inside its header of {HEADER_BYTES} bytes", path=path)
        head = _LAYOUT.read(data)
        version, level, packing, flags = (head[name] for name in ("version", "level", "packing", "flags"))
        if version != _VERSION:
            raise UnsupportedError(f"version {version} of BCGN is not supported, only {_VERSION}", path=path, offset=4)
        if level not in LEVELS:
            raise UnsupportedError(f"compression level {level} is not supported, only 0, 1 and 2", path=path, offset=5)
        if packing != _NOT_PACKED:
            raise UnsupportedError(f"auxiliary compression {packing} is not supported, only 0", path=path, offset=6)
        if any(head["reserved"]):
            raise CorruptError("reserved bytes of the header are not zero", path=path, offset=8)
        return cls(level, bool(flags & _HEADERLESS), flags & ~_HEADERLESS)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Anomalies of the header."""
        return (Problem(_PROBLEM_RESERVED, 7, ""),) if self.reserved_flags else ()
