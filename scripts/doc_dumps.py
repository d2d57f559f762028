"""The worked hex dumps of the documentation: a block of text below a comment that names its file.

    <!-- dump: worked.cbh tabiya.formats.cbh.files.cbh.GAME -->

A line has an offset, bytes, and what they mean; ``00*5`` stands for five zeros. ``name = 5`` and ``name = "text"`` are
values; ``move e4``, ``NAG 1`` and ``text "…"`` are parts of the game. The second word of the comment is the ``Layout``
of the record, or the byte order of its numbers. ``tests/test_doc_dumps.py`` compares all of it with files and decoders.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
FORMAT_PAGES = ROOT / "docs" / "formats"
_BLOCK = re.compile(r"^<!-- dump: (\S+) (\S+) -->\n+```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"([0-9a-f]{3,6})  ((?:[0-9a-f]{2}(?:\*\d+)? )*[0-9a-f]{2}(?:\*\d+)?)(?: {2,}(\S.*))?")


@dataclass(frozen=True, slots=True)
class Line:
    """Some bytes and their meaning."""

    offset: int
    data: bytes
    meaning: str


@dataclass(frozen=True, slots=True)
class Dump:
    """A worked dump: where it is, its file, and its layout or byte order."""

    page: str
    source: str
    layout: str
    lines: tuple[Line, ...]


def data_of(text: str) -> bytes:
    """Return printed bytes."""
    parts = (part.partition("*") for part in text.split())
    return b"".join(bytes.fromhex(byte) * int(times or 1) for byte, _, times in parts)


def _lines(block: str) -> Iterator[Line]:
    for row in block.splitlines():
        match = _LINE.fullmatch(row)
        if match is None:
            raise ValueError(f"not a line of a dump: {row}")
        yield Line(int(match[1], 16), data_of(match[2]), match[3] or "")


def dumps() -> Iterator[Dump]:
    """Yield the dumps of all pages about formats."""
    for path in sorted(FORMAT_PAGES.glob("*.md")):
        for source, layout, block in _BLOCK.findall(path.read_text("utf-8")):
            yield Dump(path.name, source, layout, tuple(_lines(block)))
