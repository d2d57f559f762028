from __future__ import annotations

import gc
import pickle
from collections.abc import Callable

import pytest
from hypothesis import given

from tabiya.chess import Position
from tabiya.errors import CorruptError
from tabiya.game import Annotation, Game, difference
from tabiya.game.tape import BEGIN, END
from tabiya.game.tree import fold_tree, unfold_tree
from tests.strategies import games

DEEP = 20_000  # many times what Python would recurse


def cycle() -> list[int]:
    """Four moves that lead back to the start position."""
    position, tokens = Position(), []
    for san in ("Nf3", "Nf6", "Ng1", "Ng8"):
        tokens.append(int(position.parse_san(san)))
        position = position.play(san)
    return tokens


def test_tape_order_is_that_of_pgn() -> None:
    game = Game()
    e4 = game.root.add("e4")
    e5 = e4.add("e5")
    e5.add_variation("c5").add("Nf3")
    e5.add("Nc3")
    e4.add_variation("d4").add("d5")
    assert [node.san for node in game.walk()] == ["e4", "d4", "d5", "e5", "c5", "Nf3", "Nc3"]
    tape, _ = fold_tree(game.root)
    assert [token if token >= BEGIN else 0 for token in tape] == [0, BEGIN, 0, 0, END, 0, BEGIN, 0, 0, END, 0]


def test_an_alternative_to_the_first_move_of_a_variation_stands_behind_that_variation() -> None:
    e4, d4, c4, d5 = (int(Position().parse_san(san)) for san in ("e4", "d4", "c4", "--"))
    game = Game()
    unfold_tree(game.root, [e4, BEGIN, d4, BEGIN, c4, END, d5, END])
    assert fold_tree(game.root)[0] == [e4, BEGIN, d4, d5, END, BEGIN, c4, END]


@pytest.mark.parametrize("move", [-2, 1, 1000])
def test_annotations_need_a_move(move: int) -> None:
    with pytest.raises(CorruptError, match="game 5: an annotation of move"):
        unfold_tree(Game().root, [cycle()[0]], [(move, Annotation(2, b""))], number=5)


@given(games())
def test_folding_and_unfolding(game: Game) -> None:
    flat = fold_tree(game.root)
    again = Game(game.tags)
    unfold_tree(again.root, *flat)
    assert fold_tree(again.root) == flat
    assert [move for move, _ in flat[1]] == sorted(move for move, _ in flat[1])


def long_line() -> list[int]:
    moves = cycle()
    return [moves[i % 4] for i in range(DEEP)]


def deep_variations() -> list[int]:
    """Each variation has two moves, the second of which has a variation."""
    moves = cycle()
    tape = moves[:2]
    for i in range(1, DEEP):
        tape += [BEGIN, moves[i % 4], moves[(i + 1) % 4]]
    return tape + [END] * (DEEP - 1)


def many_alternatives() -> list[int]:
    """Each alternative stands inside the one before it."""
    move = cycle()[0]
    return [move, *[BEGIN, move] * (DEEP - 1), *[END] * (DEEP - 1)]


@pytest.mark.parametrize("make", [long_line, deep_variations, many_alternatives])
def test_no_depth_is_too_deep(make: Callable[[], list[int]]) -> None:
    game = Game()
    unfold_tree(game.root, make())
    twin = pickle.loads(pickle.dumps(game))
    assert twin == game
    assert repr(game)
    assert len(str(game)) > DEEP
    assert game._repr_html_()
    *_, last = game.walk()
    assert repr(last) != f"<Node {last.move}>"
    last.promote_to_main()
    assert last.is_mainline
    assert (difference(twin, game) == []) == (make is not deep_variations)
    game.root.children[0].delete()
    del last, game
    gc.collect()
    twin.copy().root.children[0].delete()
    del twin
    gc.collect()
