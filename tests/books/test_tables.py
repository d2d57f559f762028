"""Books in notebooks."""

from __future__ import annotations

import copy
import pickle

import tabiya
from tabiya.books import BookMoves, Entry
from tabiya.chess import Position
from tests.conftest import ROOT
from tests.game.test_html import check

SMALL = ROOT / "tests" / "data" / "ctg" / "small.ctg"


def moves_of(entries: list[Entry], position: Position) -> BookMoves:
    moves = BookMoves(entries)
    moves.position = position
    return moves


def test_a_book_shows_its_start_position() -> None:
    with tabiya.open_book(SMALL) as book:
        seen = check(book._repr_html_())
        assert f"small.ctg: ctg, {len(book)} positions" in seen.text
        assert [entry.move for entry in book.probe(Position())]
        for entry in book.probe(Position()):
            assert Position().san(entry.move) in seen.text


def test_probing_shows_any_position() -> None:
    with tabiya.open_book(SMALL) as book:
        position = Position().play("e4")
        moves = book.probe(position)
        assert moves.position == position
        html = moves._repr_html_()
        assert [position.san(entry.move) for entry in moves] == ["e5", "c5"]
        assert "2 moves in the book" in check(html).text


def test_moves_of_a_book_are_a_tuple() -> None:
    entries = [Entry(move=Position().parse_san(san), weight=weight) for san, weight in (("e4", 3), ("d4", 1))]
    moves = moves_of(entries, Position())
    assert moves == tuple(entries)
    assert isinstance(moves, tuple)
    for other in (pickle.loads(pickle.dumps(moves)), copy.copy(moves), copy.deepcopy(moves)):
        assert other == moves
        assert other.position == Position()
    assert "75 %" in moves._repr_html_()
    assert "0 moves in the book" in check(moves_of([], Position())._repr_html_()).text


def test_results_are_shown_from_the_side_of_white() -> None:
    entry = Entry(move=Position().parse_san("e4"), weight=1, games=3, wins=3, draws=0, losses=0)
    assert 'title="White: 3"' in moves_of([entry], Position())._repr_html_()
    after = Position().play("e4")
    reply = Entry(move=after.parse_san("e5"), weight=1, games=3, wins=3, draws=0, losses=0)
    assert 'title="Black: 3"' in moves_of([reply], after)._repr_html_()
