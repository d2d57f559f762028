"""Clocks, time spent, time controls."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import ClassVar, Final, Self

from tabiya.chess import Color
from tabiya.errors import FormatError
from tabiya.game.annotations.dialects import Dialect
from tabiya.game.annotations.escapes import compact, format_command
from tabiya.game.annotations.payload import PayloadReader, PayloadWriter
from tabiya.game.annotations.value import Place, Value

_DURATION: Final = re.compile(r"(?:(?:(\d{1,9}):)?(\d{1,9}):)?(\d{1,9}(?:\.\d{0,9})?)", re.ASCII)


# Relays of live games write hours:minutes.seconds, "0:15.47" in a game of two hours (never beyond .59).
_RELAY: Final = re.compile(r"(\d):(\d\d)\.([0-5]\d)", re.ASCII)


def _split_duration(text: str) -> tuple[int, int, int]:
    """``H:MM:SS``, ``M:SS`` or ``S``, with decimals: hours, minutes, hundredths of a second; rounded if finer."""
    text = compact(text)
    found = _DURATION.fullmatch(_RELAY.sub(r"\1:\2:\3", text) if _RELAY.fullmatch(text) else text)
    if found is None:
        raise FormatError(f"{text!r} is not a time")
    hours, minutes, seconds = found.groups(default="0")
    hundredths = int((Decimal(seconds) * 100).to_integral_value(ROUND_HALF_UP))
    return int(hours), int(minutes), hundredths


def _format_duration(hundredths: int) -> str:
    """``H:MM:SS``, with decimals only if needed."""
    seconds, rest = divmod(hundredths, 100)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}" + (f".{rest:02}".rstrip("0") if rest else "")


@dataclass(frozen=True, slots=True)
class TimeSpent(Value):
    """The time spent on a move.

    ChessBase exported one ``flag`` of 96 as hundredths of a second, but elsewhere 30 occurs only at each side's first
    move, like an increment. So it is stored separately; decimals are read into it, as in that export.
    """

    kind: ClassVar[int] = 0x07
    plural: ClassVar[str] = "times spent"
    command: ClassVar[str] = "emt"
    layout: ClassVar[str] = ">BBBB"
    place: ClassVar[Place] = Place.TIMES
    keeps_spelling: ClassVar[bool] = True

    hours: int
    minutes: int
    seconds: int
    flag: int = 0

    @property
    def total(self) -> int:
        """The total time in seconds."""
        return 3600 * self.hours + 60 * self.minutes + self.seconds

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``0:05:30`` or ``0:00:45|30``."""
        time, bar, flag = compact(arguments).partition("|")
        hours, minutes, hundredths = _split_duration(time)
        seconds, decimals = divmod(hundredths, 100)
        if bar:
            if decimals or not re.fullmatch(r"[0-9]{1,3}", flag):
                raise FormatError(f"{flag!r} is not the flag of a time")
            decimals = int(flag)
        if ":" not in time or time.count(":") == 1:
            minutes += seconds // 60
            return cls(hours + minutes // 60, minutes % 60, seconds % 60, decimals)
        return cls(hours, minutes, seconds, decimals)

    def format(self) -> str:
        """``0:05:30``, followed by the flag if there is one."""
        return self._time() + (f"|{self.flag}" if self.flag else "")

    def _time(self) -> str:
        return f"{self.hours}:{self.minutes:02}:{self.seconds:02}"

    def format_plain(self, dialect: Dialect) -> list[str]:  # noqa: ARG002 - common signature
        """``[%emt 0:05:30]``."""
        return [format_command(self.command, self._time())]


@dataclass(frozen=True, slots=True)
class _Clock(Value):
    """The time on a clock."""

    layout: ClassVar[str] = ">I"
    place: ClassVar[Place] = Place.TIMES
    keeps_spelling: ClassVar[bool] = True
    color: ClassVar[Color]

    hundredths: int
    """In hundredths of a second."""

    @property
    def seconds(self) -> float:
        """The time in seconds."""
        return self.hundredths / 100

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``1:29:45``."""
        hours, minutes, hundredths = _split_duration(arguments)
        return cls(100 * (3600 * hours + 60 * minutes) + hundredths)

    def format(self) -> str:
        """``1:29:45``."""
        return _format_duration(self.hundredths)

    def command_for(self, mover: Color) -> str:
        """``clk`` for the side that has just moved."""
        return "clk" if mover is self.color else self.command

    def format_plain(self, dialect: Dialect) -> list[str]:  # noqa: ARG002 - common signature
        """``[%clk 1:29:45]``: other programs read only the clock of the side that has just moved."""
        return [format_command("clk", self.format())]


@dataclass(frozen=True, slots=True)
class WhiteClock(_Clock):
    """White's clock. On a whole game, as in ChessBase, the time left at the end."""

    kind: ClassVar[int] = 0x16
    plural: ClassVar[str] = "clocks of White"
    command: ClassVar[str] = "clkw"
    color: ClassVar[Color] = Color.WHITE


@dataclass(frozen=True, slots=True)
class BlackClock(_Clock):
    """Black's clock."""

    kind: ClassVar[int] = 0x17
    plural: ClassVar[str] = "clocks of Black"
    command: ClassVar[str] = "clkb"
    color: ClassVar[Color] = Color.BLACK


_REST: Final = 1000
_SPAN: Final = re.compile(r"(?:(\d{1,6})h)?(?:(\d{1,8})m)?(?:(\d{1,9}(?:\.\d{1,2})?)s)?", re.ASCII)
_PERIOD: Final = re.compile(
    r"(?:\((?P<time>[^()+]+)\+(?P<increment>[^()+]+)\)|(?P<alone>[^()+/|]+))(?:/(?P<moves>\d{1,5}))?(?:\|(?P<kind>\d{1,3}))?",
    re.ASCII,
)


def _parse_span(text: str) -> int:
    """``90m``, ``1h30m``, ``12.5s`` in hundredths of a second."""
    found = _SPAN.fullmatch(text)
    if found is None or not text:
        raise FormatError(f"{text!r} is not a time such as 90m or 1h30m")
    hours, minutes, seconds = found.groups(default="0")
    return 100 * (3600 * int(hours) + 60 * int(minutes)) + int(Decimal(seconds) * 100)


def _format_span(hundredths: int) -> str:
    minutes, rest = divmod(hundredths, 6000)
    seconds = f"{rest / 100:.2f}".rstrip("0").rstrip(".") + "s" if rest or not minutes else ""
    return (f"{minutes}m" if minutes else "") + seconds


@dataclass(frozen=True, slots=True)
class Period:
    """A part of a time control, in hundredths of a second; 1000 moves means the rest of the game.

    Kinds seen: 0 unused or rest, 1 stage of that many moves, 3 rest with increment, 5 filler.
    """

    time: int = 0
    increment: int = 0
    moves: int = 0
    kind: int = 0

    def _format(self, default_kind: int) -> str:
        time = _format_span(self.time)
        return (
            (f"({time}+{_format_span(self.increment)})" if self.increment else time)
            + (f"/{self.moves}" if self.moves != _REST else "")
            + (f"|{self.kind}" if self.kind != default_kind else "")
        )


_UNUSED: Final = Period()


@dataclass(frozen=True, slots=True)
class TimeControl(Value):
    """Up to three periods; missing ones are unused."""

    kind: ClassVar[int] = 0x24
    plural: ClassVar[str] = "time controls"
    command: ClassVar[str] = "tc"
    place: ClassVar[Place] = Place.TIMES

    periods: tuple[Period, ...]

    def __post_init__(self) -> None:
        if len(self.periods) > 3:
            raise FormatError("a time control has three periods at most")
        object.__setattr__(self, "periods", (*self.periods, _UNUSED, _UNUSED, _UNUSED)[:3])

    @classmethod
    def _read(cls, reader: PayloadReader) -> Self:
        return cls(tuple(Period(*(reader.number(layout) for layout in (">I", ">I", ">H", "B"))) for _ in range(3)))

    def _write(self, writer: PayloadWriter) -> None:
        for period in self.periods:
            writer.number(">I", period.time)
            writer.number(">I", period.increment)
            writer.number(">H", period.moves)
            writer.number("B", period.kind)

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``90m/40+30m+(15m+10s)``."""
        text = compact(arguments)
        periods: list[Period] = []
        place = 0
        while place <= len(text):
            found = _PERIOD.match(text, place)
            if found is None or text[found.end() : found.end() + 1] not in ("", "+"):
                raise FormatError(f"{text[place : place + 40]!r} is not a period such as 90m/40 or (15m+10s)")
            place = found.end() + 1
            periods.append(
                Period(
                    _parse_span(found["time"] or found["alone"]),
                    _parse_span(found["increment"]) if found["increment"] else 0,
                    int(found["moves"] or _REST),
                    int(found["kind"] or (3 if found.end() == len(text) else 1)),
                )
            )
        return cls(tuple(periods))

    def format(self) -> str:
        """``90m/40+30m+(15m+10s)``."""
        used = list(self.periods)
        while used and used[-1] == _UNUSED:
            used.pop()
        if not used:
            raise FormatError("a time control without any period")
        return "+".join(period._format(3 if index == len(used) else 1) for index, period in enumerate(used, 1))


@dataclass(frozen=True, slots=True)
class VideoStreamTime(Value):
    """The place in a video, in milliseconds according to its size."""

    kind: ClassVar[int] = 0x25
    plural: ClassVar[str] = "video stream times"
    command: ClassVar[str] = "vst"
    layout: ClassVar[str] = ">I"

    time: int

    @classmethod
    def parse(cls, arguments: str) -> Self:
        """``12345``."""
        return cls(parse_number(arguments))

    def format(self) -> str:
        """``12345``."""
        return str(self.time)


def parse_number(text: str) -> int:
    """Return an unsigned number."""
    digits = compact(text)
    if not re.fullmatch(r"[0-9]{1,10}", digits):
        raise FormatError(f"{text!r} is not a number")
    return int(digits)
