"""The files of a base while it grows: pieces of batches get their places, numbers and ids here, in their order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import numpy as np

from tabiya.errors import UnsupportedError
from tabiya.formats.cbh import cbj, cbm, cbtt, flags
from tabiya.formats.cbh.blobs import PROLOG
from tabiya.formats.cbh.cbh import GAME, HEADER, TEXT
from tabiya.formats.cbh.cbj import NO_ID
from tabiya.formats.cbh.cbj import RECORD as CBJ
from tabiya.formats.cbh.entity_codec import UNKNOWN_ID, Encoded
from tabiya.formats.cbh.entity_tables import EntityTable
from tabiya.formats.cbh.files import MAIN
from tabiya.formats.cbh.ini import DESCRIPTION, format_ini
from tabiya.formats.cbh.window import ENTITY_KINDS, ROLES
from tabiya.game.annotations import TextEncoding

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.formats.cbh.encoding import EncodedBatch
    from tabiya.formats.cbh.headers import Group
    from tabiya.formats.cbh.layout import Records
    from tabiya.formats.cbh.swap import Swap

__all__ = ["MOST_BYTES", "MOST_RECORDS", "TABLES", "BaseBuilder", "check_room"]

MOST_BYTES: Final = 0x7FFFFFFF
"""ChessBase's own numbers for sizes have 32 bits with a sign."""
MOST_RECORDS: Final = 0xFFFFFF
"""Annotations name their game in 24 bits."""
_TWINS: Final = ".cbtt"
_TEXT_REFERENCES: Final = ("tournament", "source", "annotator")
TABLES: Final = {role.reference: role.suffix for role in ROLES if role.suffix != _TWINS}
"""The entity file of each reference."""


def check_room(suffix: str, size: int, path: Path) -> None:
    """Refuse a file that ChessBase could not use, before it is there."""
    if size > MOST_BYTES:
        raise UnsupportedError(
            f"the {suffix} file would be larger than 2 GB, more than a ChessBase database can hold; "
            "write the games into several databases",
            path=path,
        )


