"""A 2CBH database open for reading."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tabiya.chessbase.record_marks import is_text
from tabiya.chessbase.stored_records import StoredRecords
from tabiya.errors import CorruptError
from tabiya.formats.cbh2 import CBH2, public_entities
from tabiya.formats.cbh2.base_files import ANNOTATIONS, ENTITIES, MAIN, MOVES, BaseFiles, main_file
from tabiya.formats.cbh2.bodies import read_bodies
from tabiya.formats.cbh2.container import Places
from tabiya.formats.cbh2.encodings import detect_texts
from tabiya.formats.cbh2.entities import PLAYERS, SOURCES, TAGS, TEAMS, TOURNAMENTS
from tabiya.formats.cbh2.entity_store import Entities, EntityStore, detect_names
from tabiya.formats.cbh2.guiding_texts import read_texts
from tabiya.formats.cbh2.header_window import BODIES, ENTITY_KINDS, Source, Window
from tabiya.formats.cbh2.headers import GAME, HEADER, RECORD_SIZE, looks_like_header
from tabiya.formats.cbh2.lid_file import read_header
from tabiya.formats.cbh2.soundness import inspect
from tabiya.formats.chessbase_database import AUTO, ChessBaseDatabase, entity_counts
from tabiya.game.annotations import TextEncoding

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.chessbase.body_columns import Bodies, Texts
    from tabiya.game.record import Problem


class Cbh2Database(ChessBaseDatabase[Window]):
    """The games, analyses and guiding texts of a 2CBH database.

    All files except ``.2cbh`` may be missing or too short: ``problems`` reports it. Texts are UTF-8 if valid; others
    are read in the code page that most of them appear to use (``encoding="auto"``), or in the given one.
    """

    _files: BaseFiles
    _layout = GAME
    _batch_bytes = 10 << 20  # more than half of the bytes of a usual game are frames and spare bytes
    _bodies = BODIES
    _released = (
        *("_source", "_entities", "_bare_entities"),
        *("players", "tournaments", "sources", "teams", "game_tags"),
    )

    def __init__(self, place: Path, *, encoding: str = AUTO) -> None:
        super().__init__(BaseFiles(main_file(place)), CBH2, encoding)
        head = bytes(self._files.data(MAIN)[: HEADER.size])
        if not looks_like_header(head):
            raise CorruptError("this is not the header of a 2CBH database", path=self._files.main, offset=0)
        self._header = HEADER.decode(head)
        declared = max(-1, self._header["next_game"] - 1)  # -1: as many as there are
        self._records = StoredRecords(GAME, self._files.data(MAIN), RECORD_SIZE, declared)

    # Public interface.

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

    def _missing(self) -> tuple[str, ...]:
        return self._files.missing()

    def _facts(self) -> dict[str, str | int | float]:
        counts = {kind: self._entities.count(kind) for kind in ENTITY_KINDS}
        return {"version": int(self._header["version"]), "entities": entity_counts(counts)}

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

    def _window(self, start: int, stop: int) -> Window:
        return Window(self._source, start, stop)

    def _setups(self, window: Window, rows: NDArray[np.int64]) -> Bodies:
        moves = self._files.data(MOVES)
        places, games = window.places(MOVES, moves).of(rows), np.ones(len(rows), np.uint8)
        none = Places(np.full(len(rows), -1, np.int64), np.zeros(len(rows), np.int64))
        return read_bodies(moves, b"", places, none, games)

    def _read_bodies(self, window: Window) -> Bodies:
        moves, annotations = self._files.data(MOVES), self._files.data(ANNOTATIONS)
        comments = window.places(ANNOTATIONS, annotations)
        if ANNOTATIONS not in self._files:
            comments = Places(np.full(window.count, -1, np.int64), comments.sizes)
        games = (~window.is_text).astype(np.uint8)
        return read_bodies(moves, annotations, window.places(MOVES, moves), comments, games, self.text_encoding)

    def _read_texts(self, window: Window) -> Texts:
        return read_texts(self._files.data(MOVES), window)
