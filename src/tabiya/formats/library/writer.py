"""A library being written: a new segment, and merges if there are many small ones."""

from __future__ import annotations

from collections import Counter
from contextlib import closing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from tabiya.errors import UnsupportedError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.parallel import Background, check_threads
from tabiya.formats.collection.database import Collection
from tabiya.formats.collection.format import COLLECTION
from tabiya.formats.library import LIBRARY
from tabiya.formats.library.change import LibraryChange
from tabiya.formats.library.contents import Library
from tabiya.formats.library.database import LibraryDatabase
from tabiya.formats.library.indexing import BuiltIndex
from tabiya.formats.library.layout import ORIGINS
from tabiya.formats.library.manifest import MOST_RECORDS, SourceEntry
from tabiya.formats.library.merging import merge_by_rule
from tabiya.formats.library.segment_writer import SegmentWriter, stored_file
from tabiya.formats.library.statistics import statistics_after
from tabiya.formats.loss_counting import fit
from tabiya.formats.origins import printable_name
from tabiya.formats.writer import Encoded, Writer
from tabiya.game.batch import number_records
from tabiya.positions.name_table import NameTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.formats.database import Database
    from tabiya.formats.library.manifest import Manifest, StoredFile
    from tabiya.formats.writer import Records
    from tabiya.game import GameBatch, RecordKind


