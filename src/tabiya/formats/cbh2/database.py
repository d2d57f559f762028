"""A 2CBH database open for reading."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.chessbase.list_columns import concat_lists
from tabiya.chessbase.shared_bodies import Sharing
from tabiya.chessbase.stored_records import StoredRecords
from tabiya.errors import CorruptError
from tabiya.files.parallel import ordered_map
from tabiya.formats.cbh2 import CBH2, public_entities
from tabiya.formats.cbh2.base_files import ANNOTATIONS, ENTITIES, MAIN, MOVES, BaseFiles, main_file
from tabiya.formats.cbh2.bodies import read_bodies
from tabiya.formats.cbh2.container import Places
from tabiya.formats.cbh2.encodings import detect_texts
from tabiya.formats.cbh2.entities import PLAYERS, SOURCES, TAGS, TEAMS, TOURNAMENTS
from tabiya.formats.cbh2.entity_store import Entities, EntityStore, detect_names
from tabiya.formats.cbh2.guiding_texts import read_texts
from tabiya.formats.cbh2.header_window import BODIES, ENTITY_KINDS, Source, Window
from tabiya.formats.cbh2.headers import GAME, HEADER, RECORD_SIZE, is_text, looks_like_header
from tabiya.formats.cbh2.lid_file import read_header
from tabiya.formats.cbh2.soundness import inspect
from tabiya.formats.database import HEADER_SCHEMA, Database
from tabiya.game import GameBatch
from tabiya.game.annotations import UTF8, TextEncoding
from tabiya.game.schema import RECORD_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.game.record import Problem

_AUTO: Final = "auto"
_BATCH_RECORDS: Final = 16384
_BATCH_BYTES: Final = 10 << 20
"""More than half of the bytes of a usual game are frames and spare bytes."""
_HEADER_RECORDS: Final = 65536


class Cbh2Database(Database):
    """The games, analyses and guiding texts of a 2CBH database.

    All files except ``.2cbh`` may be missing or too short: ``problems`` reports it. Texts are UTF-8 if valid; others
    are read in the code page that most of them appear to use (``encoding="auto"``), or in the given one.
    """

    def __init__(self, place: Path, *, encoding: str = _AUTO) -> None:
        self._files = BaseFiles(main_file(place))
        main = self._files.main
        super().__init__(main, CBH2)
        self._given_encoding = None if encoding.lower() == _AUTO else TextEncoding(encoding)
        head = bytes(self._files.data(MAIN)[: HEADER.size])
        if not looks_like_header(head):
            raise CorruptError("this is not the header of a 2CBH database", path=main, offset=0)
        self._header = HEADER.decode(head)
        declared = max(-1, self._header["next_game"] - 1)  # -1: as many as there are
        self._records = StoredRecords(GAME, self._files.data(MAIN), RECORD_SIZE, declared)
        self._done = 0

    # Public interface.

    @property
    def files(self) -> tuple[Path, ...]:
        """All files of the database, the ``.2cbh`` first."""
        main = self._files.main
        return (main, *sorted(path for path in self._files.paths.values() if path != main))

    @property
    def header(self) -> dict[str, Any]:
        """The fields of the header of ``.2cbh``."""
        return dict(self._header)

    @property
    def records(self) -> StoredRecords:
        """The headers of all records, in the layout of games."""
        return self._records

    @property
    def base_files(self) -> BaseFiles:
        """The files and their bytes."""
        return self._files

    @cached_property
    def players(self) -> Entities[public_entities.Player]:
        """The players by id; annotators are players, too."""
        return Entities(self._entities, PLAYERS, public_entities.player)

    @cached_property
    def tournaments(self) -> Entities[public_entities.Tournament]:
        """The tournaments by id."""
        return Entities(self._entities, TOURNAMENTS, public_entities.tournament)

    @cached_property
    def sources(self) -> Entities[public_entities.Publication]:
        """The sources by id."""
        return Entities(self._entities, SOURCES, public_entities.publication)

    @cached_property
    def teams(self) -> Entities[public_entities.Team]:
        """The teams by id."""
        return Entities(self._entities, TEAMS, public_entities.team)

    @cached_property
    def game_tags(self) -> Entities[public_entities.GameTag]:
        """The game tags by id, the titles of games and texts."""
        return Entities(self._entities, TAGS, public_entities.game_tag)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """Files that are missing, too short, damaged, or of an unknown version."""
        return tuple(inspect(self._files, self._header, self._count()))

    @property
    def remarks(self) -> tuple[str, ...]:
        """The missing files, in a sentence."""
        missing = self._files.missing()
        if not missing:
            return ()
        lost = "; without the .2cbg file there are no moves" if MOVES not in self._files else ""
        return (f"{self.name}: {', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing{lost}",)

    @property
    def progress(self) -> float | None:
        """Fraction of the records that have been read."""
        return self._done / len(self._records) if len(self._records) else None

    def details(self) -> dict[str, str | int | float]:
        """Return facts about the database for display: version, entities, code page, what is wrong with its files."""
        facts: dict[str, str | int | float] = {"version": int(self._header["version"])}
        counts = {kind: self._entities.count(kind) for kind in ENTITY_KINDS}
        facts["entities"] = ", ".join(
            f"{count:,} {kind.noun if count == 1 else kind.plural}" for kind, count in counts.items() if count
        )
        if self.text_encoding != UTF8:
            facts["code page"] = self.text_encoding.page
        if self.problems:
            facts["files"] = "; ".join(problem.sentence for problem in self.problems)
        return facts

    # Texts.

    @cached_property
    def name_encoding(self) -> TextEncoding:
        """Encoding of names that are not UTF-8."""
        return self._given_encoding or detect_names(self._bare_entities, ENTITY_KINDS)

    @cached_property
    def text_encoding(self) -> TextEncoding:
        """Encoding of comments that are not UTF-8."""
        if self._given_encoding is not None:
            return self._given_encoding
        offsets = GAME.column(self._records, "cba_offset")
        offsets = offsets[~is_text(GAME.column(self._records, "marks"))]
        return detect_texts(self._files.data(ANNOTATIONS), offsets, self.name_encoding)

    @cached_property
    def _bare_entities(self) -> EntityStore:
        """The entities without an encoding, which is detected from them."""
        data = self._files.data(ENTITIES)
        return EntityStore(data, read_header(data))

    @cached_property
    def _entities(self) -> EntityStore:
        return self._bare_entities.with_encoding(self.name_encoding)

    @cached_property
    def _source(self) -> Source:
        return Source(self._records, self._entities, ENTITIES in self._files)

    # Reading.

    def _count(self) -> int:
        return len(self._records)

    def _headers(self, threads: int) -> Iterator[pa.RecordBatch]:
        yield from ordered_map(self._header_batch, self._tracked(self._header_windows()), threads)

    def _header_windows(self) -> Iterator[Window]:
        limit = self._sharing(MOVES)
        for start in range(0, self._count(), _HEADER_RECORDS):
            window = Window(self._source, start, min(start + _HEADER_RECORDS, self._count()))
            if window.has_setup.any():
                sizes = np.where(window.has_setup, window.sizes(MOVES, self._files.data(MOVES)), 0)
                window.refused[MOVES] = limit.refused(start, sizes)
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
        moves = self._files.data(MOVES)
        places, games = window.places(MOVES, moves).of(rows), np.ones(len(rows), np.uint8)
        none = Places(np.full(len(rows), -1, np.int64), np.zeros(len(rows), np.int64))
        bodies = read_bodies(moves, b"", places, none, games)
        taken = np.full(window.count, -1)
        taken[rows] = np.arange(len(rows))
        variants = columns["variant"].to_numpy().copy()
        variants[rows] = bodies.variant.to_numpy()
        return bodies.start.take(pa.array(taken, mask=taken < 0)), pa.array(variants)

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        _ = self.text_encoding  # detected once, before there are threads
        yield from ordered_map(self._read_window, self._tracked(self._windows()), threads)

    def _tracked(self, windows: Iterable[Window]) -> Iterator[Window]:
        for window in windows:
            self._done = window.start + window.count
            yield window

    def _windows(self) -> Iterator[Window]:
        """Yield the windows for batches: limited both by the number of records and by the bytes of their bodies."""
        limits = {suffix: self._sharing(suffix) for suffix in BODIES}
        for start in range(0, self._count(), _BATCH_RECORDS):
            window = Window(self._source, start, min(start + _BATCH_RECORDS, self._count()))
            sizes = np.zeros(window.count, np.int64)
            for suffix, limit in limits.items():
                found = window.sizes(suffix, self._files.data(suffix))
                window.refused[suffix] = limit.refused(start, found)
                sizes += np.where(window.refused[suffix], 0, found)
            ends = np.cumsum(sizes)
            begin = 0
            while begin < window.count:
                before = int(ends[begin - 1]) if begin else 0
                end = max(begin + 1, int(np.searchsorted(ends, before + _BATCH_BYTES, side="right")))
                whole = begin == 0 and end == window.count
                yield window if whole else window.part(begin, end)
                begin = end

    def _sharing(self, suffix: str) -> Sharing:
        """Return the limit of what is read of a file."""

        def places() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
            window = Window(self._source, 0, self._count())
            return window.offsets(suffix), window.sizes(suffix, self._files.data(suffix))

        return Sharing(lambda: len(self._files.data(suffix)), places)

    def _read(self, start: int, stop: int) -> GameBatch:
        return self._read_window(Window(self._source, start, stop))

    def _read_window(self, window: Window) -> GameBatch:
        columns = window.header_columns()
        moves, annotations = self._files.data(MOVES), self._files.data(ANNOTATIONS)
        comments = window.places(ANNOTATIONS, annotations)
        if ANNOTATIONS not in self._files:
            comments = Places(np.full(window.count, -1, np.int64), comments.sizes)
        bodies = read_bodies(
            *(moves, annotations, window.places(MOVES, moves), comments),
            (~window.is_text).astype(np.uint8),
            self.text_encoding,
        )
        texts, text_extras, text_problems = read_texts(moves, window)
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
        arrays = [columns[name] for name in RECORD_SCHEMA.names]
        return GameBatch(pa.RecordBatch.from_arrays(arrays, schema=RECORD_SCHEMA))

    def _close(self) -> None:
        cached = ("_source", "_entities", "_bare_entities", "players", "tournaments", "sources", "teams", "game_tags")
        for name in cached:
            self.__dict__.pop(name, None)
        self._records = StoredRecords(GAME)
        self._files.close()
