"""Quotations: the header of another game, with or without its moves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Self

from tabiya.chess import Move
from tabiya.errors import FormatError
from tabiya.game.annotations.escapes import quote, words
from tabiya.game.annotations.payload import PayloadReader, PayloadWriter
from tabiya.game.annotations.quoted_moves import (
    START_SIZE,
    decode_moves,
    decode_start,
    encode_moves,
    encode_start,
    format_moves,
    parse_moves,
)
from tabiya.game.annotations.value import Value

_HEADER_ONLY: Final = 1
_WITH_MOVES: Final = 2
_START_FLAG: Final = 0x40
_RESULTS: Final = ("0-1", "1/2-1/2", "1-0", "*", "-:+", "=:=", "+:-", "0-0")
_LINE: Final = 3
_KEYS: Final = ("white", "black", "event", "site", "date", "result", "whiteelo", "blackelo", "eco", "moves")


@dataclass(frozen=True, slots=True)
class Quotation(Value):
    """A quoted game: its header, and the moves of its main line.

    The text form has the fields up to ``eco``, and the moves of a game from the usual start position; if other fields
    are set, the payload is written as well.
    """

    kind: ClassVar[int] = 0x13
    plural: ClassVar[str] = "game quotations"
    command: ClassVar[str] = "quote"
    reads_parts: ClassVar[bool] = True

    white: str = ""
    black: str = ""
    event: str = ""
    site: str = ""
    date: int = 0
    """Bits 0-4 day, 5-8 month, 9-20 year; 0 if unknown."""
    result: int = _LINE
    """0 0-1, 1 draw, 2 1-0, 3 none, 4 -:+, 5 =:=, 6 +:-, 7 both lost."""
    white_elo: int = 0
    black_elo: int = 0
    eco: int = 0
    """Bits 7-15: 0 unset, 1 A00 … 500 E99; bits 0-6 a finer code."""
    type: int = _HEADER_ONLY
    """1 header only, 2 with moves."""
    flags: int = 0
    """Without 0x40, which marks a start position."""
    start: str | None = None
    """The FEN of an unusual start position."""
    tournament_type: int = 0
    nation: int = 0
    category: int = 0
    rounds: int = 0
    subround: int = 0
    round: int = 0
    unknown: int = 0
    moves: tuple[Move, ...] = ()

    @classmethod
    def _read(cls, reader: PayloadReader) -> Self:
        reader.expect(">H", reader.size, "the length")
        kind, flags = reader.number(">H"), reader.number(">H")
        start = decode_start(reader.take(START_SIZE)) if flags & _START_FLAG else None
        white, black = _read_name(reader), _read_name(reader)
        white_elo, black_elo, eco = (reader.number(">H") for _ in range(3))
        event, site = _read_name(reader), _read_name(reader)
        date = reader.number(">I")
        tournament_type, nation, category, rounds = (reader.number(">H") for _ in range(4))
        subround, round_, result = (reader.number("B") for _ in range(3))
        return cls(
            *(white, black, event, site),
            date=date,
            result=result,
            white_elo=white_elo,
            black_elo=black_elo,
            eco=eco,
            type=kind,
            flags=flags & ~_START_FLAG,
            start=start,
            tournament_type=tournament_type,
            nation=nation,
            category=category,
            rounds=rounds,
            subround=subround,
            round=round_,
            unknown=reader.number(">H"),
            moves=decode_moves(reader.rest(), start),
        )

    def _write(self, writer: PayloadWriter) -> None:
        if self.flags & _START_FLAG:
            raise FormatError("flag 0x40 of a quotation marks its start position and cannot be set by hand")
        body = PayloadWriter(writer.encoding)
        body.number(">H", self.type)
        if self.start is None:
            body.number(">H", self.flags)
        else:
            body.number(">H", self.flags | _START_FLAG)
            body.put(encode_start(self.start))
        _write_name(body, self.white)
        _write_name(body, self.black)
        for number in (self.white_elo, self.black_elo, self.eco):
            body.number(">H", number)
        _write_name(body, self.event)
        _write_name(body, self.site)
        body.number(">I", self.date)
        for number in (self.tournament_type, self.nation, self.category, self.rounds):
            body.number(">H", number)
        for number in (self.subround, self.round, self.result):
            body.number("B", number)
        body.number(">H", self.unknown)
        body.put(encode_moves(self.moves, self.start))
        writer.number(">H", 2 + len(body.data))
        writer.put(bytes(body.data))

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``"White" "Black" "Event" "Site" 2021.12.03 1-0 2856 2782 C88 "1.e4 e5"``, or ``key="value"`` pairs."""
        return cls._of_fields(_fields(arguments))

    @classmethod
    def parse_parts(cls, arguments: str) -> tuple[Self, str]:
        """Read the arguments with placeholders for unknown values, such as an empty ECO code."""
        given = _fields(arguments)
        unknown = {key: default for key, default in _UNKNOWN.items() if given[key] in _SIGNS_OF_UNKNOWN}
        return cls._of_fields({**given, **unknown}), ""

    @classmethod
    def is_spelling(cls, raw: bytes) -> bool:
        """Return whether ``raw`` is a spelling: a payload begins with its length."""
        return raw[:2] != len(raw).to_bytes(4, "big")[-2:]

    @classmethod
    def _of_fields(cls, fields: Mapping[str, str]) -> Self:
        moves = parse_moves(fields["moves"])
        return cls(
            *(fields["white"], fields["black"], fields["event"], fields["site"]),
            date=_parse_date(fields["date"]),
            result=_parse_result(fields["result"]),
            white_elo=_parse_elo(fields["whiteelo"]),
            black_elo=_parse_elo(fields["blackelo"]),
            eco=_parse_eco(fields["eco"]),
            type=_WITH_MOVES if moves else _HEADER_ONLY,
            moves=moves,
        )

    def format(self) -> str:
        """``"White" "Black" "Event" "Site" 2021.12.03 1-0 2856 2782 C88 "1.e4 e5"``, without moves if there are none.

        Moves from other start positions are not included.
        """
        names = " ".join(map(quote, (self.white, self.black, self.event, self.site)))
        result = _RESULTS[self.result] if self.result < len(_RESULTS) else "*"
        elos = f"{self.white_elo} {self.black_elo}"
        moves = f" {quote(format_moves(self.moves))}" if self.moves and self.start is None else ""
        return f"{names} {_format_date(self.date)} {result} {elos} {_format_eco(self.eco)}{moves}"


