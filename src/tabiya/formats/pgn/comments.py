"""Annotations that kernels do not write: ``render`` converts them to text before. Only rare cases take time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import pyarrow as pa

from tabiya.chess import Color
from tabiya.formats.comment_fallback import WORDS, each_different, in_words, rare_annotations
from tabiya.game import GameBatch
from tabiya.game.annotations import (
    NAGS,
    SYMBOLS,
    TEXT_AFTER,
    TEXT_BEFORE,
    UNREADABLE,
    Annotation,
    BlackClock,
    Dialect,
    Profile,
    Side,
    TextEncoding,
    TimeSpent,
    WhiteClock,
    format_comment,
    format_guiding_text,
)
from tabiya.game.lists import filtered, joined, members, owners

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tabiya.game.annotations.comments import Formatted

_WHOLE_GAME: Final = -1
_IS_VALUE, _ENDS_WITH_TEXT, _IS_TEXT = 0, 1, 2
_SYMBOLS: Final = (SYMBOLS, NAGS)
_TEXTS: Final = (TEXT_AFTER, TEXT_BEFORE)
_SAME_IN_ALL: Final = (*_TEXTS, *_SYMBOLS, UNREADABLE, TimeSpent.kind, WhiteClock.kind, BlackClock.kind)


class _Words(NamedTuple):
    """What is written for an annotation."""

    text: str
    how: int
    lost: int
    stays: bool = False
    """The text is written in addition, directly after NAGs."""


def render(batch: GameBatch) -> tuple[GameBatch, list[int]]:
    """Return the batch with guiding texts, and annotations that kernels cannot write exactly, as text.

    Also return a row for each annotation that is not read back as it is stored.
    """
    records = batch.record_batch
    column = records.column("annotations")
    annotations, offsets = members(column)
    lost = _with_bytes(column, annotations.field("kind").to_numpy() == UNREADABLE)  # %error cannot contain them
    places = np.flatnonzero(rare_annotations(batch))
    _, text_offsets = members(records.column("texts"))
    texts = [
        _Text(row, text)
        for row in np.flatnonzero(np.diff(text_offsets)).tolist()
        for text in map(format_guiding_text, batch[row].texts)
    ]
    if not len(places) and not texts:
        return batch, lost
    rows = owners(offsets)[places]
    found, ids = each_different(records, places, _words)
    lost += np.repeat(rows, np.array([words.lost for words in found], np.int64)[ids]).tolist()
    stays = np.array([words.stays for words in found], np.bool_)[ids]
    column = in_words(column, places[~stays], ids[~stays], [(words.text, words.how) for words in found])
    # What follows NAGs is recognised only directly after them, so it comes first.
    more = [
        _Text(row, found[index].text, annotations[place]["move"].as_py(), annotations[place]["side"].as_py(), _IS_VALUE)
        for row, index, place in zip(rows[stays].tolist(), ids[stays].tolist(), places[stays].tolist(), strict=True)
        if found[index].text
    ]
    return _with_annotations(records, _preceded(column, [*more, *texts])), sorted(lost)


class _Text(NamedTuple):
    """A text to be added to a record."""

    row: int
    text: str
    move: int = _WHOLE_GAME
    side: int = Side.AFTER
    how: int = _IS_TEXT


def _preceded(column: pa.ListArray, texts: list[_Text]) -> pa.ListArray:
    """Return the annotations preceded by texts."""
    more = pa.array(
        [
            {"move": t.move, "side": t.side, "kind": WORDS, "lang": t.how, "data": t.text.encode(), "raw": None}
            for t in texts
        ],
        column.type.value_type,
    )
    return joined(column, more, np.array([text.row for text in texts], np.int64), first=True)


def _with_annotations(records: pa.RecordBatch, column: pa.ListArray) -> GameBatch:
    place = records.schema.get_field_index("annotations")
    return GameBatch(records.set_column(place, records.schema.field(place), column))


def _words(annotation: Annotation, whole_game: bool, encoding: TextEncoding) -> _Words:  # noqa: FBT001 - a callback
    """Return the text that kernels write in place of an annotation; NAGs remain NAGs."""
    # The name of a clock command must not depend on the move, which is unknown here.
    mover = Color.BLACK if annotation.kind == WhiteClock.kind else Color.WHITE
    text, lost = _formatted(format_comment([annotation], mover=mover, whole_game=whole_game, encoding=encoding))
    if annotation.kind in _SYMBOLS and not text.startswith("[%cba"):
        return _Words(text, _IS_VALUE, lost, stays=True)
    how = _IS_VALUE
    if annotation.kind in _TEXTS:
        how = _ENDS_WITH_TEXT if text.encode() == annotation.data else _IS_TEXT
    return _Words(text, how, lost)


def _formatted(formatted: Formatted) -> tuple[str, int]:
    return formatted.text, len(formatted.lost)


def render_dialect(batch: GameBatch, dialect: Dialect) -> tuple[GameBatch, list[int]]:
    """Do the same for the plain profile in the dialect of one program; times and texts are equal in all dialects."""
    records = batch.record_batch
    column = records.column("annotations")
    annotations, offsets = members(column)
    places = np.flatnonzero(~np.isin(annotations.field("kind").to_numpy(), _SAME_IN_ALL))

    def convert(annotation: Annotation, _: bool, encoding: TextEncoding) -> tuple[str, int]:  # noqa: FBT001
        return _formatted(format_comment([annotation], encoding=encoding, profile=Profile.PLAIN, dialect=dialect))

    found, ids = each_different(records, places, convert)
    written = np.array([bool(text) for text, _ in found], np.bool_)[ids]
    damaged = np.array([bool(text and lost) for text, lost in found], np.bool_)[ids]
    column = in_words(column, places, ids, [(text, _IS_VALUE) for text, _ in found])
    kept = np.ones(len(annotations), np.bool_)
    kept[places] = written
    return _with_annotations(records, filtered(column, kept)), owners(offsets)[places[damaged]].tolist()


def without_bytes(batch: GameBatch) -> list[int]:
    """Return a row for each annotation whose original bytes are not a spelling, so that plain PGN drops them."""
    column = batch.record_batch.column("annotations")
    if column.values.field("raw").null_count == len(column.values):
        return []
    return _with_bytes(column, rare_annotations(batch))


def _with_bytes(column: pa.ListArray, chosen: NDArray[np.bool_]) -> list[int]:
    """Return a row for each of the chosen annotations that has original bytes."""
    annotations, offsets = members(column)
    if not chosen.any():
        return []
    rows: list[int] = owners(offsets)[
        chosen & annotations.field("raw").is_valid().to_numpy(zero_copy_only=False)
    ].tolist()
    return rows
