"""A format for the tests: Arrow batches in one file, which keeps everything, or less on demand."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from tabiya.errors import CorruptError
from tabiya.files.parallel import ordered_map
from tabiya.formats import Database, Format, Keeps, Match
from tabiya.formats.format import Place
from tabiya.formats.loss_counting import fit
from tabiya.formats.writer import Encoded, SingleFileWriter
from tabiya.game import GameBatch, RecordKind
from tests.formats.corpus import batch_of, rows_of
from tests.formats.oracle import kept

_PIECE = struct.Struct("<II")
_END = b"end."


class MemoryDatabase(Database):
    """Head, then pieces of (records, bytes, Arrow stream), then a tail."""

    _damage = (pa.ArrowException,)

    def __init__(self, place: Place, format: Format) -> None:
        super().__init__(place if isinstance(place, Path) else None, format)
        self._bytes = b"" if isinstance(place, Path) else place.read()
        self._head = magic(format.name)
        self._consumed: float | None = None
        with self._file() as file:
            if file.read(len(self._head)) != self._head:
                raise CorruptError("wrong head", path=self._path, offset=0)

    @property
    def progress(self) -> float | None:
        return self._consumed

    def _file(self) -> BinaryIO:
        return io.BytesIO(self._bytes) if self._path is None else self._path.open("rb")

    def _pieces(self) -> Iterator[tuple[int, bytes]]:
        """The first position and the bytes of every piece."""
        with self._file() as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(len(self._head))
            position = 0
            while (head := file.read(len(_END))) != _END:
                records, length = _PIECE.unpack(head + file.read(_PIECE.size - len(_END)))
                if file.tell() + length > size:
                    raise CorruptError("a piece ends behind the file", path=self._path, offset=file.tell())
                piece = file.read(length)
                self._consumed = file.tell() / size
                yield position, piece
                position += records

    def _count(self) -> int:
        return sum(len(_decode(piece)) for piece in self._pieces())

    def _read(self, start: int, stop: int) -> GameBatch:
        found = [_decode(piece) for piece in self._pieces()]
        return GameBatch.concat(found)[start:stop]

    def _batches(self, threads: int) -> Iterator[GameBatch]:
        return ordered_map(_decode, self._pieces(), threads)


class MemoryWriter(SingleFileWriter):
    def __init__(self, place: Place, format: Format, *, keeps: Keeps | None, overwrite: bool, strict: bool) -> None:
        super().__init__(place, format, keeps=keeps, overwrite=overwrite, strict=strict)
        self._stream.write(magic(format.name))

    def _encode(self, batch: GameBatch, *, before: RecordKind | None) -> Encoded:
        batch, losses = fit(batch, self.keeps)
        if self.keeps != Keeps.everything():
            batch = batch_of([row for each in rows_of(batch) if (row := kept(each, self.keeps))])
        sink = io.BytesIO()
        with pa.ipc.new_stream(sink, batch.record_batch.schema) as stream:
            stream.write_batch(batch.record_batch)
        return Encoded(_PIECE.pack(len(batch), len(sink.getvalue())) + sink.getvalue(), len(batch), losses)

    def _end(self) -> None:
        self._stream.write(_END)


def memory_format(name: str, keeps: Keeps) -> Format:
    """A format that keeps so much; its suffix is its name."""

    def sniff(head: bytes, path: Path | None) -> Match:
        return Match.CERTAIN if head.startswith(magic(name)) else Match.NO

    def open_memory(place: Place, /) -> Database:
        return MemoryDatabase(place, described)

    def create_memory(
        place: Place, /, *, overwrite: bool = False, strict: bool = False, keeps: Keeps | None = None
    ) -> MemoryWriter:
        return MemoryWriter(place, described, keeps=keeps, overwrite=overwrite, strict=strict)

    described = Format(
        name=name,
        title=f"Test format that keeps {name}",
        suffixes=(f".{name}", f".{name}.old"),
        keeps=keeps,
        sniff=sniff,
        open=open_memory,
        create=create_memory,
        streams=True,
    )
    return described


def magic(name: str) -> bytes:
    return f"tabiya test format {name}\n".encode()


def _decode(piece: tuple[int, bytes]) -> GameBatch:
    position, data = piece
    with pa.ipc.open_stream(data) as stream:
        batch = stream.read_next_batch()
    batch.validate(full=True)
    numbers = pa.array(range(position + 1, position + 1 + len(batch)), pa.int64())
    return GameBatch(batch.set_column(0, batch.schema.field(0), numbers))


FULL = memory_format("full", Keeps.everything())
BARE = memory_format("bare", Keeps(tags=frozenset({"White", "Black"}), results=frozenset(range(4))))
"""About what a format of bare moves keeps."""
SOME = memory_format(
    "some",
    Keeps(
        variations=True,
        setups=True,
        chess960=True,
        symbols=BARE.keeps.symbols.SLOTS,
        text_after=True,
        annotations=frozenset({0x04, 0x05, 257}),
        tags="all",
        results="all",
        extras=frozenset({"some."}),
    ),
)
"""Something in the middle."""
