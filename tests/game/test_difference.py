from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabiya.game import Annotation, Extra, Game, GuidingText, Problem, RecordKind, Side, difference
from tabiya.game.annotations import encode_nags, encode_text
from tests.strategies import records

FEN = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"


@pytest.fixture
def game() -> Game:
    game = Game({"Event": "Cup", "White": "A", "Black": "B", "X": "1", "Y": "2"})
    e5 = game.root.add("e4").add("e5")
    e5.add_variation("c5")
    e5.annotations += [encode_text("one"), encode_nags([1]), encode_text("two"), Annotation(5, b"\x01")]
    e5.add("Nf3")
    game.texts = [GuidingText(0, "Title", 3, b"body")]
    game.extras = [Extra("cbh.a", b"1"), Extra("cbh.b", b"2"), Extra("pgn.a", b"3")]
    return game


def first(game: Game) -> list[Annotation]:
    return game.root.children[0].children[0].annotations


def swap(items: list[Annotation], i: int, j: int) -> None:
    items[i], items[j] = items[j], items[i]


def reorder_tags(game: Game) -> None:
    pairs = game.tags.items()
    game.tags = type(game.tags)([pairs[3], pairs[2], pairs[1], pairs[0], pairs[4]])


def move_tag(game: Game) -> None:
    del game.tags["X"]
    game.tags.add("X", "1")


def reorder_extras(game: Game) -> None:
    """Not within one format."""
    game.extras = [game.extras[2], *game.extras[:2]]


@pytest.mark.parametrize(
    "change",
    [
        lambda game: setattr(game, "number", 99),
        lambda game: game.problems.append(Problem(1, 2, "x")),
        lambda game: swap(first(game), 0, 1),
        lambda game: swap(first(game), 2, 3),
        reorder_tags,
        lambda game: game.extras.clear(),
        lambda game: game.extras.pop(),
        reorder_extras,
        lambda game: game.extras.append(Extra("jose.a", b"")),
    ],
)
def test_what_is_not_content(game: Game, change: Callable[[Game], object]) -> None:
    twin = game.copy()
    change(twin)
    assert twin == game
    assert difference(game, twin) == difference(twin, game) == []


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda game: setattr(game, "kind", RecordKind.OPAQUE), "The kind of record differs: game / opaque."),
        (lambda game: setattr(game, "deleted", True), "Only the second is marked as deleted."),
        (lambda game: game.texts.clear(), "Only the first has guiding text 1."),
        (lambda game: game.texts.append(game.texts[0]), "Only the second has guiding text 2."),
        (
            lambda game: game.texts.__setitem__(0, GuidingText(0, "T", 3, b"")),
            "Guiding text 1 differs: 'Title' / 'T'.",
        ),
        (lambda game: game.tags.__setitem__("White", "C"), "Tag White differs: 'A' / 'C'."),
        (lambda game: game.tags.add("White", "C"), "Tag White differs: 'A' / 'A', 'C'."),
        (lambda game: game.tags.discard("White"), "Tag White differs: 'A' / missing."),
        (lambda game: game.tags.add("Z", "3" * 99), f"Tag Z differs: missing / '{'3' * 60}…'."),
        (
            move_tag,
            "The order of other tags differs: X, Y / Y, X.",
        ),
        (
            lambda game: game.end().delete(),
            "The moves differ after 1...c5: 2.Nf3 / end.",
        ),
        (lambda game: game.end().add("Nc6"), "The moves differ after 2.Nf3: end / 2...Nc6."),
        (lambda game: game.root.add("d4"), "The moves differ after 1.e4: 1...e5 / start of a variation."),
        (lambda game: game.root.children[0].delete(), "The moves differ from the start: 1.e4 / end."),
        (lambda game: swap(first(game), 0, 2), "1...e5: text differs: 'one', 'two' / 'two', 'one'."),
        (
            lambda game: first(game).__setitem__(0, encode_text("eins", Side.LATE, 53)),
            "1...e5: text differs: 'one', 'two' / 'eins' (late, language GER), 'two'.",
        ),
        (
            lambda game: first(game).__setitem__(0, Annotation(2, b"one", raw=b"\xff")),
            "1...e5: text differs: 'one', 'two' / 'one' (stored as ff), 'two'.",
        ),
        (lambda game: first(game).pop(1), "1...e5: symbols differs: ! / none."),
        (lambda game: first(game).pop(), "1...e5: annotation 0x05 differs: 01 / none."),
        (
            lambda game: game.annotations.append(encode_text("x", Side.BEFORE)),
            "Whole record: text before the move differs: none / 'x' (before).",
        ),
        (
            lambda game: game.extras.__setitem__(1, Extra("cbh.b", b"")),
            "Details that only cbh stores differ: cbh.b.",
        ),
        (lambda game: game.extras.pop(1), "Details that only cbh stores differ: cbh.b."),
    ],
)
def test_what_is_content(game: Game, change: Callable[[Game], object], sentence: str) -> None:
    twin = game.copy()
    change(twin)
    assert twin != game
    assert sentence in difference(game, twin)
    assert difference(twin, game) != []


def test_set_up_follows_from_the_position() -> None:
    with_tag, without = Game(start=FEN), Game({"FEN": FEN})
    assert with_tag == without
    assert difference(with_tag, without) == []
    without.tags["SetUp"] = "0"
    assert difference(with_tag, without) == ["Tag SetUp differs: '1' / '0'."]


def test_illegal_moves_can_be_compared(game: Game) -> None:
    twin = game.copy()
    twin.end().text = "x"
    for each in (game, twin):
        each.tags["FEN"] = FEN
    assert difference(game, twin) == ["2.g1f3: text differs: none / 'x'."]


@given(records(), records(), st.booleans())
def test_equality_and_difference_agree(a: Game, b: Game, same: bool) -> None:
    if same:
        b = a.copy()
    assert (a == b) == (b == a) == (difference(a, b) == [])
    assert (difference(a, b) == []) == (difference(b, a) == [])


def test_comparing_games_does_not_hide_the_function() -> None:
    """Its module once had the same name, and took its place as soon as it was imported."""
    code = "import tabiya.game as g; assert g.Game() == g.Game(); assert g.difference(g.Game(), g.Game()) == []"
    subprocess.run([sys.executable, "-c", code], check=True)
