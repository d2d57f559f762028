"""From a batch to rows of jose's tables: tags into their columns, and all other tags into the column Info."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from tabiya.formats.jose.characters import are_characters, encode_characters, is_storable, length_of
from tabiya.formats.jose.codec import GameText, decode_games, encode_games
from tabiya.formats.jose.dates import EVENT_SHIFT, encode_date
from tabiya.formats.jose.evaluations import take_evaluations
from tabiya.formats.jose.messages import LOSSES
from tabiya.formats.jose.row import INFO_LENGTH, LAST_TAG, NAME_LENGTH, NO_VARIANT, OWN_TAGS, SHORT_LENGTH, Row
from tabiya.formats.losses import LossReport
from tabiya.game.record import Result
from tabiya.game.tag_values import RESULTS, Date, parse_date
from tabiya.game.tags import COLUMN_TAGS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabiya.game import GameBatch

MOST_BYTES: Final = 0xFFFF00
"""Maximum size of a game: a row of MyISAM in one block has 24 bits for its length, part of it for the short columns."""

_RESULTS: Final = {1: 2, 5: 2, 2: 0, 6: 0, 3: 1, 7: 1}
"""jose's results by ours; all others are -1."""
_NOT_CLASSIC: Final = 8
_LENGTHS: Final = {
    **dict.fromkeys(("White", "Black", "Event", "Site", "Annotator"), NAME_LENGTH),
    "Round": SHORT_LENGTH,
    "ECO": 3,
}
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
    headers = batch.record_batch.drop_columns(["moves", "annotations", "texts", "problems"]).to_pylist()
    rows, losses = [], []
    for index, header in enumerate(headers):
        number = header["number"]
        if index in encoded.refused:
            losses.append(LOSSES.line("jose-game", 1, number, [encoded.refused[index]]))
            continue
        text, text_result = encoded[index], header["result"]
        if any(extra["key"] == _CODES for extra in header["extras"]):
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
    losses += [LOSSES.line("jose-place", 1, headers[index]["number"]) for index in encoded.changed]
    return rows, LossReport.of(losses)


def _stored_text(header: Mapping[str, Any]) -> tuple[GameText, GameBatch]:
    """Return the bytes that a damaged game was read from, and the result of reading them."""
    extras = {extra["key"]: extra["value"] for extra in header["extras"]}
    tags = {tag["name"]: tag["value"] for tag in header["tags"]}
    start = header["start"] if header["start"] is not None else tags.get("FEN")
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
        pairs = [(tag["name"], tag["value"]) for tag in header["tags"]]
        listed = {name for name, _ in pairs}
        game_date, flags = self._typed_columns(listed)
        event_date, event_flags = self._other_tags(pairs)
        start = text.start
        if start is not None and length_of(start) > _FEN_LENGTH:
            start = " ".join(start.split())[:_FEN_LENGTH]
            self._lost.append("FEN")
        row = Row(
            **{name: self._values.get(tag) for name, tag in _NAMES.items()},
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
        for name, length in _LENGTHS.items():
            value = header[COLUMN_TAGS[name].columns[0]]
            if value is None:
                continue
            if is_storable(value, length):
                self._values[name] = encode_characters(value)
            elif name not in listed:
                self._add_info(name, value)
        date = Date(header["year"], header["month"], header["day"])
        stored = encode_date(date)
        if stored is None:
            if "Date" not in listed:
                self._add_info("Date", str(date))
            stored = None, 0
        if "Result" not in listed and header["result"] == _UNKNOWN != self._result:
            self._add_info("Result", RESULTS[_UNKNOWN])  # the column does not distinguish it from no result
        looks_like_960 = bool(self._text.attributes & _NOT_CLASSIC)
        if "Variant" not in listed and bool(header["variant"]) != looks_like_960:
            self._add_info("Variant", NO_VARIANT if looks_like_960 else "Chess960")
        return stored

    def _other_tags(self, pairs: list[tuple[str, str]]) -> tuple[int | None, int]:
        """Store all other tags so that they are read back in order; return the date of the event."""
        counts = Counter(name for name, _ in pairs)
        other_names = [name for name, _ in pairs if name not in COLUMN_TAGS]
        event_date: tuple[int | None, int] = None, 0
        last = -1
        for name, text in pairs:
            if name == "FEN" and self._text.start == text and (counts[name] == 1 or self._header["start"] is None):
                continue  # the column; of several, all go to Info
            if name == LAST_TAG and counts[name] == 1:
                stored = encode_date(parse_date(text))
                if stored is not None and stored[0] is not None and str(parse_date(text)) == text:
                    event_date = stored
                    if other_names[-1] == name:
                        continue
            elif name in OWN_TAGS and counts[name] == 1 and is_storable(text, _OWN_LENGTHS[name]):
                self._values[name] = encode_characters(text)
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
        flags = next((e["value"] for e in self._header["extras"] if e["key"] == "jose.user_flags"), b"0")
        return int(flags) & 0x170 if flags.isdigit() and len(flags) < 6 else 0


_NAMES: Final = {
    "white": "White",
    "black": "Black",
    "event": "Event",
    "site": "Site",
    "annotator": "Annotator",
    "round": "Round",
    "eco": "ECO",
    "opening": "Opening",
    "white_title": "WhiteTitle",
    "black_title": "BlackTitle",
    "board": "Board",
}
"""Fields of a row by tag."""
