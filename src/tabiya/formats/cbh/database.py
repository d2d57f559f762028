"""A ChessBase database open for reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.chessbase.header_fields import Table
from tabiya.chessbase.list_columns import concat_lists
from tabiya.chessbase.stored_records import StoredRecords
from tabiya.errors import CorruptError
from tabiya.files.parallel import ordered_map
from tabiya.formats.cbh import CBH
from tabiya.formats.cbh.bodies.blobs import read_prolog
from tabiya.formats.cbh.bodies.columns import Bodies, read_bodies
from tabiya.formats.cbh.entities import cbc, cbe, cbl, cbp, cbs, cbt, cbtt
from tabiya.formats.cbh.entities.entity_file import Entities, EntityFile
from tabiya.formats.cbh.files.base_files import MAIN
from tabiya.formats.cbh.files.cbh import GAME, HEADER, RECORD_SIZE, looks_like_header
from tabiya.formats.cbh.files.cbj import records_of as cbj_records
from tabiya.formats.cbh.files.cbm import manifest_at
from tabiya.formats.cbh.files.ini import parse_ini, title_of
from tabiya.formats.cbh.files.opening import open_files
from tabiya.formats.cbh.reading.code_page_detection import detect_names, detect_texts
from tabiya.formats.cbh.reading.guiding_texts import read_texts
from tabiya.formats.cbh.reading.header_window import ENTITY_KINDS, BaseTables, Entries, Window
from tabiya.formats.cbh.reading.shared_bodies import BODIES, body_sizes, sharing
from tabiya.formats.cbh.reading.soundness import inspect, missing_files
from tabiya.formats.database import HEADER_SCHEMA, Database
from tabiya.game import GameBatch
from tabiya.game.annotations import UTF8, TextEncoding
from tabiya.game.schema import RECORD_SCHEMA

if TYPE_CHECKING:
    from tabiya.formats.cbh.files.base_files import BaseFiles
    from tabiya.game.record import Problem

_AUTO: Final = "auto"
_BATCH_RECORDS: Final = 16384
_BATCH_BYTES: Final = 4 << 20
_HEADER_RECORDS: Final = 65536
_GENERATIONS: Final = {0x24: "ChessBase 6 to 8", 0x2C: "ChessBase 9 and later"}


class CbhDatabase(Database):
    """The games and guiding texts of a ChessBase base.

    All files except ``.cbh`` may be missing, too short or stale: ``problems`` reports it. Texts are UTF-8 if valid; all
    others are read in the code page that most of them appear to use (``encoding="auto"``), or in the given one.
    """

    def __init__(self, place: Path, *, encoding: str = _AUTO) -> None:
        self._files = open_files(place)
        main = self._files.main
        super().__init__(main, CBH)
        self._given_encoding = None if encoding.lower() == _AUTO else TextEncoding(encoding)
        head = bytes(self._files.data(MAIN)[: HEADER.size])
        if not looks_like_header(head):
            raise CorruptError("this is not the header of a ChessBase database", path=main, offset=0)
        self._header = HEADER.decode(head)
        declared = max(0, int(self._header["next_game"]) - 1)
        self._records = StoredRecords(GAME, self._files.data(MAIN), RECORD_SIZE, declared)
        self._done = 0

    # Public interface.

    @property
    def files(self) -> tuple[Path, ...]:
        """All files of the base, the ``.cbh`` first."""
        main = self._files.main
        return (main, *sorted(path for path in self._files.paths.values() if path != main))

    @property
    def title(self) -> str:
        """The title that ChessBase shows; empty if there is none."""
        return title_of(parse_ini(bytes(self._files.data(".ini")), self.name_encoding))

    @property
    def header(self) -> dict[str, Any]:
        """The fields of the header of ``.cbh``."""
        return dict(self._header)

    @cached_property
    def players(self) -> Entities[cbp.Player]:
        """The players by id."""
        return Entities(self._entity_files[".cbp"])

    @cached_property
    def tournaments(self) -> Entities[cbt.Tournament]:
        """The tournaments by id."""
        return Entities(self._entity_files[".cbt"])

    @cached_property
    def annotators(self) -> Entities[cbc.Annotator]:
        """The annotators by id."""
        return Entities(self._entity_files[".cbc"])

    @cached_property
    def sources(self) -> Entities[cbs.Source]:
        """The sources by id."""
        return Entities(self._entity_files[".cbs"])

    @cached_property
    def teams(self) -> Entities[cbe.Team]:
        """The teams by id."""
        return Entities(self._entity_files[".cbe"])

    @cached_property
    def game_tags(self) -> Entities[cbl.GameTag]:
        """The game tags by id."""
        return Entities(self._entity_files[".cbl"])

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Files that are missing, too short, damaged or stale."""
        return tuple(inspect(self._files, self._header, self._count(), self._entity_files))

    @property
    def remarks(self) -> tuple[str, ...]:
        """The missing files, in a sentence."""
        missing = missing_files(self._files)
        if not missing:
            return ()
        lost = "; without the .cbg file there are no moves" if any(each.endswith(".cbg") for each in missing) else ""
        verb = "is" if len(missing) == 1 else "are"
        return (f"{self.name}: {', '.join(missing)} {verb} missing{lost}",)

    @property
    def progress(self) -> float | None:
        """Fraction of the records that have been read."""
        return self._done / len(self._records) if len(self._records) else None

    def details(self) -> dict[str, str | int | float]:
        """Return facts about the base for display: title, generation, entities, gaps, texts that are not UTF-8."""
        facts: dict[str, str | int | float] = {"title": self.title} if self.title else {}
        generation, version = int(self._header["generation"]), int(self._header["version"])
        facts["generation"] = _GENERATIONS.get(generation, f"{generation:#x}") + (
            f", version {version}" if version != 1 else ""
        )
        live = {file.kind: len(file) - int(file.deleted.sum()) for file in self._entity_files.values()}
        facts["entities"] = ", ".join(
            f"{number:,} {kind.noun if number == 1 else kind.plural}" for kind, number in live.items() if number
        )
        for suffix in (".cbg", ".cba"):
            prolog = read_prolog(self._files.data(suffix))
            if prolog is not None and prolog.wasted:
                facts[f"wasted in {suffix}"] = f"{prolog.wasted:,} bytes"
        if self.text_encoding != UTF8:
            facts["code page"] = self.text_encoding.page
        if self.problems:
            facts["files"] = "; ".join(problem.sentence for problem in self.problems)
        return facts

    # Used for writing.

    @property
    def base_files(self) -> BaseFiles:
        """The files and their bytes."""
        return self._files

    @property
    def source(self) -> BaseTables:
        """The data that windows read."""
        return self._source

    @property
    def entity_files(self) -> dict[str, EntityFile[Any]]:
        """The entity files by suffix."""
        return self._entity_files

    # Texts.

    @cached_property
    def name_encoding(self) -> TextEncoding:
        """Encoding of names that are not UTF-8."""
        return self._given_encoding or detect_names(self._bare_files.values())

    @cached_property
    def text_encoding(self) -> TextEncoding:
        """Encoding of comments and titles of guiding texts that are not UTF-8."""
        return self._given_encoding or detect_texts(
            self._files.data(".cbg"), self._files.data(".cba"), self._records, self._bare_files.values()
        )

    # Entities.

    @cached_property
    def _bare_files(self) -> dict[str, EntityFile[Any]]:
        """The entity files without an encoding, which is detected from them."""
        return {kind.suffix: EntityFile[Any](kind, self._files.data(kind.suffix)) for kind in ENTITY_KINDS}

    @cached_property
    def _entity_files(self) -> dict[str, EntityFile[Any]]:
        encoding = self.name_encoding
        return {suffix: file.encoded(encoding) for suffix, file in self._bare_files.items()}

    @cached_property
    def _source(self) -> BaseTables:
        entries = {
            suffix: Entries(file.table, file.deleted)
            for suffix, file in self._entity_files.items()
            if suffix in self._files
        }
        entries[".cbtt"] = Entries(Table(cbtt.RECORD, cbtt.records_of(self._files.data(".cbtt"))[1]))
        layout, records = cbj_records(self._files.data(".cbj"))
        media = self._files.data(".cbm")
        return BaseTables(
            self._records,
            layout,
            records,
            entries,
            self._files.data(".flags"),
            lambda offset: manifest_at(media, offset),
        )

    # Reading.

    def _count(self) -> int:
        return len(self._records)

    def _headers(self, threads: int) -> Iterator[pa.RecordBatch]:
        yield from ordered_map(self._header_batch, self._tracked(self._header_windows()), threads)

    def _header_windows(self) -> Iterator[Window]:
        limit = sharing(self._files, self._source, ".cbg")
        for start in range(0, self._count(), _HEADER_RECORDS):
            window = Window(self._source, start, min(start + _HEADER_RECORDS, self._count()))
            if window.has_setup.any():
                sizes = np.where(window.has_setup, body_sizes(self._files, window, ".cbg"), 0)
                window.refused[".cbg"] = limit.refused(window.start, sizes)
            yield window

    def _header_batch(self, window: Window) -> pa.RecordBatch:
        columns = window.header_columns()
        columns["start"], columns["variant"] = self._starts(window, columns)
        return pa.RecordBatch.from_arrays([columns[name] for name in HEADER_SCHEMA.names], schema=HEADER_SCHEMA)

    def _starts(self, window: Window, columns: dict[str, pa.Array]) -> tuple[pa.Array, pa.Array]:
        """Return start positions, which are in the bodies: only those of games with a set-up position are read."""
        rows = np.flatnonzero(window.has_setup)
        if not len(rows):
            return columns["start"], columns["variant"]
        bodies = read_bodies(
            self._files.data(".cbg") if ".cbg" in self._files else None,
            None,
            window.selected_offsets(".cbg")[rows],
            np.full(len(rows), -1, np.int64),
            np.ones(len(rows), np.uint8),
        )
        places = np.full(window.count, -1)
        places[rows] = np.arange(len(rows))
        variants = columns["variant"].to_numpy().copy()
        variants[rows] = bodies.variant.to_numpy()
        return bodies.start.take(pa.array(places, mask=places < 0)), pa.array(variants)

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        _ = self.text_encoding  # detected once, before there are threads
        yield from ordered_map(self._read_window, self._tracked(self._windows()), threads)

    def _tracked(self, windows: Iterable[Window]) -> Iterator[Window]:
        for window in windows:
            self._done = window.start + window.count
            yield window

    def _windows(self) -> Iterator[Window]:
        """Yield the windows for batches: limited both by the number of records and by the bytes of their bodies."""
        limits = {suffix: sharing(self._files, self._source, suffix) for suffix in BODIES}
        for start in range(0, self._count(), _BATCH_RECORDS):
            window = Window(self._source, start, min(start + _BATCH_RECORDS, self._count()))
            sizes = window.manifest_sizes()
            for suffix, limit in limits.items():
                found = body_sizes(self._files, window, suffix)
                window.refused[suffix] = limit.refused(window.start, found)
                sizes += np.where(window.refused[suffix], 0, found)
            ends = np.cumsum(sizes)
            begin = 0
            while begin < window.count:
                before = int(ends[begin - 1]) if begin else 0
                end = max(begin + 1, int(np.searchsorted(ends, before + _BATCH_BYTES, side="right")))
                whole = begin == 0 and end == window.count
                yield window if whole else window.part(begin, end)
                begin = end

    def _read(self, start: int, stop: int) -> GameBatch:
        return self._read_window(Window(self._source, start, stop))

    def _read_window(self, window: Window) -> GameBatch:
        columns = window.header_columns()
        bodies = self._bodies(window)
        texts, text_extras, text_problems = read_texts(self._files.data(".cbg"), window, self.text_encoding)
        columns |= {
            "kind": bodies.kind,
            "variant": bodies.variant,
            "start": bodies.start,
            "moves": bodies.moves,
            "annotations": bodies.annotations,
            "texts": texts,
            "extras": concat_lists(concat_lists(window.extras(), bodies.extras), text_extras),
            "problems": concat_lists(concat_lists(window.problems(), bodies.problems), text_problems),
        }
        return GameBatch(
            pa.RecordBatch.from_arrays([columns[name] for name in RECORD_SCHEMA.names], schema=RECORD_SCHEMA)
        )

    def _bodies(self, window: Window) -> Bodies:
        return read_bodies(
            self._files.data(".cbg") if ".cbg" in self._files else None,
            self._files.data(".cba") if ".cba" in self._files else None,
            window.selected_offsets(".cbg"),
            window.selected_offsets(".cba"),
            (~window.is_text).astype(np.uint8),
            encoding=self.text_encoding,
            first_number=window.start + 1,
        )

    def _close(self) -> None:
        for name in ("_source", "_entity_files", "_bare_files", "players", "tournaments", "annotators", "sources"):
            self.__dict__.pop(name, None)
        for name in ("teams", "game_tags"):
            self.__dict__.pop(name, None)
        self._records = StoredRecords(GAME)
        self._files.close()
