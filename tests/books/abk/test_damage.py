"""Arena books with links in circles and other damage: what is wrong is named, and the rest is read."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.books import check_book, convert_book, repair_book
from tabiya.books.abk.records import DATA_OFFSET, FIRST_RECORD
from tabiya.chess import Color, Move, Position
from tabiya.errors import LossError
from tests.books.abk.handmade import move, opened, packed
from tests.books.books_corpus import random_lines, write_lines


@pytest.mark.parametrize(
    ("records", "what"),
    [
        ([move("e4", following=900)], "cycle"),
        ([move("e4", reply=900)], "cycle"),
        ([move("e4", following=901), move("d4", following=900)], "cycle"),
        ([move("e4", reply=902, following=901), move("d4", reply=902), (52, 36, 0, 5, 1, 0, 0, 0, -1, -1)], "cycle"),
        ([move("e4", following=5000)], "link"),
        ([move("e4", reply=899)], "link"),
        ([move("e4", reply=-2)], "link"),
        ([move("e4", following=-(2**31))], "link"),
        ([(12, 44, 0, 5, 1, 0, 0, 0, -1, -1)], "illegal"),
        ([(12, 28, 9, 5, 1, 0, 0, 0, -1, -1)], "illegal"),
        ([(200, 28, 0, 5, 1, 0, 0, 0, -1, -1)], "illegal"),
        ([(12, 28, 0, 77, 1, 0, 0, 0, -1, -1)], "priority"),
        ([(12, 28, 0, 5, 1, 1, 1, 0, -1, -1)], "counts"),
        ([move("e4"), move("d4")], "unreached"),
    ],
)
def test_damage_is_named_and_repaired(tmp_path: Path, records: list[tuple[int, ...]], what: str) -> None:
    path = tmp_path / "damaged.abk"
    path.write_bytes(packed(*records))
    assert what in {problem.what for problem in check_book(path)}
    with opened(path) as book:
        book.probe(Position())
        list(book.positions())
    repair_book(path, tmp_path / "repaired.abk")
    assert {problem.what for problem in check_book(tmp_path / "repaired.abk")} <= {"priority", "counts"}
    with opened(path) as before, opened(tmp_path / "repaired.abk") as after:
        assert (before.tree.moves == after.tree.moves).all()


def test_problems_say_where(tmp_path: Path) -> None:
    """A link is named where it stands, also behind the whole tree of replies that comes before its neighbour."""
    path = tmp_path / "x.abk"
    reply = (52, 36, 0, 5, 1, 0, 0, 0)
    records = [
        move("e4", reply=901, following=902),
        (*reply, -1, -1),
        move("d4", reply=903, following=905),
        (*reply, -1, 904),
        (*reply, 5000, 901),
        (12, 44, 0, 77, 1, 1, 1, 0, -1, 906),
        (12, 28, 0, 12, 3, 2, 2, 0, 899, 7),
        move("c4"),
    ]
    path.write_bytes(packed(*records) + b"tail")
    assert [(problem.what, problem.text, problem.offset) for problem in check_book(path)] == [
        ("tail", "4 bytes follow the last whole record", None),
        ("link", "record 904: points outside the book: 5000", 28 * 904),
        ("cycle", "record 904: points to a move that another one points to already: 901", 28 * 904),
        ("illegal", "record 905: the move is not legal in its line", 28 * 905),
        ("link", "record 906: points outside the book: 899", 28 * 906),
        ("link", "record 906: points outside the book: 7", 28 * 906),
        ("priority", "record 906: priority 12 is above the maximum, 9", 28 * 906),
        ("counts", "record 906: more games won and lost than played", 28 * 906),
        ("unreached", "2 records belong to no line", None),
    ]
    records[2] = move("d4", reply=903, following=4000)
    path.write_bytes(packed(*records))
    assert "record 902: points outside the book: 4000" in {problem.text for problem in check_book(path)}


def test_what_follows_an_illegal_move_is_lost_but_not_its_neighbour(tmp_path: Path) -> None:
    path = tmp_path / "x.abk"
    path.write_bytes(packed((12, 44, 0, 5, 1, 0, 0, 0, 901, 902), move("e4"), move("d4")))
    with opened(path) as book:
        assert [Position().san(entry.move) for entry in book.probe(Position())] == ["d4"]
    assert {loss.what: loss.count for loss in repair_book(path, tmp_path / "y.abk")} == {"illegal": 1}


def test_deleted_moves_are_no_problem(tmp_path: Path) -> None:
    path = tmp_path / "x.abk"
    path.write_bytes(packed(move("e4", following=901, flags=0x01000000), move("d4")))
    with opened(path) as book:
        assert [Position().san(entry.move) for entry in book.probe(Position())] == ["d4"]
    assert list(check_book(path)) == []


def test_what_is_too_much_to_be_listed_is_counted(tmp_path: Path) -> None:
    """Ten thousand faults are named one by one; sums know all of them."""
    path, deleted = tmp_path / "x.abk", 10_005
    gone = [move("e4", following=FIRST_RECORD + 1 + number, flags=0x01000000) for number in range(deleted)]
    illegal = (12, 44, 0, 5, 1, 0, 0, 0, -1, -1)
    path.write_bytes(packed(*gone, illegal, move("d4"), move("c4")))
    with opened(path) as book:
        assert len(book.tree.faults) == 10_000
        assert [(loss.what, loss.count) for loss in book.unreadable()] == [("deleted", deleted), ("illegal", 1)]
    assert [(problem.what, problem.text) for problem in check_book(path)] == [
        ("unreached", "3 records belong to no line")
    ]


def test_deleted_moves_are_named_where_they_do_not_go_with_a_book(tmp_path: Path) -> None:
    path = tmp_path / "x.abk"
    path.write_bytes(packed(move("e4", following=901, flags=0x01000000), move("d4")))
    expected = [("deleted", 1)]
    for target in ("copy.abk", "x.bin"):
        losses = convert_book(path, tmp_path / target).losses
        assert [(loss.what, loss.count) for loss in losses if loss.what == "deleted"] == expected
        with pytest.raises(LossError, match="marked as deleted"):
            convert_book(path, tmp_path / f"strict-{target}", strict=True)
    assert [(loss.what, loss.count) for loss in repair_book(path, tmp_path / "repaired.abk")] == expected


def test_a_line_without_end(tmp_path: Path) -> None:
    """Knights going to and fro for 2000 plies: reading stops at 1024."""
    steps = [(6, 21), (62, 45), (21, 6), (45, 62)]
    records = [
        (*steps[ply % 4], 0, 5, 1, 0, 0, 0, FIRST_RECORD + ply + 1 if ply < 1999 else -1, -1) for ply in range(2000)
    ]
    path = tmp_path / "x.abk"
    path.write_bytes(packed(*records))
    with opened(path) as book:
        assert len(book.tree.moves) == 1024
        assert len(book) == 4
    assert {problem.what for problem in check_book(path)} == {"depth", "unreached"}


@pytest.mark.parametrize("size", [DATA_OFFSET, DATA_OFFSET - 1, 300, DATA_OFFSET + 27])
def test_a_book_without_moves(tmp_path: Path, size: int) -> None:
    path = tmp_path / "x.abk"
    path.write_bytes(packed(move("e4"))[:size])
    with opened(path) as book:
        assert (len(book), book.probe(Position()), list(book.positions())) == (0, (), [])
    problems = {problem.what for problem in check_book(path)}
    assert problems == ({"truncated"} if size < DATA_OFFSET else {"tail"} if size > DATA_OFFSET else set())


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), flips=st.integers(1, 12))
def test_broken_bytes_never_hurt(tmp_path_factory: pytest.TempPathFactory, seed: int, flips: int) -> None:
    rng = Random(seed)
    folder = tmp_path_factory.mktemp("broken")
    data = bytearray(write_lines(folder / "x.abk", random_lines(seed, 15)).read_bytes())
    for _ in range(flips):
        data[rng.randrange(DATA_OFFSET, len(data))] = rng.randrange(256)
    (folder / "y.abk").write_bytes(bytes(data))
    list(check_book(folder / "y.abk"))
    repair_book(folder / "y.abk", folder / "z.abk")
    assert {problem.what for problem in check_book(folder / "z.abk")} <= {"priority", "counts"}
    with opened(folder / "z.abk") as book:
        assert all(position.turn in Color for position in book.positions())


def test_the_null_move_is_no_move(tmp_path: Path) -> None:
    path = tmp_path / "x.abk"
    path.write_bytes(packed((0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    with opened(path) as book:
        assert book.probe(Position()) == ()
    assert Move.NULL == 0
