"""A ChessBase database open for reading."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.chessbase.header_fields import Table
from tabiya.chessbase.stored_records import StoredRecords
from tabiya.errors import CorruptError
from tabiya.formats.cbh import CBH
from tabiya.formats.cbh.bodies.blobs import read_prolog
from tabiya.formats.cbh.bodies.columns import read_bodies
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
from tabiya.formats.cbh.reading.soundness import inspect, missing_files
from tabiya.formats.chessbase_database import AUTO, ChessBaseDatabase, entity_counts
from tabiya.game.annotations import TextEncoding

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.chessbase.body_columns import Bodies, Texts
    from tabiya.files.file_bytes import FileBytes
    from tabiya.formats.cbh.files.base_files import BaseFiles
    from tabiya.game.record import Problem

_GENERATIONS: Final = {0x24: "ChessBase 6 to 8", 0x2C: "ChessBase 9 and later"}


class CbhDatabase(ChessBaseDatabase[Window]):
    """The games and guiding texts of a ChessBase base.

    All files except ``.cbh`` may be missing, too short or stale: ``problems`` reports it. Texts are UTF-8 if valid; all
    others are read in the code page that most of them appear to use (``encoding="auto"``), or in the given one.
    """

    _files: BaseFiles
    _layout = GAME
    _batch_bytes = 4 << 20
    _bodies = (".cbg", ".cba")
    _released = (
        *("_source", "_entity_files", "_bare_files"),
        *("players", "tournaments", "annotators", "sources", "teams", "game_tags"),
    )

    def __init__(self, place: Path, *, encoding: str = AUTO) -> None:
        super().__init__(open_files(place), CBH, encoding)
        head = bytes(self._files.data(MAIN)[: HEADER.size])
        if not looks_like_header(head):
            raise CorruptError("this is not the header of a ChessBase database", path=self._files.main, offset=0)
        self._header = HEADER.decode(head)
        declared = max(0, int(self._header["next_game"]) - 1)
        self._records = StoredRecords(GAME, self._files.data(MAIN), RECORD_SIZE, declared)

    # Public interface.

    @property
    def title(self) -> str:
        """The title that ChessBase shows; empty if there is none."""
        return title_of(parse_ini(bytes(self._files.data(".ini")), self.name_encoding))

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

    def _missing(self) -> tuple[str, ...]:
        return missing_files(self._files)

    def _facts(self) -> dict[str, str | int | float]:
        facts: dict[str, str | int | float] = {"title": self.title} if self.title else {}
        generation, version = int(self._header["generation"]), int(self._header["version"])
        facts["generation"] = _GENERATIONS.get(generation, f"{generation:#x}") + (
            f", version {version}" if version != 1 else ""
        )
        live = {file.kind: len(file) - int(file.deleted.sum()) for file in self._entity_files.values()}
        facts["entities"] = entity_counts(live)
        for suffix in self._bodies:
            prolog = read_prolog(self._files.data(suffix))
            if prolog is not None and prolog.wasted:
                facts[f"wasted in {suffix}"] = f"{prolog.wasted:,} bytes"
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

    def _window(self, start: int, stop: int) -> Window:
        return Window(self._source, start, stop)

    def _setups(self, window: Window, rows: NDArray[np.int64]) -> Bodies:
        none = np.full(len(rows), -1, np.int64)
        return read_bodies(
            self._stored(".cbg"), None, window.selected_offsets(".cbg")[rows], none, np.ones(len(rows), np.uint8)
        )

    def _read_bodies(self, window: Window) -> Bodies:
        return read_bodies(
            self._stored(".cbg"),
            self._stored(".cba"),
            window.selected_offsets(".cbg"),
            window.selected_offsets(".cba"),
            (~window.is_text).astype(np.uint8),
            encoding=self.text_encoding,
            first_number=window.start + 1,
        )

    def _read_texts(self, window: Window) -> Texts:
        return read_texts(self._files.data(".cbg"), window, self.text_encoding)

    def _stored(self, suffix: str) -> FileBytes | bytes | None:
        return self._files.data(suffix) if suffix in self._files else None
