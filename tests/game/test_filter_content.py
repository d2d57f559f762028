"""Filters on what is in games, against filters in plain Python."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.game import Annotation, Game, RecordKind
from tabiya.game.filter_content import FEATURES
from tests.game.filtering import ASCII, chosen, expected, plain
from tests.strategies import records


@settings(max_examples=50)  # of several records each
@given(st.lists(records(), max_size=6), st.integers(0, 6), st.integers(0, 6))
def test_half_moves_of_the_main_line(games: list[Game], least: int, more: int) -> None:
    def fits(game: Game) -> bool:
        return game.kind is RecordKind.GAME and least <= len(list(game.mainline())) <= least + more

    assert chosen(games, min_plies=least, max_plies=least + more) == expected(games, fits)
    assert chosen(games, min_plies=least) == expected(
        games, lambda game: game.kind is RecordKind.GAME and len(list(game.mainline())) >= least
    )


def annotations_of(game: Game) -> list[Annotation]:
    return [*game.annotations, *(each for node in game.walk() for each in node.annotations)]


def has_kind(*kinds: int) -> Callable[[Game], bool]:
    return lambda game: any(each.kind in kinds for each in annotations_of(game))


ORACLES: dict[str, Callable[[Game], bool]] = {
    "moves": lambda game: bool(list(game.mainline())),
    "variations": lambda game: any(len(node.children) > 1 for node in (game.root, *game.walk())),
    "annotations": lambda game: bool(annotations_of(game)),
    "comments": has_kind(0x02, 0x82),
    "symbols": has_kind(0x03, 256),
    "medals": has_kind(0x22),
    "evaluations": has_kind(0x21, 0x26),
    "clocks": has_kind(0x16, 0x17, 0x07),
    "drawings": has_kind(0x04, 0x05),
    "training": has_kind(0x09),
    "quotations": has_kind(0x13),
    "media": has_kind(0x10, 0x11, 0x20),
    "setup": lambda game: game.start is not None,
    "text": lambda game: game.kind is RecordKind.TEXT,
    "deleted": lambda game: game.deleted,
    "problems": lambda game: bool(game.problems),
}


@settings(max_examples=30)
@given(st.lists(records(), max_size=6))
def test_what_records_have(games: list[Game]) -> None:
    assert ORACLES.keys() == FEATURES.keys()
    for name, oracle in ORACLES.items():
        assert chosen(games, has=name) == expected(games, oracle)
        assert chosen(games, without=[name]) == expected(games, lambda game, oracle=oracle: not oracle(game))  # type: ignore[misc]
    both = chosen(games, has=["variations", "comments"], without="deleted")
    assert both == sorted({*chosen(games, has="variations")} & {*chosen(games, has="comments", without="deleted")})


@settings(max_examples=50)  # of several records each
@given(st.lists(records(), max_size=6), ASCII)
def test_texts_in_comments(games: list[Game], text: str) -> None:
    def says(game: Game) -> bool:
        found = [each.data.decode("utf-8", "replace") for each in annotations_of(game) if each.kind in (0x02, 0x82)]
        return any(text.lower() in plain(comment) for comment in found)

    assert chosen(games, comment=text) == expected(games, says)


def test_a_damaged_comment_hides_no_other() -> None:
    games = [Game(), Game()]
    games[0].annotations.append(Annotation(0x02, b"\xff novelty"))
    games[1].annotations.append(Annotation(0x02, "Neuheit é".encode()))
    assert chosen(games, comment="novelty") == [0]
    assert chosen(games, comment="heit e") == [1]
    assert chosen(games, comment="heit e", exact=True) == []
    assert chosen(games, comment="/n[eo]/") == [0, 1]
