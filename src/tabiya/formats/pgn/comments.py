"""Comments that kernels leave to Python: those with rare commands or unusual spellings.

The reader's kernel keeps such a comment as a whole, as an annotation of a kind used only inside this package, and
``understand`` converts it to annotations. Before writing, ``render`` converts annotations that kernels do not support
to text. Only rare cases take time.
"""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tabiya.chess import Color
from tabiya.errors import FormatError
from tabiya.formats.pgn.write_kernel import find_rare
from tabiya.game import GameBatch
from tabiya.game.annotations import (
    NAGS,
    SYMBOLS,
    TEXT_AFTER,
    TEXT_BEFORE,
    UNREADABLE,
    UTF8,
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
    parse_comment,
)
from tabiya.game.annotations.comments import EDITED
from tabiya.game.annotations.vocabulary import command_table
from tabiya.game.lists import members, owners, spliced
from tabiya.game.view import view_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa
    from numpy.typing import NDArray

    from tabiya.game.annotations import Comment

_COMMENT: Final = 0xFFFF
_NEXT_MOVE: Final = 0xFFFE
_OF_BLACK: Final = 1
_OF_GAME: Final = 2
_WAITS: Final = 4
_HEAD: Final = struct.Struct("<iiq")
_NUMBER: Final = struct.Struct("<i")
_NOT_UNDERSTOOD: Final = 22
_NO_LONGER_FITS: Final = 23
_PARTLY_UNDERSTOOD: Final = 25
_MORE_PROBLEMS: Final = 21
_MOST_PROBLEMS: Final = 1000
_WHOLE_GAME: Final = -1
_IS_VALUE, _ENDS_WITH_TEXT, _IS_TEXT = 0, 1, 2
_SYMBOLS: Final = (SYMBOLS, NAGS)
_TEXTS: Final = (TEXT_AFTER, TEXT_BEFORE)
_SAME_IN_ALL: Final = (*_TEXTS, *_SYMBOLS, UNREADABLE, TimeSpent.kind, WhiteClock.kind, BlackClock.kind)

Row = dict[str, Any]
"""An annotation with its move, as stored in a batch."""


# --- reading ---------------------------------------------------------------------------------------------------------


def understand(batch: GameBatch) -> GameBatch:
    """Return the batch with the comments left by the kernel replaced by annotations."""
    records = batch.record_batch
    column = records.column("annotations")
    annotations, offsets = members(column)
    left = annotations.field("kind").to_numpy() >= _NEXT_MOVE
    if not left.any():
        return batch
    rows = np.unique(owners(offsets)[left]).tolist()
    readers = [_Record(records, row, column[row].as_py()) for row in rows]
    for name in ("annotations", "texts", "problems"):
        place = records.schema.get_field_index(name)
        more = spliced(records.column(place), rows, [getattr(reader, name) for reader in readers])
        records = records.set_column(place, records.schema.field(place), more)
    return GameBatch(records)


