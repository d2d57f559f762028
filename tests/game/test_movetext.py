from __future__ import annotations

from hypothesis import given

from tabiya.game import Annotation, Game, GuidingText, RecordKind, Side
from tabiya.game.annotations import UNREADABLE, encode_text
from tabiya.game.movetext import SpanKind, label_moves, spans
from tests.strategies import games


def example_game() -> Game:
    game = Game({"White": 'The "Rock"', "Black": "B\nC", "Result": "1-0"})
    e4 = game.root.add("e4")
    e4.text_before = "Start."
    e4.nags = [1, 14]
    e5 = e4.add("e5")
    c5 = e5.add_variation("c5")
    c5.text_before = "Or"
    nf3 = c5.add("Nf3")
    nf3.add("d6")
    nf3.add_variation("Nc3")
    last = e5.add("Nf3").add("Nc6")
    last.text = "Usual."
    last.add_variation("d6").nags = [6]
    last.annotations.append(encode_text("Late.", Side.LATE))
    last.annotations.append(Annotation(UNREADABLE, b"Qx9 ??", side=Side.LATE))
    game.annotations.append(encode_text("Whole."))
    game.annotations.append(encode_text("Good night.", Side.LATE))
    return game


def test_a_game_as_text() -> None:
    assert str(example_game()) == (
        '[White "The \\"Rock\\""]\n'
        '[Black "B C"]\n'
        '[Result "1-0"]\n'
        "\n"
        "{Whole.} {Start.} 1.e4! $14 e5 ({Or} 1...c5 2.Nf3 (2.Nc3) 2...d6) 2.Nf3 Nc6\n"
        "{Usual.} (2...d6?!) {Late.} {Qx9 ??} 1-0 {Good night.}"
    )


def test_other_records_as_text() -> None:
    game = Game({"Event": "E"})
    assert str(game) == '[Event "E"]\n\n*'
    assert str(Game()) == "*"
    game.kind = RecordKind.OPAQUE
    assert str(game) == '[Event "E"]'
    game.kind = RecordKind.TEXT
    game.texts = [GuidingText(0, "Preface", 3, b"")]
    assert str(game) == '[Event "E"]\n\n{Preface}'


def test_labels() -> None:
    assert label_moves(example_game()) == [
        *("1.e4", "1...e5", "1...c5", "2.Nf3", "2.Nc3", "2...d6", "2.Nf3", "2...Nc6", "2...d6")
    ]


def test_illegal_moves_are_shown_as_squares() -> None:
    game = example_game()
    game.tags["FEN"] = "4k3/8/8/8/8/8/8/4K3 b - - 0 9"
    assert label_moves(game)[:3] == ["9...e2e4", "10.e7e5", "10.c7c5"]
    game.tags["FEN"] = "nonsense"
    assert label_moves(game)[:3] == ["1.e2e4", "1...e7e5", "1...c7c5"]
    assert str(game)


@given(games())
def test_every_move_is_shown_once(game: Game) -> None:
    pieces = list(spans(game))
    assert [span.text for span in pieces if span.kind is SpanKind.MOVE] == [node.san for node in game.walk()]
    depth = 0
    for span in pieces:
        depth += span.kind is SpanKind.OPEN
        assert span.depth == depth
        depth -= span.kind is SpanKind.CLOSE
    assert depth == 0
    assert label_moves(game) == [repr(node)[len("<Node ") : -1] for node in game.walk()]
