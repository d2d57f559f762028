"""A Scid database open for reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from tabiya.errors import CorruptError, UsageError
from tabiya.files.file_bytes import FileBytes, gathered
from tabiya.files.parallel import ordered_map
from tabiya.formats.database import HEADER_SCHEMA, Database
from tabiya.formats.scid import SCID4, SCID5
from tabiya.formats.scid.games.decode_kernel import read_games
from tabiya.formats.scid.header_columns import NO_INDEX, index_columns, index_tags, settled, with_extras
from tabiya.formats.scid.index_file import HEADER, MAGIC, SI5, Generation, decode_entries
from tabiya.formats.scid.name_file import KINDS, ROLES, Names, read_names
from tabiya.formats.scid.opening import open_base
from tabiya.game import GameBatch
from tabiya.game.annotations.rare_commands import read_with_answers
from tabiya.game.assemble import assemble
from tabiya.game.code_pages import code_page, encoding_called
from tabiya.game.lists import joined
from tabiya.game.record import Problem
from tabiya.game.schema import PROBLEM, RECORD_SCHEMA

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.game.annotations.read_comments_kernel import Commands
    from tabiya.game.columns_kernel import BatchBuilder

_AUTO: Final = "auto"
_FALLBACK: Final = "cp1252"
_BATCH_RECORDS: Final = 16384
_BATCH_BYTES: Final = 4 << 20
_HEADER_RECORDS: Final = 32768
_SHARED: Final = 16
"""Limit of bytes read in one pass, as a multiple of the game data: games may share their data."""
_DAMAGED, _COLUMN_TAGS = 2, 4
_OUTSIDE, _OFTEN, _NO_NAME, _SHORT_INDEX = 320, 321, 322, 323


class Window(NamedTuple):
    """Consecutive records."""

    start: int
    entries: Any
    refused: Any
    """Records whose game data is not read, because too many games share it."""


class ScidDatabase(Database):
    """The games of a Scid base.

    Texts that are not valid UTF-8 are read as ``cp1252`` (``encoding="auto"``), or in the given encoding.
    """

    def __init__(self, place: Path, *, encoding: str = _AUTO) -> None:
        self._generation, self._files = open_base(place)
        super().__init__(self._files[self._generation.index].path, SCID5 if self._generation is SI5 else SCID4)
        self._encoding = _FALLBACK if encoding.lower() == _AUTO else encoding_called(encoding).name
        page = code_page(self._encoding)
        if page is None:
            raise UsageError(f"texts of Scid are UTF-8 or have one byte per letter, so they cannot be {encoding}")
        self._page = page
        self._done = 0
        self._header = self._read_header()

    def _read_header(self) -> dict[str, Any]:
        data, generation = self._files[self._generation.index], self._generation
        size = len(data) - generation.header_size
        count, rest = divmod(size, generation.record.size)
        if generation is SI5:
            if rest:
                raise CorruptError(
                    "the size of the index is not a multiple of 56 bytes", path=data.path, offset=len(data)
                )
            return {"games": count}
        head = data[: HEADER.size].ljust(HEADER.size, b"\0")
        header = HEADER.decode(head)
        if size < 0 or header["magic"] != MAGIC:
            raise CorruptError("this is not the index of a Scid database", path=data.path, offset=0)
        if header["version"] != 100 * generation.number:
            raise CorruptError(f"the index has the unknown version {header['version']}", path=data.path, offset=8)
        return {**header, "declared": header["games"], "games": min(count, header["games"])}

    # Public interface.

    @property
    def files(self) -> tuple[Path, ...]:
        """The index, the names and the game data."""
        return tuple(self._files[suffix].path for suffix in reversed(self._generation.suffixes))

    @property
    def generation(self) -> Generation:
        """Whether this is si3, si4 or si5."""
        return self._generation

    @cached_property
    def names(self) -> Names:
        """Players, events, sites and rounds."""
        data = self._files[self._generation.names]
        return read_names(self._generation, bytes(data), data.path)

    @property
    def description(self) -> str:
        """The description of the base."""
        return self.about["description"]

    @cached_property
    def about(self) -> dict[str, str]:
        """Data of the base as a whole: ``type``, ``description``, ``autoload``, names of flags 1 to 6."""
        keys = ("type", "description", "autoload", *(f"flag{number}" for number in range(1, 7)))
        if self._generation is SI5:
            return {key: self._text(self.names.info.get(key, b"")) for key in keys}
        flags = bytes(self._header["flag_names"]) if self._generation.header_size == HEADER.size else bytes(54)
        texts = [self._header["description"], *(flags[place : place + 9] for place in range(0, 54, 9))]
        description, *rest = (self._text(bytes(text).partition(b"\0")[0]) for text in texts)
        numbers = (str(self._header["type"]), description, str(self._header["autoload"]))
        return dict(zip(keys, (*numbers, *rest), strict=True))

    def _text(self, data: bytes) -> str:
        try:
            return data.decode()
        except UnicodeDecodeError:
            return data.decode(self._encoding, "replace")

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Problems of the files as a whole."""
        declared = self._header.get("declared", 0)
        if declared > self._count():
            return (Problem(_SHORT_INDEX, None, f"{self._count():,} of {declared:,}"),)
        return ()

    @property
    def progress(self) -> float | None:
        """Fraction of the records that have been read."""
        return self._done / self._count() if self._count() else None

    def details(self) -> dict[str, str | int | float]:
        """Return facts about the base for display: generation, description, flags, numbers of names, unused bytes."""
        facts: dict[str, str | int | float] = {"generation": self._generation.index[1:]}
        facts |= {key: text for key, text in self.about.items() if text and key not in ("type", "autoload")}
        facts["names"] = ", ".join(
            f"{len(names):,} {kind if len(names) > 1 else kind.removesuffix('s')}"
            for kind, names in zip(KINDS, self.names.lists, strict=True)
            if len(names)
        )
        used = int(sum(int(self.entries(begin, begin + _HEADER_RECORDS)["length"].sum()) for begin in self._starts()))
        wasted = len(self._files[self._generation.games]) - used
        if wasted > 0:
            facts["unused game data"] = f"{wasted:,} bytes"
        return facts

    def _starts(self) -> range:
        return range(0, self._count(), _HEADER_RECORDS)

    # Used for writing.

    def file(self, suffix: str) -> FileBytes:
        """Return one of the files, read in pieces on access."""
        return self._files[suffix]

    def entries(self, start: int, stop: int) -> Any:
        """Return the index entries of some games."""
        generation = self._generation
        data, size = self._files[generation.index], generation.record.size
        stop = min(stop, self._count())
        piece = data[generation.header_size + start * size : generation.header_size + max(start, stop) * size]
        return decode_entries(generation, generation.record.view(piece))

    # Reading.

    def _count(self) -> int:
        return int(self._header["games"])

    @cached_property
    def _texts(self) -> tuple[pa.Array, ...]:
        return tuple(names.texts(self._encoding) for names in self.names.lists)

    def _windows(self, records: int, limit: int) -> Iterator[Window]:
        """Yield the windows for batches: limited both by the number of records and by the bytes of their data."""
        size = len(self._files[self._generation.games])
        allowed = _SHARED * size + (1 << 20)
        for start in range(0, self._count(), records):
            entries = self.entries(start, start + records)
            ends = np.cumsum(entries["length"].astype(np.int64))
            refused = ends > allowed
            allowed -= int(ends[-1])
            begin = 0
            while begin < len(entries):
                before = int(ends[begin - 1]) if begin else 0
                end = max(begin + 1, int(np.searchsorted(ends, before + limit, side="right")))
                yield Window(start + begin, entries[begin:end], refused[begin:end])
                begin = end

    def _tracked(self, windows: Iterable[Window]) -> Iterator[Window]:
        for window in windows:
            self._done = window.start + len(window.entries)
            yield window

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        _ = self._texts  # detected once, before there are threads
        yield from ordered_map(self._batch, self._tracked(self._windows(_BATCH_RECORDS, _BATCH_BYTES)), threads)

    def _read(self, start: int, stop: int) -> GameBatch:
        entries = self.entries(start, stop)
        return self._batch(Window(start, entries, np.zeros(len(entries), np.bool_)))

    def _headers(self, threads: int) -> Iterator[pa.RecordBatch]:
        _ = self._texts
        windows = self._tracked(self._windows(_HEADER_RECORDS, 8 * _BATCH_BYTES))
        yield from ordered_map(self._header_batch, windows, threads)

    def _header_batch(self, window: Window) -> pa.RecordBatch:
        return self._batch(window, headers_only=True).record_batch.select(HEADER_SCHEMA.names)

    def _batch(self, window: Window, *, headers_only: bool = False) -> GameBatch:
        entries = window.entries
        outside = self._is_outside(entries)
        lengths = np.where(outside | window.refused, 0, entries["length"]).astype(np.int64)
        data, begins = gathered(self._files[self._generation.games], entries["offset"].astype(np.int64), lengths)
        batch, flags = decode_blobs(
            data,
            begins,
            lengths,
            self._page,
            index_tags(entries),
            headers_only=headers_only,
            first_number=window.start + 1,
        )
        faults = {_OUTSIDE: outside, _OFTEN: window.refused & ~outside, _NO_NAME: self._is_nameless(entries)}
        problems = _with_problems(batch.record_batch.column("problems"), faults)
        return with_index(batch, flags, entries, self._texts, {"problems": problems})

    def _is_outside(self, entries: Any) -> NDArray[np.bool_]:
        size = len(self._files[self._generation.games])
        ends = entries["offset"] + entries["length"].astype(np.uint64)
        found: NDArray[np.bool_] = (ends > np.uint64(size)) | (entries["length"] == 0)
        return found

    def _is_nameless(self, entries: Any) -> NDArray[np.bool_]:
        nameless = np.zeros(len(entries), np.bool_)
        for role, kind in ROLES.items():
            nameless |= entries[role] >= len(self._texts[kind])
        return nameless

    def _close(self) -> None:
        self.__dict__.pop("_texts", None)
        self.__dict__.pop("names", None)
        for file in self._files.values():
            file.close()