class _Record:
    """A record with comments left by the kernel."""

    def __init__(self, records: pa.RecordBatch, row: int, annotations: list[Row]) -> None:
        self._encoding = _encoding_of(records, row)
        self.texts: list[Any] = records.column("texts")[row].as_py()
        self.problems: list[Any] = records.column("problems")[row].as_py()
        self._source = annotations
        self._symbols = {(a["move"], a["side"]): n for n, a in enumerate(annotations) if a["kind"] in _SYMBOLS}
        self._before: dict[bytes, list[Annotation]] = {}
        """By comment number: its texts that precede the following move."""
        found = [row for annotation in annotations for row in self._read(annotation)]
        self.annotations = sorted(
            [member for row in found for member in self._placed(row)],
            key=lambda row: 2 * row["move"] + (row["side"] == Side.LATE),
        )

    def _read(self, row: Row) -> list[Row]:
        """Return the annotations of a comment at its position; any other annotation is returned unchanged."""
        if row["kind"] != _COMMENT:
            return [row]
        number, last, offset = _HEAD.unpack_from(row["data"])
        side = Side(row["side"])
        symbols = self._symbols.get((row["move"], side))
        comment = parse_comment(
            row["data"][_HEAD.size :].decode(),
            mover=Color.BLACK if row["lang"] & _OF_BLACK else Color.WHITE,
            side=side,
            encoding=self._encoding,
            nags=None if symbols is None else _annotation(self._source[symbols]),
        )
        if comment.nags is not None and symbols is not None:
            self._source[symbols].update(_row(comment.nags, row["move"]))
        self._note(comment, offset)
        here = comment.annotations
        if side is Side.AFTER and not row["lang"] & _WAITS:
            self._before[_NUMBER.pack(number)] = [a for a in here if a.side is Side.BEFORE]
            here = tuple(a for a in here if a.side is not Side.BEFORE)
        return [
            *(_row(annotation, _WHOLE_GAME) for annotation in comment.game),
            *(self._at(row, last, annotation) for annotation in here),
        ]

    def _at(self, row: Row, last: int, annotation: Annotation) -> Row:
        """Return an annotation of a comment after move ``last`` of its line, placed as kernels do."""
        side = Side(row["side"])
        if annotation.kind == UNREADABLE:
            after = last != _WHOLE_GAME and annotation.data.startswith(b"(")
            return _row(replace(annotation, side=Side.AFTER if after else Side.LATE), last)
        if annotation.kind not in _TEXTS:
            if row["lang"] & _OF_GAME:
                return _row(replace(annotation, side=Side.AFTER), _WHOLE_GAME)
            return _row(annotation, row["move"])
        if annotation.side is Side.LATE and last != _WHOLE_GAME:
            return _row(annotation, last)
        return _row(_standing(annotation, side), row["move"])

    def _placed(self, row: Row) -> Iterable[Row]:
        """Return the texts before a move, from a comment after the previous move, at their placeholder."""
        if row["kind"] != _NEXT_MOVE:
            return [row]
        side = Side(row["side"])
        waiting = self._before.get(row["data"], [])
        return [_row(_standing(annotation, side), row["move"]) for annotation in waiting]

    def _note(self, comment: Comment, offset: int) -> None:
        self.texts += [
            {"lang": t.lang, "title": t.title, "format": t.format, "body": t.body, "formatting": t.formatting}
            for t in comment.texts
        ]
        found = [(_NO_LONGER_FITS, "") if each == EDITED else (_NOT_UNDERSTOOD, each) for each in comment.problems]
        for code, text in [*found, *((_PARTLY_UNDERSTOOD, each) for each in comment.partly)]:
            if len(self.problems) > _MOST_PROBLEMS:
                return
            if len(self.problems) == _MOST_PROBLEMS:
                self.problems.append({"code": _MORE_PROBLEMS, "offset": offset, "text": ""})
                return
            self.problems.append({"code": code, "offset": offset, "text": text})


def _standing(text: Annotation, side: Side) -> Annotation:
    """Return a text on this side of its move, with the corresponding kind."""
    return replace(text, kind=TEXT_BEFORE if side is Side.BEFORE else TEXT_AFTER, side=side)


def _annotation(row: Row) -> Annotation:
    return Annotation(row["kind"], row["data"], row["lang"], row["raw"], Side(row["side"]))


def _row(annotation: Annotation, move: int) -> Row:
    return {
        "move": move,
        "side": annotation.side,
        "kind": annotation.kind,
        "lang": annotation.lang,
        "data": annotation.data,
        "raw": annotation.raw,
    }


def _encoding_of(records: pa.RecordBatch, row: int) -> TextEncoding:
    """Return the encoding of the texts of a record in ChessBase, from its tag TextEncoding."""
    for tag in records.column("tags")[row].as_py():
        if tag["name"] == "TextEncoding":
            try:
                return TextEncoding(tag["value"])
            except FormatError:
                return UTF8
    return UTF8


# --- writing ---------------------------------------------------------------------------------------------------------


def render(batch: GameBatch) -> tuple[GameBatch, list[int]]:
    """Return the batch with guiding texts, and annotations that kernels cannot write exactly, as text.

    Also return a row for each annotation that is not read back as it is stored.
    """
    records = batch.record_batch
    column = records.column("annotations")
    rare = find_rare(view_of(batch), command_table())
    begin, end = column.offsets[0].as_py(), column.offsets[-1].as_py()
    annotations, offsets = members(column)
    flags = rare[begin:end].astype(np.bool_)
    _, text_offsets = members(records.column("texts"))
    rows = np.union1d(owners(offsets)[flags], np.flatnonzero(np.diff(text_offsets))).tolist()
    lost = _with_bytes(column, annotations.field("kind").to_numpy() == UNREADABLE)  # %error cannot contain them
    if not rows:
        return batch, lost
    lists = []
    for row in rows:
        words = _Words(_encoding_of(records, row))
        marked = zip(column[row].as_py(), flags[offsets[row] : offsets[row + 1]], strict=True)
        rendered = [words.of(annotation) if flag else annotation for annotation, flag in marked]
        texts = [_words(format_guiding_text(text), _IS_TEXT) for text in _guiding_texts(batch, row)]
        lists.append([*words.behind_nags, *texts, *rendered])
        lost += [row] * words.lost
    place = records.schema.get_field_index("annotations")
    return GameBatch(records.set_column(place, records.schema.field(place), spliced(column, rows, lists))), sorted(lost)


