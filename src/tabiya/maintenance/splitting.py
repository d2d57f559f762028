"""Split a database into many: by fields, by number of games, by file size."""

from __future__ import annotations

import re
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow.compute as pc

from tabiya.errors import TabiyaError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.folder_transaction import FolderTransaction
from tabiya.files.parallel import check_threads
from tabiya.files.transaction import refuse_existing
from tabiya.formats.losses import LossReport
from tabiya.formats.open_and_create import create, opened
from tabiya.formats.operations.conversion import refuse_same
from tabiya.formats.progress import Progress
from tabiya.maintenance.external_sort import ExternalSort
from tabiya.maintenance.file_names import NameTemplate
from tabiya.maintenance.sort_keys import keys_of, labels_of, sort_fields
from tabiya.maintenance.sorting import bytes_of_memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from types import TracebackType
    from typing import Self

    from tabiya.formats import Database, Format, Writer
    from tabiya.formats.open_and_create import Locations
    from tabiya.formats.progress import Watcher
    from tabiya.game import GameBatch
    from tabiya.maintenance.sort_keys import SortField

_MOST_FILES: Final = 10_000
_SIZE: Final = re.compile(r"(\d{1,12}(?:\.\d{1,3})?)\s*(k|m|g|)b?", re.IGNORECASE)
_UNITS: Final = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_MOST_AT_ONCE: Final = 1000
"""Maximum number of records written before the size of a file is checked again."""


class SplitFile(NamedTuple):
    """One of the databases written."""

    path: Path
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitReport:
    """The result of a split."""

    files: tuple[SplitFile, ...]
    read: int
    losses: LossReport

    @property
    def written(self) -> int:
        """Number of records in all files."""
        return sum(file.records for file in self.files)

    @property
    def clean(self) -> bool:
        """Whether nothing was lost."""
        return not self.losses

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return {
            "read": self.read,
            "written": self.written,
            "files": [{"path": str(file.path), "records": file.records} for file in self.files],
            "losses": self.losses.as_dict(),
        }


def parse_size(size: int | str) -> int:
    """Return a size in bytes: ``500k``, ``10 MB``, ``1.5G``, or a number.

    Raises:
        UsageError: It is not a size, or zero.
    """
    found = _SIZE.fullmatch(str(size).strip())
    number = int(float(found[1]) * _UNITS[found[2].lower()]) if found else 0
    if number < 1:
        raise UsageError(f"{size!r} is not a size such as 500k or 10MB")
    return number


