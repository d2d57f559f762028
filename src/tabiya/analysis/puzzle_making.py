"""Puzzles from games: positions in which one move wins and the others do not.

Candidates follow from the evaluations in games, in bulk: moves after which the opponent is suddenly winning. An engine
then plays out the solution, and examines it again at a second depth.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from tabiya.chess import Color
from tabiya.errors import FormatError, UsageError
from tabiya.evaluations import MoveValues, Phase, score_of
from tabiya.evaluations.formulas import uncapped_chances
from tabiya.evaluations.scores import MATES, UNKNOWN
from tabiya.formats.open_and_create import opened
from tabiya.formats.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from tabiya.analysis.results import Analysis, Line
    from tabiya.chess import Move, Position
    from tabiya.formats import Database
    from tabiya.formats.open_and_create import Locations
    from tabiya.formats.progress import Watcher
    from tabiya.game import Game, GameBatch

GAIN: Final = 0.6
"""How much the chances of the solver rise by the mistake of the opponent, from -1 (lost) to 1 (won)."""
UNIQUE: Final = 0.7
"""How much better each move of the solution is than the second best."""
NOT_WON: Final = 300
"""Centipawns from which a position counts as won before the mistake."""
WINNING: Final = 200
"""Least centipawns in all positions of a solution."""
_CRUSHING: Final = 600
_LONGEST: Final = 12
"""Most moves of the solver."""
_LENGTHS: Final = {2: "short", 3: "long"}
_ID: Final = 8


class Analyst(Protocol):
    """What analyses positions, such as an ``Engine``."""

    def analyse(self, position: Position | str, *, depth: int | None = None, lines: int = 1) -> Analysis:
        """Return the best lines."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with its only winning line."""

    game: Game
    ply: int
    """Number of half-moves of the game before the solver moves."""
    before: Position
    """The position before the mistake of the opponent."""
    mistake: Move
    moves: tuple[Move, ...]
    """The solution: moves of the solver and replies, beginning and ending with the solver."""
    themes: tuple[str, ...]

    @property
    def position(self) -> Position:
        """The position in which the solver moves."""
        return self.before.play(self.mistake)

    @property
    def id(self) -> str:
        """A text that is the same for the same puzzle, whatever its game."""
        return hashlib.sha256(f"{self.position.fen()} {' '.join(self.uci)}".encode()).hexdigest()[:_ID]

    @property
    def uci(self) -> tuple[str, ...]:
        """The mistake and the solution in UCI notation."""
        found, position = [], self.before
        for move in (self.mistake, *self.moves):
            found.append(position.uci(move))
            position = position.play(move)
        return tuple(found)

    def to_game(self) -> Game:
        """Return the puzzle as a game that begins with the solver's move."""
        from tabiya.game import Game  # noqa: PLC0415 - with its dependencies

        found = Game()
        for name in ("Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "BlackElo"):
            if (text := self.game.tags.get(name)) is not None:
                found.tags[name] = text
        found.start = self.position.fen()
        found.tags["PuzzleId"] = self.id
        found.tags["PuzzleThemes"] = " ".join(self.themes)
        dots = "..." if self.before.turn is Color.BLACK else "."
        found.root.text = f"{self.before.fullmove_number}{dots}{self.before.san(self.mistake)} was played."
        node = found.root
        for move in self.moves:
            node = node.add(move)
        return found


def puzzles(
    source: Locations | Database,
    engine: Analyst,
    *,
    depth: int = 16,
    verify_depth: int = 20,
    threads: int = 1,
    progress: Watcher = None,
    **conditions: Any,
) -> Iterator[Puzzle]:
    """Yield puzzles from the games of a database, which must contain evaluations.

    A candidate is a move that raises the chances of the opponent by more than 0.6, on a scale from -1 to 1, to at least
    two pawns, from less than three. In each position of the solution one move wins, and is better than all others by
    more than 0.7. The solution has at least two moves.

    Args:
        source: what ``tabiya.open`` takes, or an open database, which remains open.
        engine: an ``Engine``, or another object with its method ``analyse``.
        depth: the depth at which the solution is found, in half-moves.
        verify_depth: the depth at which it is examined again.
        threads: number of threads that read.
        progress: called after every batch.
        conditions: those of ``RecordFilter``, to select games.
    """
    if not 1 <= depth <= verify_depth:
        raise UsageError(f"the second depth must be at least the first, {depth}, not {verify_depth}")
    seen: set[str] = set()
    with opened(source) as database:
        chosen = database.filter(**conditions) if conditions else database
        done = 0
        for batch in chosen.batches(threads=threads):
            for found in _of_batch(batch, engine, depth, verify_depth):
                if found.id not in seen:
                    seen.add(found.id)
                    yield found
            done += len(batch)
            if progress is not None:
                progress(Progress(done, chosen.progress))


def candidates(values: MoveValues) -> NDArray[np.int64]:
    """Return the moves of a batch after which the opponent may have a puzzle, by their places in the columns."""
    sign = np.where(values.black, 1, -1)
    known = (values.before != UNKNOWN) & (values.scores != UNKNOWN)
    had, has = sign * values.before.astype(np.int64), sign * values.scores.astype(np.int64)
    gain = (uncapped_chances(has) - uncapped_chances(had)) / 50
    return np.flatnonzero(known & (gain > GAIN) & (had < NOT_WON) & (has >= WINNING))


def _of_batch(batch: GameBatch, engine: Analyst, depth: int, verify_depth: int) -> Iterator[Puzzle]:
    values = MoveValues(batch)
    places = candidates(values)
    for row in np.unique(values.owners[places]).tolist():
        game = batch[row]
        nodes = [game.root, *game.mainline()]
        for place in places[values.owners[places] == row].tolist():
            ply = place - int(values.ends[row])
            try:
                before = nodes[ply].position
                mistake = nodes[ply + 1].move
                position = nodes[ply + 1].position
            except FormatError:
                break
            if mistake is None:
                continue
            line = _solution(position, engine, depth)
            moves = _verified(position, line, engine, verify_depth) if len(line) > 1 else ()
            if len(moves) > 1:
                phase = Phase(int(values.phases[place])).name.lower()
                themes = (*_themes(position, moves, engine, verify_depth), phase)
                yield Puzzle(game, ply + 1, before, mistake, moves, themes)


def _solution(position: Position, engine: Analyst, depth: int) -> tuple[Move, ...]:
    """Return the only winning line, as far as it is the only one."""
    moves: list[Move] = []
    while len(moves) < 2 * _LONGEST:
        best = _only_move(position, engine, depth)
        if best is None:
            break
        moves.append(best)
        position = position.play(best)
        reply = engine.analyse(position, depth=depth).best if position.legal_moves() else None
        if reply is None:
            break
        moves.append(reply)
        position = position.play(reply)
    return tuple(moves if len(moves) % 2 else moves[:-1])


def _verified(position: Position, line: tuple[Move, ...], engine: Analyst, depth: int) -> tuple[Move, ...]:
    """Return the part of a solution whose moves are the only ones at another depth, too."""
    for number, move in enumerate(line):
        if number % 2 == 0 and _only_move(position, engine, depth) != move:
            return line[: max(number - 1, 0)]
        position = position.play(move)
    return line


def _only_move(position: Position, engine: Analyst, depth: int) -> Move | None:
    """Return the move that wins if all others are much worse; of several mates in one the engine's choice."""
    lines = engine.analyse(position, depth=depth, lines=2).lines
    if not lines or not lines[0].moves:
        return None
    best = _score(lines[0])
    unique = len(lines) < 2 or _chances(best) - _chances(_score(lines[1])) > UNIQUE
    is_mate_in_one = lines[0].evaluation.is_mate and abs(lines[0].evaluation.value) == 1
    return lines[0].moves[0] if best >= WINNING and (unique or is_mate_in_one) else None


def _score(line: Line) -> int:
    """Return the score of a line for the side that moves in it."""
    score = score_of(line.evaluation)
    return score if line.position.turn is Color.WHITE else -score


def _chances(score: int) -> float:
    return float(uncapped_chances(score)) / 50 - 1


def _themes(position: Position, moves: tuple[Move, ...], engine: Analyst, depth: int) -> tuple[str, ...]:
    """Return what the solution achieves, and its length, in the words of Lichess."""
    count = (len(moves) + 1) // 2
    length = _LENGTHS.get(count, "veryLong")
    end = position
    for move in moves:
        end = end.play(move)
    if end.is_checkmate():
        return ("mate", f"mateIn{min(count, 5)}", length)
    lines = engine.analyse(position, depth=depth).lines
    score = _score(lines[0]) if lines else 0
    return ("mate" if score >= MATES else "crushing" if score >= _CRUSHING else "advantage", length)
