"""Changing single moves: they change, and nothing else does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.books import Entry, Ratings, Recommendation, check_book, create_book, edit_book, parse_line
from tabiya.books.ctg import CTG
from tabiya.books.ctg.book import CtgBook
from tabiya.books.ctg.bulk_writing import write_book
from tabiya.books.ctg.position import signature_of
from tabiya.books.ctg.record import PositionRecord, columns_of_records
from tabiya.books.open_and_create import BOOK_FORMATS
from tabiya.chess import Position
from tabiya.errors import CorruptError, FormatError, UnsupportedError, UsageError
from tests.books.abk.handmade import move, opened, packed
from tests.books.books_corpus import random_lines, write_lines
from tests.books.ctg.corpus import random_book

Samples = Callable[[str], Path]

SUFFIXES = [format.suffixes[0] for format in BOOK_FORMATS]
START = Position()
E4, D4, A3 = (START.parse_san(san) for san in ("e4", "d4", "a3"))
FAR = Position.from_fen("8/8/8/4k3/8/2K5/4P3/8 w - - 0 1")


def records(path: Path) -> list[bytes]:
    """The records of a Polyglot book."""
    data = path.read_bytes()
    return [data[begin : begin + 16] for begin in range(0, len(data), 16)]


def weights(path: Path, position: Position = START) -> dict[str, int]:
    with tabiya.open_book(path) as book:
        return {position.san(entry.move): entry.weight for entry in book.probe(position)}


def all_records(path: Path) -> dict[bytes, PositionRecord]:
    with CtgBook(path, CTG) as book:
        found = {}
        for position in book.positions():
            record = book.record(position)
            assert record is not None
            found[record.signature] = record
        return found


# --- Polyglot --------------------------------------------------------------------------------------------------------


@pytest.fixture
def polyglot(tmp_path: Path) -> Path:
    """A book with a header, and with a position that no line reaches."""
    path = tmp_path / "book.bin"
    with create_book(path) as writer:
        writer.add(START, [Entry(move=E4, weight=3, learning=7), Entry(move=D4, weight=2), Entry(move=A3, weight=1)])
        writer.add(FAR, [Entry(move=FAR.parse_san("e4"), weight=9)])
        for position, entries in random_lines(3, 20, starts=[START.play("e4")]).items():
            writer.add(position, entries)
    path.write_bytes(bytes(8) + b"@PG@\n1.0" + path.read_bytes())
    return path


def test_one_weight_changes_and_the_rest_stays(polyglot: Path) -> None:
    before = records(polyglot)
    with edit_book(polyglot) as editor:
        editor.set(START, "e4", weight=2)
        editor.set(FAR, FAR.parse_san("e4"), weight=1)
    assert (editor.changed, editor.added, editor.removed) == (2, 0, 0)
    after = records(polyglot)
    assert len(after) == len(before)
    gone, new = sorted(set(before) - set(after)), sorted(set(after) - set(before))
    assert [(old[:10], old[12:]) for old in gone] == [(each[:10], each[12:]) for each in new]
    assert {each[10:12].hex() for each in new} == {"0002", "0001"}
    assert weights(polyglot) == {"e4": 2, "d4": 2, "a3": 1}
    assert list(check_book(polyglot)) == []


def test_moves_of_a_polyglot_book_come_and_go(polyglot: Path) -> None:
    before = records(polyglot)
    with edit_book(polyglot) as editor:
        editor.set(START, "c2c4", weight=5, learning=1)
        editor.remove(START, D4)
        editor.remove(FAR, "e4")
        editor.set(START.play("a3"), "e5", weight=4)
    assert (editor.changed, editor.added, editor.removed) == (0, 2, 2)
    after = records(polyglot)
    assert (len(set(before) - set(after)), len(set(after) - set(before))) == (2, 2)
    assert list(weights(polyglot).items()) == [("c4", 5), ("e4", 3), ("a3", 1)]
    there = [record[10:12].hex() for record in after if record[:8] == START.key.to_bytes(8)]
    assert there == ["0005", "0003", "0001"], "the largest weight first, for programs that rely on it"
    assert weights(polyglot, FAR) == {}
    assert weights(polyglot, START.play("a3")) == {"e5": 4}
    assert after[0] == before[0], "the header"
    assert list(check_book(polyglot)) == [], "sorted as before"


def test_a_move_that_stands_twice_has_one_weight_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    with create_book(path) as writer:
        writer.add(START, [Entry(move=E4, weight=3)])
    path.write_bytes(path.read_bytes() * 2)
    assert weights(path) == {"e4": 6}
    with edit_book(path) as editor:
        editor.set(START, E4, weight=5)
    assert weights(path) == {"e4": 5}
    assert len(records(path)) == 1


def test_castling_in_two_steps_keeps_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    place = Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    path.write_bytes(place.key.to_bytes(8) + (4 << 6 | 6).to_bytes(2) + bytes.fromhex("000500000000"))
    with edit_book(path) as editor:
        editor.set(place, "O-O", weight=6)
    assert path.read_bytes() == place.key.to_bytes(8) + (4 << 6 | 6).to_bytes(2) + bytes.fromhex("000600000000")


def test_an_unsorted_book_is_not_edited(polyglot: Path) -> None:
    polyglot.write_bytes(b"".join(reversed(records(polyglot))))
    before = polyglot.read_bytes()
    with pytest.raises(CorruptError, match="repair it first"), edit_book(polyglot) as editor:
        editor.set(START, "e4", weight=2)
    assert polyglot.read_bytes() == before
    assert [place.name for place in polyglot.parent.iterdir()] == ["book.bin"]


def test_a_real_book_keeps_all_but_one_record(tmp_path: Path, samples: Samples) -> None:
    source = samples("ctg/gm2001-bin/gm2001.bin")
    with edit_book(source, tmp_path / "x.bin") as editor:
        editor.set(START, "e4", weight=1)
    old, new = records(source), records(tmp_path / "x.bin")
    assert len(old) == len(new) == 30416
    assert len(set(old) - set(new)) == len(set(new) - set(old)) == 1


# --- CTG -------------------------------------------------------------------------------------------------------------


@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_one_position_of_a_ctg_book_changes(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    path = tmp_path_factory.mktemp("book") / "x.ctg"
    write_book(path, [columns_of_records(random_book(seed, 40, 12).values())])
    before = all_records(path)
    rng = Random(seed)
    with tabiya.open_book(path) as book:
        position = rng.choice([place for place in book.positions() if book.probe(place)])
        entry = rng.choice(book.probe(position))
    values: dict[str, Any] = {
        "games": 10, "wins": 5, "draws": 3, "losses": 1, "nag": 3, "comment": 16, "ratings": Ratings(2, 5000),
        "opponents": Ratings(1, 2400), "recommendation": Recommendation.MAIN,
    }  # fmt: skip
    with edit_book(path) as editor:
        editor.set(position, entry.move, **values)
    after = all_records(path)
    reached = signature_of(position.play(entry.move))
    assert {each for each in after if after[each] != before.get(each)} <= {reached, signature_of(position)}
    assert after.keys() == before.keys() | {reached}
    with tabiya.open_book(path) as book:
        found = next(each for each in book.probe(position) if each.move == entry.move)
        assert {name: getattr(found, name) for name in values} == values
    assert after[reached].score == 10 * 1 + 5 * (3 + 1), "of the side to move there: 1 win, 3 draws, 1 game undecided"
    assert [problem.what for problem in check_book(path)] in ([], ["games"])


@pytest.fixture
def ctg(tmp_path: Path) -> Path:
    path = tmp_path / "book.ctg"
    with create_book(path) as writer:
        writer.add(START, [Entry(move=each, weight=0, games=4, wins=2, draws=1, losses=1) for each in (E4, D4)])
    (tmp_path / "book.ini").write_bytes(b"[Options]\r\n")
    return path


def test_moves_of_a_ctg_book_come_and_go(ctg: Path) -> None:
    before = all_records(ctg)
    with edit_book(ctg, ctg.with_name("new.ctg")) as editor:
        editor.remove(START, "d4")
        editor.set(START, "c4", games=3, nag=5)
        editor.set(START.play("c4"), "e5", recommendation=0x80)
    assert (editor.changed, editor.added, editor.removed) == (0, 2, 1)
    assert all_records(ctg) == before
    made = ctg.with_name("new.ctg")
    with tabiya.open_book(made) as book:
        assert {START.san(entry.move): (entry.games, entry.nag) for entry in book.probe(START)} == {
            "e4": (4, None),
            "c4": (3, 5),
        }
        assert START.play("d4") in book, "the position stays, for other moves that lead there"
        (reply,) = book.probe(START.play("c4"))
        assert reply.recommendation == Recommendation.MAIN
    assert made.with_suffix(".ini").read_bytes() == b"[Options]\r\n"
    assert list(check_book(made)) == []


def test_what_a_ctg_book_refuses(ctg: Path) -> None:
    before = {place: place.read_bytes() for place in ctg.parent.iterdir()}
    for words, change in (
        ("stores no weight; what can be set: games", {"weight": 3}),
        ("more results than games", {"wins": 9}),
        ("ratings must be", {"ratings": 2400}),
        ("nag must be a whole number from 0 to 255", {"nag": 256}),
    ):
        with pytest.raises(UsageError, match=words), edit_book(ctg) as editor:
            editor.set(START, "e4", **change)
    assert {place: place.read_bytes() for place in ctg.parent.iterdir()} == before


def test_promotions_that_share_a_code(tmp_path: Path) -> None:
    place = Position.from_fen("7k/4P3/8/8/8/8/8/6K1 w - -")
    queen, knight = place.parse_san("e8=Q+"), place.parse_san("e8=N")
    write_book(tmp_path / "x.ctg", [columns_of_records([
        PositionRecord.of(place, {queen: 0}, games=1), PositionRecord.of(place.play(queen), games=1),
    ])])  # fmt: skip
    with pytest.raises(UnsupportedError, match="shares its code"), edit_book(tmp_path / "x.ctg") as editor:
        editor.set(place, knight, games=1)


def test_damaged_ctg_books_are_not_edited(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.ctg", random_lines(4, 200))
    path.write_bytes(path.read_bytes()[:-5000])
    before = path.read_bytes()
    with pytest.raises(CorruptError, match="repair it first"), edit_book(path) as editor:
        editor.set(START, "e4", games=1)
    assert path.read_bytes() == before


def test_a_real_ctg_book_keeps_its_records(tmp_path: Path, samples: Samples) -> None:
    source = samples("ctg/perfect2021/Perfect2021.ctg")
    with edit_book(source, tmp_path / "x.ctg") as editor:
        editor.set(START, "e4", nag=1)

    def rows(path: Path) -> set[bytes]:
        with CtgBook(path, CTG) as book:
            return {
                b"".join(
                    (
                        columns.signatures[row].tobytes(),
                        columns.statistics[row].tobytes(),
                        columns.marks[row].tobytes(),
                        columns.moves[columns.move_ends[row] : columns.move_ends[row + 1]].tobytes(),
                        columns.move_nags[columns.move_ends[row] : columns.move_ends[row + 1]].tobytes(),
                    )
                )
                for columns in book.columns()
                for row in range(len(columns))
            }

    old, new = rows(source), rows(tmp_path / "x.ctg")
    assert len(old) == len(new) == 104_224
    assert len(old - new) == len(new - old) == 1


# --- Arena -----------------------------------------------------------------------------------------------------------


def slots(path: Path) -> list[bytes]:
    data = path.read_bytes()[25200:]
    return [data[begin : begin + 28] for begin in range(0, len(data), 28)]


@pytest.fixture
def arena(tmp_path: Path) -> Path:
    """1.Nf3 Nf6 2.c4 e6 and 1.c4 e6 2.Nf3 Nf6, with 3.Nc3 in both."""
    path = tmp_path / "book.abk"
    path.write_bytes(
        packed(
            move("Nf3", 901, 905),
            (62, 45, 0, 2, 10, 5, 0, 0, 902, -1),
            (10, 26, 0, 5, 7, 3, 1, 0x77, 903, -1),
            (52, 44, 0, 5, 6, 3, 1, 0, 904, -1),
            (1, 18, 0, 7, 4, 1, 1, 0, -1, -1),
            move("c4", 906, -1),
            (52, 44, 0, 5, 9, 5, 0, 0, 907, -1),
            (6, 21, 0, 5, 8, 5, 0, 0, 908, -1),
            (62, 45, 0, 5, 7, 4, 0, 0, 909, -1),
            (1, 18, 0, 3, 5, 2, 2, 0, -1, -1),
        )
    )
    return path


def test_priorities_change_in_their_slots(arena: Path) -> None:
    before = slots(arena)
    shared = parse_line("Nf3 Nf6 c4 e6")
    with edit_book(arena) as editor:
        editor.set(START, "c4", priority=9)
        editor.set(shared, "Nc3", priority=1)
        editor.set(START.play("Nf3"), "Nf6", games=20, wins=3, losses=4)
    assert (editor.changed, editor.added, editor.removed) == (3, 0, 0)
    after = slots(arena)
    assert [number for number, pair in enumerate(zip(before, after, strict=True)) if len(set(pair)) > 1] == [1, 4, 5, 9]
    with opened(arena) as book:
        assert {START.san(entry.move): entry.priority for entry in book.probe(START)} == {"Nf3": 5, "c4": 9}
        (entry,) = book.probe(shared)
        assert (entry.priority, entry.games) == (1, 9)
        (reply,) = book.probe(START.play("Nf3"))
        assert (reply.games, reply.wins, reply.losses) == (20, 3, 4)
    assert list(check_book(arena)) == []


def test_games_that_several_lines_share_are_not_set(arena: Path) -> None:
    before = arena.read_bytes()
    with pytest.raises(UsageError, match="2 lines lead to"), edit_book(arena) as editor:
        editor.set(parse_line("Nf3 Nf6 c4 e6"), "Nc3", games=3)
    with pytest.raises(UsageError, match="more results than games"), edit_book(arena) as editor:
        editor.set(START, "c4", wins=30)
    with pytest.raises(UsageError, match="no line of the book leads to"), edit_book(arena) as editor:
        editor.set(START.play("a3"), "e5", priority=3)
    assert arena.read_bytes() == before


def test_moves_of_an_arena_book_come_and_go(arena: Path) -> None:
    before = slots(arena)
    shared = parse_line("Nf3 Nf6 c4 e6")
    with edit_book(arena) as editor:
        editor.remove(START.play("c4"), "e6")
        editor.set(START, "e4", priority=3)
        editor.set(START.play("e4"), "c5", games=2)
        editor.set(shared, "d4", priority=4)
        editor.set(parse_line("Nf3 Nf6 c4 e6 Nc3"), "d5", priority=6)
    assert (editor.changed, editor.added, editor.removed) == (0, 4, 1)
    after = slots(arena)
    assert len(after) == len(before) + 6, "two lines lead to the shared position, and on from there"
    unchanged = [old for old, new in zip(before, after, strict=False) if old == new]
    assert len(unchanged) == 6, "all but the flags of 1...e6 and the links of 1.c4 and both 3.Nc3"
    with opened(arena) as book:
        assert {START.san(entry.move) for entry in book.probe(START)} == {"Nf3", "c4", "e4"}
        assert [entry.games for entry in book.probe(START.play("e4"))] == [2]
        assert {shared.san(entry.move): entry.priority for entry in book.probe(shared)} == {"Nc3": 7, "d4": 4}
        assert book.probe(START.play("c4")) == ()
    assert [problem.what for problem in check_book(arena)] == ["unreached"], "what follows a deleted move"


def test_an_arena_book_without_moves_gets_its_first(tmp_path: Path) -> None:
    path = tmp_path / "x.abk"
    path.write_bytes(packed())
    with edit_book(path) as editor:
        editor.set(START, "e4", games=1)
        editor.set(START.play("e4"), "e5", games=1)
    with opened(path) as book:
        assert (len(book), book.header.moves) == (2, 2)
    assert list(check_book(path)) == []


def test_links_that_go_round_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.abk"
    path.write_bytes(packed(move("e4", -1, 901), move("d4", -1, 900)))
    with pytest.raises(CorruptError, match="repair it first"), edit_book(path) as editor:
        editor.set(START, "c4", priority=1)


# --- all of them -----------------------------------------------------------------------------------------------------

VALUES = {".bin": {"weight": 3}, ".abk": {"priority": 3}, ".ctg": {"games": 200, "nag": 1}}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_refused_leaves_the_book(tmp_path: Path, suffix: str) -> None:
    path = write_lines(tmp_path / f"x{suffix}", random_lines(1, 20))
    before = {place: place.read_bytes() for place in tmp_path.iterdir()}
    with tabiya.open_book(path) as book:
        known = book.probe(START)[0].move
        unknown = next(each for each in START.legal_moves() if all(entry.move != each for entry in book.probe(START)))

    def attempt(error: type[Exception], words: str, change: Callable[[Any], object]) -> None:
        def edit() -> None:
            with edit_book(path) as editor:
                editor.set(START, known, **VALUES[suffix])
                change(editor)

        with pytest.raises(error, match=words):
            edit()

    attempt(UsageError, "is not in the book", lambda editor: editor.remove(START, unknown))
    attempt(FormatError, "e5", lambda editor: editor.set(START, "e5", **VALUES[suffix]))
    attempt(FormatError, "not a legal move", lambda editor: editor.remove(START, D4 ^ 1))
    attempt(UsageError, "nothing to set", lambda editor: editor.set(START, known))
    attempt(UsageError, "stores no priorities", lambda editor: editor.set(START, known, priorities=1))
    attempt(UsageError, "whole number", lambda editor: editor.set(START, known, **dict.fromkeys(VALUES[suffix], -1)))
    attempt(ZeroDivisionError, "division", lambda _: 1 // 0)
    with pytest.raises(UsageError, match="already exists"):
        edit_book(path, path)
    with pytest.raises(UsageError, match="ending with"):
        edit_book(path, tmp_path / "x.other")
    assert {place: place.read_bytes() for place in tmp_path.iterdir()} == before
    editor = edit_book(path)
    editor.close()
    with pytest.raises(UsageError, match="discarded"):
        editor.set(START, known, **VALUES[suffix])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_edited_copy_leaves_the_book(tmp_path: Path, suffix: str) -> None:
    path = write_lines(tmp_path / f"x{suffix}", random_lines(1, 20))
    before = path.read_bytes()
    with tabiya.open_book(path) as book:
        known = book.probe(START)[0].move
    with edit_book(path, tmp_path / f"y{suffix}") as editor:
        editor.set(START, known, **VALUES[suffix])
    assert path.read_bytes() == before
    with tabiya.open_book(editor.path) as book:
        found = next(entry for entry in book.probe(START) if entry.move == known)
        assert {name: getattr(found, name) for name in VALUES[suffix]} == VALUES[suffix]
