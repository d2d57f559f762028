"""Changing a base in place: marks, entities, single games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from tabiya.errors import LossError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.formats.cbh import KEEPS
from tabiya.formats.cbh.bodies.blobs import PROLOG, annotation_sizes, move_sizes
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.formats.cbh.files import cbj, cbm, flags
from tabiya.formats.cbh.files.base_files import BOOSTERS, MAIN, UNREAD, BaseFiles, files_of
from tabiya.formats.cbh.files.cbh import GAME, HEADER, Mark
from tabiya.formats.cbh.files.cbj import NO_ID
from tabiya.formats.cbh.files.cbj import RECORD as CBJ
from tabiya.formats.cbh.files.strings import encode_field
from tabiya.formats.cbh.reading.header_window import Window
from tabiya.formats.cbh.writing.appending import entity_tables_of, extended_records_of, games_of, twin_size_of
from tabiya.formats.cbh.writing.base_builder import check_room, count_media
from tabiya.formats.cbh.writing.batch_encoding import EncodedBatch, encode_batch
from tabiya.formats.cbh.writing.body_replacement import Splice, splice
from tabiya.formats.cbh.writing.entity_codec import entity_codecs
from tabiya.formats.cbh.writing.entity_ids import TABLES, EntityAssigner
from tabiya.formats.cbh.writing.entity_tables import content_of
from tabiya.formats.cbh.writing.journal import Swap, changeable
from tabiya.formats.loss_counting import fit
from tabiya.formats.losses import LossReport
from tabiya.formats.url import local_path
from tabiya.game import Game, GameBatch

if TYPE_CHECKING:
    from typing import Self

    from tabiya.binary import Records
    from tabiya.formats.cbh.writing.entity_tables import EntityTable

__all__ = ["BaseEditor"]

_PLURALS: Final = {
    "players": ".cbp",
    "tournaments": ".cbt",
    "annotators": ".cbc",
    "sources": ".cbs",
    "teams": ".cbe",
    "game_tags": ".cbl",
}


class _Replacement(NamedTuple):
    """A game in the place of another."""

    row: int
    pieces: EncodedBatch
    losses: LossReport


class _Edit(NamedTuple):
    """Another content of an entity."""

    suffix: str
    number: int
    content: bytes


class BaseEditor:
    """Changes a base: ``with BaseEditor("x.cbh") as editor: editor.delete([3])``.

    Changes are gathered and made together at the end of the block, or by ``commit``, as if one after the other; an
    error discards them. Until then, and whatever happens, the base on disk is the old one. No second writer can begin
    meanwhile.
    """

    def __init__(self, place: str | Path) -> None:
        path = local_path(place)
        with errors_of(path):
            self.path = changeable(path).resolve()
            self._swap = Swap(self.path)
            try:
                self._base = CbhDatabase(self.path)
                self._games = games_of(self._base)
            except BaseException:
                self._swap.discard()
                raise
        self.remarks: tuple[str, ...] = ()
        """What the commit did to other files of the base, in sentences."""
        self.unfinished: tuple[str, ...] = ()
        """Nothing, ever: a base has no segments to merge."""
        self._changes: list[_Replacement | _Edit] = []
        self._edited: dict[str, dict[int, bytes]] = {}
        self._marked = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.commit()
        self.close()

    @property
    def losses(self) -> LossReport:
        """What gets lost of games that are put in the place of others."""
        return sum((each.losses for each in self._replaced.values()), LossReport())

    # What can be done.

    def delete(self, numbers: Iterable[int]) -> None:
        """Mark records as deleted; they stay where they are."""
        self._mark(numbers, deleted=True)

    def undelete(self, numbers: Iterable[int]) -> None:
        """Take marks of deletion back."""
        self._mark(numbers, deleted=False)

    def replace(self, number: int, game: Game, *, strict: bool = False) -> None:
        """Put a game (or guiding text) in the place of a record.

        A record that is marked as deleted stays so, and one becomes so if the game is; ``undelete`` takes it back.

        Raises:
            LossError: with ``strict``, if anything would be lost; or always, if nothing of it can be written.
        """
        row = self._row(number)
        batch, losses = fit(GameBatch.from_games([game], first_number=number), KEEPS)
        codecs = entity_codecs(self._base.name_encoding)
        pieces, more = encode_batch(batch, codecs, self._base.name_encoding, self._base.text_encoding)
        losses += more
        if not len(pieces) or (strict and losses):
            raise LossError(
                f"not replaced, because this would be lost: {losses.summary()}", path=self.path, game=number
            )
        self._changes.append(_Replacement(row, pieces, losses))
        if game.deleted:
            self.delete([number])

    def edit(self, kind: str, number: int, **fields: str | int) -> None:
        """Change fields of an entity: ``edit("players", 3, last="Carlsen", first="Magnus")``.

        The names of kinds are those of the attributes of a base, those of fields stand in its documentation.
        """
        suffix = _PLURALS.get(kind)
        if suffix is None:
            raise UsageError(f"a base has no {kind!r}; it has: {', '.join(_PLURALS)}", path=self.path)
        file = self._base.entity_files[suffix]
        if not 0 <= number < len(file) or file.deleted[number]:
            raise UsageError(f"the base has no {file.kind.noun} {number}", path=self.path)
        layout = file.kind.layout
        former = self._edited.get(suffix, {}).get(number, content_of(file.bytes_of(number)))
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
        content = content_of(layout.encode(record))
        self._edited.setdefault(suffix, {})[number] = content
        self._changes.append(_Edit(suffix, number, content))

    def _fitting(self, text: str, width: int, name: str) -> bytes:
        data = encode_field(text, width, self._base.name_encoding)
        if self._base.name_encoding.decode_name(data) != text:
            raise UsageError(f"{text!r} does not fit into the {width - 1} bytes of the field {name!r}", path=self.path)
        return data

    def _row(self, number: int) -> int:
        if not 1 <= number <= len(self._games):
            raise UsageError(f"there is no record {number}; the base has {len(self._games)}", path=self.path)
        return number - 1

    def _mark(self, numbers: Iterable[int], *, deleted: bool) -> None:
        rows = [self._row(number) for number in numbers]
        marks = GAME.column(self._games, "marks")
        changed = marks[rows] | np.uint8(Mark.DELETED) if deleted else marks[rows] & np.uint8(0xFF & ~Mark.DELETED)
        self._marked |= bool((marks[rows] != changed).any())
        marks[rows] = changed
        GAME.put(self._games, "marks", marks)

    # The end.

    def commit(self) -> None:
        """Make all changes; afterwards the editor is closed."""
        try:
            with errors_of(self.path):
                self._commit()
        finally:
            self.close()

    def close(self) -> None:
        """Discard what was not committed. May be called twice."""
        self._games = np.empty(0, GAME.dtype)
        self._base.close()
        self._swap.discard()

    @property
    def _replaced(self) -> dict[int, _Replacement]:
        """What takes the place of each row in the end."""
        return {each.row: each for each in self._changes if isinstance(each, _Replacement)}

    def _commit(self) -> None:
        if not (self._marked or self._changes):
            return
        outdated: tuple[str, ...] = ()
        if self._changes:
            tables = entity_tables_of(self._base)
            replaced = self._replaced
            self._change_entities(tables)
            if replaced:
                self._replace_records(tables, {row: each.pieces for row, each in replaced.items()})
                outdated = (*BOOSTERS, *UNREAD)
            for suffix in TABLES.values() if replaced else self._edited:
                if suffix not in self._swap.opened:
                    tables[suffix].write(self._swap.open(suffix))
        if MAIN not in self._swap.opened:
            self._write_main()
        present = files_of(self.path.parent, self.path.stem)
        self._base.close()
        self.remarks = self._swap.commit(present=present, outdated=outdated)

    def _write_main(self) -> None:
        header = self._base.header
        for each in self._replaced.values():
            count_media(header, each.pieces)
        file = self._swap.open(MAIN)
        file.write(HEADER.encode(header))
        file.write(self._games.tobytes())

    def _change_entities(self, tables: dict[str, EntityTable]) -> None:
        """In the order of the calls: a name that was changed before a game came is not the one that it brings."""
        for each in self._changes:
            if isinstance(each, _Edit):
                tables[each.suffix].change(each.number, each.content)
            else:
                EntityAssigner(tables).assign(each.pieces, np.array([each.row + 1]))

    def _replace_records(self, tables: dict[str, EntityTable], replaced: dict[int, EncodedBatch]) -> None:
        """New bodies go into their place in the files; ids, counts and offsets follow."""
        base, games, extended = self._base, self._games, extended_records_of(self._base)
        window = Window(base.source, 0, len(games))
        deleted = GAME.column(games, "marks") & np.uint8(Mark.DELETED)
        for row, pieces in replaced.items():
            games[row] = pieces.headers.games[0]
            extended[row] = pieces.headers.cbj[0]
        # Whether a record is deleted was decided by the calls.
        GAME.put(games, "marks", GAME.column(games, "marks") & np.uint8(0xFF & ~Mark.DELETED) | deleted)
        self._replace_media(extended, replaced)
        for suffix, sizes_of in ((".cbg", move_sizes), (".cba", annotation_sizes)):
            self._splice(suffix, sizes_of, window, extended, replaced)
        CBJ.put(extended, "checksum", cbj.checksums(extended))
        self._swap.open(".cbj").write(cbj.HEADER.encode({"records": len(games)}) + extended.tobytes())
        EntityAssigner(tables, twin_size_of(base)).write_twins(self._swap.open(".cbtt"))
        source = replace(base.source, games=games, cbj_layout=CBJ, cbj=extended)
        recount(tables, Window(source, 0, len(games)))

    def _replace_media(self, extended: Records, replaced: dict[int, EncodedBatch]) -> None:
        """Add lists of media files to .cbm, and take the marks of top games from the new games."""
        files = self._base.base_files
        lists = bytearray(files.data(".cbm")[cbm.HEADER.size :])
        lists += bytes(-len(lists) % cbm.RECORD_SIZE)
        offsets = CBJ.column(extended, "media")
        marks = flags.top_games(files.data(".flags"), 1, len(extended))
        for row, pieces in replaced.items():
            offsets[row] = NO_ID
            marks[row] = pieces.top_games[0]
            if pieces.manifests:
                offsets[row] = cbm.HEADER.size + len(lists) + cbm.RECORD_HEAD.size
                lists += cbm.encode_manifest(pieces.manifests[0])
        CBJ.put(extended, "media", offsets)
        self._swap.open(".cbm").write(cbm.HEADER.encode({"records": len(lists) // cbm.RECORD_SIZE}) + lists)
        if flags.is_known(files.data(".flags")) or marks.any():
            self._swap.open(".flags").write(flags.encode_top_games(marks))

    def _splice(
        self, suffix: str, sizes_of: Any, window: Window, extended: Records, replaced: dict[int, EncodedBatch]
    ) -> None:
        name, games = f"{suffix[1:]}_offset", self._games
        data = self._base.base_files.data(suffix)
        offsets = window.offsets(name)
        sizes = sizes_of(data, offsets)
        changes = {row: self._body(suffix, pieces) for row, pieces in replaced.items()}
        result = splice(data, offsets, sizes, changes)
        check_room(suffix, result.size, self.path)
        _write_spliced(self._swap, suffix, self._base.base_files, result)
        is_text = (GAME.column(games, "marks") & np.uint8(Mark.TEXT)) != 0
        column = GAME.column(games, name)
        rows = slice(None) if suffix == ".cbg" else ~is_text
        column[rows] = result.offsets[rows]
        GAME.put(games, name, column)
        CBJ.put(extended, name, result.offsets)

    def _body(self, suffix: str, pieces: EncodedBatch) -> bytes:
        return b"".join(pieces.moves) if suffix == ".cbg" else bytes(pieces.annotations)


def recount(tables: dict[str, EntityTable], window: Window) -> None:
    """Count references anew, and delete entities that have lost their last one."""
    before = {suffix: table.uses for suffix, table in tables.items()}
    for table in tables.values():
        table.forget_uses()
    numbers = np.arange(1, window.count + 1)
    for reference, suffix in TABLES.items():
        ids = window.ids(reference)
        tables[suffix].count(np.where(ids < len(tables[suffix]), ids, -1), numbers)
    for suffix, table in tables.items():
        table.drop_unused(before[suffix])


def _write_spliced(swap: Swap, suffix: str, files: BaseFiles, result: Splice) -> None:
    file = swap.open(suffix)
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
    for piece in result.pieces:
        file.writelines([piece] if isinstance(piece, bytes) else files.chunks(suffix, *piece))
