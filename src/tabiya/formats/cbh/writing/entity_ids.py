"""Ids for the records of batches: each entity gets one when it first occurs, and equal entities share it."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, Final

import numpy as np

from tabiya.chessbase.record_marks import is_text
from tabiya.formats.cbh.entities import cbtt
from tabiya.formats.cbh.files.cbh import GAME, TEXT
from tabiya.formats.cbh.files.cbj import NO_ID
from tabiya.formats.cbh.files.cbj import RECORD as CBJ
from tabiya.formats.cbh.reading.header_window import ROLES
from tabiya.formats.cbh.writing.entity_codec import UNKNOWN_ID, Encoded, Memory
from tabiya.formats.cbh.writing.entity_tables import AT_ONCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.formats.cbh.writing.batch_encoding import EncodedBatch
    from tabiya.formats.cbh.writing.entity_tables import EntityTable
    from tabiya.formats.cbh.writing.header_records import Group

_CBTT_SUFFIX: Final = ".cbtt"
_TEXT_REFERENCES: Final = ("tournament", "source", "annotator")
TABLES: Final = {role.reference: role.suffix for role in ROLES if role.suffix != _CBTT_SUFFIX}
"""The entity file of each reference."""


class EntityAssigner:
    """The entities of a growing base."""

    def __init__(self, tables: dict[str, EntityTable], cbtt_size: int = cbtt.RECORD.size) -> None:
        self.tables = tables
        self._cbtt_size = cbtt_size
        self._pairs: Memory[tuple[bytes, bytes]] = Memory()

    def assign(self, pieces: EncodedBatch, numbers: NDArray[np.int64]) -> None:
        """Set the ids of entities in the records of a batch, which get these numbers."""
        _renumber(pieces, numbers)
        games, extended = pieces.headers.games, pieces.headers.cbj
        rows = np.flatnonzero(is_text(GAME.column(games, "marks")))
        texts = games[rows].view(TEXT.dtype)
        for reference, found in self._ids(pieces).items():
            self.tables[TABLES[reference]].count(found, numbers)
            if reference in CBJ:
                CBJ.put(extended, reference, found)
                continue
            GAME.put(games, reference, np.maximum(found, 0))
            if reference in _TEXT_REFERENCES:
                TEXT.put(texts, reference, found[rows])
        games[rows] = texts.view(GAME.dtype)

    def _ids(self, pieces: EncodedBatch) -> dict[str, NDArray[np.int64]]:
        """Return the ids of each reference; new entities get theirs in the order of the records."""
        cbtts = next(cbtt_data for cbtt_data in pieces.groups if cbtt_data[0].role.suffix == _CBTT_SUFFIX)
        groups = {
            group.role.reference: self._with_cbtt(group, encoded, *cbtts)
            if group.role.reference == cbtts[0].role.reference
            else (group.of_record, group.firsts, encoded)
            for group, encoded in pieces.groups
            if group.role.suffix != _CBTT_SUFFIX
        }
        numbers = {reference: [each.number for each in encoded] for reference, (_, _, encoded) in groups.items()}
        for suffix, table in self.tables.items():
            references = [reference for reference in groups if TABLES[reference] == suffix]
            new = [
                (first, side, place)
                for side, reference in enumerate(references)
                for first, place in _unknown(*groups[reference][:2], numbers[reference])
            ]
            new.sort()
            entities = [groups[references[side]][2][place] for _, side, place in new]
            ids = table.intern([(each.content or b"", each.cbtt_data) for each in entities]) if new else []
            for (_, side, place), each, number in zip(new, entities, ids, strict=True):
                numbers[references[side]][place] = each.number = number
        return {
            reference: np.array([*numbers[reference], NO_ID], np.int64)[places]
            for reference, (places, _, _) in groups.items()
        }

    def _with_cbtt(
        self, group: Group, encoded: list[Encoded], other: Group, cbtts: list[Encoded]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], list[Encoded]]:
        """Return tournaments together with their records in .cbtt: they are the same only if these are equal, too."""
        codes = group.of_record * (len(cbtts) + 1) + other.of_record + 1
        _, firsts, places = np.unique(codes, return_index=True, return_inverse=True)
        tournaments, keys = group.of_record[firsts].tolist(), []
        for place, cbtt_place in zip(tournaments, other.of_record[firsts].tolist(), strict=True):
            cbtt_data = (cbtts[cbtt_place].content if cbtt_place >= 0 else None) or b""
            keys.append((encoded[place].content or b"", cbtt_data))
        found = [
            known or self._pairs.keep(key, Encoded(encoded[place].content, (), key[1]))
            for key, known, place in zip(keys, self._pairs.find(keys), tournaments, strict=True)
        ]
        return places.reshape(-1), firsts, found

    def write_cbtt(self, stream: BinaryIO) -> None:
        """Write .cbtt: records up to the last tournament that has an entry there."""
        table = self.tables[".cbt"]
        sizes = table.cbtt_sizes
        size = max(self._cbtt_size, int(sizes.max(initial=0)))
        size = min(known for known in cbtt.VERSION_SIZES.values() if known >= size)
        version = next(
            (number for number, known in cbtt.VERSION_SIZES.items() if known == size), max(cbtt.VERSION_SIZES)
        )
        layout = cbtt.RECORD.cut(size)
        header = {"version": version, "record_size": size, "highest_id": max(len(sizes) - 1, 0)}
        stream.write(cbtt.HEADER.encode(header))
        for begin in range(0, len(sizes), AT_ONCE):
            end = min(begin + AT_ONCE, len(sizes))
            records = layout.new(end - begin).view(np.uint8).reshape(end - begin, size)
            for number, cbtt_data in table.cbtts(begin, end):
                records[number - begin] = np.frombuffer(cbtt_data.ljust(size, b"\0"), np.uint8)
            stream.write(records.tobytes())


def _unknown(places: NDArray[np.int64], firsts: NDArray[np.int64], numbers: list[int]) -> list[tuple[int, int]]:
    """Return first record and index of the referenced entities that have no id yet."""
    if UNKNOWN_ID not in numbers:
        return []
    used = np.zeros(len(numbers) + 1, np.bool_)
    used[places] = True
    new = np.flatnonzero((np.array(numbers) == UNKNOWN_ID) & used[:-1])
    return list(zip(firsts[new].tolist(), new.tolist(), strict=True))


def _renumber(pieces: EncodedBatch, numbers: NDArray[np.int64]) -> None:
    """Store the new numbers of games in annotations, where they have changed."""
    sizes = pieces.annotation_sizes
    rows = np.flatnonzero((sizes > 0) & (pieces.numbers != numbers))
    if not len(rows):
        return
    data = np.frombuffer(pieces.annotations, np.uint8)
    begins = (np.cumsum(sizes) - sizes)[rows]
    for place, shift in enumerate((16, 8, 0)):
        data[begins + place] = (numbers[rows] >> shift).astype(np.uint8)
