"""How much work it is to write and read annotations: it grows with their number, not with its square."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabiya.formats.jose.rich import put_into_words
from tabiya.game import Annotation, Game, Node, Side
from tabiya.game.annotations import TEXT_AFTER, TEXT_BEFORE, UNREADABLE

if TYPE_CHECKING:
    import pytest

MANY = 300


class Counted(bytes):
    """Bytes that know how often they were compared."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        Counted.compared += 1
        return bytes.__eq__(self, other)

    __hash__ = bytes.__hash__


def test_late_texts_and_rests_of_lines() -> None:
    Counted.compared = 0
    game = Game()
    node = game.root.add("e4")
    game.root.add("d4")
    late = [(UNREADABLE, "x"), (TEXT_AFTER, "y")]
    node.annotations = [
        Annotation(kind, Counted(f"{name}{i}".encode()), side=Side.LATE) for kind, name in late for i in range(MANY)
    ]
    put_into_words(game)
    assert Counted.compared <= 4 * MANY
    assert [a.data for a in node.annotations] == [f"{name}{i}".encode() for name in "xy" for i in range(MANY)]


def test_variations(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game()
    start = game.root.add("e4")
    first = start.add("e5")
    for _ in range(MANY):
        start.add("c5").annotations = [Annotation(TEXT_BEFORE, b"[%eval 1.00]", side=Side.BEFORE)]
    handled = 0
    children = vars(Node)["children"].fget

    def counted(node: Node) -> tuple[Node, ...]:
        nonlocal handled
        found: tuple[Node, ...] = children(node)
        handled += len(found)
        return found

    monkeypatch.setattr(Node, "children", property(counted))
    put_into_words(game)
    assert handled <= 4 * MANY
    assert first.annotations == []
    words = rb"[%pre [%eval 1.00\]]"
    assert {a.data for node in first.variations for a in node.annotations} == {words + b"\0" + words}
