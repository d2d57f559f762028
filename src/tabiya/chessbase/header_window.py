"""Consecutive records of a database, their fields as columns, never from a body: what the formats have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

import numpy as np
import pyarrow as pa

from tabiya.chessbase.codes import CHESS960_ECO, ECO_CODES, RESULTS, date_parts, eco_places, is_canonical_date
from tabiya.chessbase.game_flags import Flag
from tabiya.chessbase.list_columns import Piece, keyed_lists, problem_lists
from tabiya.chessbase.name_columns import code_texts, dense, interned, or_null
from tabiya.chessbase.record_marks import Mark, is_deleted, is_text
from tabiya.chessbase.shared_bodies import REFUSED_BODY
from tabiya.game.record import RecordKind, Variant
from tabiya.game.schema import EXTRA, TAG

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from tabiya.binary import Records
    from tabiya.chessbase.header_fields import Carrier, HeaderLayout

_NO_RESULT: Final = 255
_RESULT_CODES: Final = np.array([*RESULTS, *[_NO_RESULT] * (256 - len(RESULTS))], np.uint8)


class HeaderWindow(ABC):
    """The records from ``start`` up to ``stop``, counted from 0.

    Formats define the layouts of records, and how they find entities and bodies.
    """

    _layout: ClassVar[HeaderLayout]
    """The layout of games, which every record has at first."""
    _roles: ClassVar[tuple[Any, ...]]
    """All references to entities."""
    _unused_record: ClassVar[int]
    _shared_body: ClassVar[int]
    """The codes of two problems."""

    source: Any
    """The files; ``games`` are all records."""

    def __init__(self, source: Any, start: int, stop: int) -> None:
        self.source = source
        self.start = start
        self.records: Records = source.games[start:stop]
        self.count = len(self.records)
        self.marks = self._layout.column(self.records, "marks")
        self.is_text = is_text(self.marks)
        self.refused: dict[str, NDArray[np.bool_]] = {}
        """Suffixes whose bodies are not read because too many records share them."""
        self._rows = self._rows_by_layout()
        self._fields: dict[str, NDArray[Any]] = {}
        self._known_sizes: dict[str, NDArray[np.int64]] = {}

    @abstractmethod
    def _rows_by_layout(self) -> dict[HeaderLayout, NDArray[np.int64]]:
        """Return the rows of the records that have another layout than games."""

    @abstractmethod
    def offsets(self, suffix: str) -> NDArray[np.int64]:
        """Return the offsets of the bodies in a file."""

    @abstractmethod
    def _sizes(self, suffix: str, data: Any) -> NDArray[np.int64]: ...

    @abstractmethod
    def _rounds(self) -> pa.Array: ...

    @abstractmethod
    def _names(self, role: Any, carrier: Carrier) -> pa.Array:
        """Return a column of the entities in a role."""

    @abstractmethod
    def _pieces(self, *, tags: bool) -> Iterable[Piece]:
        """Return all tags without columns, or all extras."""

    @abstractmethod
    def _entity_problems(self) -> Iterator[Piece]:
        """Yield references to entities that do not exist, are deleted, or are damaged."""

    def part(self, begin: int, end: int) -> Self:
        """Return some of these records."""
        part = type(self)(self.source, self.start + begin, self.start + end)
        part.refused = {suffix: each[begin:end] for suffix, each in self.refused.items()}
        part._known_sizes = {suffix: each[begin:end] for suffix, each in self._known_sizes.items()}
        return part

    # Fields of the records.

    def field(self, name: str) -> NDArray[Any]:
        """Return a field of all records; those of another layout than games have 0 where they lack it."""
        values = self._fields.get(name)
        if values is None:
            values = self._fields[name] = self._layout.column(self.records, name)
            for layout, rows in self._rows.items():
                if len(rows):
                    values[rows] = layout.column(self._of(layout), name) if name in layout else 0
            values.flags.writeable = False
        return values

    def _of(self, layout: HeaderLayout) -> Records:
        """Return the records of a layout."""
        return self.records[self._rows[layout]].view(layout.dtype)

    @cached_property
    def _is_game(self) -> NDArray[np.bool_]:
        """Which records have the layout of games."""
        found = np.ones(self.count, np.bool_)
        for rows in self._rows.values():
            found[rows] = False
        return found

    @cached_property
    def has_setup(self) -> NDArray[np.bool_]:
        """Which games begin from a set-up position, according to their flags; those without flags may do so."""
        flags = self.field("flags") & np.uint32(Flag.SETUP | Flag.UNORTHODOX)
        found: NDArray[np.bool_] = (flags != 0) | (self.field("eco") >= CHESS960_ECO) | ~self._is_game
        return found & ~self.is_text

    # Bodies.

    def sizes(self, suffix: str, data: Any) -> NDArray[np.int64]:
        """Return the sizes of the bodies in a file, as far as it contains them."""
        if suffix not in self._known_sizes:
            self._known_sizes[suffix] = self._sizes(suffix, data)
        return self._known_sizes[suffix]

    def further_sizes(self) -> NDArray[np.int64]:
        """Return the sizes of data in other files that are read with the bodies."""
        return np.zeros(self.count, np.int64)

    def selected_offsets(self, suffix: str) -> NDArray[np.int64]:
        """Return the offsets of the bodies to read; REFUSED_BODY for all others."""
        offsets = self.offsets(suffix)
        return np.where(self.refused[suffix], REFUSED_BODY, offsets) if suffix in self.refused else offsets

    # Columns of a batch.

    def header_columns(self) -> dict[str, pa.Array]:
        """Return the columns of HEADER_SCHEMA that a header contains; a set-up position is in the body."""
        ecos = self.field("eco")
        results = np.where(self._is_game, _RESULT_CODES[self.field("result")], np.uint8(_NO_RESULT))
        variants = np.where(ecos >= CHESS960_ECO, np.uint8(Variant.CHESS960), np.uint8(Variant.STANDARD))
        columns = {
            "number": pa.array(np.arange(self.start + 1, self.start + 1 + self.count, dtype=np.int64)),
            "kind": pa.array(np.where(self.is_text, np.uint8(RecordKind.TEXT), np.uint8(RecordKind.GAME))),
            "deleted": pa.array(is_deleted(self.marks)),
            "variant": pa.array(variants),
            "start": pa.nulls(self.count, pa.string()),
            "eco": interned(*dense(eco_places(ecos), len(ECO_CODES)), code_texts(ECO_CODES.__getitem__)),
            "round": self._rounds(),
            "white_elo": or_null(self.field("white_elo"), 0, pa.uint16()),
            "black_elo": or_null(self.field("black_elo"), 0, pa.uint16()),
            "result": or_null(results, _NO_RESULT, pa.uint8()),
            "tags": self.tags(),
        }
        dates = self.field("date")
        dates = np.where(is_canonical_date(dates), dates, 0)
        kinds = (pa.uint16(), pa.uint8(), pa.uint8())
        for name, part, kind in zip(("year", "month", "day"), date_parts(dates), kinds, strict=True):
            columns[name] = or_null(part, 0, kind)
        for role in self._roles:
            for name, carrier in role.columns.items():
                columns[name] = self._names(role, carrier)
        return columns

    def tags(self) -> pa.Array:
        """Return the tags without columns of their own."""
        return keyed_lists(self._pieces(tags=True), self.count, TAG)

    def extras(self) -> pa.Array:
        """Return the data that is in neither columns nor tags."""
        return keyed_lists(self._pieces(tags=False), self.count, EXTRA)

    # Problems.

    def problems(self) -> pa.Array:
        """Return the problems of these records."""
        unused = np.flatnonzero((self.marks & np.uint8(Mark.USED)) == 0)
        pieces = [self._noted(self._unused_record, unused, [""] * len(unused))]
        for suffix, refused in self.refused.items():
            rows = np.flatnonzero(refused)
            pieces.append(self._noted(self._shared_body, rows, [suffix] * len(rows)))
        return problem_lists([*pieces, *self._entity_problems()], self.count)

    def _noted(self, code: int, rows: NDArray[np.int64], texts: list[str]) -> Piece:
        """Return a problem of some records."""
        return Piece.at(code, rows, pa.array(texts, pa.string()), self.count)
