"""The analysis of a single game with an engine that runs already: position by position, to be watched and stopped."""

from __future__ import annotations

import threading
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from tabiya.analysis.annotating import annotate
from tabiya.analysis.cache import Effort, identity_of
from tabiya.analysis.findings import found_lines, named_position
from tabiya.analysis.game_plan import plan_game
from tabiya.errors import FormatError, TabiyaError, UnsupportedError

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Mapping

    from tabiya.analysis.cache import AnalysisCache
    from tabiya.analysis.engine import Engine
    from tabiya.analysis.findings import FoundLine
    from tabiya.analysis.game_plan import Notation
    from tabiya.analysis.limits import Limit
    from tabiya.analysis.options import OptionValue
    from tabiya.analysis.search import Search
    from tabiya.game import Game
    from tabiya.game.annotations import Evaluation


class Settings(NamedTuple):
    """How positions are analysed, and where findings are kept."""

    limit: Limit
    """For each position."""
    cache: AnalysisCache
    options: Mapping[str, OptionValue]
    """Options of the engine: findings with others do not count."""


class GameAnalysis:
    """The analysis of a game. ``run`` works in one thread; others may look at the progress, and stop it."""

    def __init__(self, game: Game, notation: Notation) -> None:
        """Plan the analysis.

        Raises:
            FormatError: The record is not a game whose moves can be played.
        """
        plan = plan_game(game, notation)
        if plan is None:
            raise FormatError("the moves of this game cannot be played, so it cannot be analysed")
        self.game = game
        self._plan = plan
        self._notation = notation
        self._findings: dict[str, tuple[FoundLine, ...]] = {}
        self._refused: dict[str, TabiyaError] = {}
        self._lock = threading.Lock()
        self._search: Search | None = None
        self.is_stopped = False

    @property
    def positions(self) -> int:
        """Positions that need an engine."""
        return len(self._plan.needed)

    @property
    def settled(self) -> int:
        """Positions with a result."""
        return sum(name in self._findings or name in self._refused for name in self._plan.needed.values())

    def evaluations(self) -> list[Evaluation | None]:
        """Return what was found so far, by ply from the start position on."""
        needed = self._plan.needed
        found = [self._findings.get(needed.get(ply, "")) for ply in range(len(self._plan.nodes))]
        return [lines[0].evaluation if lines else None for lines in found]

    def stop(self) -> None:
        """End the search, and ``run``, which then keeps what was found before it."""
        with self._lock:
            self.is_stopped = True
            search = self._search
        if search is not None:
            search.stop()

    def run(self, engine: Engine, settings: Settings, watch: Callable[[], None]) -> Counter[str] | None:
        """Analyse the game and write the findings into it; return what was added, None if the analysis was stopped.

        The last position comes first: what the engine remembers of it helps with those before it.

        Args:
            engine: an idle engine that nothing else uses.
            settings: limit and cache; findings of the cache are used.
            watch: called after each position.

        Raises:
            EngineError: The engine has failed; what it found before is in the cache.
            TabiyaError: The engine has refused every position.
        """
        identity, effort = identity_of(engine, settings.options), Effort.of(settings.limit, self._notation.lines)
        names = dict.fromkeys(reversed(self._plan.needed.values()))
        self._findings |= settings.cache.find(identity, effort, names)
        watch()
        engine.new_game()
        for name in names:
            if name not in self._findings:
                lines = self._lines(engine, name, settings.limit)
                if self.is_stopped:  # the search was cut short
                    return None
                if lines is not None:
                    settings.cache.store(identity, effort, [(name, lines)])
                    self._findings[name] = lines
                watch()
            if self.is_stopped:
                return None
        if self._refused and not self._findings:
            raise next(iter(self._refused.values()))
        return annotate(self._plan, self._findings, self._refused, self._notation)

    def _lines(self, engine: Engine, name: str, limit: Limit) -> tuple[FoundLine, ...] | None:
        """Return the lines of a position; None if the engine cannot analyse it."""
        try:
            with engine.search(named_position(name), **asdict(limit), lines=self._notation.lines) as search:
                with self._lock:
                    self._search = search
                    is_stopped = self.is_stopped
                if is_stopped:
                    return None
                return found_lines(search.result())
        except (FormatError, UnsupportedError) as refusal:
            self._refused[name] = refusal
            return None
        finally:
            with self._lock:
                self._search = None
