"""Changes of a PGN file in place: the file is rewritten, and all other games keep their bytes."""

from __future__ import annotations

import io
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NoReturn

import numpy as np
import pyarrow as pa

from tabiya.errors import CorruptError, LossError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.files.parallel import ordered_map
from tabiya.files.scratch import ScratchFile
from tabiya.files.transaction import AtomicFile
from tabiya.formats.editor import DatabaseEditor
from tabiya.formats.new_bodies import NewBodies
from tabiya.formats.pgn.appending import OldFile
from tabiya.formats.pgn.database import PgnDatabase
from tabiya.formats.pgn.source import UTF8_MARK, Chunk, DamagedError, text_of, unpacked
from tabiya.formats.pgn.splicing import spliced
from tabiya.formats.pgn.writer import NO_RECORD, PgnWriter, Texts, packer_of
from tabiya.game import GameBatch, RecordKind
from tabiya.game.schema import RECORD_SCHEMA

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from tabiya.formats.writer import Encoded

    Mask = NDArray[np.bool_]
    Numbers = NDArray[np.int64]

_IN_MEMORY: Final = 4 << 20
"""Above this number of bytes the positions of records go to a temporary file."""
_DELETED: Final = RECORD_SCHEMA.get_field_index("deleted")


class PgnEditor(DatabaseEditor):
    """Changes a PGN file in place.

    The commit copies the file with new texts of the changed records and renames the copy, so a kill leaves the old file
    or the new one. It raises an error if another program has written the file since the editor was opened.
    """

    _database = "file"

    def __init__(self, path: Path) -> None:
        with errors_of(path, DamagedError):
            real = path.resolve()
            self._old = OldFile(real)
            with unpacked(real) as stream:
                if text_of(stream, None)[0] is not stream:
                    raise UsageError("is UTF-16, in which nothing can be replaced; convert it first", path=path)
            self._file = PgnDatabase(real)
            self._records = _Records(self._file)
        super().__init__(real, len(self._records.deleted))
        self._texts = NewBodies(self._count, real.parent)
        self._marked = self._records.deleted.copy()
        """By row, whether its old or new text has a deletion mark."""
        self._writer = PgnWriter(io.BytesIO())

    # Changes.

    def edit(self, kind: str, number: int, **fields: str | int) -> NoReturn:  # noqa: ARG002 - the interface of editors
        """Raise an error: a PGN file has names only in its games."""
        raise UsageError(f"a PGN file has no {kind!r} to edit; replace the games instead", path=self.path)

    def _encode(self, batch: GameBatch) -> Encoded:
        records = batch.record_batch
        rows, kinds = records["number"].to_numpy() - 1, records["kind"].to_numpy()
        deleted = records["deleted"].to_numpy(zero_copy_only=False) | self._records.deleted[rows]
        before = self._records.before[rows]
        before[1:][(np.diff(rows) == 1) & (kinds[:-1] == RecordKind.OPAQUE)] = RecordKind.OPAQUE
        encoded = self._writer.encode_texts(_with_deleted(batch, deleted), before.tobytes())
        return encoded._replace(content=(encoded.content, deleted))

    def _put(self, rows: Numbers, content: tuple[Texts, Mask]) -> None:
        texts, self._marked[rows] = content
        self._texts.put(rows, np.frombuffer(texts.text, np.uint8), np.diff(texts.ends, prepend=0))

    # The end.

    def _discard(self) -> None:
        self._file.close()
        self._records.close()
        self._texts.close()

    def _commit(self) -> None:
        turned = self._marked ^ self._with_marks(slice(None), self._records.deleted)
        if not (self._replaced | turned).any():
            return
        pack = packer_of(self.path) or bytes
        with AtomicFile(self.path, overwrite=True) as target:
            if self._records.has_byte_order_mark:
                target.stream.write(pack(memoryview(UTF8_MARK)))
            chunks = self._file.chunks()
            for text in ordered_map(lambda chunk: pack(self._spliced(chunk, turned)), chunks, self._threads):
                target.stream.write(text)
            target.commit(check=self._old.check_unchanged)

    def _spliced(self, chunk: Chunk, turned: Mask) -> memoryview:
        """Return the text of a chunk after all changes; ``turned`` are the rows whose deletion mark changes."""
        first, end, borders = self._records.of_chunk(chunk)
        if borders is None:
            raise self._old.changed
        text = chunk.text
        replaced, marked = (np.flatnonzero(mask[first:end]) for mask in (self._replaced, turned))
        if len(replaced):
            text, borders = self._checked(
                spliced(text, borders, replaced, self._texts.read_all(first + replaced)), first
            )
        if len(marked):
            text, _ = self._checked(spliced(text, borders, marked, self._with_other_marks(text, first, marked)), first)
        return text

    def _with_other_marks(self, text: memoryview, first: int, rows: Numbers) -> list[bytes]:
        """Return the texts of some records of a chunk with their deletion marks added or removed."""
        batch = self._file.parse(Chunk(text, 0))[0].numbered(first + 1)
        kinds = batch.record_batch["kind"].to_numpy()
        before = np.concatenate((self._records.before[first : first + 1], kinds[:-1]))[rows]
        chosen = GameBatch(batch.record_batch.take(pa.array(rows)))
        deleted = ~chosen.record_batch["deleted"].to_numpy(zero_copy_only=False)
        encoded = self._writer.encode_texts(_with_deleted(chosen, deleted), before.tobytes())
        if encoded.losses:
            what = f"not marked, because this would be lost: {encoded.losses.summary()}"
            raise LossError(what, path=self.path, game=encoded.losses.losses[0].first_game)
        places = [0, *encoded.content.ends.tolist()]
        return [bytes(encoded.content.text[begin:end]) for begin, end in pairwise(places)]

    def _checked(self, result: tuple[memoryview, Numbers], first: int) -> tuple[memoryview, Numbers]:
        """Return a new text of a chunk and its borders, if it is read back with them.

        Raises:
            LossError: Records around new ones would be read differently.
        """
        text, expected = result
        found = self._file.borders(Chunk(text, 0))
        if not np.array_equal(found, expected):
            common = min(len(found), len(expected))
            place = int(np.argmin(np.append(found[:common] == expected[:common], False)))
            what = "not replaced: this record or one next to it would be read differently"
            raise LossError(what, path=self.path, game=first + max(1, place))
        return result


