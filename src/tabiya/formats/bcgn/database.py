"""A BCGN file open for reading."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from tabiya.formats.bcgn import BCGN
from tabiya.formats.bcgn.entries import Stretch, stretches
from tabiya.formats.bcgn.file_header import HEADER_BYTES, FileHeader
from tabiya.formats.bcgn.read_kernel import read_games
from tabiya.formats.stretches import AUTO_ENCODING, StretchDatabase, read_fully
from tabiya.game.assemble import assemble, new_builder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabiya.formats.format import Place
    from tabiya.game import GameBatch
    from tabiya.game.record import Problem


@dataclass(slots=True)
class _Tally:
    """Counts from a complete pass over the file."""

    entries: int = 0
    plies: int = 0
    movetext: int = 0
    size: int = HEADER_BYTES

    def add(self, stretch: Stretch) -> None:
        self.entries += stretch.count
        self.plies += stretch.plies
        self.movetext += stretch.movetext
        self.size = stretch.offset + len(stretch.data)


class BcgnDatabase(StretchDatabase[Stretch]):
    """The games of a BCGN file or stream, which has no index: games are found by following their lengths, once."""

    def __init__(self, place: Place, *, encoding: str = AUTO_ENCODING) -> None:
        super().__init__(place, BCGN, encoding=encoding, begin=HEADER_BYTES)
        self._tally: _Tally | None = None
        if isinstance(place, Path):
            with place.open("rb") as file:
                self._header = FileHeader.decode(file.read(HEADER_BYTES), place)
        else:
            self._header = FileHeader.decode(read_fully(place, HEADER_BYTES), None)

    @property
    def level(self) -> int:
        """The compression level: 0 two bytes per move, 1 the move index, 2 as few bits as possible."""
        return self._header.level

    @property
    def headerless(self) -> bool:
        """Whether the file contains only moves and results."""
        return self._header.headerless

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Anomalies of the file header."""
        return self._header.problems

    def details(self) -> dict[str, str | int | float]:
        """Return level and flags, and the space that games and moves take."""
        facts: dict[str, str | int | float] = {
            "level": self.level,
            "flags": "headerless" if self.headerless else "none",
        }
        if self._tally is None and self._place is not None:
            self._find_places()
        if self._tally is not None and self._tally.entries:
            facts["bytes per game"] = round((self._tally.size - HEADER_BYTES) / self._tally.entries, 1)
        if self._tally is not None and self._tally.plies:
            facts["bits per move"] = round(8 * self._tally.movetext / self._tally.plies, 2)
        return facts

    # Reading.

    def _read_stretches(self, stream: BinaryIO, offset: int) -> Iterator[Stretch]:
        return stretches(stream, self._header, offset=offset)

    def _stretches(self) -> Iterator[Stretch]:
        tally = _Tally()
        for stretch in super()._stretches():
            tally.add(stretch)
            yield stretch
        self._tally = tally

    def _parse(self, stretch: Stretch, *, bare: bool = False) -> GameBatch:
        builder = new_builder()
        read_games(
            builder,
            stretch.data,
            stretch.ends,
            stretch.offset,
            self.level,
            self.headerless,
            stretch.final,
            bare,
            self._page,
            self._always_page,
        )
        return assemble(builder.finish())

    def _records_of(self, stretch: Stretch, start: int, stop: int) -> GameBatch:
        return self._parse(stretch.part(start, stop))
