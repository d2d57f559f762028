"""The conversation with an engine: requests and answers, each with a limit of time, and errors in one sentence."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Final, NoReturn

from tabiya.analysis.options import EngineOption
from tabiya.analysis.process import EngineEndedError, EngineProcess, LongLineError
from tabiya.errors import EngineError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_NONSENSE: Final = 16 << 20
"""Bytes that an engine may print without saying anything that UCI knows."""
_MOST_OPTIONS: Final = 1000
_LONGEST_NAME: Final = 200


class Conversation:
    """Sends commands to a process and reads its answers. Every failure ends the process.

    Args:
        command: program and arguments.
        timeout: seconds in which the engine must answer whatever needs no search.
    """

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        self.timeout = timeout
        self.name = ""
        self.author = ""
        self.options: dict[str, EngineOption] = {}
        """By name in lower case."""
        self._command = command
        self._process = EngineProcess(command)
        self._pings = 0
        self._nonsense = 0
        self.is_closed = False

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    def greet(self) -> None:
        """Exchange the greetings of UCI: read name, author and options."""
        self.send("uci")
        end = monotonic() + self.timeout
        while (line := self._text(end, "does not speak UCI: it has not answered uci with uciok")) != "uciok":
            self._introduce(line)

    def _introduce(self, line: str) -> None:
        if line.startswith("id name "):
            self.name = self.name or _name(line)
        elif line.startswith("id author "):
            self.author = self.author or _name(line)
        elif (option := EngineOption.parse(line)) is not None:
            self.options.setdefault(option.name.lower(), option)
            if len(self.options) > _MOST_OPTIONS:
                self.fail(f"has more than {_MOST_OPTIONS} options")

    def _text(self, end: float, complaint: str) -> str:
        """Return the next line as text; fail with a complaint when the time is over."""
        line = self.line(end - monotonic())
        if line is None:
            self.fail(f"{complaint} within {self.timeout:g} seconds")
        self.note_nonsense(line)
        return line.decode("utf-8", "replace").strip()

    def synchronize(self) -> None:
        """Wait until the engine has carried out all commands and all its earlier answers are read."""
        self._pings = 0  # an engine may have swallowed an earlier one while it searched
        self.ping()
        end = monotonic() + self.timeout
        while self._pings:
            self._text(end, "has not answered isready")

    def ping(self) -> None:
        """Send ``isready``, which an engine answers at any time, also while it searches."""
        self.send("isready")
        self._pings += 1

    def send(self, commands: str) -> None:
        """Send lines to the engine."""
        if self.is_closed:
            raise UsageError("this engine is closed", path=self._command[0])
        try:
            if self._process.send(commands, self.timeout):
                return
        except EngineEndedError:
            self._fail_ended()
        self.fail(f"has not read its commands for {self.timeout:g} seconds")

    def send_quietly(self, commands: str) -> None:
        """Send lines from any thread; a failure shows when the answer is read."""
        try:
            self._process.send(commands, self.timeout)
        except EngineEndedError:
            return

    def line(self, seconds: float) -> bytes | None:
        """Return the next line; None if there is none within the time."""
        try:
            line = self._process.line(seconds)
        except EngineEndedError:
            if self.is_closed:
                raise UsageError("this engine was closed", path=self._command[0]) from None
            self._fail_ended()
        except LongLineError:
            self.fail("prints a line without an end")
        if line is not None and line.strip() == b"readyok":
            self._pings = max(0, self._pings - 1)
        return line

    def note_nonsense(self, line: bytes) -> None:
        """Count a line that means nothing; too many of them end the engine."""
        self._nonsense += len(line) + 1
        if self._nonsense > _MOST_NONSENSE:
            self.fail(f"has printed {_MOST_NONSENSE >> 20} MB that UCI does not know")

    def note_sense(self) -> None:
        """The engine has reported something useful."""
        self._nonsense = 0

    def fail(self, complaint: str) -> NoReturn:
        """End the engine and raise an error."""
        self.close(0)
        raise EngineError(f"the engine {complaint}", path=self._command[0])

    def _fail_ended(self) -> NoReturn:
        exited = self._process.await_exit(min(1.0, self.timeout))
        self.close(0)
        reason = self._process.exit_reason if exited else "closed its output"
        words = f"; its last message was {self._process.last_words!r}" if self._process.last_words else ""
        raise EngineError(f"the engine {reason} while it was in use{words}", path=self._command[0])

    def close(self, patience: float = 2.0) -> None:
        """End the process: at once, or with patience. May be called twice."""
        self.is_closed = True
        self._process.end(patience)


def _name(line: str) -> str:
    return "".join(letter for letter in line.split(" ", 2)[2] if letter.isprintable())[:_LONGEST_NAME].strip()
