"""What an opponent plays in the lines of a repertoire: against a naive count with python-chess."""

from __future__ import annotations

import io
import json
from collections import Counter
from pathlib import Path

import chess
import chess.pgn
import chess.polyglot
import pytest

import tabiya
from tabiya.errors import UsageError
from tabiya.search.preparation import prepare
from tests.search.in_memory import Indexed, pgn_of, random_games

REPERTOIRE = "1. e4 c5 (1... e5 2. Nf3 Nc6 3. Bb5) (1... e6 2. d4) 2. Nf3 d6 (2... Nc6 3. Bb5) 3. d4 *\n"
GAMES = [
    ("Petrov", "e4 c5 Nf3 d6 d4 cxd4"),
    ("Petrov", "e4 c5 Nf3 e6"),
    ("Petrov", "Nf3 c5 e4 Nc6 d4"),
    ("Petrov", "e4 e5 Nf3 Nc6 Bb5 a6"),
    ("Petrov", "e4 d5"),
    ("Ivanov", "e4 g6"),
]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    texts = [f'[White "Me"]\n[Black "{name}"]\n[Result "1-0"]\n\n{moves} 1-0\n' for name, moves in GAMES]
    texts.append('[White "Petrov"]\n[Black "Me"]\n[Result "1-0"]\n\ne4 c5 1-0\n')
    path.write_text("\n".join(texts))
    return path


@pytest.fixture
def repertoire(tmp_path: Path) -> Path:
    path = tmp_path / "repertoire.pgn"
    path.write_text(REPERTOIRE)
    return path


def test_what_he_plays_in_each_line(source: Path, repertoire: Path) -> None:
    report = prepare(source, "petrov", repertoire)
    assert (report.names, report.color, report.games, report.positions) == (("Petrov",), "white", 5, 7)
    answer = {
        " ".join(line.moves): {reply.san: (reply.games, reply.covered, reply.answers) for reply in line.replies}
        for line in report.lines
    }
    assert answer == {
        "e4": {"c5": (2, True, ("Nf3",)), "e5": (1, True, ("Nf3",)), "d5": (1, False, ())},
        "e4 c5 Nf3": {"d6": (1, True, ("d4",)), "e6": (1, False, ()), "Nc6": (1, True, ("Bb5",))},
        "e4 c5 Nf3 d6 d4": {"cxd4": (1, False, ())},
        "e4 e5 Nf3": {"Nc6": (1, True, ("Bb5",))},
        "e4 e5 Nf3 Nc6 Bb5": {"a6": (1, False, ())},
    }
    assert [line.ends for line in report.lines] == [len(line.moves) == 5 for line in report.lines]
    assert json.loads(json.dumps(report.to_dict())) == report.to_dict()


def test_an_index_tells_the_same(source: Path, repertoire: Path) -> None:
    with tabiya.open(source) as database:
        assert prepare(Indexed(database, size=2), "petrov", repertoire) == prepare(database, "petrov", repertoire)


def test_the_colour_may_be_told(source: Path, repertoire: Path) -> None:
    report = prepare(source, "petrov", repertoire, color="black")
    assert [(line.moves, [reply.san for reply in line.replies]) for line in report.lines[:2]] == [
        ((), ["e4"]),
        (("e4", "c5"), []),
    ]


@pytest.mark.parametrize(
    ("text", "color", "sentence"),
    [
        ("1. e4 *\n", "green", "white or black"),
        ("1. e4 e5 *\n", None, "equally many alternatives"),
        ("", None, "it is empty"),
    ],
)
def test_repertoires_of_no_colour(source: Path, repertoire: Path, text: str, color: str | None, sentence: str) -> None:
    repertoire.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=sentence):
        prepare(source, "petrov", repertoire, color=color)


def test_against_python_chess(tmp_path: Path) -> None:
    """A repertoire of random games, held against other random games."""
    lines, games = random_games(6, seed=3), random_games(150, seed=4)
    source = tmp_path / "games.pgn"
    source.write_text(pgn_of(games), "utf-8")
    with tabiya.open(io.BytesIO(pgn_of(lines).encode())) as repertoire:
        report = prepare(source, "carlsen", repertoire, color="white")
    assert report.lines
    for line in report.lines:
        if not line.moves:
            continue
        board = chess.Board()
        try:
            for san in line.moves:
                board.push_san(san)
        except ValueError:  # from another start
            continue
        played: Counter[str] = Counter()
        for game in games:
            if game.headers.get("Black") != "Carlsen, M":
                continue
            node = game.board()
            for move in game.mainline_moves():
                if chess.polyglot.zobrist_hash(node) == chess.polyglot.zobrist_hash(board):
                    played[board.san(move)] += 1
                    break
                node.push(move)
        assert {reply.san: reply.games for reply in line.replies} == played
