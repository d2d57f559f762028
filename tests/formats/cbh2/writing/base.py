"""A whole base: records are added one by one, then the files are put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tests.formats.cbh2.writing import container, derived, headers
from tests.formats.cbh2.writing.container import BodyFile
from tests.formats.cbh2.writing.entities import Entity, EntityFile
from tests.formats.cbh2.writing.notes import END
from tests.formats.cbh2.writing.stream import to_bytes

SUFFIXES = (".2cbh", ".2cbg", ".2cba", ".2lid", ".2lgd", ".2lcd", ".ini")

Spare = Callable[[int], int | None]
"""The number of spare bytes after the body of a record, by its number from 0; None for that of a fresh record."""


@dataclass
class Record:
    """The header of a record; its entities are ids by the names of ``headers.REFERENCES``."""

    kind: str
    values: dict[str, int | bytes]
    moves: int
    """The index of its body in ``.2cbg``."""
    annotations: int | None
    deleted: bool = False


@dataclass
class Base:
    """The contents of all files."""

    version: int = 5
    entities: EntityFile = field(default_factory=EntityFile)
    spare: Spare = lambda _number: None
    title: str = ""
    records: list[Record] = field(default_factory=list)

    @cached_property
    def moves(self) -> BodyFile:
        """The bodies of ``.2cbg``."""
        return BodyFile(".2cbg", self.version)

    @cached_property
    def annotations(self) -> BodyFile:
        """The bodies of ``.2cba``."""
        return BodyFile(".2cba", self.version)

    def add_game(
        self,
        references: Mapping[str, Entity | None],
        values: Mapping[str, int | bytes],
        tag: bytes,
        words: Sequence[int],
        annotations: bytes = END,
        *,
        kind: str = headers.GAME,
        deleted: bool = False,
    ) -> None:
        """Add a game or an analysis; ``references`` are its entities, None for no team."""
        spare = self.spare(len(self.records))
        moves, notes = len(self.moves.bodies), len(self.annotations.bodies)
        self.moves.add(tag, to_bytes(words), spare)
        self.annotations.add(container.ANNOTATIONS, annotations, spare)
        found = {**self._ids(references), **values}
        self.records.append(Record(kind, found, moves, notes, deleted))

    def add_text(
        self,
        references: Mapping[str, Entity | None],
        values: Mapping[str, int | bytes],
        content: bytes,
        *,
        deleted: bool = False,
    ) -> None:
        """Add a guiding text."""
        spare = self.spare(len(self.records))
        moves = len(self.moves.bodies)
        self.moves.add(container.TEXT, content, spare)
        found = {**self._ids(references), **values}
        self.records.append(Record(headers.TEXT, found, moves, None, deleted))

    def _ids(self, references: Mapping[str, Entity | None]) -> dict[str, int]:
        return {
            name: headers.NO_TEAM if entity is None else self.entities.id_of(entity)
            for name, entity in references.items()
        }

    def headers(self) -> bytes:
        """The file of headers."""
        moves, notes = self.moves.offsets(), self.annotations.offsets()
        parts = [headers.file_header(len(self.records), self.version)]
        for record in self.records:
            values = {**record.values, "moves_at": moves[record.moves]}
            if record.annotations is not None:
                values["annotations_at"] = notes[record.annotations]
            parts.append(headers.header_record(record.kind, values, deleted=record.deleted))
        return b"".join(parts)

    def files(self) -> dict[str, bytes]:
        """All files by suffix."""
        return {
            ".2cbh": self.headers(),
            ".2cbg": self.moves.encode(),
            ".2cba": self.annotations.encode(),
            ".2lid": self.entities.encode(),
            ".2lgd": derived.game_lists(self.entities, self._uses()),
            ".2lcd": derived.sort_orders(self.entities, self._uses()),
            ".ini": f"[Descr2CBG]\r\nType=0\r\nTitle={self.title}\r\n".encode(),
        }

    def _uses(self) -> derived.Uses:
        """The numbers of the games of each entity, by role."""
        uses: derived.Uses = {}
        for number, record in enumerate(self.records, start=1):
            for name, kind, role in derived.ROLES[record.kind]:
                entity = record.values.get(name, headers.NO_TEAM)
                if isinstance(entity, int) and entity >= 0:
                    uses.setdefault((kind, role), {}).setdefault(entity, []).append(number)
        return uses

    def write(self, stem: Path) -> Path:
        """Write all files; ``stem`` may contain dots. Returns the path of the headers."""
        for suffix, data in self.files().items():
            stem.with_name(stem.name + suffix).write_bytes(data)
        return stem.with_name(stem.name + ".2cbh")