def render_dialect(batch: GameBatch, dialect: Dialect) -> tuple[GameBatch, list[int]]:
    """Do the same for the plain profile in the dialect of one program; times and texts are equal in all dialects."""
    records = batch.record_batch
    column = records.column("annotations")
    annotations, offsets = members(column)
    flags = ~np.isin(annotations.field("kind").to_numpy(), _SAME_IN_ALL)
    rows = np.unique(owners(offsets)[flags]).tolist()
    lists: list[list[Row]] = []
    lost: list[int] = []
    for row in rows:
        encoding = _encoding_of(records, row)
        lists.append([])
        for annotation in column[row].as_py():
            if annotation["kind"] in _SAME_IN_ALL:
                lists[-1].append(annotation)
                continue
            found = _annotation(annotation)
            formatted = format_comment([found], encoding=encoding, profile=Profile.PLAIN, dialect=dialect)
            lost += [row] * bool(formatted.text and formatted.lost)
            lists[-1] += [_words(formatted.text, _IS_VALUE, annotation)] if formatted.text else []
    place = records.schema.get_field_index("annotations")
    return GameBatch(records.set_column(place, records.schema.field(place), spliced(column, rows, lists))), lost


def without_bytes(batch: GameBatch) -> list[int]:
    """Return a row for each annotation whose original bytes are not a spelling, so that plain PGN drops them."""
    column = batch.record_batch.column("annotations")
    if column.values.field("raw").null_count == len(column.values):
        return []
    begin, end = column.offsets[0].as_py(), column.offsets[-1].as_py()
    return _with_bytes(column, find_rare(view_of(batch), command_table())[begin:end].astype(np.bool_))


def _with_bytes(column: pa.ListArray, chosen: NDArray[np.bool_]) -> list[int]:
    """Return a row for each of the chosen annotations that has original bytes."""
    annotations, offsets = members(column)
    if not chosen.any():
        return []
    rows: list[int] = owners(offsets)[
        chosen & annotations.field("raw").is_valid().to_numpy(zero_copy_only=False)
    ].tolist()
    return rows


def _guiding_texts(batch: GameBatch, row: int) -> list[Any]:
    return list(batch[row].texts) if len(batch.record_batch.column("texts")[row]) else []


class _Words:
    """Converts the annotations of a record to text."""

    def __init__(self, encoding: TextEncoding) -> None:
        self._encoding = encoding
        self.lost = 0
        self.behind_nags: list[Row] = []
        """Payloads of NAGs, which are recognised only directly after the NAGs."""

    def of(self, row: Row) -> Row:
        """Return the replacement of an annotation: text that kernels write unchanged; NAGs remain NAGs."""
        annotation = _annotation(row)
        whole_game = row["move"] == _WHOLE_GAME and annotation.side is not Side.LATE
        # The name of a clock command must not depend on the move, which is unknown here.
        mover = Color.BLACK if annotation.kind == WhiteClock.kind else Color.WHITE
        formatted = format_comment([annotation], mover=mover, whole_game=whole_game, encoding=self._encoding)
        text = formatted.text
        self.lost += len(formatted.lost)
        if annotation.kind in _SYMBOLS and not text.startswith("[%cba"):
            self.behind_nags += [_words(text, _IS_VALUE, row)] if text else []
            return row
        how = _IS_VALUE
        if annotation.kind in _TEXTS:
            how = _ENDS_WITH_TEXT if text.encode() == annotation.data else _IS_TEXT
        return _words(text, how, row)


def _words(text: str, how: int, row: Row | None = None) -> Row:
    place = {"move": _WHOLE_GAME, "side": Side.AFTER} if row is None else {"move": row["move"], "side": row["side"]}
    return {**place, "kind": _COMMENT, "lang": how, "data": text.encode(), "raw": None}
