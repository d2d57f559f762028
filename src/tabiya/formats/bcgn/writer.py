"""A BCGN file being written."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import numpy as np

from tabiya.errors import CorruptError, UsageError
from tabiya.files.file_errors import errors_of
from tabiya.formats.bcgn import BCGN, keeps_of
from tabiya.formats.bcgn.entries import stretches
from tabiya.formats.bcgn.file_header import HEADER_BYTES, FileHeader
from tabiya.formats.bcgn.messages import LOSSES, REFUSALS
from tabiya.formats.bcgn.move_index import LEVELS
from tabiya.formats.bcgn.write_kernel import write_games
from tabiya.formats.loss_counting import fit
from tabiya.formats.losses import LossReport
from tabiya.formats.writer import Encoded, SingleFileWriter
from tabiya.game.view import view_of

if TYPE_CHECKING:
    from tabiya.formats.format import Place
    from tabiya.game import GameBatch, RecordKind

_DEFAULT_LEVEL: Final = 1
_COPY_BYTES: Final = 1 << 20


class BcgnWriter(SingleFileWriter):
    """Writes BCGN at level 0, 1 (the default) or 2.

    ``headerless`` omits all tags. ``reference`` writes the same bytes as the reference program, which keeps fewer tags
    and garbles rounds such as 1.7. ``append`` adds to a file, which must have the same level and flags if these are
    given; a copy is made, so that the file is replaced in one step.
    """

    def __init__(
        self,
        place: Place,
        *,
        overwrite: bool = False,
        strict: bool = False,
        level: int | None = None,
        headerless: bool | None = None,
        append: bool = False,
        reference: bool = False,
    ) -> None:
        if level is not None and level not in LEVELS:
            raise UsageError(f"the compression level must be 0, 1 or 2, not {level}")
        old = _header_to_continue(place, level=level, headerless=headerless) if append else None
        self._header = old or FileHeader(_DEFAULT_LEVEL if level is None else level, bool(headerless))
        self._reference = reference
        keeps = keeps_of(level=self._header.level, headerless=self._header.headerless, reference=reference)
        super().__init__(place, BCGN, keeps=keeps, overwrite=overwrite or old is not None, strict=strict)
        if old is not None and isinstance(place, Path):
            with errors_of(place), place.open("rb") as file:
                shutil.copyfileobj(file, self._stream, _COPY_BYTES)
        else:
            self._stream.write(self._header.encode())

    def _encode(self, batch: GameBatch, *, before: RecordKind | None) -> Encoded:  # noqa: ARG002 - games need no separator
        fitting, losses = fit(batch, self._keeps)
        refused = np.zeros(len(fitting), np.uint8)
        data, lost = write_games(
            view_of(fitting), self._header.level, self._header.headerless, self._reference, refused
        )
        numbers = fitting.record_batch.column("number").to_numpy()
        losses += LossReport.of(LOSSES.counted(lost, numbers))
        for code, what in enumerate(REFUSALS.texts, 1):
            losses += LossReport.of(REFUSALS.of(what, numbers[refused == code]))
        return Encoded(data, int(np.count_nonzero(refused == 0)), losses)


def _header_to_continue(place: Place, *, level: int | None, headerless: bool | None) -> FileHeader | None:
    """Return the header of a file to append to; None if it does not exist yet."""
    if not isinstance(place, Path):
        raise UsageError("only a file can be appended to, not a stream")
    with errors_of(place):
        if not place.exists():
            return None
        with place.open("rb") as file:
            header = FileHeader.decode(file.read(HEADER_BYTES), place)
            if level not in (None, header.level) or headerless not in (None, header.headerless):
                kind = "without headers" if header.headerless else "with headers"
                raise UsageError(f"cannot be appended to like this: it has level {header.level}, {kind}", path=place)
            _check_end(file, header, place)
    return header


def _check_end(file: BinaryIO, header: FileHeader, path: Path) -> None:
    """Raise an error for a file whose last entry is cut off: data written after it could not be found again."""
    for stretch in stretches(file, header):
        last = stretch.part(len(stretch.ends) - 1, len(stretch.ends))
        if int.from_bytes(last.data[:2]) != len(last.data):
            raise CorruptError("is truncated or damaged, so nothing can be appended", path=path, offset=last.offset)