def decode_blobs(
    data: NDArray[np.uint8],
    begins: NDArray[np.int64],
    lengths: NDArray[np.int64],
    page: NDArray[np.uint16] | None = None,
    index: NDArray[np.int32] = NO_INDEX,
    *,
    headers_only: bool = False,
    by_classes: bool = False,
    first_number: int = 1,
) -> tuple[GameBatch, NDArray[np.uint8]]:
    """Return the data of games as a batch, and flags for the remaining work; see ``read_games``.

    ``page`` is for texts that are not UTF-8, by default cp1252; ``index`` contains the tags of an index.
    """
    page = code_page(_FALLBACK) if page is None else page
    assert page is not None  # that of cp1252 is known
    flags = np.zeros(len(begins), np.uint8)

    def read(builder: BatchBuilder, commands: Commands) -> None:
        read_games(builder, data, begins, lengths, index, page, commands, headers_only, flags)

    builder, _ = read_with_answers(read, by_classes=by_classes)
    return assemble(builder.finish(), first_number=first_number), flags


def with_index(
    batch: GameBatch,
    flags: NDArray[np.uint8],
    entries: Any,
    names: Sequence[pa.Array],
    changed: Mapping[str, pa.Array] = MappingProxyType({}),
) -> GameBatch:
    """Return games of ``decode_blobs`` with the columns and extras of an index, and other ``changed`` columns."""
    records = batch.record_batch
    columns = {name: records.column(name) for name in RECORD_SCHEMA.names} | dict(changed)
    columns |= index_columns(entries, names)
    columns["extras"] = with_extras(columns["extras"], entries)
    arrays = [columns[name] for name in RECORD_SCHEMA.names]
    batch = GameBatch(pa.RecordBatch.from_arrays(arrays, schema=RECORD_SCHEMA))
    return settled(batch, np.flatnonzero(flags & _COLUMN_TAGS))


def _with_problems(column: pa.ListArray, found: dict[int, NDArray[np.bool_]]) -> pa.ListArray:
    for code, mask in found.items():
        rows = np.flatnonzero(mask)
        if len(rows):
            codes, texts = pa.array(np.full(len(rows), code, np.uint16)), pa.array([""] * len(rows))
            more = pa.StructArray.from_arrays([codes, pa.nulls(len(rows), pa.int64()), texts], fields=list(PROBLEM))
            column = joined(column, more, rows)
    return column