def split(
    source: Locations | Database,
    template: str,
    *,
    by: str | Iterable[str] | None = None,
    games: int | None = None,
    size: int | str | None = None,
    source_format: str | Format | None = None,
    target_format: str | Format | None = None,
    threads: int = 1,
    strict: bool = False,
    overwrite: bool = False,
    memory: int | None = None,
    progress: Watcher = None,
    source_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> SplitReport:
    """Split a database into many files: by fields, by number of games, or by file size.

    Files by fields are in the order of the values; within a file records keep their order. File names are valid on
    every system. All files appear together when they are complete; after an error or an interrupt there are none. With
    ``overwrite`` each file replaces an old one as soon as it is complete, and those before an error remain. Memory is
    bounded.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        template: names of the files, ``games/{event}.pgn``, ``part-{n:03}.pgn``: fields of ``by``, or ``{n}``, which
            counts the files. Folders are created. The suffix specifies the format.
        by: fields of ``tabiya.sort``, ``"event"`` or ``"white,year"``: a file for each value.
        games: number of records in each file.
        size: a file ends with the record with which it reaches this size, ``"10MB"``.
        source_format: a format or its name, instead of detecting it.
        target_format: a format or its name, instead of choosing it by the suffix.
        threads: number of threads that read.
        strict: stop at the first file that would lose something.
        overwrite: replace existing files.
        memory: approximate memory in megabytes.
        progress: called while records are read and written.
        source_options: options for reading.
        options: options for writing.

    Raises:
        UsageError: None or several of ``by``, ``games`` and ``size`` are given; a file exists; there would be too many
            files.
    """
    check_threads(threads)
    if sum(each is not None for each in (by, games, size)) != 1:
        raise UsageError("choose how to split: by fields, by a number of games, or by the size of files")
    if games is not None and games < 1:
        raise UsageError(f"a file has one game at least, not {games}")
    fields = () if by is None else sort_fields(by)
    names = NameTemplate(template, [field.name for field in fields])
    writer_options = {"format": target_format, "strict": strict, "overwrite": overwrite, **options}
    with opened(source, format=source_format, **(source_options or {})) as database:
        targets = _Targets(database, names, threads, writer_options, progress, _existing_folder(template))
        with targets:
            if fields:
                _by_fields(targets, fields, bytes_of_memory(memory))
            elif games is not None:
                _by_games(targets, games)
            else:
                _by_size(targets, parse_size(size or 0))
        return targets.report()


class _Targets:
    """The files written, one after the other."""

    def __init__(
        self,
        database: Database,
        names: NameTemplate,
        threads: int,
        options: Mapping[str, Any],
        progress: Watcher,
        folder: Path,
    ) -> None:
        self.database = database
        self._names = names
        self._threads = threads
        self._options = options
        self._progress = progress
        self._open = ExitStack()
        self._staging = None if options["overwrite"] else FolderTransaction(folder)
        self._files: list[SplitFile] = []
        self._losses = LossReport()
        self._read = 0
        self.writer: Writer | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is not None:
                self._open.__exit__(kind, error, trace)
            else:
                self.finish()
                if self._staging is not None:
                    self._staging.place_all()
                    self._staging.commit()
        except TabiyaError as late:
            error = late
            raise
        finally:
            if self._staging is not None:
                self._staging.discard()
                if isinstance(error, TabiyaError) and error.path is not None:
                    error.path = self._staging.final_name(error.path)

    def report(self) -> SplitReport:
        return SplitReport(files=tuple(self._files), read=self._read, losses=self._losses)

    def batches(self, share: float) -> Iterator[GameBatch]:
        """Yield the batches of the database, and report progress; ``share`` is the part of the work that reading is."""
        self._read = 0
        for batch in self.database.batches(threads=self._threads):
            self._read += len(batch)
            yield batch
            read = self.database.progress
            self.report_progress(self._read, None if read is None else read * share)

    def report_progress(self, records: int, fraction: float | None) -> None:
        if self._progress is not None:
            self._progress(Progress(records, fraction))

    def path(self, number: int, values: Mapping[str, str | None]) -> Path:
        """Return the path of a file, which must not exist."""
        path = self._names.name(number, values)
        refuse_same(self.database, path)
        with errors_of(path):
            refuse_existing(path, overwrite=bool(self._options["overwrite"]))
        return path

    def begin(self, path: Path) -> None:
        """Start another file."""
        self.finish()
        if len(self._files) == _MOST_FILES:
            raise UsageError(f"there would be more than {_MOST_FILES:,} files")
        if self._staging is not None:
            path = self._staging.place(path.relative_to(self._staging.path).parts)
        with errors_of(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
        self.writer = self._open.enter_context(create(path, **self._options))

    def write(self, batch: GameBatch) -> None:
        """Write records to the current file."""
        if self.writer is not None:
            self.writer.write(batch)

    def finish(self) -> None:
        """Complete the current file."""
        writer, self.writer = self.writer, None
        self._open.close()
        if writer is not None and writer.path is not None:
            path = writer.path if self._staging is None else Path(self._staging.final_name(str(writer.path)))
            self._files.append(SplitFile(path, writer.written))
            self._losses += writer.losses


def _existing_folder(template: str) -> Path:
    """Return the innermost existing folder that contains all files, directly or in subfolders."""
    folder = Path(template[: f"{template}{{".index("{")] + "_").parent
    while not folder.exists() and folder != folder.parent:  # Windows has drives that do not exist
        folder = folder.parent
    return folder


def _by_games(targets: _Targets, games: int) -> None:
    number = remaining = 0
    for batch in targets.batches(1.0):
        begin = 0
        while begin < len(batch):
            if remaining == 0:
                number, remaining = number + 1, games
                targets.begin(targets.path(number, {}))
            part = batch.slice(begin, min(remaining, len(batch) - begin))
            targets.write(part)
            begin += len(part)
            remaining -= len(part)


def _by_size(targets: _Targets, size: int) -> None:
    number = 0
    for batch in targets.batches(1.0):
        begin = 0
        while begin < len(batch):
            if targets.writer is None or _bytes_left(targets.writer, size) <= 0:
                number += 1
                targets.begin(targets.path(number, {}))
            part = batch.slice(begin, min(_fitting(targets.writer, size), len(batch) - begin))
            targets.write(part)
            begin += len(part)


def _bytes_left(writer: Writer, size: int) -> int:
    if writer.size is None:
        raise UsageError(f"{writer.format.name} has several files and cannot be split by size; split it by games")
    return size - writer.size


def _fitting(writer: Writer | None, size: int) -> int:
    """Return how many records certainly fit, judged by those already written; at least one."""
    if writer is None or not writer.written:
        return 1
    mean = max(1, (writer.size or 0) // writer.written)
    return max(1, min(_MOST_AT_ONCE, _bytes_left(writer, size) // mean // 2))


def _by_fields(targets: _Targets, fields: tuple[SortField, ...], memory: int) -> None:
    found: set[bytes] = set()
    with ExternalSort(fields, memory=memory) as sorter:
        labels: dict[bytes, dict[str, str | None]] = {}
        for batch in targets.batches(0.5):
            keys = sorter.add(batch)
            new = [key for key in pc.unique(keys).to_pylist() if key not in found]
            found.update(new)
            if len(found) > _MOST_FILES:
                raise UsageError(f"there would be more than {_MOST_FILES:,} files; split by a field with fewer values")
            labels |= _labels(batch, keys, new, fields)
        paths = {key: targets.path(number, labels[key]) for number, key in enumerate(sorted(found), start=1)}
        written, current = 0, None
        for batch in sorter.batches():
            for key, part in _groups(batch, fields):
                if key != current:
                    current = key
                    targets.begin(paths[key])
                targets.write(part)
            written += len(batch)
            targets.report_progress(written, 0.5 + written / sorter.count / 2)


def _labels(
    batch: GameBatch, keys: Any, new: list[bytes], fields: tuple[SortField, ...]
) -> dict[bytes, dict[str, str | None]]:
    """Return the values of the fields in records with these keys, as texts."""
    if not new:
        return {}
    texts = {field.name: labels_of(batch.record_batch, field) for field in fields}
    places = [pc.index(keys, key).as_py() for key in new]
    return {
        key: {name: column[place].as_py() for name, column in texts.items()}
        for key, place in zip(new, places, strict=True)
    }


def _groups(batch: GameBatch, fields: tuple[SortField, ...]) -> Iterator[tuple[bytes, GameBatch]]:
    """Yield the runs of a sorted batch in which the fields have the same values."""
    keys = keys_of(batch.record_batch, fields)
    changes = pc.not_equal(keys.slice(1), keys.slice(0, len(keys) - 1)).to_numpy(zero_copy_only=False)
    begins = [0, *(np.flatnonzero(changes) + 1).tolist(), len(batch)]
    for begin, end in pairwise(begins):
        yield keys[begin].as_py(), batch.slice(begin, end - begin)
