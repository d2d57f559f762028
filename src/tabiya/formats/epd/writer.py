"""An EPD file being written."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from tabiya.errors import UsageError
from tabiya.files.file_errors import errors_of
from tabiya.formats.epd import EPD
from tabiya.formats.epd.messages import LOSSES, REFUSALS
from tabiya.formats.epd.write_kernel import write_lines
from tabiya.formats.loss_counting import fit
from tabiya.formats.losses import LossReport
from tabiya.formats.writer import Encoded, SingleFileWriter
from tabiya.game.view import view_of

if TYPE_CHECKING:
    from tabiya.formats.format import Place
    from tabiya.game import GameBatch, RecordKind

_COPY_BYTES: Final = 1 << 20


class EpdWriter(SingleFileWriter):
    """Writes a line per record: its start position, and the main line as ``pv``.

    ``append`` adds lines to a file; a copy is made, so that the file is replaced in one step.
    """

    def __init__(self, place: Place, *, overwrite: bool = False, strict: bool = False, append: bool = False) -> None:
        if append and not isinstance(place, Path):
            raise UsageError("only a file can be appended to, not a stream")
        old = place if append and isinstance(place, Path) and place.exists() else None
        super().__init__(place, EPD, overwrite=overwrite or old is not None, strict=strict)
        if old is not None:
            with errors_of(old), old.open("rb") as file:
                shutil.copyfileobj(file, self._stream, _COPY_BYTES)
                if file.tell():
                    file.seek(-1, 2)
                    self._stream.write(b"" if file.read(1) == b"\n" else b"\n")

    def _encode(self, batch: GameBatch, *, before: RecordKind | None) -> Encoded:  # noqa: ARG002 - lines need no separator
        fitting, losses = fit(batch, self._keeps)
        refused = np.zeros(len(fitting), np.uint8)
        data, lost = write_lines(view_of(fitting), refused)
        numbers = fitting.record_batch.column("number").to_numpy()
        losses += LossReport.of(LOSSES.counted(lost, numbers))
        for code, what in enumerate(REFUSALS.texts, 1):
            losses += LossReport.of(REFUSALS.of(what, numbers[refused == code]))
        return Encoded(data, int(np.count_nonzero(refused == 0)), losses)
