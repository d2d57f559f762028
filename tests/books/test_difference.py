"""Every field that books keep is compared, and shown in lines: a table of single changes and of single fields."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.books import BookComparison, BookDifference, Entry, Ratings, Recommendation, create_book, parse_line
from tabiya.books.book_as_game import book_lines, describe_entry
from tabiya.chess import Position

START = Position()
E4, D4 = (START.parse_san(san) for san in ("e4", "d4"))
FULL: dict[str, Any] = {
    "weight": 3,
    "games": 9,
    "wins": 4,
    "draws": 4,
    "losses": 1,
    "ratings": Ratings(2, 4800),
    "opponents": Ratings(3, 7500),
    "nag": 1,
    "recommendation": Recommendation.MAIN,
    "comment": 14,
    "priority": 5,
    "learning": 7,
}


def full(**changes: Any) -> Entry:
    return Entry(move=E4, **FULL | changes)


def compared(first: Path, second: Path) -> tuple[BookComparison, list[BookDifference]]:
    with tabiya.open_book(first) as a, tabiya.open_book(second) as b:
        comparison = BookComparison(a, b)
        return comparison, list(comparison)


def written(path: Path, *entries: Entry, position: Position = START) -> Path:
    with create_book(path) as writer:
        writer.add(position, entries)
    return path


@pytest.mark.parametrize(
    ("suffixes", "changes", "sentences"),
    [
        (".bin .bin", {"weight": 4}, ["weight 3 and 4"]),
        (".bin .bin", {"learning": 8}, ["learning 7 and 8"]),
        (".abk .abk", {"priority": 6}, ["priority 5 and 6"]),
        (".abk .abk", {"games": 10, "draws": 5}, ["games 9 and 10", "draws 4 and 5"]),
        (".abk .abk", {"wins": 3, "losses": 2}, ["wins 4 and 3", "losses 1 and 2"]),
        (".ctg .ctg", {"games": 10}, ["games 9 and 10"]),
        (".ctg .ctg", {"wins": 3}, ["wins 4 and 3"]),
        (".ctg .ctg", {"draws": 3}, ["draws 4 and 3"]),
        (".ctg .ctg", {"losses": 0}, ["losses 1 and 0"]),
        (".ctg .ctg", {"ratings": Ratings(2, 4801)}, ["ratings 4800 in 2 games and 4801 in 2 games"]),
        (".ctg .ctg", {"opponents": Ratings(1, 7500)}, ["opponents 7500 in 3 games and 7500 in 1 games"]),
        (".ctg .ctg", {"nag": 2}, ["nag 1 and 2"]),
        (".ctg .ctg", {"nag": None}, ["nag 1 and none"]),
        (".ctg .ctg", {"recommendation": Recommendation.AVOID}, ["recommendation 128 and 64"]),
        (".ctg .ctg", {"comment": 15}, ["comment 14 and 15"]),
        (".abk .ctg", {"wins": 3, "losses": 2}, ["wins 4 and 3", "losses 1 and 2"]),
        (".abk .ctg", {"recommendation": Recommendation.AVOID}, ["never played in the second book"]),
        (".ctg .abk", {"priority": 0}, ["never played in the second book"]),
        (".abk .ctg", {"ratings": None, "nag": None, "comment": None}, []),
    ],
)
def test_every_field_is_compared(tmp_path: Path, suffixes: str, changes: dict[str, Any], sentences: list[str]) -> None:
    first, second = suffixes.split()
    a, b = written(tmp_path / f"a{first}", full()), written(tmp_path / f"b{second}", full(**changes))
    comparison, found = compared(a, b)
    assert [sentence for each in found for sentence in each.differences] == [f"e4: {text}" for text in sentences]
    assert (comparison.positions, comparison.different) == (1, bool(sentences))
    _, same = compared(a, written(tmp_path / f"c{second}", full()))
    assert same == []


def test_positions_that_only_their_keys_tell_are_compared_alike(tmp_path: Path) -> None:
    far = parse_line("d4 d5 c4")
    moves = [far.parse_san(san) for san in ("e6", "c6", "dxc4")]
    a = [Entry(move=move, weight=weight, learning=9) for move, weight in zip(moves, (1, 2, 3), strict=True)]
    b = [a[0], Entry(move=moves[1], weight=5, learning=8), Entry(move=far.parse_san("e5"), weight=3)]
    _, found = compared(written(tmp_path / "a.bin", *a, position=far), written(tmp_path / "b.bin", *b, position=far))
    ((fen, key, sentences),) = [(each.fen, each.key, each.differences) for each in found]
    assert (fen, key) == (None, far.key)
    assert sorted(sentences) == [
        "c7c6: learning 9 and 8",
        "c7c6: weight 2 and 5",
        "d5c4: only in the first book",
        "e7e5: only in the second book",
    ]


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (Entry(move=E4, weight=3), "weight 3"),
        (Entry(move=E4, weight=3, games=1), "1 game"),
        (Entry(move=E4, weight=3, games=0), "0 games"),
        (Entry(move=E4, weight=3, games=5, wins=2, draws=1, losses=1), "5 games, +2 =1 -1, 62.5%"),
        (Entry(move=E4, weight=3, games=2, ratings=Ratings(2, 4801)), "2 games, Elo 2400"),
        (
            Entry(move=E4, weight=3, games=2, wins=1, draws=0, losses=1, opponents=Ratings(2, 4600)),
            "2 games, +1 =0 -1, 50.0%, performance 2300",
        ),
        (Entry(move=E4, weight=3, priority=0), "weight 3, priority 0"),
        (Entry(move=E4, weight=3, learning=0), "weight 3"),
        (Entry(move=E4, weight=3, learning=2), "weight 3, learning data 2"),
        (Entry(move=E4, weight=3, recommendation=Recommendation.NONE), "weight 3"),
        (Entry(move=E4, weight=3, recommendation=Recommendation.MAIN), "weight 3, main move"),
        (Entry(move=E4, weight=3, recommendation=Recommendation.AVOID), "weight 3, not for tournaments"),
        (Entry(move=E4, weight=3, recommendation=Recommendation(0x81)), "weight 3, main move, mark 0x01"),
        (Entry(move=E4, weight=0, transposition=True), "not a move of the book"),
    ],
)
def test_every_field_is_described(entry: Entry, text: str) -> None:
    assert ", ".join(describe_entry(entry)) == text


@pytest.mark.parametrize(
    ("limits", "moves", "cut"),
    [
        ({"max_moves": 2}, 2, 2),
        ({"max_moves": 3}, 3, 2),
        ({"max_moves": 4}, 4, 1),
        ({"max_moves": 5}, 5, 0),
        ({"max_ply": 0}, 0, 2),
        ({"max_ply": 2}, 4, 1),
        ({"max_ply": 3}, 5, 0),
    ],
)
def test_limits_of_lines_are_exact(tmp_path: Path, limits: dict[str, Any], moves: int, cut: int) -> None:
    """1.e4 e5 2.Nf3 and 1.d4 d5, the best move first; what follows a move that was cut is not counted."""
    with create_book(tmp_path / "x.bin") as writer:
        for line, sans in (("", "e4 d4"), ("e4", "e5"), ("d4", "d5"), ("e4 e5", "Nf3")):
            place = parse_line(line)
            writer.add(
                place, [Entry(move=place.parse_san(san), weight=9 - rank) for rank, san in enumerate(sans.split())]
            )
    with tabiya.open_book(tmp_path / "x.bin") as book:
        lines = book_lines(book, **limits)
    assert lines.moves == moves
    assert {loss.what: loss.count for loss in lines.losses if loss.what == "moves"} == ({"moves": cut} if cut else {})
