"""The formats that the contract is tested on: every one that tabiya knows, and three of the tests' own."""

from __future__ import annotations

from pathlib import Path

from tabiya.formats import FORMATS, Format
from tests.formats.memory_format import BARE, FULL, SOME

ALL_FORMATS: tuple[Format, ...] = (*FORMATS, FULL, SOME, BARE)
WRITABLE = tuple(format for format in ALL_FORMATS if format.create is not None)


def name_of(format: Format) -> str:
    return format.name


def contents(folder: Path) -> dict[str, bytes]:
    """Every file in a folder with its bytes."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
