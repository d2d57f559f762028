"""A PGN file being written."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

import numpy as np

from tabiya.errors import CorruptError, UsageError
from tabiya.formats.loss_counting import fit
from tabiya.formats.losses import LossReport
from tabiya.formats.pgn import PGN, keeps_of
from tabiya.formats.pgn.appending import OldFile
from tabiya.formats.pgn.comments import render, render_dialect, without_bytes
from tabiya.formats.pgn.extras_as_tags import to_tags, without_false_rules
from tabiya.formats.pgn.messages import LOSSES
from tabiya.formats.pgn.text_tags import to_text_tags
from tabiya.formats.pgn.write_kernel import write_games
from tabiya.formats.writer import Encoded, SingleFileWriter
from tabiya.game.annotations import Dialect
from tabiya.game.annotations.vocabulary import command_table, language_codes
from tabiya.game.view import view_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tabiya.formats.format import Place
    from tabiya.game import GameBatch, RecordKind

NO_RECORD: Final = 255
"""Value for "no record" in place of the kind of a record."""

_LAYOUTS: Final = ("export", "lines")
_LOSSLESS: Final = "lossless"
_BAD: Final = {
    -2: "its start position is invalid",
    -3: "one of its annotations refers to a move, or a side of a move, that does not exist",
}


def _zstd(data: memoryview) -> bytes:
    import zstandard  # noqa: PLC0415 - needed for packed files only

    packed: bytes = zstandard.ZstdCompressor().compress(data)
    return packed


def _xz(data: memoryview) -> bytes:
    import lzma  # noqa: PLC0415 - needed for packed files only

    return lzma.compress(data)


_PACKERS: Final[dict[str, Callable[[memoryview], bytes]]] = {
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".bz2": bz2.compress,
    ".xz": _xz,
    ".zst": _zstd,
}
"""Each batch is compressed separately: all four formats allow the parts to be concatenated."""


def packer_of(place: Place) -> Callable[[memoryview], bytes] | None:
    """Return the compression function for a file of this name; None for plain text."""
    return _PACKERS.get(place.suffix.lower()) if isinstance(place, Path) else None


class Texts(NamedTuple):
    """Records as PGN, concatenated."""

    text: memoryview
    ends: NDArray[np.int64]
    """The end of each."""


class PgnWriter(SingleFileWriter):
    """Writes PGN in export format, or with the moves of each game in one line (``layout="lines"``).

    The profile ``plain`` omits what only tabiya reads; its ``dialect`` is the spelling of a program: ``lichess``,
    ``chessbase`` or ``scid``. With ``append`` games are added to an existing file, whose bytes do not change.

    The suffix ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` selects compression.
    """

    _names_sides: ClassVar = False
    """Whether comments after variations are commands, for a reader that attaches them to the move before."""

    def __init__(
        self,
        place: Place,
        *,
        overwrite: bool = False,
        strict: bool = False,
        append: bool = False,
        profile: str = _LOSSLESS,
        layout: str = "export",
        dialect: str | None = None,
    ) -> None:
        keeps = {_LOSSLESS: PGN.keeps, **{known.name: known.keeps for known in PGN.profiles}}
        if profile not in keeps:
            raise UsageError(f"no profile of PGN is called {profile!r}; known: {', '.join(keeps)}")
        if layout not in _LAYOUTS:
            raise UsageError(f"no layout of PGN is called {layout!r}; known: {', '.join(_LAYOUTS)}")
        self._plain = profile != _LOSSLESS
        self._dialect = _dialect(dialect) if self._plain else None
        if dialect is not None and not self._plain:
            raise UsageError("a dialect needs the profile 'plain': the lossless one has its own spelling")
        self._one_line = layout == "lines"
        self._pack = packer_of(place)
        kept = keeps[profile] if self._dialect is None else keeps_of(self._dialect)
        if append and not isinstance(place, Path):
            raise UsageError("only a file can be appended to, not a stream")
        self._old = OldFile(place) if append and isinstance(place, Path) and place.is_file() else None
        super().__init__(place, PGN, keeps=kept, overwrite=overwrite or self._old is not None, strict=strict)
        if self._old is not None:
            try:
                self._last_kind = self._old.copy_to(self._stream, self._pack)
            except BaseException:
                self._discard()
                raise

    def _commit(self) -> None:
        if self._old is not None:
            self._old.check_unchanged()
        super()._commit()

    def _encode(self, batch: GameBatch, *, before: RecordKind | None) -> Encoded:
        encoded = self.encode_texts(batch, bytes([NO_RECORD if before is None else before]))
        text = encoded.content.text
        return encoded._replace(content=text if self._pack is None else self._pack(text))

    def encode_texts(self, batch: GameBatch, before: bytes) -> Encoded:
        """Return records as ``Texts``, and what is lost. May be called in any thread.

        Args:
            batch: the records.
            before: the kind of the record before each of them, NO_RECORD at the beginning of a file; or of the first
                ones only, if the others are consecutive.
        """
        batch, left_out = fit(batch, self._keeps)
        numbers = batch.record_batch.column("number")
        sound, false_rules = without_false_rules(batch)
        rendered, inexact, partly, unnamed = self._rendered(sound)
        text, ends, losses, failure = write_games(
            view_of(rendered),
            before,
            self._one_line,
            self._plain,
            self._dialect is Dialect.CHESSBASE,
            self._names_sides,
            language_codes(),
            command_table(),
        )
        if failure is not None:
            record, token = failure
            reason = _BAD.get(token, f"token {token} of its moves is invalid")
            raise CorruptError(f"this game cannot be written: {reason}", game=numbers[record].as_py())
        losses += ((len(rows), rows[0] if rows else 0) for rows in (inexact, partly, false_rules, unnamed))
        report = LossReport.of(LOSSES.counted(losses, numbers.to_numpy()))
        return Encoded(Texts(text, np.frombuffer(memoryview(ends), np.int64)), len(batch), left_out + report)

    def _rendered(self, batch: GameBatch) -> tuple[GameBatch, list[int], list[int], list[int]]:
        """Return the batch as kernels write it.

        Also return a row for each annotation that is not exact, for each that is only partly exact, and for each extra
        that no tag can represent.
        """
        if not self._plain:
            tagged, unnamed = to_tags(to_text_tags(batch))
            rendered, inexact = render(tagged)
            return rendered, inexact, [], unnamed
        if self._dialect is not None:
            rendered, partly = render_dialect(batch, self._dialect)
            return rendered, without_bytes(rendered), partly, []
        return batch, without_bytes(batch), [], []


def _dialect(name: str | None) -> Dialect | None:
    """Return the dialect with this name; None for that of Lichess, which the kernels write themselves."""
    known = [dialect.value for dialect in Dialect]
    if name is not None and name not in known:
        raise UsageError(f"no dialect of PGN is called {name!r}; known: {', '.join(known)}")
    return None if name in (None, Dialect.LICHESS.value) else Dialect(name)
