"""From a batch to rows of jose's tables: tags into their columns, and all other tags into the column Info."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from tabiya.formats.jose.characters import are_characters, encode_characters, length_of, stored_characters
from tabiya.formats.jose.codec import GameText, decode_games, encode_games
from tabiya.formats.jose.dates import EVENT_SHIFT, encode_date, encode_day
from tabiya.formats.jose.evaluations import take_evaluations
from tabiya.formats.jose.messages import LOSSES
from tabiya.formats.jose.row import INFO_LENGTH, LAST_TAG, NAME_LENGTH, NO_VARIANT, OWN_TAGS, SHORT_LENGTH, Row
from tabiya.formats.losses import LossReport
from tabiya.game.record import Result
from tabiya.game.tag_values import RESULTS, Date
from tabiya.game.tags import COLUMN_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabiya.game import GameBatch

MOST_BYTES: Final = 0xFFFF00
"""Maximum size of a game: a row of MyISAM in one block has 24 bits for its length, part of it for the short columns."""

_RESULTS: Final = {1: 2, 5: 2, 2: 0, 6: 0, 3: 1, 7: 1}
"""jose's results by ours; all others are -1."""
_NOT_CLASSIC: Final = 8
_LENGTHS: Final = [
    (name, {"Round": SHORT_LENGTH, "ECO": 3}.get(name, NAME_LENGTH), COLUMN_TAGS[name].columns[0])
    for name in ("White", "Black", "Event", "Site", "Annotator", "Round", "ECO")
]
"""Tags with text columns in both: their length in jose, and the column here."""
_COLUMNS: Final = (
    *("number", "deleted", "variant", "start", "year", "month", "day", "white_elo", "black_elo", "result"),
    *(column for _, _, column in _LENGTHS),
)
_OWN_LENGTHS: Final = {
    **dict.fromkeys(("WhiteTitle", "BlackTitle", "Board"), SHORT_LENGTH),
    "Opening": NAME_LENGTH,
}
_FEN_LENGTH: Final = 128
_CODES, _COMMENTS = "jose.bin", "jose.comments"
_UNKNOWN: Final = Result.UNKNOWN


def rows_of_batch(
    batch: GameBatch, *, evaluations: bool = True, any_bytes: bool = True, most_bytes: int = MOST_BYTES
) -> tuple[list[Row], LossReport]:
    """Return the rows of a batch, without the records that jose cannot express, and what is lost.

    Args:
        batch: the records.
        evaluations: whether there is a column Eval; without it evaluations are stored in comments.
        any_bytes: whether texts of damaged games may be written unchanged; a server accepts only characters.
        most_bytes: the maximum size of a game.
    """
    batch, blobs = take_evaluations(batch) if evaluations else (batch, {})
    encoded = encode_games(batch)
    rows, losses = [], []
    for index, header in enumerate(_headers(batch.record_batch)):
        number = header["number"]
        if index in encoded.refused:
            losses.append(LOSSES.line("jose-game", 1, number, [encoded.refused[index]]))
            continue
        text, text_result = encoded[index], header["result"]
        if _CODES in header["extras"]:
            stored, found = _stored_text(header)
            if _still_fits(batch, index, found) and (any_bytes or are_characters(stored.comments or b"")):
                text, text_result = stored, found.record_batch["result"][0].as_py()
            else:
                losses.append(LOSSES.line("jose-damage", 1, number))
        if len(text.codes) + len(text.comments or b"") + len(blobs.get(index, b"")) > most_bytes:
            losses.append(LOSSES.line("jose-game", 1, number, [f"it is longer than {most_bytes:,} bytes"]))
            continue
        row, lost = _Fields(header, text, text_result).row(blobs.get(index))
        rows.append(row)
        losses += [LOSSES.line("jose-tag", 1, number, filter(None, [name])) for name in lost]
    numbers = batch.record_batch["number"]
    losses += [LOSSES.line("jose-place", 1, numbers[index].as_py()) for index in encoded.changed]
    return rows, LossReport.of(losses)


def _headers(records: pa.RecordBatch) -> Iterator[dict[str, Any]]:
    """Yield the columns of each record that the rows need: tags as pairs, extras as a dictionary."""
    columns = [_plain(records[name]).to_pylist() for name in _COLUMNS]
    lists = zip(_pairs(records["tags"], "name"), map(dict, _pairs(records["extras"], "key")), strict=True)
    for values, (tags, extras) in zip(zip(*columns, strict=True), lists, strict=True):
        header = dict(zip(_COLUMNS, values, strict=True))
        header["tags"], header["extras"] = tags, extras
        yield header


def _plain(column: pa.Array) -> pa.Array:
    """Return a column without its dictionary, whose values would become one object of pyarrow after the other."""
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _pairs(column: pa.ListArray, key: str) -> Iterator[list[tuple[str, Any]]]:
    """Yield the keys and values of each list. Objects of pyarrow for each of them would take most of the time."""
    items = column.flatten()
    pairs = list(zip(items.field(key).to_pylist(), items.field("value").to_pylist(), strict=True))
    end = 0
    for length in column.value_lengths().to_pylist():
        begin, end = end, end + length
        yield pairs[begin:end]


def _stored_text(header: Mapping[str, Any]) -> tuple[GameText, GameBatch]:
    """Return the bytes that a damaged game was read from, and the result of reading them."""
    extras = header["extras"]
    start = header["start"] if header["start"] is not None else dict(header["tags"]).get("FEN")
    text = GameText(extras[_CODES], extras.get(_COMMENTS), start)
    return text, decode_games([text.codes], [text.comments], [start])


