"""An engine: a UCI program as an object."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Self

from tabiya.analysis.conversation import Conversation
from tabiya.analysis.limits import Limit
from tabiya.analysis.process import command_words
from tabiya.analysis.results import Analysis
from tabiya.analysis.search import Search
from tabiya.chess import Position
from tabiya.errors import FormatError, UnsupportedError, UsageError, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike
    from types import TracebackType

    from tabiya.analysis.options import EngineOption, OptionValue
    from tabiya.chess import Move

_LINES: Final = "multipv"
_CHESS960: Final = "uci_chess960"
_MANAGED: Final = {
    _LINES: "the number of lines is given with each analysis",
    _CHESS960: "the rules are those of the position",
    "ponder": "an analysis does not ponder",
}
"""Options that cannot be set: why."""
_AUTOMATIC: Final = ("uci_showwdl", "uci_analysemode")
"""Options that are switched on where they exist."""
_MOST_LINES: Final = 500
_MOST_SECONDS: Final = 3600


class Engine:
    """A UCI engine in a process of its own.

    Use it in a ``with`` block, or call ``close``: no process remains, whatever the engine does. An engine runs one
    search at a time. After an ``EngineError`` it is closed; create another one to go on.
    """

    def __init__(
        self,
        command: str | PathLike[str] | Sequence[str | PathLike[str]],
        *,
        options: Mapping[str, OptionValue] | None = None,
        timeout: float = 20.0,
    ) -> None:
        """Start an engine.

        Args:
            command: A program, by name or path, perhaps with arguments: ``"stockfish"``, ``["lc0", "--threads=2"]``.
            options: Values for the options of the engine, whose names ignore case.
            timeout: Seconds in which the engine must answer whatever needs no search, and must stop.

        Raises:
            MissingFileError: There is no such program.
            EngineError: It does not start, or does not speak UCI.
            UsageError: The engine has no such option, or a value is not valid for it.
        """
        if type(timeout) not in (int, float) or not 0 < timeout <= _MOST_SECONDS:
            raise UsageError(f"the timeout of an engine must be up to {_MOST_SECONDS} seconds, not {timeout!r}")
        self._command = command_words(command)
        self._conversation = Conversation(self._command, timeout)
        self._search: Search | None = None
        self._lines = 1
        self._is_chess960 = False
        try:
            self._conversation.greet()
            self._set_automatic()
            self.set_options(options or {})
            self._conversation.synchronize()
        except BaseException:
            self._conversation.close(0)
            raise

    # What the engine declares.

    @property
    def name(self) -> str:
        """The name of the engine; that of its program if it has none."""
        return self._conversation.name or self._command[0]

    @property
    def author(self) -> str:
        """The authors of the engine."""
        return self._conversation.author

    @property
    def command(self) -> tuple[str, ...]:
        """The program and its arguments."""
        return self._command

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._conversation.pid

    @property
    def options(self) -> Mapping[str, EngineOption]:
        """The options of the engine, by name."""
        return MappingProxyType({option.name: option for option in self._conversation.options.values()})

    @property
    def is_closed(self) -> bool:
        """Whether its process has ended."""
        return self._conversation.is_closed

    # Settings.

    def set_options(self, options: Mapping[str, OptionValue]) -> None:
        """Set options of the engine.

        Raises:
            UsageError: The engine has no such option, a value is not valid for it, or a search is in progress.
        """
        self._refuse_in_search()
        commands = [self._command_for(name, value) for name, value in options.items()]
        if commands:
            self._conversation.send("\n".join(commands))

    def _command_for(self, name: str, value: OptionValue) -> str:
        if name.lower() in _MANAGED:
            raise UsageError(f"the option {name} cannot be set: {_MANAGED[name.lower()]}", path=self._command[0])
        option = self._conversation.options.get(name.lower())
        if option is None:
            known = ", ".join(sorted(self.options)) or "none"
            raise UsageError(f"{self.name} has no option {shortened(name)!r}; it has: {known}", path=self._command[0])
        text = option.checked(value)
        return f"setoption name {option.name}" + ("" if text is None else f" value {text}")

    def _set_automatic(self) -> None:
        known = self._conversation.options
        self.set_options({name: True for name in _AUTOMATIC if name in known and known[name].type == "check"})

    def new_game(self) -> None:
        """Make the engine forget what it remembers of earlier positions."""
        self._refuse_in_search()
        self._conversation.send("ucinewgame")
        self._conversation.synchronize()

    # Analysis.

    def analyse(
        self,
        position: Position | str,
        *,
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        mate: int | None = None,
        lines: int = 1,
        searchmoves: Iterable[Move | str] = (),
    ) -> Analysis:
        """Analyse a position up to a limit; of several limits the first one that is reached counts.

        Args:
            position: A position or a FEN.
            depth: Limit in plies.
            time: Limit in seconds.
            nodes: Limit in examined positions.
            mate: Search for a mate in this number of moves.
            lines: Number of lines, best first.
            searchmoves: Consider only these moves.

        Raises:
            UsageError: There is no limit, or an argument is not valid.
            FormatError: The position cannot arise in a game, so that engines may crash; or a move is not legal.
            UnsupportedError: The engine cannot do this: several lines, Chess960.
            EngineError: The engine has failed.
        """
        limit = Limit(depth, time, nodes, mate)
        if limit.is_endless:
            raise UsageError("an analysis needs a limit: depth, time, nodes or mate; search() runs until it is stopped")
        with self._begin(position, limit, lines, searchmoves) as search:
            return search.result()

    def search(
        self,
        position: Position | str,
        *,
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        mate: int | None = None,
        lines: int = 1,
        searchmoves: Iterable[Move | str] = (),
    ) -> Search:
        """Begin a search and return it: an iterator over lines for live display. The arguments are as for ``analyse``.

        Without a limit it runs until ``stop`` is called:

            with engine.search(position) as search:
                for line in search:
                    print(line.depth, line.evaluation, *line.san)
                    if line.depth >= 20:
                        search.stop()
        """
        return self._begin(position, Limit(depth, time, nodes, mate), lines, searchmoves)

    def _begin(self, position: Position | str, limit: Limit, lines: int, searchmoves: Iterable[Move | str]) -> Search:
        self._refuse_in_search()
        position = position if isinstance(position, Position) else Position(position)
        if type(lines) is not int or not 1 <= lines <= _MOST_LINES:
            raise UsageError(f"the number of lines must be from 1 to {_MOST_LINES}, not {lines!r}")
        chosen = [_legal(position, move) for move in searchmoves]
        if not position.legal_moves():
            return _Finished(self._conversation, position, limit)
        fen = _checked_fen(position)
        self._conversation.send("\n".join([*self._settings(position, lines), f"position fen {fen}"]))
        self._lines, self._is_chess960 = lines, position.chess960
        self._conversation.synchronize()
        moves = "".join(f" {position.uci(move)}" for move in chosen)
        self._conversation.send(f"go {limit.words()}" + (f" searchmoves{moves}" if moves else ""))
        self._search = Search(self._conversation, position, limit, lines, chosen)
        return self._search

    def _settings(self, position: Position, lines: int) -> list[str]:
        """Return commands for the settings that differ from those of the last search."""
        commands = []
        if lines != self._lines:
            commands.append(f"setoption {self._managed(_LINES, str(lines), f'report {lines} lines', lines)}")
        if position.chess960 != self._is_chess960:
            value = "true" if position.chess960 else "false"
            commands.append(f"setoption {self._managed(_CHESS960, value, 'play Chess960')}")
        return commands

    def _managed(self, name: str, value: str, deed: str, number: int = 0) -> str:
        option = self._conversation.options.get(name)
        if option is None or number > (number if option.max is None else option.max):
            raise UnsupportedError(f"{self.name} cannot {deed}", path=self._command[0])
        return f"name {option.name} value {value}"

    def _refuse_in_search(self) -> None:
        if self.is_closed:
            raise UsageError("this engine is closed", path=self._command[0])
        if self._search is not None and not self._search.is_over:
            raise UsageError("this engine is busy with another search; close that one first", path=self._command[0])

    # The end.

    def stop(self) -> None:
        """Stop the search in progress, if there is one, which then returns its result. Any thread may call this."""
        search = self._search
        if search is not None:
            search.stop()

    def kill(self) -> None:
        """End the process at once, without a farewell. Any thread may call this."""
        self._conversation.close(0)

    def close(self) -> None:
        """End the process. Any thread may call this; a search in progress has no result then."""
        self._conversation.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None or issubclass(kind, Exception):
            self.close()
        else:
            self._conversation.close(0)

    def __repr__(self) -> str:
        return f"<Engine {self.name}{', closed' if self.is_closed else ''}>"


class _Finished(Search):
    """The search of a position in which the game is over: no engine is needed."""

    @property
    def is_over(self) -> bool:
        """True."""
        return True

    def result(self) -> Analysis:
        """Return an analysis without lines."""
        return Analysis(self.position, (), None)


def _legal(position: Position, move: Move | str) -> Move:
    found = position.parse_san(move) if isinstance(move, str) else move
    if not position.is_legal(found):
        raise FormatError(f"{found} is not a legal move in {position.fen()}")
    return found


def _checked_fen(position: Position) -> str:
    """Return the FEN for an engine. Many engines crash on positions that no game can reach."""
    fen = position.fen(en_passant="legal")
    problems = Position(fen, chess960=position.chess960).problems()
    if problems:
        raise FormatError(f"no engine can analyse {fen}: {'; '.join(problems)}")
    return fen