class BaseBuilder:
    """A base that is being put together in temporary files."""

    def __init__(
        self, swap: Swap, encoding: TextEncoding, title: str, *, text_encoding: TextEncoding | None = None
    ) -> None:
        self.encoding = encoding
        self.text_encoding = text_encoding or encoding
        """How comments and titles are stored, which in an old base need not be the way of names."""
        self.kept: frozenset[str] = frozenset()
        """Suffixes of files that stay as they are."""
        self.count = 0
        self.tables = {kind.suffix: EntityTable(kind) for kind in ENTITY_KINDS}
        self.header: dict[str, Any] = dict(HEADER.decode(HEADER.encode({})))
        self.prolog_sizes = {".cbg": PROLOG.size, ".cba": PROLOG.size}
        self.wasted = {".cbg": 0, ".cba": 0}
        self.twin_size = cbtt.RECORD.size
        self.manifests = bytearray()
        self.top_games: list[NDArray[np.uint8]] = []
        self._pairs: dict[tuple[bytes, bytes], Encoded] = {}
        self._swap = swap
        self.ini = format_ini({DESCRIPTION: {"Type": "0", "Title": title, "Usage": "1"}}, encoding)
        self._streams: dict[str, BinaryIO] = {suffix: swap.open(suffix) for suffix in (MAIN, ".cbg", ".cba", ".cbj")}
        self._streams[MAIN].write(HEADER.encode({}))
        self._streams[".cbj"].write(cbj.HEADER.encode({}))
        self.sizes = {suffix: self._streams[suffix].write(PROLOG.encode({})) for suffix in (".cbg", ".cba")}

    def stream(self, suffix: str) -> BinaryIO:
        """The file of a suffix that grows: .cbh, .cbg, .cba or .cbj."""
        return self._streams[suffix]

    # Growing.

    def add(self, pieces: EncodedBatch) -> None:
        """Put the records of a batch behind those that are there."""
        path = self._swap.main
        if self.count + len(pieces) > MOST_RECORDS:
            raise UnsupportedError(f"a ChessBase database holds {MOST_RECORDS:,} records, not more", path=path)
        numbers = np.arange(self.count + 1, self.count + 1 + len(pieces), dtype=np.int64)
        _renumber(pieces, numbers)
        games, extended = pieces.headers.games, pieces.headers.cbj
        is_text = (GAME.column(games, "marks") & np.uint8(2)) != 0
        ids = self._ids(pieces)
        self._refer(games, extended, ids, is_text, numbers)
        for suffix, data, sizes in (
            (".cbg", pieces.moves, pieces.move_sizes),
            (".cba", [pieces.annotations], pieces.annotation_sizes),
        ):
            check_room(suffix, self.sizes[suffix] + int(sizes.sum()), path)
            places = self.sizes[suffix] + np.cumsum(sizes) - sizes
            self._put_offsets(games, extended, f"{suffix[1:]}_offset", np.where(sizes > 0, places, 0), is_text)
            for part in data:
                self._streams[suffix].write(part)
            self.sizes[suffix] += int(sizes.sum())
        CBJ.put(extended, "media", self._add_manifests(pieces))
        CBJ.put(extended, "checksum", cbj.checksums(extended))
        self._streams[MAIN].write(games.tobytes())
        self._streams[".cbj"].write(extended.tobytes())
        self.top_games.append(pieces.top_games)
        for name, used in zip(("next_sound", "next_picture", "next_video"), pieces.media, strict=True):
            self.header[name] = max(int(self.header[name]), used + 1 if used else 0)
        self.count += len(pieces)

    def _put_offsets(
        self,
        games: Records,
        extended: Records,
        name: str,
        places: NDArray[np.int64],
        is_text: NDArray[np.bool_],
    ) -> None:
        rows = slice(None) if name == "cbg_offset" else ~is_text  # the records of texts have something else there
        column = GAME.column(games, name)
        column[rows] = places[rows]
        GAME.put(games, name, column)
        CBJ.put(extended, name, places)

    def _ids(self, pieces: EncodedBatch) -> dict[str, NDArray[np.int64]]:
        """The ids of each reference; entities that are new get theirs in the order of the records."""
        twins = next(twin for twin in pieces.groups if twin[0].role.suffix == _TWINS)
        groups = {
            group.role.reference: self._with_twins(group, encoded, *twins)
            if group.role.reference == twins[0].role.reference
            else (group.of_record, group.firsts, encoded)
            for group, encoded in pieces.groups
            if group.role.suffix != _TWINS
        }
        numbers = {reference: [each.number for each in encoded] for reference, (_, _, encoded) in groups.items()}
        for suffix, table in self.tables.items():
            references = [reference for reference in groups if TABLES[reference] == suffix]
            new = [
                (first, side, place)
                for side, reference in enumerate(references)
                for first, place in _unknown(*groups[reference][:2], numbers[reference])
            ]
            for _, side, place in sorted(new):
                each = groups[references[side]][2][place]
                each.number = table.intern(each.content or b"", each.twin)
                numbers[references[side]][place] = each.number
        return {
            reference: np.array([*numbers[reference], NO_ID], np.int64)[places]
            for reference, (places, _, _) in groups.items()
        }

    def _with_twins(
        self, group: Group, encoded: list[Encoded], other: Group, twins: list[Encoded]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], list[Encoded]]:
        """Tournaments together with their records in .cbtt: only if these are equal, too, they are the same."""
        pairs, firsts, places = np.unique(
            np.stack([group.of_record, other.of_record]), axis=1, return_index=True, return_inverse=True
        )
        found = []
        for place, twin_place in pairs.T.tolist():
            twin = (twins[twin_place].content if twin_place >= 0 else None) or b""
            key = (encoded[place].content or b"", twin)
            known = self._pairs.get(key)
            if known is None:
                known = self._pairs[key] = Encoded(encoded[place].content, (), twin)
            found.append(known)
        return places.reshape(-1), firsts, found

    def _refer(
        self,
        games: Records,
        extended: Records,
        ids: dict[str, NDArray[np.int64]],
        is_text: NDArray[np.bool_],
        numbers: NDArray[np.int64],
    ) -> None:
        rows = np.flatnonzero(is_text)
        texts = games[rows].view(TEXT.dtype)
        for reference, found in ids.items():
            self.tables[TABLES[reference]].count(found, numbers)
            if reference in CBJ:
                CBJ.put(extended, reference, found)
                continue
            GAME.put(games, reference, np.maximum(found, 0))
            if reference in _TEXT_REFERENCES:
                TEXT.put(texts, reference, found[rows])
        games[rows] = texts.view(GAME.dtype)

    def _add_manifests(self, pieces: EncodedBatch) -> NDArray[np.int64]:
        offsets = np.full(len(pieces), NO_ID, np.int64)
        for row, text in pieces.manifests.items():
            offsets[row] = cbm.HEADER.size + len(self.manifests) + cbm.RECORD_HEAD.size
            self.manifests += cbm.encode_manifest(text)
        return offsets

    # The end.

    def finish(self) -> None:
        """Write what is known only at the end."""
        again = 0 if self.header["generation"] == _OLD_GENERATION else self.count + 1
        self.header |= {"next_game": self.count + 1, "next_game_again": again}
        _overwrite(self._streams[MAIN], HEADER.encode(self.header))
        _overwrite(self._streams[".cbj"], cbj.HEADER.encode({"records": self.count}))
        for suffix, size in self.sizes.items():
            prolog = {
                "prolog_size": self.prolog_sizes[suffix],
                "file_size": size,
                "wasted": self.wasted[suffix],
                "file_size_64": size,
                "wasted_64": self.wasted[suffix],
            }
            _overwrite(self._streams[suffix], PROLOG.encode(prolog)[: self.prolog_sizes[suffix]])
        for suffix, table in self.tables.items():
            self._swap.open(suffix).write(table.encode())
        self._swap.open(_TWINS).write(self._twins())
        records = len(self.manifests) // cbm.RECORD_SIZE
        self._swap.open(".cbm").write(cbm.HEADER.encode({"records": records}) + self.manifests)
        if ".ini" not in self.kept:
            self._swap.open(".ini").write(self.ini)
        marks = np.concatenate([*self.top_games, np.zeros(0, np.uint8)])
        if marks.any():
            self._swap.open(".flags").write(flags.encode_top_games(marks))

    def _twins(self) -> bytes:
        """The file .cbtt: records up to the last tournament that has something to say there."""
        twins = self.tables[".cbt"].twins
        size = max([self.twin_size, *map(len, twins.values())])
        size = min(known for known in cbtt.VERSION_SIZES.values() if known >= size)
        version = next(
            (number for number, known in cbtt.VERSION_SIZES.items() if known == size), max(cbtt.VERSION_SIZES)
        )
        layout = cbtt.RECORD.cut(size)
        highest = max(twins, default=NO_ID)
        records = layout.new(highest + 1).view(np.uint8).reshape(highest + 1, size)
        for number, twin in twins.items():
            records[number] = np.frombuffer(twin.ljust(size, b"\0"), np.uint8)
        header = {"version": version, "record_size": size, "highest_id": max(highest, 0)}
        return cbtt.HEADER.encode(header) + records.tobytes()


_OLD_GENERATION: Final = 0x24


def _unknown(places: NDArray[np.int64], firsts: NDArray[np.int64], numbers: list[int]) -> list[tuple[int, int]]:
    """First record and place of the entities that have no id yet, of those that a record refers to."""
    if UNKNOWN_ID not in numbers:
        return []
    used = np.zeros(len(numbers) + 1, np.bool_)
    used[places] = True
    new = np.flatnonzero((np.array(numbers) == UNKNOWN_ID) & used[:-1])
    return list(zip(firsts[new].tolist(), new.tolist(), strict=True))


def _renumber(pieces: EncodedBatch, numbers: NDArray[np.int64]) -> None:
    """Give annotations the numbers of their games, where these have changed."""
    sizes = pieces.annotation_sizes
    rows = np.flatnonzero((sizes > 0) & (pieces.numbers != numbers))
    if not len(rows):
        return
    data = np.frombuffer(pieces.annotations, np.uint8)
    begins = (np.cumsum(sizes) - sizes)[rows]
    for place, shift in enumerate((16, 8, 0)):
        data[begins + place] = (numbers[rows] >> shift).astype(np.uint8)


def _overwrite(stream: BinaryIO, head: bytes) -> None:
    stream.seek(0)
    stream.write(head)
