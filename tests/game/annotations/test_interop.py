"""Other programs read what the plain profile writes, and we read what they write."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import chess
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.chess import Color, Square
from tabiya.game.annotations import (
    Arrow,
    Arrows,
    ColoredSquare,
    Evaluation,
    Profile,
    Squares,
    TextAfter,
    TimeSpent,
    WhiteClock,
    format_comment,
    parse_comment,
    typed,
)

_COLORS = {2: "green", 3: "yellow", 4: "red", 7: "blue"}
_colors = st.sampled_from(list(_COLORS))
_squares = st.sampled_from(Square)
_small = st.integers(0, 59)


def node_with(comment: str) -> chess.pgn.ChildNode:
    game = chess.pgn.read_game(io.StringIO(f'[Event "x"]\n\n1. e4 {{ {comment} }} *\n'))
    assert game is not None
    node = game.next()
    assert node is not None
    return node


@given(
    st.lists(st.builds(ColoredSquare, _colors, _squares), min_size=1, max_size=4).map(tuple),
    st.lists(st.builds(Arrow, _colors, _squares, _squares), min_size=1, max_size=4).map(tuple),
    st.integers(0, 10_000_000),
    st.builds(TimeSpent, st.integers(0, 9), _small, _small),
    st.builds(Evaluation, st.integers(-30000, 30000), st.just(0), st.integers(0, 99)),
)
def test_python_chess_reads_plain(
    squares: tuple[ColoredSquare, ...],
    arrows: tuple[Arrow, ...],
    clock: int,
    spent: TimeSpent,
    evaluation: Evaluation,
) -> None:
    values = [Squares(squares), Arrows(arrows), WhiteClock(clock), spent, evaluation, TextAfter("text")]
    formatted = format_comment([value.annotation() for value in values], profile=Profile.PLAIN)
    assert formatted.lost == ()
    node = node_with(formatted.text)
    assert [(a.tail, a.head, a.color) for a in node.arrows()] == [
        *((s.square, s.square, _COLORS[s.color]) for s in squares),
        *((a.source, a.target, _COLORS[a.color]) for a in arrows),
    ]
    assert node.clock() == pytest.approx(clock / 100)
    assert node.emt() == spent.total
    score = node.eval()
    assert score is not None
    assert score.white().score() == evaluation.value
    assert node.eval_depth() == (evaluation.depth or None)


@pytest.mark.parametrize("mate", [1, -1, 5, -12])
def test_python_chess_reads_mates(mate: int) -> None:
    text = format_comment([Evaluation(mate, 1, 30).annotation()], profile=Profile.PLAIN).text
    score = node_with(text).eval()
    assert score is not None
    assert score.white().mate() == mate


@given(st.integers(0, 1_000_000), st.integers(-3000, 3000), _squares, _squares)
def test_python_chess_writes_what_we_read(clock: int, value: int, source: Square, target: Square) -> None:
    node = node_with("")
    node.set_clock(clock / 100)
    node.set_emt(clock // 100 % 3600)
    node.set_eval(chess.engine.PovScore(chess.engine.Cp(value), chess.WHITE), 20)
    node.set_arrows([chess.svg.Arrow(source, target, color="red")])
    parsed = parse_comment(node.comment)
    mark = Squares((ColoredSquare(4, source),)) if source == target else Arrows((Arrow(4, source, target),))
    found = {typed(annotation) for annotation in parsed.annotations}
    seconds = clock // 100 % 3600
    assert found == {mark, WhiteClock(clock), Evaluation(value, 0, 20), TimeSpent(0, seconds // 60, seconds % 60)}


def comments_in(path: Path) -> set[str]:
    return set(re.findall(r"\{([^}]*)\}", path.read_bytes().decode("utf-8", "replace")))


def test_files_of_others_go_through(samples: Callable[[str], Path]) -> None:
    """Every comment of the annotated samples settles, and nearly every known command in them is understood."""
    known = {"clk", "eval", "emt", "csl", "cal", "evp", "mdl"}
    commands: Counter[str] = Counter()
    problems: Counter[str] = Counter()
    for path in sorted(samples("pgn/annotated").rglob("*.pgn")):
        for comment in comments_in(path):
            if "[%" not in comment:
                continue
            found = re.findall(r"\[%(\w+)", comment)
            commands.update(name for name in found if name in known)
            parsed = parse_comment(comment, mover=Color.BLACK)
            for problem in parsed.problems:
                name = problem.rpartition("[%")[2].split()[0].rstrip("]")
                problems[name] += name in known
            text = format_comment(parsed.annotations, mover=Color.BLACK).text
            again = parse_comment(text, mover=Color.BLACK)
            assert sorted(again.annotations, key=lambda a: a.kind) == sorted(parsed.annotations, key=lambda a: a.kind)
    assert commands.total() > 50_000
    assert 1000 * problems.total() < commands.total()
