from __future__ import annotations

import builtins
import io
import subprocess
import sys

import chess
import chess.pgn
import chess.variant
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tabiya.chess import Position
from tabiya.errors import FormatError, UnsupportedError
from tabiya.formats.pgn.python_chess import chess_losses
from tabiya.game import Annotation, Game, RecordKind, Side, Tags, Variant, difference
from tabiya.game.annotations import (
    NAGS,
    SYMBOLS,
    TEXT_AFTER,
    TEXT_BEFORE,
    Evaluation,
    decode_nags,
    encode_nags,
    encode_text,
)
from tests.strategies import STARTS, games

PLAIN_TAGS = st.dictionaries(
    st.sampled_from(["Event", "Site", "White", "Black", "Result", "Date", "WhiteElo", "ECO", "Opening", "X_1"]),
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=9),
).map(Tags)


OTHER_BLANKS = "".join(letter for letter in map(chr, range(0x80, 0x3001)) if letter.isspace())
"""Which python-chess takes off the ends of texts; those of ASCII come back."""


def reread(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    return game


def simplify(game: Game) -> Game:
    """What python-chess can hold: per move one text before, NAGs in order without repeats, one text after.

    Texts have no blanks at their ends beyond those of ASCII.
    """
    game = game.copy()
    for node in [game.root, *game.walk()]:
        before = [a for a in node.annotations if a.kind == TEXT_BEFORE][:1]
        after = [a for a in node.annotations if a.kind == TEXT_AFTER][:1]
        nags = sorted({nag for a in node.annotations if a.kind in (SYMBOLS, NAGS) for nag in decode_nags(a)})
        plain = [
            *(encode_text(a.data.decode().strip(OTHER_BLANKS), Side.BEFORE) for a in before),
            *([encode_nags(nags)] if nags else []),
            *(encode_text(a.data.decode().strip(OTHER_BLANKS)) for a in after),
        ]
        node.annotations[:] = [a for a in plain if a.data]
    game.annotations.clear()
    return game


def replies_behind_a_variation(text_after: str, text_before: str) -> Game:
    game = Game()
    e4 = game.root.add("e4")
    game.root.add("d4").add("d5")
    e5 = e4.add("e5")
    e4.text, e5.text_before = text_after, text_before
    return game


@example(Game({"Result": "\xa00"}))
@example(Game({"Result": " 0 "}))
@example(replies_behind_a_variation("", "before"))
@example(replies_behind_a_variation("after", "before"))
@example(replies_behind_a_variation("after ]", " [%pre x] }"))
@example(replies_behind_a_variation("\xa0", "\x85x\u3000"))
@given(games(tags=PLAIN_TAGS))
def test_there_and_back(game: Game) -> None:
    game = simplify(game)
    twin = game.to_chess()
    assert difference(Game.from_chess(twin), game) == []


@given(games(tags=PLAIN_TAGS, null_moves=False))
def test_python_chess_sees_the_same_moves_and_positions(game: Game) -> None:
    for node, twin in zip(game.walk(), _walk(game.to_chess()), strict=True):
        assert twin.san() == node.san
        assert twin.board().fen(en_passant="fen") == node.position.fen()


def _walk(root: chess.pgn.GameNode) -> list[chess.pgn.ChildNode]:
    """In the order of PGN."""
    order: list[chess.pgn.ChildNode] = []
    todo: list[tuple[bool, chess.pgn.GameNode]] = [(False, root)]
    while todo:
        is_head, node = todo.pop()
        if is_head:
            assert isinstance(node, chess.pgn.ChildNode)
            order.append(node)
        if node.variations:
            first, *others = node.variations
            order.append(first)
            todo.append((False, first))
            todo += [(True, other) for other in reversed(others)]
    return order


def test_what_python_chess_prints() -> None:
    game = Game({"White": "A", "Result": "1-0"})
    e4 = game.root.add("e4")
    e4.text_before = "first"
    e4.nags = [14, 1, 1]
    c5 = e4.add("e5").add_variation("c5")
    c5.text_before = "or"
    c5.text = "Sicilian"
    assert str(game.to_chess()) == (
        '[White "A"]\n[Result "1-0"]\n\n{ first } 1. e4 $1 $14 e5 ( { or } 1... c5 { Sicilian } ) 1-0'
    )


def test_what_python_chess_read() -> None:
    game = Game.from_chess(
        reread('[White "A"]\n\n{first} 1. e4 $14 $1 {after} (1. d4 {Queen}) ({or} 1. c4) 1... e5 2. Ke5 *\n')
    )
    assert game.tags["White"] == "A"
    assert game.tags["Black"] == "?"  # python-chess makes up what is missing of the roster
    assert [(node.san, node.text_before, node.text) for node in game.walk()] == [
        ("e4", "first", "after"),
        ("d4", "", "Queen"),
        ("c4", "or", ""),
        ("e5", "", ""),
    ]
    assert game.root.children[0].nags == [1, 14]
    assert len(game.problems) == 1
    assert "Ke5" in game.problems[0].text


def test_a_text_behind_a_variation_says_that_it_stands_before_the_next_move() -> None:
    """As a plain comment it would end up at 1.e4, where python-chess puts what stands behind (1.d4)."""
    game = replies_behind_a_variation("after", "before")
    assert str(game.to_chess()).endswith("1. e4 { after [%pre before] } ( 1. d4 d5 ) 1... e5 *")
    assert "{ after } (1. d4 d5) { before } 1... e5" in game.to_pgn()


def test_a_game_without_moves() -> None:
    game = Game.from_chess(reread("{nothing} *\n"))
    assert game.annotations == [encode_text("nothing", Side.LATE)]
    assert str(game.to_chess()).endswith("{ nothing } *")


def test_tags_that_python_chess_refuses() -> None:
    game = Game([("A b", "x"), ("White", "1\n2"), ("White", "B"), ("", "y"), ("ECO", "a\r\nb")])
    assert dict(game.to_chess().headers) == {"White": "B", "ECO": "a  b"}


def test_chess960_castling() -> None:
    start = Position.from_fen("1k6/8/8/8/8/8/8/1KR5 w C - 0 1", chess960=True)
    game = Game(start=start)
    game.root.add("O-O")
    twin = game.to_chess()
    assert twin.board().chess960
    assert twin.variations[0].san() == "O-O"
    assert difference(Game.from_chess(twin), game) == []
    assert Game.from_chess(twin).variant is Variant.CHESS960


def test_castling_from_a_set_up_position() -> None:
    game = Game(start=STARTS[0])
    game.root.add_line(["O-O-O", "O-O"])
    twin = game.to_chess()
    assert [move.uci() for move in twin.mainline_moves()] == ["e1c1", "e8g8"]
    assert twin.board().fen() == STARTS[0]
    assert difference(Game.from_chess(twin), game) == []


def test_other_variants() -> None:
    twin = chess.pgn.Game()
    twin.setup(chess.variant.AtomicBoard())
    with pytest.raises(UnsupportedError, match="Atomic"):
        Game.from_chess(twin)
    game = Game()
    game.kind = RecordKind.TEXT
    with pytest.raises(UnsupportedError):
        game.to_chess()


def test_illegal_moves() -> None:
    twin = chess.pgn.Game()
    twin.add_variation(chess.Move.from_uci("e2e5"))
    with pytest.raises(FormatError):
        Game.from_chess(twin)
    game = Game()
    game.root.add("e4")
    game.tags["FEN"] = STARTS[3]
    with pytest.raises(FormatError):
        game.to_chess()


def test_all_that_hangs_on_a_move_comes_back() -> None:
    game = Game({"White": "A", "Opening": "y"})
    e4 = game.root.add("e4")
    e4.clock, e4.eval, e4.arrows, e4.squares = 61.5, Evaluation.parse("0.35"), ["Ge2e4"], ["Rf7"]
    e4.text, e4.nags = "best by test", [1, 14]
    e4.annotations += [encode_text("danach", Side.LATE, 53), Annotation(0x77, b"\x01\xff")]
    e5 = e4.add("e5")
    e5.text_before = "in the middle of a line"
    game.root.annotations.append(encode_text("about the game"))
    twin = game.to_chess()
    first = twin.next()
    assert first is not None
    assert (first.clock(), first.eval().white().score(), len(first.arrows())) == (61.5, 35, 2)  # type: ignore[union-attr]
    assert difference(Game.from_chess(twin), game) == []
    printed = Game.from_chess(reread(str(twin)))
    printed.tags = game.tags  # python-chess makes up what is missing of the seven
    assert printed == game
    assert chess_losses(game) == []


def test_what_python_chess_cannot_hold_is_named() -> None:
    game = Game([("White", "A"), ("White", "B")])
    game.root.add("e4").nags = [14, 1]
    lost = chess_losses(game)
    assert ["Tag White" in sentence for sentence in lost] == [True, False, False]
    assert all("1.e4: symbols" in sentence for sentence in lost[1:])


def test_python_chess_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    real_import = builtins.__import__

    def no_chess(name: str, *args, **kwargs):
        if name.startswith("chess"):
            raise ImportError(name)
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_chess)
    with pytest.raises(UnsupportedError, match=r"pip install 'tabiya\[chess\]'"):
        Game().to_chess()


def test_python_chess_is_not_imported_before_it_is_needed() -> None:
    code = "import sys, tabiya.formats.pgn.python_chess; sys.exit('chess' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
