"""Values in comments: kernels read and write them as ``rich.py`` does, which goes the long way by games and classes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.formats.jose.codec import GameText, _encode, decode_games, encode_game_text, encode_games
from tabiya.formats.jose.decode_kernel import read_texts
from tabiya.formats.jose.rich import enrich, simplify
from tabiya.game import Game, GameBatch
from tabiya.game.annotations import (
    TEXT_AFTER,
    Annotation,
    Arrows,
    BlackClock,
    Evaluation,
    Side,
    Squares,
    TextAfter,
    TimeSpent,
    WhiteClock,
    encode_nags,
    parse_comment,
)
from tabiya.game.assemble import new_builder
from tests.formats.pgn.test_commands import COMMENTS
from tests.game.annotations.values import BY_CLASS

COMMON = (Squares, Arrows, TimeSpent, WhiteClock, BlackClock, Evaluation)
BLACK_TO_MOVE = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def game_of(annotations: list[Annotation], start: str | None = None) -> Game:
    """1. Nf3 Nf6 (1... Nc6) -- with the same annotations after every move; or Black begins."""
    game = Game(start=start) if start else Game()
    first = "Nf6" if start else "Nf3"
    second, other = ("Nf3", "Nc3") if start else ("Nf6", "Nc6")
    node = game.root.add(first).add(second)
    node.add_variation(other)
    node.add("--")
    for each in game.walk():
        each.annotations = list(annotations)
    return game


def is_left_to_python(text: GameText) -> bool:
    flags = np.zeros(1, np.uint8)
    codes, comments = (np.frombuffer(data or b"", np.uint8) for data in (text.codes, text.comments))
    start = np.frombuffer((text.start or "").encode(), np.uint8)
    ends = [np.array([0, len(data)], np.int64) for data in (codes, comments, start)]
    has_start = np.array([text.start is not None], np.uint8)
    columns = (codes, ends[0], comments, ends[1], start, ends[2])
    read_texts(new_builder(), *columns, has_start, False, False, flags)
    return bool(flags[0] & 1)


@pytest.mark.parametrize("start", [None, BLACK_TO_MOVE])
@given(comment=COMMENTS)
def test_any_comment_is_read_as_python_reads_it(start: str | None, comment: str) -> None:
    marked = game_of([Annotation(TEXT_AFTER, b"x")], start)
    text = encode_game_text(marked)
    data = comment.replace("\0", " ").encode()
    (game,) = decode_games([text.codes], [(data + b"\0") * 4], [text.start])
    for node in marked.walk():
        node.annotations = [Annotation(TEXT_AFTER, data)]
    enrich(marked)
    assert [node.annotations for node in game.walk()] == [node.annotations for node in marked.walk()]
    assert game.root.annotations == marked.root.annotations
    assert game.texts == marked.texts
    assert len(game.problems) == len(marked.problems)


ANNOTATIONS = st.lists(
    st.one_of(
        st.one_of([BY_CLASS[cls] for cls in COMMON]).map(lambda value: value.annotation()),
        COMMENTS.map(lambda comment: parse_comment(comment).annotations).filter(len).map(lambda found: found[0]),
        BY_CLASS[TextAfter].map(lambda value: value.annotation(side=Side.AFTER, lang=0)),
        st.lists(st.integers(1, 300), min_size=1, max_size=3).map(encode_nags),
    ),
    max_size=5,
)


@pytest.mark.parametrize("layout", ["split", "inline"])
@given(found=ANNOTATIONS, start=st.sampled_from([None, BLACK_TO_MOVE]))
def test_any_annotations_are_written_as_python_writes_them(
    layout: str, found: list[Annotation], start: str | None
) -> None:
    encoded = encode_games(GameBatch.from_games([game_of(found, start)]), layout=layout)
    simple = game_of(found, start)
    simplify(simple)
    expected, status, _ = _encode(GameBatch.from_games([simple]), layout, "jose", commands=True)
    if status[0]:
        assert 0 in encoded.refused
    else:
        assert encoded[0] == expected[0]


def test_common_values_are_left_to_kernels_both_ways() -> None:
    node = Game(start=BLACK_TO_MOVE).root.add("Nf6")
    node.nags = [1]
    node.text = "A text; ♘"
    node.squares = ["Ge4", "Rf7"]
    node.arrows = ["Ge2e4"]
    node.clock = 59.5
    node.time_spent = 7
    node.eval = Evaluation.parse("-0.31/20")
    encoded = encode_games(GameBatch.from_games([node.game]))
    assert encoded.simplified == {}
    assert encoded[0].comments == (
        "[%csl Ge4,Rf7] [%cal Ge2e4] [%clk 0:00:59.5] [%emt 0:00:07] [%eval -0.31/20] A text; ♘\0".encode()
    )
    assert not is_left_to_python(encoded[0])
    assert list(decode_games([encoded[0].codes], [encoded[0].comments], [BLACK_TO_MOVE])) == [node.game]
    assert is_left_to_python(GameText(encoded[0].codes, b"[%medal best]\0", BLACK_TO_MOVE))
