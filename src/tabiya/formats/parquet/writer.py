"""A Parquet file of records being written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabiya.formats.loss_counting import fit
from tabiya.formats.parquet import PARQUET
from tabiya.formats.record_file import RecordFileWriter
from tabiya.formats.writer import Encoded, SingleFileWriter
from tabiya.game.batch import number_records

if TYPE_CHECKING:
    from pathlib import Path

    from tabiya.game import GameBatch, RecordKind


class ParquetWriter(SingleFileWriter):
    """Write records unchanged, in row groups."""

    def __init__(self, path: Path, *, overwrite: bool = False, strict: bool = False) -> None:
        super().__init__(path, PARQUET, overwrite=overwrite, strict=strict)
        self._file = RecordFileWriter(self._stream)
        self._stored = 0

    def _encode(self, batch: GameBatch, *, before: RecordKind | None) -> Encoded:  # noqa: ARG002 - batches are independent
        batch, losses = fit(batch, self._keeps)
        return Encoded(batch.record_batch, len(batch), losses)

    def _put(self, content: Any) -> None:
        self._file.add(number_records(content, self._stored + 1))
        self._stored += content.num_rows

    def _end(self) -> None:
        self._file.finish()

    def _discard(self) -> None:
        self._file.discard()
        super()._discard()
