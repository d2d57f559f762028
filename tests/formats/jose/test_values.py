"""Annotations in comments: kernels read and write them as Python does, which goes the long way by games and classes."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.errors import FormatError
from tabiya.formats.jose.codec import _content, _encode, decode_games, encode_game_text, encode_games
from tabiya.game import Game, GameBatch, Result
from tabiya.game.annotations import (
    TEXT_AFTER,
    TEXT_BEFORE,
    VALUES,
    Annotation,
    Evaluation,
    Side,
    Value,
    encode_nags,
    parse_comment,
)
from tabiya.game.annotations.encoding import show_signs
from tests.formats.jose.simplify import simplify
from tests.formats.pgn.test_commands import COMMENTS
from tests.formats.pgn.test_forms import EXAMPLES, OF_OTHERS, no_python
from tests.game.annotations.values import BY_CLASS

BLACK_TO_MOVE = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
STARTS = st.sampled_from([None, BLACK_TO_MOVE])


def game_of(start: str | None = None) -> Game:
    """1. Nf3 Nf6 (1... Nc6 (1... -- 2. --) 2. --) 2. -- *; or Black begins."""
    game = Game(start=start) if start else Game()
    first, second, other = ("Nf6", "Nf3", "Nc3") if start else ("Nf3", "Nf6", "Nc6")
    node = game.root.add(first).add(second)
    variation = node.add_variation(other)
    node.add_variation("--").add("--")
    variation.add("--")
    node.add("--")
    game.result = Result.UNKNOWN
    return game


# --- reading ---------------------------------------------------------------------------------------------------------


def places(start: str | None) -> tuple[bytes, int]:
    """Codes with a comment at every place where one can stand, and how many these are."""
    game = game_of(start)
    for node in game.walk():
        node.annotations = [
            Annotation(TEXT_BEFORE, b"x", side=Side.BEFORE),
            *[Annotation(TEXT_AFTER, b"x", side=Side.AFTER)] * 2,
            Annotation(TEXT_AFTER, b"x", side=Side.LATE),
        ]
        if not (node.begins_variation or node.parent is game.root or (node.parent and node.parent.variations)):
            del node.annotations[0]
        if node.children or not node.variations:
            del node.annotations[-1]
    game.root.annotations = [Annotation(TEXT_AFTER, b"x", side=Side.LATE)]
    text = encode_game_text(game)
    assert text.comments is not None
    return text.codes, text.comments.count(b"\0")


def rows(batch: GameBatch) -> list[dict[str, object]]:
    """The records; kernels keep ChessBase's private letters, which the classes show as signs."""
    found: list[dict[str, object]] = batch.record_batch.to_pylist()
    for row in found:
        for annotation in row["annotations"]:  # type: ignore[attr-defined]
            if annotation["kind"] in (TEXT_AFTER, TEXT_BEFORE):
                annotation["data"] = show_signs(annotation["data"].decode()).encode()
        row["problems"].sort(key=repr)  # type: ignore[attr-defined]
    return found


def stored(comment: str) -> bytes:
    return comment.replace("\0", " ").encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode() + b"\0"


@given(start=STARTS, ends=st.sampled_from(["", "", "d3", "f0ff", "f0e0e0f1e0d3ff"]), data=st.data())
def test_any_comments_are_read_as_python_reads_them(start: str | None, ends: str, data: st.DataObject) -> None:
    """Anywhere in a game; it may also end early, or in a variation without moves."""
    codes, count = places(start)
    if ends:
        cut = data.draw(st.integers(1, len(codes)))
        codes = codes[:cut] + bytes.fromhex(ends)
    comments = b"".join(stored(data.draw(COMMENTS | st.sampled_from(["", "text"]))) for _ in range(count + 3))
    columns = [codes], [comments], [start]
    assert rows(decode_games(*columns)) == rows(decode_games(*columns, by_classes=True))


@pytest.mark.parametrize("cls", VALUES)
@settings(max_examples=25)  # of each kind
@given(data=st.data())
def test_any_value_is_read_as_python_reads_it(cls: type[Value], data: st.DataObject) -> None:
    game = game_of()
    node = data.draw(st.sampled_from([game.root, *game.walk()]))
    side = data.draw(st.sampled_from(Side))
    try:
        node.annotations = [data.draw(BY_CLASS[cls]).annotation(side=side)]
    except FormatError:
        return
    text = encode_games(GameBatch.from_games([game]))[0]
    comments = text.comments or b""
    for _ in range(data.draw(st.integers(0, 2))):
        at = data.draw(st.integers(0, max(len(comments) - 1, 0)))
        more = data.draw(st.text('0189aAfFgMLhms+-,./|=#:() "\\]é', max_size=2)).encode()
        comments = comments[:at] + more + comments[at + data.draw(st.integers(0, 2)) :]
    columns = [text.codes], [comments], [None]
    assert rows(decode_games(*columns)) == rows(decode_games(*columns, by_classes=True))


# --- writing ---------------------------------------------------------------------------------------------------------


def _annotation(value: Value, side: Side, lang: int) -> Annotation | None:
    try:
        return value.annotation(side=side, lang=lang)
    except FormatError:
        return None


def has_no_private_letters(annotation: Annotation | None) -> bool:
    return annotation is not None and show_signs(annotation.data.decode(errors="replace")) == annotation.data.decode(
        errors="replace"
    )


