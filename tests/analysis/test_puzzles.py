"""Puzzles: with an engine that knows a few positions, and with a real one."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import tabiya
from tabiya import Engine, Position
from tabiya.analysis.puzzle_files import LICHESS_COLUMNS
from tabiya.analysis.puzzle_making import Puzzle, candidates, puzzles
from tabiya.analysis.results import Analysis, Line
from tabiya.errors import UsageError
from tabiya.evaluations import MoveValues
from tabiya.game import Game
from tabiya.game.annotations import Evaluation
from tests.analysis.engines import system_engine

DAMIANO = """[Event "Casual"]
[Site "https://lichess.org/abcdefgh"]
[White "A"]
[Black "B"]

1. e4 {[%eval 0.3]} e5 {[%eval 0.3]} 2. Nf3 {[%eval 0.3]} f6 {[%eval 1.2]} 3. Nxe5 {[%eval 0.4]}
fxe5 {[%eval 5.5]} 4. Qh5+ {[%eval 5.4]} Ke7 {[%eval 5.6]} 5. Qxe5+ {[%eval 5.5]} *
"""
SCORES = {
    "4.": [("Qh5+", 560), ("d3", -200)],
    "4...": [("Ke7", 560), ("g6", 700)],
    "5.": [("Qxe5+", 570), ("d4", -150)],
    "5...": [("Kf7", 570)],
    "6.": [("Bc4+", 580), ("Qf5+", 560)],
}
"""Moves by number in the game above and its continuation, with White's evaluations."""


class KnownPositions:
    """Answers from the table."""

    def __init__(self, scores: dict[str, list[tuple[str, int]]] | None = None) -> None:
        self.scores = SCORES if scores is None else scores
        self.deeper: dict[str, list[tuple[str, int]]] = {}

    def analyse(self, position: Position | str, *, depth: int | None = None, lines: int = 1) -> Analysis:
        assert isinstance(position, Position)
        number = f"{position.fullmove_number}{'...' if position.turn else '.'}"
        known = self.deeper.get(number) if depth == 20 else None
        found = tuple(
            Line(position, Evaluation(score), (position.parse_san(san),), rank)
            for rank, (san, score) in enumerate(known or self.scores.get(number, []), start=1)
        )[:lines]
        return Analysis(position, found, found[0].moves[0] if found else None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(DAMIANO + "\n1. e4 *\n\n" + DAMIANO, "utf-8")
    return path


def made(path: Path, engine: KnownPositions | None = None) -> list[Puzzle]:
    return list(puzzles(path, engine or KnownPositions()))


def test_candidates() -> None:
    values = MoveValues.of_game(Game.from_pgn(DAMIANO))
    assert candidates(values).tolist() == [5]
    turned = Game.from_pgn(
        "1. e4 {[%eval 0.0]} e5 {[%eval 0.0]} 2. Ke2 {[%eval #-9]} d5 {[%eval 0]} 3. d4 {[%eval -6]} *"
    )
    assert candidates(MoveValues.of_game(turned)).tolist() == [2, 4]
    won = Game.from_pgn("1. e4 {[%eval 3.1]} e5 {[%eval 20]} *")
    assert candidates(MoveValues.of_game(won)).tolist() == []


def test_a_puzzle(path: Path) -> None:
    (puzzle,) = made(path)
    assert (puzzle.ply, puzzle.before.san(puzzle.mistake)) == (6, "fxe5")
    assert puzzle.uci == ("f6e5", "d1h5", "e8e7", "h5e5")
    assert puzzle.themes == ("advantage", "short", "opening")
    game = puzzle.to_game()
    assert [node.san for node in game.mainline()] == ["Qh5+", "Ke7", "Qxe5+"]
    assert game.root.text == "3...fxe5 was played."
    assert game.tags["PuzzleId"] == puzzle.id
    assert Game.from_pgn(game.to_pgn()).start == puzzle.position.fen()


@pytest.mark.parametrize(
    ("number", "moves", "deeper"),
    [
        ("4.", [("Qh5+", 560), ("d3", 300)], False),  # another move wins as well
        ("4.", [("Qh5+", 150), ("d3", -900)], False),  # nothing wins
        ("5.", [("Qxe5+", 570), ("d4", 400)], False),  # only one move is the only one
        ("4.", [("d4", 560), ("d3", -200)], True),  # at the second depth another move is best
        ("5.", [("Qxe5+", 570), ("d4", 500)], True),
        ("4.", [], False),
    ],
)
def test_positions_that_are_no_puzzles(path: Path, number: str, moves: list[tuple[str, int]], deeper: bool) -> None:
    engine = KnownPositions({**SCORES, **({} if deeper else {number: moves})})
    engine.deeper = {number: moves} if deeper else {}
    assert made(path, engine) == []


def test_depths(path: Path) -> None:
    with pytest.raises(UsageError, match="second depth"):
        list(puzzles(path, KnownPositions(), depth=20, verify_depth=10))


def test_files(path: Path, tmp_path: Path) -> None:
    table = tmp_path / "puzzles.csv"
    assert tabiya.write_puzzles(made(path), table) == 1
    (row,) = csv.DictReader(table.read_text("utf-8").splitlines())
    assert tuple(row) == LICHESS_COLUMNS
    assert row["FEN"] == "rnbqkbnr/pppp2pp/5p2/4N3/4P3/8/PPPP1PPP/RNBQKB1R b KQkq - 0 3"
    assert row["Moves"] == "f6e5 d1h5 e8e7 h5e5"
    assert row["GameUrl"] == "https://lichess.org/abcdefgh#6"
    assert row["OpeningTags"].startswith("Kings_Pawn_Game")
    with pytest.raises(UsageError, match="already exists"):
        tabiya.write_puzzles(made(path), table)
    pgn = tmp_path / "puzzles.pgn"
    assert tabiya.write_puzzles(made(path), pgn) == 1
    with tabiya.open(pgn) as games:
        assert games[0].tags["PuzzleThemes"] == "advantage short opening"


def test_a_real_engine(path: Path) -> None:
    with Engine(system_engine("stockfish"), options={"Threads": 1, "Hash": 16}) as engine:
        (puzzle,) = puzzles(path, engine, depth=10, verify_depth=12)
    assert puzzle.uci[:2] == ("f6e5", "d1h5")
    assert len(puzzle.moves) % 2 == 1
    assert len(puzzle.moves) >= 3
