"""Records in which order files are written, flushed to disk, renamed and removed: what a loss of power may undo."""

from __future__ import annotations

import builtins
import io
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self
from unittest import mock

_real_open, _real_os_open = io.open, os.open
Event = tuple[str, Path, Path | None]


class Recorder:
    """What happens in a folder and below. Bytes count as written when they leave the program, not before."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._events: list[Event] = []
        self._paths: dict[int, Path] = {}

    def log(self) -> list[str]:
        """All events in words. Temporary files bear the name that they get; those that get none do not matter."""
        finals: dict[Path, Path] = {}
        for _, path, target in reversed(self._events):
            # From one temporary name to another: that is how a writer claims it.
            if target is not None and _is_temporary(path) and (target in finals or not _is_temporary(target)):
                finals[path] = finals.get(target, target)

        def name(path: Path) -> str | None:
            for place in (path, *path.parents):
                if place in finals:
                    return f"new {self._relative(finals[place] / path.relative_to(place))}"
            return None if _is_temporary(path) else self._relative(path)

        found: list[str] = []
        for what, path, target in self._events:
            old, new = name(path), None if target is None else name(target)
            if old is None or old == new:
                continue
            found.append(f"{what} {old}" if target is None else f"{what} {old} -> {new or 'aside'}")
        return found

    def _relative(self, path: Path) -> str:
        return "folder" if path == self._folder else path.relative_to(self._folder).as_posix()

    def add(self, what: str, path: Any, target: Any = None) -> None:
        where = Path(os.path.abspath(os.fspath(path)))  # noqa: PTH100 - links are not followed
        if not where.is_relative_to(self._folder):
            return
        aim = None if target is None else Path(os.path.abspath(os.fspath(target)))  # noqa: PTH100
        last = next((event for event in reversed(self._events) if event[1] == where), None)
        if what != "write" or last != ("write", where, None):
            self._events.append((what, where, aim))

    def opening(self, file: Any, mode: str = "r", *arguments: Any, **named: Any) -> Any:
        stream = _real_open(file, mode, *arguments, **named)
        if isinstance(file, int) or named.get("opener") is not None:  # a temporary file without a name
            return stream
        self._paths[stream.fileno()] = Path(file)
        return _Stream(stream, Path(file), self) if set("wxa+") & set(mode) else stream

    def opening_descriptor(self, path: Any, *arguments: Any, **named: Any) -> int:
        descriptor = _real_os_open(path, *arguments, **named)
        self._paths[descriptor] = Path(path)
        return descriptor

    def around(self, what: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def recorded(*arguments: Any, **named: Any) -> Any:
            result = function(*arguments, **named)
            if what == "flush":
                self.add(what, self._paths[arguments[0]])
            elif named.get("dir_fd") is None:
                self.add(what, *arguments[: 2 if what in ("rename", "link") else 1])
            return result

        return recorded


def _is_temporary(path: Path) -> bool:
    return any(part.startswith(".tabiya-") or part.endswith(".tabiya-lock") for part in path.parts)


class _Stream:
    """A file that is written."""

    def __init__(self, file: Any, path: Path, recorder: Recorder) -> None:
        self._file = file
        self._path = path
        self._recorder = recorder
        self._is_pending = True  # others may write to its descriptor

    def write(self, data: Any) -> int:
        self._is_pending = True
        written: int = self._file.write(data)
        return written

    def flush(self) -> None:
        self._file.flush()
        self._pass_on()

    def close(self) -> None:
        if not self._file.closed:
            self._file.close()
            self._pass_on()

    def _pass_on(self) -> None:
        if self._is_pending:
            self._recorder.add("write", self._path)
        self._is_pending = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *arguments: object) -> None:
        self.close()


_CALLS = {
    "fsync": "flush",
    "replace": "rename",
    "rename": "rename",
    "link": "link",
    "unlink": "remove",
    "remove": "remove",
}


@contextmanager
def recording(folder: Path) -> Iterator[Recorder]:
    """Record what happens in a folder."""
    recorder = Recorder(folder)
    with ExitStack() as stack:
        for module in (io, builtins):
            stack.enter_context(mock.patch.object(module, "open", recorder.opening))
        stack.enter_context(mock.patch.object(os, "open", recorder.opening_descriptor))
        for name, what in _CALLS.items():
            stack.enter_context(mock.patch.object(os, name, recorder.around(what, getattr(os, name))))
        yield recorder