SIDES = st.sampled_from(Side)
ANY_VALUE = st.one_of([BY_CLASS[cls] for cls in VALUES])
KIND_NUMBERS = st.sampled_from([2, 2, 0x82, 3, 256, 257, 0x22, 0x7F, 300])
ANNOTATIONS = st.one_of(
    st.builds(_annotation, ANY_VALUE, SIDES, st.just(0)),
    st.builds(_annotation, ANY_VALUE, SIDES, st.sampled_from([0, 0, 42, 53, 255])),
    COMMENTS.map(lambda comment: next(iter(parse_comment(comment).annotations), None)),
    st.builds(
        lambda nags, side: replace(encode_nags(nags), side=side),
        st.lists(st.integers(0, 300), min_size=1, max_size=3),
        SIDES,
    ),
    st.builds(Annotation, KIND_NUMBERS, st.binary(max_size=8), side=SIDES),
    st.builds(
        lambda text, side: Annotation(TEXT_BEFORE if side is Side.BEFORE else TEXT_AFTER, text.encode(), side=side),
        st.sampled_from(["a text", "b", "[%wdl 1 2 3] x", "[%what] y", "(z", ""]),
        SIDES,
    ),
).filter(has_no_private_letters)


@st.composite
def annotated_games(draw: st.DrawFn) -> list[Game]:
    """The same game thrice."""
    start, result = draw(STARTS), draw(st.sampled_from([Result.UNKNOWN, Result.UNKNOWN, None]))
    empty = draw(st.integers(0, 9)) == 0
    games = [Game() if empty else game_of(start) for _ in range(3)]
    in_order = draw(st.integers(0, 9)) > 0
    rank = (Side.BEFORE, Side.AFTER, Side.LATE)
    for nodes in zip(*([game.root, *game.walk()] for game in games), strict=True):
        found: list[Annotation] = draw(st.lists(ANNOTATIONS, max_size=draw(st.sampled_from([0, 0, 1, 3]))))
        if in_order:
            found.sort(key=lambda annotation: rank.index(annotation.side))
        for node in nodes:
            node.annotations = list(found)
    for game in games:
        game.result = result
    return games


@given(layout=st.sampled_from(["split", "inline"]), games=annotated_games())
def test_any_annotations_are_written_as_python_writes_them(layout: str, games: list[Game]) -> None:
    game, simple, expected_values = games
    encoded = encode_games(GameBatch.from_games([game]), layout=layout)
    simplify(simple)
    expected, status, _ = _encode(GameBatch.from_games([simple]), layout, "jose", loose=True)
    if status[0]:
        assert 0 in encoded.refused
        return
    assert encoded[0] == expected[0]
    text = expected[0]
    (found,) = decode_games([text.codes], [text.comments], [text.start], layout=layout, by_classes=True)
    is_same = _content(found) == _content(expected_values)
    # What is plain is written in any order without a look at it.
    assert is_same != bool(encoded.changed) or (not is_same and _is_out_of_order(expected_values))


def _is_out_of_order(game: Game) -> bool:
    rank = (Side.BEFORE, Side.AFTER, Side.LATE)
    sides = [[rank.index(a.side) for a in node.annotations] for node in [game.root, *game.walk()]]
    return any(found != sorted(found) for found in sides)


# --- without Python --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "comment",
    [*EXAMPLES.values(), *OF_OTHERS, "[%wdl 12 900 88]", "[%late:GER spät] [%pre:ENG early] ♘ text", "[%what]"],
)
def test_kernels_read_and_write_every_kind(comment: str) -> None:
    game = game_of()
    expected = parse_comment(comment)
    marked = game.root.children[0]
    marked.annotations = sorted((a for a in expected.annotations if a.side is not Side.BEFORE), key=lambda a: a.side)
    marked.children[0].annotations = [a for a in expected.annotations if a.side is Side.BEFORE]
    with (
        patch("tabiya.game.annotations.comments.parse_comment", side_effect=no_python()),
        patch("tabiya.formats.jose.rich.format_comment", side_effect=no_python()),
    ):
        encoded = encode_games(GameBatch.from_games([game]))
        (again,) = decode_games([encoded[0].codes], [encoded[0].comments], [None])
        codes = encode_game_text(plain_game()).codes
        (read,) = decode_games([codes], [comment.encode() + b"\0"], [None])
    assert encoded.simplified == {}
    assert encoded.changed == []
    assert _content(again) == _content(game)
    assert read.root.children[0].annotations == marked.annotations


def plain_game() -> Game:
    game = game_of()
    game.root.children[0].text = "x"
    return game


def test_what_is_about_the_game_needs_no_python() -> None:
    game = game_of()
    game.root.annotations = list(parse_comment("[%crit opening] [%medal tactics]").annotations)
    game.root.annotations.append(Annotation(TEXT_AFTER, "für alle".encode(), 53))
    with patch("tabiya.formats.jose.rich.format_comment", side_effect=no_python()):
        encoded = encode_games(GameBatch.from_games([game]))
    assert encoded[0].comments == "[%crit opening] [%medal tactics] [%game:GER für alle]\0".encode()
    assert encoded.changed == [0]  # values will stand before the first move


def test_what_is_about_the_game_keeps_its_order() -> None:
    game, simple = Game(), Game()
    for each in (game, simple):
        each.root.annotations = [Annotation(4, b"", side=Side.AFTER), Annotation(5, b"", side=Side.BEFORE)]
    simplify(simple)
    expected, _, _ = _encode(GameBatch.from_games([simple]), "split", "jose", loose=True)
    assert encode_games(GameBatch.from_games([game]))[0] == expected[0]


def test_common_values() -> None:
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
    assert list(decode_games([encoded[0].codes], [encoded[0].comments], [BLACK_TO_MOVE])) == [node.game]
