"""One search of an engine: a stream of lines, and the result."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Final, Self

from tabiya.analysis.results import Analysis, Line, legal_move, line_of
from tabiya.analysis.uci import Info, parse_best_move, parse_info
from tabiya.errors import EngineError, UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from types import TracebackType

    from tabiya.analysis.conversation import Conversation
    from tabiya.analysis.limits import Limit
    from tabiya.chess import Move, Position

_LONGEST_QUOTE: Final = 20


class Search:
    """A search in progress: an iterator over the lines that the engine reports, until it has decided.

    ``Engine.search`` returns one. Use it in a ``with`` block, which stops the search at its end. Lines are read when
    they are requested; an engine whose output is not read may block.
    """

    def __init__(
        self,
        engine: Conversation,
        position: Position,
        limit: Limit,
        lines: int = 1,
        allowed: Collection[Move] = (),
    ) -> None:
        self.position = position
        self._engine = engine
        self._limit = limit
        self._most_lines = lines
        self._allowed = allowed
        self._exact: dict[int, Info] = {}
        """By rank: the last report with an exact score."""
        self._latest: dict[int, Info] = {}
        """By rank: the last report."""
        self._longest: dict[bytes, tuple[bytes, ...]] = {}
        """By first move: the longest line that agrees with the last exact report."""
        self._answer: tuple[bytes, bytes] | None = None
        self._result: Analysis | None = None
        self._is_stopped = False
        self._is_pinged = False
        self._deadline = None if limit.time is None else monotonic() + limit.time + engine.timeout

    def __iter__(self) -> Iterator[Line]:
        return self

    def __next__(self) -> Line:
        info = self._next_info()
        if info is None:
            raise StopIteration
        return line_of(self.position, info)

    def stop(self) -> None:
        """Request the end of the search; the engine then decides. Any thread may call this."""
        if not self.is_over and not self._is_stopped:
            self._is_stopped = True
            self._deadline = monotonic() + self._engine.timeout
            self._engine.send_quietly("stop")

    @property
    def is_over(self) -> bool:
        """Whether the engine has decided, or has ended."""
        return self._answer is not None or self._engine.is_closed

    def result(self) -> Analysis:
        """Wait until the engine has decided, and return the result.

        Raises:
            EngineError: The engine has failed.
            UsageError: The engine was closed before it had decided.
        """
        while self._next_info() is not None:
            pass
        if self._result is None:
            if self._answer is None:
                raise UsageError("the search has no result, because its engine was closed")
            self._result = self._analysis(*self._answer)
        return self._result

    def close(self) -> None:
        """Stop the search and discard what the engine still reports. If it fails now, it ends without an error."""
        self.stop()
        try:
            while self._next_info() is not None:
                pass
        except EngineError:
            return

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None or issubclass(kind, Exception):
            self.close()
        else:  # an interrupt does not wait for the engine
            self._engine.close(0)

    def _next_info(self) -> Info | None:
        """Return the next report with a score; None when the engine has decided."""
        while not self.is_over:
            line = self._next_line()
            info = parse_info(line)
            if info is not None and self._is_useful(info):
                self._engine.note_sense()
                self._keep(info)
                return info
            self._engine.note_nonsense(line)
            if info is None:
                self._answer = parse_best_move(line)
        return None

    def _is_useful(self, info: Info) -> bool:
        """Return whether a report evaluates the position, with a legal move."""
        return (
            info.has_score
            and 1 <= info.rank <= self._most_lines
            and (not info.moves or legal_move(self.position, info.moves[0]) is not None)
        )

    def _keep(self, info: Info) -> None:
        self._latest[info.rank] = info
        if not info.bound:
            self._exact[info.rank] = info
            self._keep_line(info.moves)
        if self._limit.is_exceeded(info.depth, info.nodes):
            self.stop()

    def _keep_line(self, moves: tuple[bytes, ...]) -> None:
        """Keep a line, unless it is only the beginning of the one that is known.

        Engines cut lines short when a search ends early, or where they remember a position.
        """
        if moves and self._longest.get(moves[0], ())[: len(moves)] != moves:
            self._longest[moves[0]] = moves

    def _next_line(self) -> bytes:
        """Return the next line. An engine that is silent for long must at least answer ``isready``."""
        while True:
            patience = self._engine.timeout
            left = patience if self._deadline is None else self._deadline - monotonic()
            if left <= 0:
                self._end_overdue()
                continue
            line = self._engine.line(min(left, patience))
            if line is not None:
                self._is_pinged = False
                return line
            if left >= patience:
                self._end_silent()

    def _end_overdue(self) -> None:
        if self._is_stopped:
            self._engine.fail(f"has not stopped within {self._engine.timeout:g} seconds")
        self.stop()

    def _end_silent(self) -> None:
        if self._is_pinged:
            self._engine.fail(f"hangs: it has not answered for {2 * self._engine.timeout:g} seconds")
        self._is_pinged = True
        self._engine.ping()

    def _analysis(self, best: bytes, reply: bytes) -> Analysis:
        """Return the result; fail if the engine has not answered the question."""
        position = self.position
        move = legal_move(position, best)
        if move is None or (self._allowed and move not in self._allowed):
            text = best[:_LONGEST_QUOTE].decode("utf-8", "replace")
            rule = "is not a legal move" if move is None else "is not one of the moves to be searched"
            self._engine.fail(f"answered with {text!r}, which {rule} in {position.fen()}")
        lines = tuple(self._best_lines(move))
        if not lines:
            self._engine.fail(f"chose {position.san(move)} without an evaluation in {position.fen()}")
        return Analysis(position, lines, move, legal_move(position.play(move), reply))

    def _best_lines(self, best: Move) -> Iterator[Line]:
        """Yield the last line of each rank, exact if possible; a move has one line only."""
        seen = set()
        for rank in range(1, self._most_lines + 1):
            info = self._exact.get(rank) or self._latest.get(rank)
            if info is None:
                continue
            if info.moves and not info.bound:
                info = info._replace(moves=self._longest[info.moves[0]])
            line = line_of(self.position, info)
            if not line.moves and rank == 1:
                line = replace(line, moves=(best,))
            if line.moves and line.moves[0] not in seen:
                seen.add(line.moves[0])
                yield line
