"""The pipes of a process, read and written with limits of time and size."""

from __future__ import annotations

import os
import select
import threading
import weakref
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, Full, Queue
from time import monotonic
from typing import IO, TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    _Waiting = Queue[tuple[bytes, Future[None]] | None]

_CHUNK: Final = 1 << 16
_WAITING_CHUNKS: Final = 16
_MOST_MILLISECONDS: Final = 60_000
_LAST_BYTES: Final = 2000
_TURN: Final = 0.2
"""Seconds after which a thread looks whether its pipe is still wanted."""


class LastBytes:
    """The end of what a process reports as errors, for a message."""

    def __init__(self) -> None:
        self._kept = b""

    def add(self, chunk: bytes) -> None:
        """Append bytes."""
        self._kept = (self._kept + chunk)[-_LAST_BYTES:]

    def line(self) -> str:
        """Return the last line that is not empty."""
        lines = self._kept.decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")


class Reader(Protocol):
    """Reads what a process prints, in pieces; ``errors`` has the end of its error messages."""

    errors: LastBytes

    def read(self, seconds: float) -> bytes | None:
        """Return the next bytes, none at the end of the pipe; None if none come within the time."""

    def close(self) -> None:
        """Stop reading. The process must have ended."""


class PolledReader:
    """Waits for both pipes of a process with ``poll``, without a thread."""

    def __init__(self, output: IO[bytes], errors: IO[bytes]) -> None:
        self.errors = LastBytes()
        self._output = output
        self._errors = errors
        self._poll = select.poll()
        self._poll.register(output, select.POLLIN)
        self._poll.register(errors, select.POLLIN)
        self._lock = threading.Lock()  # a pipe must not be closed while another thread waits for it
        self._closed = False

    def read(self, seconds: float) -> bytes | None:
        """See the protocol."""
        if not self._lock.acquire(timeout=max(0.0, seconds)):
            return None
        try:
            return b"" if self._closed else self._read(seconds)
        finally:
            self._lock.release()

    def _read(self, seconds: float) -> bytes | None:
        ready = [place for place, _ in self._poll.poll(min(_MOST_MILLISECONDS, max(0, int(1000 * seconds) + 1)))]
        if self._errors.fileno() in ready:
            self._take_errors()
        return os.read(self._output.fileno(), _CHUNK) if self._output.fileno() in ready else None

    def _take_errors(self) -> None:
        chunk = os.read(self._errors.fileno(), _CHUNK)
        self.errors.add(chunk)
        if not chunk:
            self._poll.unregister(self._errors)

    def close(self) -> None:
        """Stop reading. A thread that waits for the process goes on at once, because the process has ended."""
        self._closed = True
        if self._lock.acquire(timeout=1):
            if not self._errors.closed:
                os.set_blocking(self._errors.fileno(), False)
                with suppress(BlockingIOError):
                    self.errors.add(os.read(self._errors.fileno(), _CHUNK))
            self._output.close()
            self._errors.close()
            self._lock.release()


class ThreadedReader:
    """Reads pipes in threads, for systems that cannot wait for them. A fast writer waits: the queue is bounded."""

    def __init__(self, output: IO[bytes], errors: IO[bytes]) -> None:
        self.errors = LastBytes()
        self._chunks: Queue[bytes] = Queue(_WAITING_CHUNKS)
        self._closed = threading.Event()
        self._ended = False
        # Daemons: a process that inherited the pipes may keep them open for ever. They call nothing but ``read``.
        self._threads = [
            threading.Thread(target=self._copy, args=(pipe, take), name="tabiya-engine", daemon=True)
            for pipe, take in ((output, self._put), (errors, self.errors.add))
        ]
        for thread in self._threads:
            thread.start()

    def _copy(self, pipe: IO[bytes], take: Callable[[bytes], None]) -> None:
        with suppress(OSError, ValueError), pipe:
            chunk = b"more"
            while chunk and not self._closed.is_set():
                chunk = os.read(pipe.fileno(), _CHUNK)
                take(chunk)

    def _put(self, chunk: bytes) -> None:
        while not self._closed.is_set():
            with suppress(Full):
                self._chunks.put(chunk, timeout=_TURN)
                return

    def read(self, seconds: float) -> bytes | None:
        """See the protocol."""
        if self._ended or self._closed.is_set():
            return b""
        try:
            chunk = self._chunks.get(timeout=min(_MOST_MILLISECONDS / 1000, max(0.001, seconds)))
        except Empty:
            return None
        self._ended = not chunk
        return chunk

    def close(self) -> None:
        """Stop reading."""
        self._closed.set()
        for thread in self._threads:
            thread.join(2 * _TURN)


class Writer(Protocol):
    """Writes to a process that may not read. Any thread may use it."""

    def write(self, data: bytes, seconds: float) -> bool:
        """Write all bytes; False if the process has not read them in time.

        Raises ``OSError`` or ``ValueError`` if the pipe is closed.
        """

    def close(self) -> None:
        """Close the pipe. Some engines end only then."""


class PolledWriter:
    """Writes without waiting for longer than allowed, without a thread."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._lock = threading.Lock()
        os.set_blocking(pipe.fileno(), False)

    def write(self, data: bytes, seconds: float) -> bool:
        """See the protocol."""
        end = monotonic() + seconds
        with self._lock:
            while data:
                try:
                    data = data[os.write(self._pipe.fileno(), data) :]
                except BlockingIOError:
                    wait = select.poll()
                    wait.register(self._pipe, select.POLLOUT)
                    if not wait.poll(max(0, 1000 * (end - monotonic()))):
                        return False
        return True

    def close(self) -> None:
        """See the protocol."""
        with self._lock:
            self._pipe.close()


class ThreadedWriter:
    """Writes in a thread, for systems where writing to a full pipe blocks until the process reads it or ends."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._waiting: _Waiting = Queue()
        self._end = weakref.finalize(self, self._waiting.put, None)
        self._lock = threading.Lock()
        # A daemon: nothing ends the system call of one that writes to a process that was never ended.
        threading.Thread(target=_write_all, args=(pipe, self._waiting), name="tabiya-engine", daemon=True).start()

    def write(self, data: bytes, seconds: float) -> bool:
        """See the protocol. Bytes that were not read in time are written before the next ones."""
        done: Future[None] = Future()
        with self._lock:
            if not self._end.alive:
                raise ValueError("the pipe is closed")
            self._waiting.put((data, done))
        try:
            done.result(max(0.0, seconds))
        except TimeoutError:
            return False
        return True

    def close(self) -> None:
        """See the protocol: the pipe is closed after what is being written."""
        with self._lock:
            self._end()


def _write_all(pipe: IO[bytes], waiting: _Waiting) -> None:
    with suppress(OSError), pipe:
        while (task := waiting.get()) is not None:
            data, done = task
            try:
                while data:
                    data = data[os.write(pipe.fileno(), data) :]
            except (OSError, ValueError) as error:
                done.set_exception(error)
            else:
                done.set_result(None)


_POLLS: Final = hasattr(select, "poll") and os.name == "posix"
"""Whether the system can wait for pipes."""


def reader_of(output: IO[bytes], errors: IO[bytes]) -> Reader:
    """Return the reader for this system."""
    return PolledReader(output, errors) if _POLLS else ThreadedReader(output, errors)


def writer_of(pipe: IO[bytes]) -> Writer:
    """Return the writer for this system."""
    return PolledWriter(pipe) if _POLLS else ThreadedWriter(pipe)
