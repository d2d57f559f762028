"""A ChessBase database being written: bodies and records as they come, entities and counts at the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tabiya.files.file_errors import errors_of
from tabiya.files.transaction import refuse_existing
from tabiya.formats.cbh import CBH
from tabiya.formats.cbh.archive.database import CbvDatabase
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.formats.cbh.files import flags
from tabiya.formats.cbh.files.base_files import KNOWN_SUFFIXES, MAIN, UNREAD, files_of, target_file
from tabiya.formats.cbh.writing.appending import continued
from tabiya.formats.cbh.writing.base_builder import BaseBuilder
from tabiya.formats.cbh.writing.base_transaction import BaseTransaction
from tabiya.formats.cbh.writing.batch_encoding import EncodedBatch, encode_batch
from tabiya.formats.cbh.writing.entity_codec import entity_codecs
from tabiya.formats.loss_counting import fit
from tabiya.formats.writer import Encoded, Writer
from tabiya.game.annotations import CP1252, UTF8, TextEncoding

if TYPE_CHECKING:
    from pathlib import Path

    from tabiya.formats.database import Database
    from tabiya.game import GameBatch, RecordKind


class CbhWriter(Writer):
    """Write a ChessBase database with all its files.

    Texts and names are written in UTF-8, or as far as possible in a code page (``encoding``); in a copy of a whole
    ChessBase base, texts keep their code page. ``append`` adds to a base, in its encoding; its files are copied first,
    so that the base is replaced in one step. ``title`` is the title that ChessBase shows, by default the name of the
    file.
    """

    def __init__(
        self,
        place: Path,
        *,
        overwrite: bool = False,
        strict: bool = False,
        append: bool = False,
        encoding: str | None = None,
        title: str | None = None,
    ) -> None:
        with errors_of(place):
            place = target_file(place)
            if not append:
                refuse_existing(place, overwrite=overwrite)
            main = place.resolve()
            self._transaction = BaseTransaction(main, overwrite=overwrite or append)
        super().__init__(place, CBH, strict=strict)
        try:
            self._present = files_of(main.parent, main.stem)
            if append and MAIN in self._present:
                self._builder = continued(self._transaction, self._present[MAIN])
            else:
                page = UTF8 if encoding is None else TextEncoding(encoding)
                self._builder = BaseBuilder(self._transaction, page, title or main.stem)
        except BaseException:
            self._transaction.discard()
            raise
        self._codecs = entity_codecs(self._builder.encoding)
        self._given = (encoding is not None or append, title is not None or append)

    def _is_same_kind(self, database: Database) -> bool:
        return isinstance(_base_of(database), CbhDatabase)

    def _follow(self, database: Database) -> None:
        """Keep the code page of texts, so that bodies are reproduced byte for byte."""
        database = _base_of(database)
        if not isinstance(database, CbhDatabase):
            return
        encoding_given, title_given = self._given
        builder = self._builder
        if not encoding_given:
            builder.text_encoding = database.text_encoding
            # Names in cp1252 are read correctly regardless of the rest of the base; those of other code pages may not
            # be.
            builder.encoding = CP1252 if database.name_encoding == CP1252 else UTF8
            self._codecs = entity_codecs(builder.encoding)
        if not title_given and ".ini" in database.base_files:
            builder.ini = bytes(database.base_files.data(".ini"))
        builder.has_flags |= flags.is_known(database.base_files.data(".flags"))
        if builder.count == 0:
            for name in ("next_sound", "next_picture", "next_video"):
                builder.header[name] = database.header[name]

    def _encode(self, batch: GameBatch, *, before: RecordKind | None) -> Encoded:  # noqa: ARG002 - records are independent
        fitting, losses = fit(batch, self._keeps)
        pieces, more = encode_batch(fitting, self._codecs, self._builder.encoding, self._builder.text_encoding)
        return Encoded(pieces, len(pieces), losses + more)

    def _put(self, content: EncodedBatch) -> None:
        self._builder.add(content)

    def _commit(self) -> None:
        self._builder.finish()
        self._remarks = self._transaction.replace(
            outdated=KNOWN_SUFFIXES - self._builder.kept,
            unread={*UNREAD, *self._unknown_flags()},
        )

    def _unknown_flags(self) -> Iterator[str]:
        """Yield the suffix of top games, if the replaced base has them in an unknown form."""
        path = self._present.get(".flags")
        if path is not None and not flags.is_known(path.read_bytes()):
            yield ".flags"

    def _discard(self) -> None:
        self._transaction.discard()


def _base_of(database: Database) -> Database:
    return database.base if isinstance(database, CbvDatabase) else database
