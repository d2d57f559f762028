"""The process of an engine: started, read line by line, and ended in any case."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import weakref
from collections import deque
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Final

from tabiya.analysis.pipes import reader_of, writer_of
from tabiya.errors import EngineError, MissingFileError, UsageError, shortened
from tabiya.files.command_lines import split_command
from tabiya.files.file_errors import sentence_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST_LINE: Final = 1 << 16
_PATIENCE: Final = 2.0
"""Seconds that an engine has for ``quit``."""
_LAST_PATIENCE: Final = 5.0
"""Seconds to wait for a process that was killed."""
_TURN: Final = 0.005
_GLANCE: Final = 0.5
"""Seconds after which a silent process is checked."""
_QUOTED: Final = 200


class EngineEndedError(Exception):
    """The process has ended, or closed its output."""


class LongLineError(Exception):
    """The process prints no end of a line."""


def command_words(command: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> tuple[str, ...]:
    """Return a program and its arguments: of a list, of a name or path, or of a text with blanks between them.

    Raises:
        UsageError: There is no program in it.
        MissingFileError: The program does not exist.
    """
    if isinstance(command, os.PathLike):
        words = [os.fspath(command)]
    elif isinstance(command, str):
        words = [command] if _found(command) else _split(command)
    else:
        words = [os.fspath(word) for word in command]
    if not words or not words[0] or any("\0" in word for word in words):
        raise UsageError(f"name the program of an engine, not {shortened(repr(command))}")
    program = _found(words[0])
    if program is None:
        raise MissingFileError(
            "there is no such program; install the engine, or give the path of its program", path=words[0]
        )
    return (program, *words[1:])


def _found(name: str) -> str | None:
    if "\0" in name:
        return None
    found = shutil.which(os.path.expanduser(name))  # noqa: PTH111 - a name need not be a path
    return None if found is None else str(Path(found).absolute())


def _split(command: str) -> list[str]:
    try:
        return split_command(command)
    except ValueError as error:
        raise UsageError(f"{command!r} is not a command: {error}") from error


class EngineProcess:
    """A running program. Whatever it does, ``end`` leaves nothing of it behind."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start a program; EngineError if the system refuses."""
        own_group = {"process_group": 0} if os.name == "posix" else {}  # so Ctrl-C reaches only its parent
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                **own_group,  # type: ignore[call-overload]  # not on Windows
            )
        except OSError as error:
            raise EngineError(f"the engine cannot be started: {sentence_of(error)}", path=command[0]) from error
        self.pid: int = self._process.pid
        self._abandon = weakref.finalize(self, _abandon, self._process)
        self._reader = reader_of(self._process.stdout, self._process.stderr)
        self._writer = writer_of(self._process.stdin)
        self._lines: deque[bytes] = deque()
        self._rest = b""
        self._ended = False
        self.last_words = ""
        """The last line of errors, after ``end``."""

    def send(self, commands: str, seconds: float) -> bool:
        """Send lines; False if the process does not read them in time. Any thread may call this.

        Raises:
            EngineEndedError: The process has ended.
        """
        try:
            return self._writer.write(f"{commands}\n".encode(), seconds)
        except (OSError, ValueError) as error:
            raise EngineEndedError from error

    def line(self, seconds: float) -> bytes | None:
        """Return the next line; None if none is complete within the time.

        Raises:
            EngineEndedError: There are no more lines.
            LongLineError: The line is too long.
        """
        if self._lines:
            return self._lines.popleft()
        end = monotonic() + seconds
        while not self._lines:
            chunk = self._reader.read(min(_GLANCE, end - monotonic()))
            if chunk is None and self.await_exit(0):  # and a child of it holds the pipe open
                chunk = self._reader.read(0) or b""
            if chunk is None:
                if monotonic() >= end:
                    return None
                continue
            if not chunk:
                raise EngineEndedError
            *lines, self._rest = (self._rest + chunk).split(b"\n")
            if len(self._rest) > _LONGEST_LINE:
                raise LongLineError
            self._lines.extend(lines)
        return self._lines.popleft()

    def end(self, patience: float = _PATIENCE) -> None:
        """End the process: ``quit``, then the end of its input, then force. May be called twice; raises nothing."""
        if self._ended:
            return
        self._ended = True
        try:
            if patience:
                self._part(patience)
        finally:
            self._abandon.detach()
            _kill(self._process)
            self._reader.close()
            self._writer.close()
            self.last_words = shortened(self._reader.errors.line(), _QUOTED)

    def _part(self, patience: float) -> None:
        """Let the process end by itself: discard what it prints meanwhile."""
        end = monotonic() + patience
        with suppress(EngineEndedError):
            self.send("quit", patience)
        self._writer.close()
        with suppress(OSError):
            while (left := end - monotonic()) > 0 and self._reader.read(left) != b"":
                pass
        self.await_exit(end - monotonic())

    def await_exit(self, seconds: float) -> bool:
        """Wait until the program has ended by itself; return whether it has. Its number stays reserved until then."""
        if not hasattr(os, "waitid"):
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(max(0.0, seconds))
            return self._process.returncode is not None
        end = monotonic() + seconds
        while self._process.returncode is None:
            if os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                break
            if monotonic() >= end:
                return False
            sleep(_TURN)
        return True

    @property
    def exit_reason(self) -> str:
        """How the program ended, for a message, after ``end``."""
        code = self._process.returncode
        if code is None or code == 0:
            return "ended"
        if code > 0:
            return f"ended with exit code {code}"
        with suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name}"
        return f"was ended by signal {-code}"


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and all that it has started in its group, and wait for it."""
    if process.returncode is None:
        if sys.platform == "win32":
            process.kill()
        else:
            # The process has not been waited for yet, so its number cannot belong to another group.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_LAST_PATIENCE)


def _abandon(process: subprocess.Popen[bytes]) -> None:
    """End the process of an engine that was not closed."""
    _kill(process)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