def _read_name(reader: PayloadReader) -> str:
    name = reader.pascal()
    reader.expect("B", 0, "the end of a name")
    return name


def _write_name(writer: PayloadWriter, name: str) -> None:
    writer.pascal(name)
    writer.number("B", 0)


_DEFAULTS: Final = ("", "", "", "", "????.??.??", "*", "0", "0", "?", "")
_UNKNOWN: Final = dict(zip(_KEYS[4:9], _DEFAULTS[4:9], strict=True))
_SIGNS_OF_UNKNOWN: Final = ("", "?", "-")


def _fields(arguments: str) -> dict[str, str]:
    found = list(words(arguments))
    return _pairs(found) if found and found[0][0].endswith("=") and not found[0][1] else _row(found)


def _row(found: list[tuple[str, bool]]) -> dict[str, str]:
    if len(found) < 4 or not all(quoted for _, quoted in found[:4]):
        raise FormatError("a quotation begins with four names in quotes")
    if len(found) > len(_KEYS):
        raise FormatError("a quotation ends with its moves, all of them together in quotes")
    row = [word for word, _ in found]
    return dict(zip(_KEYS, [*row, *_DEFAULTS[len(row) :]], strict=True))


def _pairs(found: list[tuple[str, bool]]) -> dict[str, str]:
    fields = dict(zip(_KEYS, _DEFAULTS, strict=True))
    for (key, _), (value, _) in zip(found[::2], found[1::2], strict=False):
        name = key.removesuffix("=").lower()
        if name not in fields or not key.endswith("="):
            raise FormatError(f"{key} is not a field of a quotation")
        fields[name] = value
    if len(found) % 2:
        raise FormatError("a key of a quotation has no value")
    return fields


def _unknown(what: str, text: str) -> int:
    raise FormatError(f"{text!r} is not {what}")


def _parse_result(text: str) -> int:
    return _RESULTS.index(text) if text in _RESULTS else _unknown("a result", text)


def _parse_elo(text: str) -> int:
    return int(text) if re.fullmatch(r"[0-9]{1,5}", text) else _unknown("a rating", text)


def _parse_date(text: str) -> int:
    found = re.fullmatch(r"([0-9]{4}|\?{4})\.([0-9]{2}|\?\?)\.([0-9]{2}|\?\?)", text)
    if found is None:
        return _unknown("a date", text)
    year, month, day = (0 if "?" in part else int(part) for part in found.groups())
    if year > 0xFFF or month > 15 or day > 31:
        return _unknown("a date", text)
    return year << 9 | month << 5 | day


def _format_date(date: int) -> str:
    year, month, day = date >> 9 & 0xFFF, date >> 5 & 15, date & 31
    return f"{f'{year:04}' if year else '????'}.{f'{month:02}' if month else '??'}.{f'{day:02}' if day else '??'}"


def _parse_eco(text: str) -> int:
    if text == "?":
        return 0
    if not re.fullmatch(r"[A-E][0-9]{2}", text):
        return _unknown("an ECO code", text)
    return (1 + 100 * "ABCDE".index(text[0]) + int(text[1:])) << 7


def _format_eco(eco: int) -> str:
    number = (eco >> 7) - 1
    return f"{'ABCDE'[number // 100]}{number % 100:02}" if 0 <= number < 500 else "?"
