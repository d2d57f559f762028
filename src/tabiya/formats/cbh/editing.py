"""Change a base in place: marks, entities, single games."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import numpy as np

from tabiya.chessbase.record_marks import Mark, is_text
from tabiya.chessbase.strings import encode_field
from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.formats.cbh import KEEPS
from tabiya.formats.cbh.bodies.blobs import PROLOG, annotation_sizes, move_sizes
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.formats.cbh.files import cbj, cbm, flags
from tabiya.formats.cbh.files.base_files import BOOSTERS, MAIN, UNREAD, BaseFiles
from tabiya.formats.cbh.files.cbh import GAME, HEADER
from tabiya.formats.cbh.files.cbj import NO_ID
from tabiya.formats.cbh.files.cbj import RECORD as CBJ
from tabiya.formats.cbh.files.opening import changeable
from tabiya.formats.cbh.reading.header_window import Window, offset_field
from tabiya.formats.cbh.writing.appending import cbtt_size_of, entity_tables_of, extended_records_of, games_of
from tabiya.formats.cbh.writing.base_builder import check_size, count_media
from tabiya.formats.cbh.writing.base_transaction import BaseTransaction
from tabiya.formats.cbh.writing.batch_encoding import EncodedBatch, encode_batch
from tabiya.formats.cbh.writing.body_replacement import Splice, splice
from tabiya.formats.cbh.writing.entity_codec import entity_codecs
from tabiya.formats.cbh.writing.entity_ids import TABLES, EntityAssigner
from tabiya.formats.cbh.writing.entity_tables import content_of
from tabiya.formats.editor import DatabaseEditor
from tabiya.formats.loss_counting import fit
from tabiya.formats.new_bodies import NewBodies
from tabiya.formats.url import local_path
from tabiya.formats.writer import Encoded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.binary import Records
    from tabiya.formats.cbh.writing.entity_tables import EntityTable
    from tabiya.game import GameBatch

_PLURALS: Final = {
    "players": ".cbp",
    "tournaments": ".cbt",
    "annotators": ".cbc",
    "sources": ".cbs",
    "teams": ".cbe",
    "game_tags": ".cbl",
}
_SIZES: Final = {".cbg": move_sizes, ".cba": annotation_sizes}
"""The files of bodies, and the functions for sizes in each."""


class BaseEditor(DatabaseEditor):
    """Changes a base: ``with BaseEditor("x.cbh") as editor: editor.delete([3])``."""

    _database = "base"

    def __init__(self, place: str | Path) -> None:
        given = local_path(place)
        with errors_of(given):
            path = changeable(given).resolve()
            self._transaction = BaseTransaction(path)
            try:
                self._base = CbhDatabase(path)
                self._games = games_of(self._base)
            except BaseException:
                self._transaction.discard()
                raise
        super().__init__(path, len(self._games))
        self._header = self._base.header
        self._edited: set[str] = set()
        """Suffixes of entity files in which entities were edited."""
        self._manifests: dict[int, bytes] = {}
        """Lists of media files of new games, by row."""
        self._bodies = {suffix: NewBodies(self._count, path.parent) for suffix in _SIZES}
        self._forget_ids()

    # Changes.

    def _encode(self, batch: GameBatch) -> Encoded:
        fitting, losses = fit(batch, KEEPS)
        pieces, more = encode_batch(fitting, self._codecs, self._base.name_encoding, self._base.text_encoding)
        return Encoded(pieces, len(pieces), losses + more)

    def _put(self, rows: NDArray[np.int64], content: EncodedBatch) -> None:
        self._assigner.assign(content, rows + 1)
        self._games[rows] = content.headers.games
        self._extended[rows] = content.headers.cbj
        self._top_games[rows] = content.top_games
        self._bodies[".cbg"].put(rows, b"".join(content.moves), content.move_sizes)
        self._bodies[".cba"].put(rows, bytes(content.annotations), content.annotation_sizes)
        for place, row in enumerate(rows.tolist()) if content.manifests or self._manifests else ():
            self._manifests.pop(row, None)
            if place in content.manifests:
                self._manifests[row] = content.manifests[place]
        count_media(self._header, content)

    @cached_property
    def _tables(self) -> dict[str, EntityTable]:
        return entity_tables_of(self._base)

    @cached_property
    def _extended(self) -> Records:
        return extended_records_of(self._base)

    @cached_property
    def _top_games(self) -> NDArray[np.uint8]:
        return flags.top_games(self._base.base_files.data(".flags"), 1, self._count)

    @cached_property
    def _assigner(self) -> EntityAssigner:
        return EntityAssigner(self._tables, cbtt_size_of(self._base))

    def _forget_ids(self) -> None:
        """Look up the entities of new games again: an edited entity is a different one."""
        self._codecs = entity_codecs(self._base.name_encoding)
        self.__dict__.pop("_assigner", None)

    def edit(self, kind: str, number: int, **fields: str | int) -> None:
        """Change fields of an entity: ``edit("players", 3, last="Carlsen", first="Magnus")``.

        The names of kinds are the attributes of a base; the documentation lists the names of fields.
        """
        self._check_open()
        suffix = _PLURALS.get(kind)
        if suffix is None:
            raise UsageError(f"a base has no {kind!r}; it has: {', '.join(_PLURALS)}", path=self.path)
        file = self._base.entity_files[suffix]
        if not 0 <= number < len(file) or file.deleted[number]:
            raise UsageError(f"the base has no {file.kind.noun} {number}", path=self.path)
        layout = file.kind.layout
        former = self._tables[suffix].content(number) or b""
        before, after = layout.fields[3].offset, layout.size - 8
        record = dict(layout.decode(bytes(before) + former + bytes(layout.size - after)))
        own = [field.name for field in layout.fields[3:-2]]
        for name, value in fields.items():
            if name not in own:
                raise UsageError(f"{file.kind.plural} have no field {name!r}; they have: {', '.join(own)}")
            data = value if isinstance(value, int) else self._fitting(value, layout[name].size, name)
            if not layout.fits(name, data):
                raise UsageError(f"{value!r} does not fit into the field {name!r}", path=self.path)
            record[name] = data
        self._tables[suffix].change(number, content_of(layout.encode(record)))
        self._edited.add(suffix)
        self._forget_ids()

    def _fitting(self, text: str, width: int, name: str) -> bytes:
        data = encode_field(text, width, self._base.name_encoding)
        if self._base.name_encoding.decode_name(data) != text:
            raise UsageError(f"{text!r} does not fit into the {width - 1} bytes of the field {name!r}", path=self.path)
        return data

    # The end.

    def _has_changes(self) -> bool:
        return bool(self._edited) or super()._has_changes()

    def _discard(self) -> None:
        self._games = np.empty(0, GAME.dtype)
        self._base.close()
        for bodies in self._bodies.values():
            bodies.close()
        self._transaction.discard()

    def _commit(self) -> None:
        marks, old = GAME.column(self._games, "marks"), GAME.column(self._base.source.games[:], "marks")
        deleted = self._with_marks(slice(None), (old & np.uint8(Mark.DELETED)) != 0)
        marks = marks & np.uint8(0xFF & ~Mark.DELETED) | np.where(deleted, np.uint8(Mark.DELETED), np.uint8(0))
        has_new = bool(self._replaced.any())
        if not (has_new or self._edited or (marks != old).any()):
            return
        GAME.put(self._games, "marks", marks)
        if has_new:
            self._replace_records(np.flatnonzero(self._replaced))
        for suffix in TABLES.values() if has_new else self._edited:
            if suffix not in self._transaction.opened:
                self._tables[suffix].write(self._transaction.open(suffix))
        file = self._transaction.open(MAIN)
        file.write(HEADER.encode(self._header))
        file.write(self._games.view(np.uint8).data)
        self._base.close()
        self.remarks = self._transaction.replace(outdated=(*BOOSTERS, *UNREAD) if has_new else ())

    def _replace_records(self, rows: NDArray[np.int64]) -> None:
        """Write new bodies to the files; ids, counts and offsets follow."""
        base, extended = self._base, self._extended
        self._replace_media(rows)
        for suffix in _SIZES:
            self._splice(suffix, rows)
        CBJ.put(extended, "checksum", cbj.checksums(extended))
        file = self._transaction.open(".cbj")
        file.write(cbj.HEADER.encode({"records": self._count}))
        file.write(extended.view(np.uint8).data)
        self._assigner.write_cbtt(self._transaction.open(".cbtt"))
        source = replace(base.source, games=self._games, cbj_layout=CBJ, cbj=extended)
        recount(self._tables, Window(source, 0, self._count))

    def _replace_media(self, rows: NDArray[np.int64]) -> None:
        """Add lists of media files to .cbm, and update the marks of top games from the new games."""
        files = self._base.base_files
        lists = bytearray(files.data(".cbm")[cbm.HEADER.size :])
        lists += bytes(-len(lists) % cbm.RECORD_SIZE)
        offsets = CBJ.column(self._extended, "media")
        offsets[rows] = NO_ID
        for row, manifest in sorted(self._manifests.items()):
            offsets[row] = cbm.HEADER.size + len(lists) + cbm.RECORD_HEAD.size
            lists += cbm.encode_manifest(manifest)
        CBJ.put(self._extended, "media", offsets)
        self._transaction.open(".cbm").write(cbm.HEADER.encode({"records": len(lists) // cbm.RECORD_SIZE}) + lists)
        if flags.is_known(files.data(".flags")) or self._top_games.any():
            self._transaction.open(".flags").write(flags.encode_top_games(self._top_games))

    def _splice(self, suffix: str, rows: NDArray[np.int64]) -> None:
        name, games, bodies = offset_field(suffix), self._games, self._bodies[suffix]
        data = self._base.base_files.data(suffix)
        offsets = Window(self._base.source, 0, self._count).offsets(suffix)
        result = splice(data, offsets, _SIZES[suffix](data, offsets), rows, bodies.sizes[rows])
        check_size(suffix, result.size, self.path)
        _write_spliced(self._transaction.open(suffix), suffix, self._base.base_files, result, bodies)
        column = GAME.column(games, name)
        chosen = slice(None) if suffix == ".cbg" else ~is_text(GAME.column(games, "marks"))
        column[chosen] = result.offsets[chosen]
        GAME.put(games, name, column)
        CBJ.put(self._extended, name, result.offsets)


def recount(tables: dict[str, EntityTable], window: Window) -> None:
    """Count references again, and delete entities that have lost their last one."""
    before = {suffix: table.uses for suffix, table in tables.items()}
    for table in tables.values():
        table.forget_uses()
    numbers = np.arange(1, window.count + 1)
    for reference, suffix in TABLES.items():
        ids = window.ids(reference)
        tables[suffix].count(np.where(ids < len(tables[suffix]), ids, -1), numbers)
    for suffix, table in tables.items():
        table.drop_unused(before[suffix])


def _write_spliced(file: BinaryIO, suffix: str, files: BaseFiles, result: Splice, bodies: NewBodies) -> None:
    data = files.data(suffix)
    prolog_size = int.from_bytes(data[:2], "big")
    wasted = int.from_bytes(data[6:10], "big") + result.wasted
    prolog = {
        "prolog_size": prolog_size,
        "file_size": result.size,
        "wasted": wasted,
        "file_size_64": result.size,
        "wasted_64": wasted,
    }
    file.write(PROLOG.encode(prolog)[:prolog_size])
    for piece in result.pieces(bodies):
        file.writelines([piece] if isinstance(piece, bytes) else files.chunks(suffix, *piece))
