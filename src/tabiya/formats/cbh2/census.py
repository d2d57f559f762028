"""Facts about the bytes of a database, without contents of games: what is decoded, what is kept, what is odd.

For reports from databases that ChessBase wrote, which were not available when this reader was written.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.chessbase.record_marks import is_deleted, is_text
from tabiya.files.file_bytes import gathered
from tabiya.formats.cbh2.base_files import ANNOTATIONS, ENTITIES, MAIN, MOVES
from tabiya.formats.cbh2.container import HEAD, LEAST, record_sizes
from tabiya.formats.cbh2.container import HEADER as CONTAINER
from tabiya.formats.cbh2.database import Cbh2Database
from tabiya.formats.cbh2.header_window import BODIES
from tabiya.formats.cbh2.headers import GAME, Kind
from tabiya.formats.cbh2.lid_file import read_header
from tabiya.formats.cbh2.messages import NUMBERED
from tabiya.game.lists import members
from tabiya.game.record import RecordKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.formats.database import Database
    from tabiya.game import GameBatch

_KEPT: Final = {"2cbh.moves": MOVES, "2cbh.text_original": MOVES, "2cbh.annotations": ANNOTATIONS}
"""Keys of extras that contain the bytes of a body, by its file."""
_TAG_BYTES: Final = 2
"""Of the extra with moves, which begins with the tag of the record."""
_MOST_SPARES: Final = 12
_SHOWN_HEX: Final = 256


class Census:
    """Counts while the records of a database are read; ``add`` takes its batches in order."""

    def __init__(self, database: Cbh2Database) -> None:
        self._database = database
        self._kinds: Counter[str] = Counter()
        self._annotations: Counter[int] = Counter()
        self._sides: Counter[str] = Counter()
        self._extras: Counter[str] = Counter()
        self._noted: Counter[str] = Counter()
        self._bodies = {suffix: _Bodies(database.base_files.data(suffix)) for suffix in BODIES}

    def add(self, batch: GameBatch) -> None:
        """Count a batch."""
        records = batch.record_batch
        numbers = records["number"].to_numpy()
        headers = self._database.records[int(numbers[0]) - 1 : int(numbers[-1])] if len(numbers) else None
        if headers is None or len(headers) != len(numbers):
            return
        self._count_kinds(headers, records["kind"].to_numpy())
        kinds = records["annotations"].values.field("kind").to_numpy()
        self._annotations.update(
            dict(zip(*(each.tolist() for each in np.unique(kinds, return_counts=True)), strict=True))
        )
        self._count_extras(records)
        texts = is_text(GAME.column(headers, "marks"))
        for suffix, bodies in self._bodies.items():
            offsets = GAME.column(headers, f"{suffix[2:]}_offset")
            bodies.add(offsets[~texts] if suffix == ANNOTATIONS else offsets)
        for each in records["problems"].values.to_pylist():
            if each["code"] in NUMBERED:
                self._noted[f"{each['code']}: {each['text']}"] += 1

    def _count_kinds(self, headers: NDArray[np.void], kinds: NDArray[np.uint8]) -> None:
        marks = GAME.column(headers, "marks")
        texts = is_text(marks)
        analyses = (GAME.column(headers, "kind") == Kind.ANALYSIS) & ~texts
        counts = {
            "games": ~texts & ~analyses,
            "texts": texts,
            "analyses": analyses,
            "deleted": is_deleted(marks),
            "opaque": kinds == RecordKind.OPAQUE,
        }
        self._kinds.update({name: int(mask.sum()) for name, mask in counts.items()})

    def _count_extras(self, records: Any) -> None:
        """Count keys of extras, and the bytes of bodies that are kept."""
        extras, offsets = members(records["extras"])
        del offsets
        for key, value in zip(extras.field("key").to_pylist(), extras.field("value").to_pylist(), strict=True):
            if not key.startswith("2cbh."):
                continue
            self._extras[key] += 1
            if key in _KEPT:
                size = len(value) - (_TAG_BYTES if key == "2cbh.moves" else 0)
                self._bodies[_KEPT[key]].kept += size
                self._bodies[_KEPT[key]].kept_records += 1

    def facts(self) -> dict[str, Any]:
        """Return all counts."""
        return {
            "records": dict(self._kinds),
            "files": self._files(),
            "entities": self._entities(),
            "bodies": {suffix: bodies.facts() for suffix, bodies in self._bodies.items()},
            "annotations": {f"{kind:#04x}": count for kind, count in sorted(self._annotations.items())},
            "extras": dict(sorted(self._extras.items())),
            "noted": dict(self._noted.most_common()),
        }

    def _files(self) -> dict[str, Any]:
        files = self._database.base_files
        found: dict[str, Any] = {}
        for suffix, path in sorted(files.paths.items()):
            found[suffix] = {"size": path.stat().st_size}
        header = self._database.header
        fields = ("generation", "version", "record_size", "next_game", "unknown_12", "unknown_14")
        found[MAIN] |= {name: int(header[name]) for name in fields}
        found[MAIN]["rest"] = _hex(header["unknown_20"])
        for suffix in BODIES:
            data = files.data(suffix)
            if len(data) >= CONTAINER.size:
                found[suffix] |= {name: int(value) for name, value in CONTAINER.read(data).items()}
        return found

    def _entities(self) -> dict[str, Any]:
        data = self._database.base_files.data(ENTITIES)
        header = read_header(data)
        if header is None:
            return {}
        known = 8 + 20 * len(header.types)
        return {
            "header_size": header.size,
            "rest_of_header": _hex(bytes(data[known : min(header.size, known + _SHOWN_HEX)])),
            "types": [
                {"container": each.container, "entities": each.entities, "first_deleted": each.first_deleted}
                for each in header.types
            ],
        }


class _Bodies:
    """What is counted about the records of ``.2cbg`` or ``.2cba``."""

    def __init__(self, data: Any) -> None:
        self._data = data
        self._count: Counter[str] = Counter()
        self._tags: Counter[str] = Counter()
        self._spares: Counter[int] = Counter()
        self._end = CONTAINER.size
        self.kept = 0
        self.kept_records = 0

    def add(self, offsets: NDArray[np.int64]) -> None:
        """Count the frames of records."""
        offsets = offsets[offsets > 0]
        heads, places = gathered(self._data, offsets, np.where(record_sizes(self._data, offsets) > 0, HEAD.size, 0))
        inside = record_sizes(self._data, offsets) > 0
        self._count["outside the file"] += int((~inside).sum())
        for offset, place in zip(offsets[inside].tolist(), places[inside].tolist(), strict=True):
            head = HEAD.decode(heads[place : place + HEAD.size].tobytes())
            size, spare = head["size"], head["spare"]
            self._count["records"] += 1
            self._count["content bytes"] += max(0, size)
            self._tags[head["tag"].hex()] += 1
            self._spares[spare] += 1
            self._count["not back to back"] += offset != self._end
            self._end = offset + size + spare + LEAST
            begin = offset + HEAD.size + size
            self._count["spare bytes in use"] += any(self._data[begin : begin + max(0, spare)])

    def facts(self) -> dict[str, Any]:
        """Return the counts; every byte of a content is either decoded, or kept with its record."""
        total = self._count["content bytes"]
        return {
            **self._count,
            "bytes of records kept whole": self.kept,
            "records kept whole": self.kept_records,
            "bytes decoded": total - self.kept,
            "bytes behind the last record": max(0, len(self._data) - self._end),
            "tags": dict(self._tags.most_common()),
            "spare sizes": {str(size): count for size, count in self._spares.most_common(_MOST_SPARES)},
        }


def _hex(data: bytes) -> str:
    return data.rstrip(b"\0").hex()


def census(database: Database) -> Census | None:
    """Return a census of a database; None for a part of one, or one in an archive."""
    return Census(database) if isinstance(database, Cbh2Database) else None