class LibraryWriter(Writer):
    """Write a library, or append to one.

    ``positions`` and ``variations`` specify the index; an existing library keeps the one it has.
    """

    def __init__(
        self,
        path: Path,
        *,
        overwrite: bool = False,
        strict: bool = False,
        append: bool = False,
        positions: bool | None = None,
        variations: bool | None = None,
    ) -> None:
        super().__init__(path, LIBRARY, strict=strict)
        with errors_of(path):
            self._change = LibraryChange(path, overwrite=overwrite, append=append)
            try:
                self._manifest = _with_flags(self._change.manifest, positions=positions, variations=variations)
            except BaseException:
                self._change.discard()
                raise
        self._threads = 1
        self._segment: SegmentWriter | None = None
        self._databases: list[Database] = []
        self._added: Counter[tuple[int, int]] = Counter()
        """Number of records by database, and by member for a collection."""

    def write(self, records: Records, *, threads: int = 1) -> None:
        """Write records in order; the library is the same for any number of threads."""
        self._threads = check_threads(threads)
        super().write(records, threads=threads)

    def account_for(self, database: Database) -> None:
        """Record the origin of the records written next, in addition to the losses of the reader."""
        super().account_for(database)
        self._databases.append(database)

    def _encode(self, batch: GameBatch, *, before: RecordKind | None) -> Encoded:  # noqa: ARG002 - batches are independent
        batch, losses = fit(batch, self._keeps)
        return Encoded(batch.record_batch, len(batch), losses)

    def _put(self, content: Any) -> None:
        first = self._manifest.records + self._rows
        if first + len(content) > MOST_RECORDS:
            raise UnsupportedError(f"a library holds at most {MOST_RECORDS:,} records")
        self._count(content["number"].to_numpy())
        if self._segment is None:
            self._segment = self._new_segment()
        self._segment.add(number_records(content, first + 1), self._origins(content))

    def _count(self, numbers: NDArray[np.int64]) -> None:
        """Record which databases records come from; numbers are still theirs."""
        collection = _collection(self._databases[-1]) if self._databases else None
        members = np.zeros(len(numbers), np.int64) if collection is None else collection.members_of(numbers)[0]
        for member, count in zip(*np.unique(members, return_counts=True), strict=True):
            self._added[len(self._databases) - 1, int(member)] += int(count)

    @property
    def _rows(self) -> int:
        return 0 if self._segment is None else self._segment.rows

    def _new_segment(self) -> SegmentWriter:
        manifest, folder = self._manifest, self._change.folder
        names = NameTable()
        if manifest.segments:
            library = Library(self._change.path)
            names = library.names
            library.close()
        index = None
        if manifest.positions:
            index = BuiltIndex(folder, manifest.records, variations=manifest.variations, threads=self._threads)
        return SegmentWriter(
            folder, manifest.next, names, len(names), index, variations=manifest.variations, threads=self._threads
        )

    def _origins(self, records: pa.RecordBatch) -> pa.RecordBatch:
        """Return the origins of records: numbers are still those of their database."""
        numbers = records["number"]
        database = self._databases[-1] if self._databases else None
        if database is None:  # games written without a database
            sources = pa.nulls(len(records), pa.string())
            return pa.RecordBatch.from_arrays([sources, numbers], schema=ORIGINS)
        named, there = database.origins(numbers.to_numpy())
        return pa.RecordBatch.from_arrays([named.dictionary_decode(), pa.array(there)], schema=ORIGINS)

    def _commit(self) -> None:
        manifest = self._manifest
        with closing(Background(self._threads)) as background:
            sources = background.add(self._sources)
            if self._segment is not None:
                entry = self._segment.finish()
                manifest = replace(
                    manifest,
                    records=manifest.records + entry.rows,
                    segments=(*manifest.segments, entry),
                    next=manifest.next + 1,
                    statistics=statistics_after(manifest, self._segment.statistics),
                )
            manifest = replace(manifest, sources=(*manifest.sources, *sources.result()))
        self._change.commit(manifest)
        self._unfinished = merge_by_rule(self._change, threads=self._threads)
        self._change.discard()

    def _sources(self) -> list[SourceEntry]:
        """Return the databases that were added, and remark on those that are already in the library."""
        found: list[SourceEntry] = []
        known = {file.sha256 for source in self._manifest.sources for file in source.files.values() if file.bytes}
        for place, database in enumerate(self._databases):
            library = getattr(database, "base", database)
            if isinstance(library, LibraryDatabase):
                found += library.sources
                continue
            for source in self._members(place, database):
                if any(file.sha256 in known for file in source.files.values()):
                    self._remarks += (f"{source.name} was added before; its games are now stored twice",)
                found.append(source)
        return found

    def _members(self, place: int, database: Database) -> Iterator[SourceEntry]:
        """Yield a database as a source, or those of its members that records come from."""
        collection = _collection(database)
        if collection is None:
            files = _stored(database.files)
            name, added = printable_name(database.name), self._added[place, 0]
            yield SourceEntry(name=name, format=database.format.name, records=added, files=files)
            return
        for member, name in enumerate(collection.members):
            if records := self._added[place, member]:
                files = _stored(collection.files_of(member))
                yield SourceEntry(
                    name=printable_name(name), format=collection.format_of(member), records=records, files=files
                )

    def _discard(self) -> None:
        if self._segment is not None:
            self._segment.discard()
        self._change.discard()


def _collection(database: Database) -> Collection | None:
    """Return the collection that records come from, if the database is one; an archive is a single source."""
    base = getattr(database, "base", database)
    return base if isinstance(base, Collection) and base.format is COLLECTION else None


def _stored(files: Iterable[Path]) -> dict[str, StoredFile]:
    stored = {}
    for path in files:
        with suppress(FileNotFoundError):  # a library that another program is changing
            if path.is_file():
                stored[printable_name(str(path))] = stored_file(path)
    return stored


def _with_flags(manifest: Manifest, *, positions: bool | None, variations: bool | None) -> Manifest:
    """Return the manifest with the requested index."""
    if manifest.segments:
        for name, requested, has in (
            ("positions", positions, manifest.positions),
            ("variations", variations, manifest.variations),
        ):
            if requested is not None and requested != has:
                has_it = "has an index of" if has else "was made without an index of"
                raise UsageError(f"{has_it} {name}, and games added later must match")
        return manifest
    if variations and positions is False:
        raise UsageError("an index of variations needs an index of positions")
    return replace(manifest, positions=positions is not False, variations=bool(variations))