def _still_fits(batch: GameBatch, index: int, stored: GameBatch) -> bool:
    """Return whether a game still matches its stored bytes. Its result may differ, but not be missing."""
    here, found = batch.record_batch.slice(index, 1), stored.record_batch
    if not all(found[name].to_pylist() == here[name].to_pylist() for name in ("moves", "annotations")):
        return False
    return here["result"][0].is_valid or not found["result"][0].is_valid


class _Fields:
    """The columns of one game."""

    def __init__(self, header: Mapping[str, Any], text: GameText, result: int | None) -> None:
        self._header = header
        self._text = text
        self._result = result  # after the moves
        self._values: dict[str, bytes | None] = {}
        self._info: list[str] = []
        self._info_left = INFO_LENGTH
        self._lost: list[str] = []

    def row(self, evaluations: bytes | None) -> tuple[Row, list[str]]:
        """Return the row, and the names of the tags that could not be stored."""
        header, text = self._header, self._text
        pairs = header["tags"]
        listed = {name for name, _ in pairs}
        game_date, flags = self._typed_columns(listed)
        event_date, event_flags = self._other_tags(pairs)
        start = text.start
        if start is not None and length_of(start) > _FEN_LENGTH:
            start = " ".join(start.split())[:_FEN_LENGTH]
            self._lost.append("FEN")
        value_of = self._values.get
        row = Row(
            white=value_of("White"),
            black=value_of("Black"),
            event=value_of("Event"),
            site=value_of("Site"),
            opening=value_of("Opening"),
            annotator=value_of("Annotator"),
            eco=value_of("ECO"),
            white_title=value_of("WhiteTitle"),
            black_title=value_of("BlackTitle"),
            round=value_of("Round"),
            board=value_of("Board"),
            attributes=text.attributes | self._user_flags(),
            ply_count=text.plies,
            result=_RESULTS.get(header["result"], -1),
            white_elo=header["white_elo"],
            black_elo=header["black_elo"],
            game_date=game_date,
            event_date=event_date,
            date_flags=flags | event_flags << EVENT_SHIFT,
            fen=None if start is None else encode_characters(start),
            info=encode_characters(";".join(self._info)) if self._info else None,
            codes=text.codes,
            comments=text.comments,
            evaluations=evaluations,
            deleted=header["deleted"],
        )
        return row, self._lost

    def _typed_columns(self, listed: set[str]) -> tuple[int | None, int]:
        """Set the columns of tags that have columns here, too; return the date."""
        header = self._header
        for name, length, column in _LENGTHS:
            value = header[column]
            if value is None:
                continue
            self._values[name] = stored_characters(value, length)
            if self._values[name] is None and name not in listed:
                self._add_info(name, value)
        date = header["year"], header["month"], header["day"]
        stored = encode_day(*date)
        if stored is None:
            if "Date" not in listed:
                self._add_info("Date", str(Date(*date)))
            stored = None, 0
        if "Result" not in listed and header["result"] == _UNKNOWN != self._result:
            self._add_info("Result", RESULTS[_UNKNOWN])  # the column does not distinguish it from no result
        looks_like_960 = bool(self._text.attributes & _NOT_CLASSIC)
        if "Variant" not in listed and bool(header["variant"]) != looks_like_960:
            self._add_info("Variant", NO_VARIANT if looks_like_960 else "Chess960")
        return stored

    def _other_tags(self, pairs: list[tuple[str, str]]) -> tuple[int | None, int]:
        """Store all other tags so that they are read back in order; return the date of the event."""
        names = [name for name, _ in pairs]
        times = Counter(names)
        event_date: tuple[int | None, int] = None, 0
        last = -1
        for name, text in pairs:
            if name == "FEN" and self._text.start == text and (times[name] == 1 or self._header["start"] is None):
                continue  # the column; of several, all go to Info
            if name == LAST_TAG and times[name] == 1:
                stored = encode_date(text)
                if stored is not None:
                    event_date = stored
                    if next(other for other in reversed(names) if other not in COLUMN_TAGS) == name:
                        continue
            elif (
                name in _OWN_LENGTHS
                and times[name] == 1
                and (kept := stored_characters(text, _OWN_LENGTHS[name])) is not None
            ):
                self._values[name] = kept
                if OWN_TAGS.index(name) > last:
                    last = OWN_TAGS.index(name)
                    continue
            if name not in COLUMN_TAGS:
                last = len(OWN_TAGS)  # tags after it must be in Info, too, to keep the order
            if name == "Variant" and text == NO_VARIANT and self._text.attributes & _NOT_CLASSIC:
                self._lost.append(name)  # it will not be read as a tag
            self._add_info(name, text)
        return event_date

    def _add_info(self, name: str, text: str) -> None:
        """Add a tag to Info, if it can be read back from there and fits."""
        part = f"{name}={text}"
        length = length_of(part) + bool(self._info)
        if not name or ";" in part or "=" in name or "\0" in part or length > self._info_left:
            self._lost.append(name)
            return
        self._info_left -= length
        self._info.append(part)

    def _user_flags(self) -> int:
        flags = self._header["extras"].get("jose.user_flags", b"0")
        return int(flags) & 0x170 if flags.isdigit() and len(flags) < 6 else 0
