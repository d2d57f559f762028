"""An EPD file open for reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

from tabiya.formats.epd import EPD
from tabiya.formats.epd.chunks import Chunk, chunks
from tabiya.formats.epd.read_kernel import read_lines
from tabiya.formats.stretches import AUTO_ENCODING, StretchDatabase
from tabiya.game.assemble import assemble, new_builder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.formats.format import Place
    from tabiya.game import GameBatch


class EpdDatabase(StretchDatabase[Chunk]):
    """The positions of an EPD file or stream, one per line; blank lines are skipped."""

    def __init__(self, place: Place, *, encoding: str = AUTO_ENCODING) -> None:
        super().__init__(place, EPD, encoding=encoding)

    def _read_stretches(self, stream: BinaryIO, offset: int) -> Iterator[Chunk]:
        return chunks(stream, offset=offset)

    def _parse(self, stretch: Chunk, *, bare: bool = False) -> GameBatch:  # noqa: ARG002 - its lines are short
        builder = new_builder()
        read_lines(builder, stretch.data, stretch.offset, self._page, self._always_page)
        return assemble(builder.finish())

    def _records_of(self, stretch: Chunk, start: int, stop: int) -> GameBatch:
        return self._parse(stretch)[start:stop]
