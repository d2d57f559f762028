"""Answers about engines and live analysis."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from tabiya.web.answers.games import ApiGame


class EngineProgram(TypedDict):
    """An engine that may run."""

    id: str
    name: Annotated[str, "The name of its program."]


class Engines(TypedDict):
    """The engines named on the command line, and the limits of the server."""

    engines: list[EngineProgram]
    most_lines: int
    most_seconds: float
    most_processes: int


class EngineEvaluation(TypedDict):
    """From White's point of view: one of the two is a number."""

    centipawns: int | None
    mate: Annotated[int | None, "Moves to mate, negative if Black mates; 0 on the board."]


class EngineLine(TypedDict):
    """A line that an engine considers."""

    rank: Annotated[int, "1 for the best line."]
    depth: int
    selective_depth: int
    evaluation: EngineEvaluation
    bound: Annotated[Literal["lower", "upper"] | None, "Whether White's evaluation is at least, or at most, this."]
    wdl: Annotated[list[int] | None, "Wins, draws and losses of White in a thousand games."]
    moves: Annotated[list[str], "In UCI notation."]
    san: list[str]
    nodes: int
    nodes_per_second: int
    seconds: float


class AnalysisEvent(TypedDict):
    """The data of one server-sent event; ``kind`` is its name as well."""

    kind: Literal["line", "done", "error"]
    line: NotRequired[EngineLine]
    best: NotRequired[
        Annotated[str | None, "The engine's choice; null if the game is over, or another analysis replaced this one."]
    ]
    evaluation: NotRequired[EngineEvaluation | None]
    sentence: NotRequired[Annotated[str, "Why the analysis has failed."]]


class GameAnalysis(TypedDict):
    """The analysis of a game: its progress, and the game with all findings at its end."""

    analysis: str
    state: Literal["running", "done", "failed", "cancelled"]
    positions: Annotated[int, "Positions that need an engine."]
    settled: Annotated[int, "Those of them that have been analysed."]
    evaluations: Annotated[list[EngineEvaluation | None], "Found so far, by ply; the first is that of the start."]
    sentence: NotRequired[Annotated[str | None, "Why it has failed."]]
    game: NotRequired[Annotated[ApiGame, "With evaluations, symbols of mistakes, and better lines as variations."]]
    added: NotRequired[Annotated[dict[str, int], "What was added to the game, by kind."]]
