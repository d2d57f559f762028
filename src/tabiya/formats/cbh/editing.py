"""Changing a base in place: marks, entities, single games; and the base as a whole, compacted or copied."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from tabiya.errors import LossError, UsageError
from tabiya.formats.atomic import refuse_existing
from tabiya.formats.cbh import KEEPS, cbj, cbm, flags
from tabiya.formats.cbh.assigning import TABLES, EntityAssigner
from tabiya.formats.cbh.base_builder import check_room
from tabiya.formats.cbh.blobs import PROLOG, annotation_sizes, move_sizes
from tabiya.formats.cbh.cbh import GAME, HEADER, Mark
from tabiya.formats.cbh.cbj import NO_ID
from tabiya.formats.cbh.cbj import RECORD as CBJ
from tabiya.formats.cbh.continuing import entity_tables_of, extended_records_of, games_of, twin_size_of
from tabiya.formats.cbh.database import CbhDatabase
from tabiya.formats.cbh.encoding import EncodedBatch, encode_batch
from tabiya.formats.cbh.entity_codec import entity_codecs
from tabiya.formats.cbh.entity_tables import content_of
from tabiya.formats.cbh.files import (
    BOOSTERS,
    KNOWN_SUFFIXES,
    MAIN,
    BaseFiles,
    as_spelled,
    files_of,
    folders_of,
    main_file,
)
from tabiya.formats.cbh.splicing import Splice, splice
from tabiya.formats.cbh.strings import encode_field
from tabiya.formats.cbh.swap import Swap, finish_swap, open_files
from tabiya.formats.cbh.window import Window
from tabiya.formats.fit import fit
from tabiya.formats.guard import errors_of
from tabiya.formats.losses import LossReport
from tabiya.game import Game, GameBatch

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import NDArray

    from tabiya.formats.cbh.entity_tables import EntityTable
    from tabiya.formats.cbh.layout import Records

__all__ = ["BaseEditor", "compact", "copy_base"]

_PLURALS: Final = {
    "players": ".cbp",
    "tournaments": ".cbt",
    "annotators": ".cbc",
    "sources": ".cbs",
    "teams": ".cbe",
    "game_tags": ".cbl",
}


class BaseEditor:
    """Changes a base: ``with BaseEditor("x.cbh") as editor: editor.delete([3])``.

    Changes are gathered and made together at the end of the block, or by ``commit``; an error discards them. Until
    then, and whatever happens, the base on disk is the old one. No second writer can begin meanwhile.
    """

    def __init__(self, place: str | Path) -> None:
        path = Path(place)
        with errors_of(path):
            finish_swap(path)
            self.path = main_file(path).resolve()
            self._swap = Swap(self.path)
            try:
                self._base = CbhDatabase(self.path)
                self._games = games_of(self._base)
            except BaseException:
                self._swap.discard()
                raise
        self.losses = LossReport()
        """What got lost of games that were put in the place of others."""
        self._replaced: dict[int, EncodedBatch] = {}
        self._edited: dict[str, dict[int, bytes]] = {}
        self._marked = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.commit()
        self.close()

    # What can be done.

    def delete(self, numbers: Iterable[int]) -> None:
        """Mark records as deleted; they stay where they are."""
        self._mark(numbers, deleted=True)

    def undelete(self, numbers: Iterable[int]) -> None:
        """Take marks of deletion back."""
        self._mark(numbers, deleted=False)

    def replace(self, number: int, game: Game, *, strict: bool = False) -> None:
        """Put a game (or guiding text) in the place of a record.

        Raises:
            LossError: with ``strict``, if anything would be lost; or always, if nothing of it can be written.
        """
        row = self._row(number)
        batch, losses = fit(GameBatch.from_games([game], first_number=number), KEEPS)
        pieces = None
        if len(batch):
            codecs = entity_codecs(self._base.name_encoding)
            batch, pieces, more = encode_batch(batch, codecs, self._base.name_encoding, self._base.text_encoding)
            losses += more
        if pieces is None or not len(pieces) or (strict and losses):
            raise LossError(
                f"not replaced, because this would be lost: {losses.summary()}", path=self.path, game=number
            )
        self.losses += losses
        self._replaced[row] = pieces

    def edit(self, kind: str, number: int, **fields: str | int) -> None:
        """Change fields of an entity: ``edit("players", 3, last="Carlsen", first="Magnus")``.

        The names of kinds are those of the attributes of a base, those of fields stand in its documentation.
        """
        suffix = _PLURALS.get(kind)
        if suffix is None:
            raise UsageError(f"there are no {kind!r} in a base; there are: {', '.join(_PLURALS)}", path=self.path)
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
        self._edited.setdefault(suffix, {})[number] = content_of(layout.encode(record))

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

    def _commit(self) -> None:
        if not (self._marked or self._replaced or self._edited):
            return
        removed: tuple[str, ...] = ()
        if self._replaced or self._edited:
            tables = entity_tables_of(self._base)
            self._edit_entities(tables)
            if self._replaced:
                self._replace_records(tables)
                removed = BOOSTERS
            for suffix in TABLES.values() if self._replaced else self._edited:
                if suffix not in self._swap.opened:
                    self._swap.open(suffix).write(tables[suffix].encode())
        if MAIN not in self._swap.opened:
            self._write_main()
        present = files_of(self.path.parent, self.path.stem)
        self._base.close()
        self._swap.commit(present=present, remove=removed)

    def _write_main(self) -> None:
        file = self._swap.open(MAIN)
        file.write(bytes(self._base.base_files.data(MAIN)[: HEADER.size]))
        file.write(self._games.tobytes())

    def _edit_entities(self, tables: dict[str, EntityTable]) -> None:
        for suffix, edits in self._edited.items():
            for number, content in edits.items():
                tables[suffix].change(number, content)

    def _replace_records(self, tables: dict[str, EntityTable]) -> None:
        """New bodies go into their place in the files; ids, counts and offsets follow."""
        base, games, extended = self._base, self._games, extended_records_of(self._base)
        window = Window(base.source, 0, len(games))
        entities = EntityAssigner(tables, twin_size_of(base))
        for row, pieces in self._replaced.items():
            entities.assign(pieces, np.array([row + 1]))
            games[row] = pieces.headers.games[0]
            extended[row] = pieces.headers.cbj[0]
        self._replace_media(extended)
        for suffix, sizes_of in ((".cbg", move_sizes), (".cba", annotation_sizes)):
            self._splice(suffix, sizes_of, window, games, extended)
        CBJ.put(extended, "checksum", cbj.checksums(extended))
        self._swap.open(".cbj").write(cbj.HEADER.encode({"records": len(games)}) + extended.tobytes())
        self._swap.open(".cbtt").write(entities.twins())
        source = replace(base.source, games=games, cbj_layout=CBJ, cbj=extended)
        recount(tables, Window(source, 0, len(games)))

    def _replace_media(self, extended: Records) -> None:
        """Lists of media files are added to .cbm; marks of top games are those of the new games."""
        files = self._base.base_files
        lists = bytearray(files.data(".cbm")[cbm.HEADER.size :])
        lists += bytes(-len(lists) % cbm.RECORD_SIZE)
        offsets = CBJ.column(extended, "media")
        marks = flags.top_games(files.data(".flags"), 1, len(extended))
        for row, pieces in self._replaced.items():
            offsets[row] = NO_ID
            marks[row] = pieces.top_games[0]
            if pieces.manifests:
                offsets[row] = cbm.HEADER.size + len(lists) + cbm.RECORD_HEAD.size
                lists += cbm.encode_manifest(pieces.manifests[0])
        CBJ.put(extended, "media", offsets)
        self._swap.open(".cbm").write(cbm.HEADER.encode({"records": len(lists) // cbm.RECORD_SIZE}) + lists)
        if ".flags" in files or marks.any():
            self._swap.open(".flags").write(flags.encode_top_games(marks))

    def _splice(self, suffix: str, sizes_of: Any, window: Window, games: Records, extended: Records) -> None:
        name = f"{suffix[1:]}_offset"
        data = self._base.base_files.data(suffix)
        offsets = window.offsets(name)
        if suffix == ".cba":
            offsets = np.where(window.is_text, 0, offsets)
        sizes = sizes_of(data, offsets)
        changes = {row: self._body(suffix, pieces) for row, pieces in self._replaced.items()}
        result = splice(data, offsets, sizes, changes)
        check_room(suffix, result.size, self.path)
        _write_spliced(self._swap, suffix, data, result)
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


def _write_spliced(swap: Swap, suffix: str, data: Any, result: Splice) -> None:
    file = swap.open(suffix)
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
        file.write(piece if isinstance(piece, bytes) else data[slice(*piece)])


# The base as a whole.


def compact(place: str | Path, *, keep_deleted: bool = False, threads: int = 1) -> int:
    """Write a base anew without holes, unused entities and, if not kept, records marked as deleted.

    Gives the number of records taken out. A base of which anything would get lost is left alone.

    Raises:
        LossError: Something cannot be written again.
    """
    from tabiya.formats.cbh.writer import CbhWriter  # noqa: PLC0415 - a writer uses a base, too

    path = Path(place)
    with errors_of(path):
        finish_swap(path)
        main = main_file(path)
    with CbhWriter(main, overwrite=True, strict=True) as writer, CbhDatabase(main) as base:
        total = len(base)
        writer.follow(base)
        writer.write(_chosen(base, threads, keep_deleted=keep_deleted), threads=threads)
    return total - writer.written


def _chosen(base: CbhDatabase, threads: int, *, keep_deleted: bool) -> Iterator[GameBatch]:
    for batch in base.batches(threads=threads):
        deleted: NDArray[np.bool_] = batch.record_batch["deleted"].to_numpy(zero_copy_only=False)
        if keep_deleted or not deleted.any():
            yield batch
        elif not deleted.all():
            yield GameBatch(batch.record_batch.filter(pa.array(~deleted)))


def copy_base(source: str | Path, target: str | Path, *, overwrite: bool = False) -> list[str]:
    """Copy all files of a base, byte by byte, also of one that lacks some; folders with its media go with it.

    A base that is replaced loses the folders of media that the new one has, too, and keeps others.

    Gives the names of the new files and folders.
    """
    old, new = Path(source), Path(target)
    with errors_of(old):
        files = open_files(old, everything=True)
    try:
        with errors_of(new):
            if not new.name:  # the folder one is in, or that of all folders
                raise UsageError("is a folder", path=new)
            final = as_spelled(new if new.suffix.lower() == MAIN else new.with_name(new.name + MAIN)).resolve()
            if final == files.main.resolve():
                raise UsageError("is being read, so it cannot be the target", path=new)
            refuse_existing(final, overwrite=overwrite)
            with _swapping(final) as swap:
                return _copy_all(files, swap, final, overwrite=overwrite)
    finally:
        files.close()


def _copy_all(files: BaseFiles, swap: Swap, final: Path, *, overwrite: bool) -> list[str]:
    for suffix in files.paths:
        swap.open(suffix).write(files.data(suffix))
    folders = folders_of(files.main.parent, files.main.stem)
    for suffix, folder in folders.items():
        shutil.copytree(folder, swap.folder(suffix), dirs_exist_ok=True)
    present = files_of(final.parent, final.stem)
    swap.commit(present=present, remove=sorted(KNOWN_SUFFIXES - files.paths.keys()), overwrite=overwrite)
    return sorted(final.with_suffix(suffix).name for suffix in (*files.paths, *folders))


@contextmanager
def _swapping(main: Path) -> Iterator[Swap]:
    swap = Swap(main)
    try:
        yield swap
    finally:
        swap.discard()