class _Records:
    """Data of an editor about the records of the old file."""

    def __init__(self, file: PgnDatabase) -> None:
        """Read the file.

        Raises:
            CorruptError: It is damaged, or too long a text was omitted: a copy would not be complete.
        """
        self._chunks: dict[int, tuple[int, int, int]] = {}
        """By offset: the first and last row of a chunk, and the position of their borders in the temporary file."""
        self._borders = ScratchFile(file.files[0].parent, in_memory=_IN_MEMORY)
        marks, before, count = [np.empty(0, np.bool_)], [np.empty(0, np.uint8)], 0
        for chunk in file.chunks():
            if chunk.tail:
                raise CorruptError("is damaged, so nothing can be replaced", path=file.path, offset=chunk.offset)
            batch, borders = file.parse(chunk)
            self._chunks[chunk.offset] = count, count + len(batch), self._borders.append(borders)
            marks.append(batch.record_batch["deleted"].to_numpy(zero_copy_only=False))
            # At the beginning of a chunk, as after an opaque record, only tags certainly begin a record.
            ahead = np.full(1, RecordKind.OPAQUE if count else NO_RECORD, np.uint8)
            before.append(np.concatenate((ahead, batch.record_batch["kind"].to_numpy()))[: len(batch)])
            count += len(batch)
        self.deleted = np.concatenate(marks)
        """By row, whether it is marked as deleted."""
        self.before = np.concatenate(before).astype(np.uint8)
        """By row, the kind of the record before it."""

    @property
    def has_byte_order_mark(self) -> bool:
        """Whether there is one before the first record."""
        return 0 not in self._chunks

    def of_chunk(self, chunk: Chunk) -> tuple[int, int, Numbers | None]:
        """Return the rows of a chunk, and their borders in its text; None if the chunk is not from the old file."""
        first, end, place = self._chunks.get(chunk.offset, (0, 0, 0))
        borders = self._borders.read(place, end - first + 1, np.int64)
        is_old = chunk.offset in self._chunks and borders[-1] == len(chunk.text)
        return first, end, borders if is_old else None

    def close(self) -> None:
        """Release the file. May be called twice."""
        self._borders.close()


def _with_deleted(batch: GameBatch, deleted: Mask) -> GameBatch:
    return GameBatch(batch.record_batch.set_column(_DELETED, RECORD_SCHEMA.field(_DELETED), pa.array(deleted)))
