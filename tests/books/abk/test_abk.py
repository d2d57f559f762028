"""Arena books: header and records, samples, writing and merging."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.books import Entry, check_book, convert_book, create_book, merge_books, walk_book
from tabiya.books.abk import ABK
from tabiya.books.abk.records import DATA_OFFSET, FIRST_RECORD, RECORD, RECORD_BYTES, Header
from tabiya.books.abk.tree_writing import lay_out, plies_of
from tabiya.books.abk.writer import AbkWriter
from tabiya.chess import Position
from tabiya.errors import CorruptError, FormatError, LossError, TabiyaError
from tests.books.abk.handmade import move, opened, packed
from tests.books.books_corpus import Lines, random_lines, write_lines

Samples = Callable[[str], Path]

PERFECT = "ctg/perfect2021-abk-bin-bkt/Perfect2021.abk"


def test_the_header_of_a_real_book(samples: Samples) -> None:
    data = samples(PERFECT).read_bytes()
    header = Header.decode(data)
    assert header == Header(
        comment="Happy testings !)",
        author="Sedat Canbaz",
        depth=30,
        moves=9542,
        min_games=1,
        priority_importance=1,
        games_importance=1,
        last_ply=9999,
        magic=b"\x03AB2",
    )
    encoded = header.encode()
    assert len(encoded) == DATA_OFFSET
    # Behind the texts the original has what was in memory; everything else is the same.
    assert encoded[:13] + encoded[214:] == data[:13] + data[214:DATA_OFFSET]


@given(
    comment=st.text("aäé !", max_size=120),
    author=st.text("bßñ", max_size=80),
    numbers=st.lists(st.integers(0, 2**32 - 1), min_size=10, max_size=10),
    magic=st.sampled_from([b"\x03ABK", b"\x03AB2"]),
)
def test_headers_go_both_ways(comment: str, author: str, numbers: list[int], magic: bytes) -> None:
    names = [name for name in Header.__dataclass_fields__ if name not in ("comment", "author", "magic")]
    header = Header(comment=comment, author=author, magic=magic, **dict(zip(names, numbers, strict=True)))
    assert Header.decode(header.encode()) == header


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (b"", FormatError, "not an Arena book"),
        (b"\x03ABX" + bytes(400), FormatError, "not an Arena book"),
        (b"\x03ABK", CorruptError, "ends inside its header"),
        (b"\x03ABK" + bytes(400), CorruptError, "records of 0 bytes"),
    ],
)
def test_no_header(tmp_path: Path, data: bytes, error: type[TabiyaError], words: str) -> None:
    path = tmp_path / "x.abk"
    path.write_bytes(data)
    with pytest.raises(error, match=words):
        tabiya.open_book(path, format="abk")


def test_the_sample(samples: Samples) -> None:
    path = samples(PERFECT)
    with opened(path) as book:
        assert len(book.tree.moves) == 9073
        assert [code for code, _, _ in book.tree.faults] == [5] * 29  # deleted moves are left out
        assert len(book) == 4126
        start = {Position().san(entry.move): entry for entry in book.probe(Position())}
        assert {san: (entry.games, entry.priority) for san, entry in start.items()} == {
            "e4": (953, 9),
            "d4": (546, 4),
            "c4": (321, 2),
            "Nf3": (272, 2),
        }
        assert start["e4"].wins is None  # nobody ever won or lost in this book, so it knows no results
        assert sum(entry.weight for entry in start.values()) == pytest.approx(10_000, abs=4)
        assert len(list(book.positions())) == 4126
    assert [problem.what for problem in check_book(path)] == ["unreached"]


def test_most_of_the_sample_is_in_the_polyglot_book_of_the_same_author(samples: Samples) -> None:
    with opened(samples(PERFECT)) as book, tabiya.open_book(samples(PERFECT).with_suffix(".bin")) as other:
        common = sum(position in other for position, _ in walk_book(book))
        assert common > 3900


def test_a_copy_of_the_sample_is_in_the_usual_order(tmp_path: Path, samples: Samples) -> None:
    convert_book(samples(PERFECT), tmp_path / "copy.abk")
    assert list(check_book(tmp_path / "copy.abk")) == []
    with opened(samples(PERFECT)) as book, opened(tmp_path / "copy.abk") as copy:
        assert (copy.tree.moves == book.tree.moves).all()
        assert (copy.tree.parents == book.tree.parents).all()
        unlinked = [name for name in RECORD.names or () if name not in ("reply", "next")]
        assert (copy.tree.records[unlinked] == book.tree.records[unlinked]).all()
        assert (copy.tree.places == np.arange(len(copy.tree.moves)) + FIRST_RECORD).all()
        assert copy.header.moves == len(copy.tree.moves)


def test_the_bytes_of_a_small_book(tmp_path: Path) -> None:
    """1.e4 (1.d4 d5), with 1...e5: results are White's, replies stand right behind."""
    after_e4, after_d4 = Position().play("e4"), Position().play("d4")
    with create_book(tmp_path / "x.abk") as writer:
        e4 = Entry(move=Position().parse_san("e4"), weight=9, games=10, wins=4, draws=3, losses=3)
        d4 = Entry(move=Position().parse_san("d4"), weight=3, games=2, wins=2, draws=0, losses=0)
        writer.add(Position(), [e4, d4])
        writer.add(after_e4, [Entry(move=after_e4.parse_san("e5"), weight=1, games=5, wins=1, draws=2, losses=2)])
        writer.add(after_d4, [Entry(move=after_d4.parse_san("d5"), weight=1, priority=0)])
    data = (tmp_path / "x.abk").read_bytes()
    records = [
        struct.unpack_from("<BBbBIIIIii", data, offset) for offset in range(DATA_OFFSET, len(data), RECORD_BYTES)
    ]
    assert records == [
        (12, 28, 0, 9, 10, 4, 3, 0, 901, 902),
        (52, 36, 0, 9, 5, 2, 1, 0, -1, -1),
        (11, 27, 0, 3, 2, 2, 0, 0, 903, -1),
        (51, 35, 0, 0, 0, 0, 0, 0, -1, -1),
    ]
    with opened(tmp_path / "x.abk") as book:
        assert (book.header.depth, book.header.moves) == (2, 4)
        (reply,) = book.probe(after_e4)
        assert (reply.games, reply.wins, reply.draws, reply.losses) == (5, 1, 2, 2)
        assert book.choose(after_d4) is None  # priority 0 is never played


@pytest.mark.parametrize(
    ("fen", "san", "fields"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", (4, 6, 0)),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O", (60, 58, 0)),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+", (48, 56, -4)),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=R+", (48, 56, -1)),
        ("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a1=N", (8, 0, 2)),
        ("4k3/8/8/8/8/8/p7/4K3 b - - 0 1", "a1=B", (8, 0, 3)),
    ],
)
def test_special_moves_as_bytes(fen: str, san: str, fields: tuple[int, int, int]) -> None:
    from tabiya.books.abk.writer import record_of

    position = Position.from_fen(fen)
    entry = Entry(move=position.parse_san(san), weight=1)
    assert record_of(position, entry, 5)[:3] == fields


def test_castling_and_promotion_are_read_back(tmp_path: Path) -> None:
    line = ["e4", "e5", "Nf3", "b5", "Be2", "b4", "O-O", "b3", "d4", "bxa2", "d5", "axb1=N"]
    with create_book(tmp_path / "x.abk") as writer:
        position = Position()
        for san in line:
            writer.add(position, [Entry(move=position.parse_san(san), weight=1)])
            position = position.play(san)
    with opened(tmp_path / "x.abk") as book:
        assert len(book) == len(line)
        position = Position()
        for san in line:
            assert [position.san(entry.move) for entry in book.probe(position)] == [san]
            position = position.play(san)
    assert list(check_book(tmp_path / "x.abk")) == []


def test_lines_that_meet_share_their_moves(tmp_path: Path) -> None:
    """1.Nf3 Nf6 2.c4 e6 and 1.c4 e6 2.Nf3 Nf6 reach one position; games of both lines add up."""
    first = [
        move("Nf3", 901, 905),
        (62, 45, 0, 2, 10, 5, 0, 0, 902, -1),
        (10, 26, 0, 5, 7, 3, 1, 0, 903, -1),
        (52, 44, 0, 5, 6, 3, 1, 0, 904, -1),
        (1, 18, 0, 3, 4, 1, 1, 0, -1, -1),
    ]
    second = [
        move("c4", 906, -1),
        (52, 44, 0, 5, 9, 5, 0, 0, 907, -1),
        (6, 21, 0, 5, 8, 5, 0, 0, 908, -1),
        (62, 45, 0, 5, 7, 4, 0, 0, 909, -1),
        (1, 18, 0, 7, 5, 2, 2, 0, -1, -1),
    ]
    (tmp_path / "x.abk").write_bytes(packed(*first, *second))
    position = tabiya.books.parse_line("Nf3 Nf6 c4 e6")
    with opened(tmp_path / "x.abk") as book:
        (entry,) = book.probe(position)
        assert (entry.games, entry.wins, entry.losses, entry.draws, entry.priority) == (9, 3, 3, 3, 7)
    assert list(check_book(tmp_path / "x.abk")) == []


@pytest.mark.parametrize("priorities", [(7, 3), (3, 7)])
def test_the_highest_priority_counts(tmp_path: Path, priorities: tuple[int, int]) -> None:
    """Whichever line has it: among the lines of one book, and among books that are merged line by line."""
    (tmp_path / "x.abk").write_bytes(
        packed(
            move("Nf3", 901, 904),
            (62, 45, 0, 5, 9, 0, 0, 0, 902, -1),
            (10, 26, 0, 5, 9, 0, 0, 0, 903, -1),
            (52, 44, 0, priorities[0], 9, 0, 0, 0, -1, -1),
            move("c4", 905, -1),
            (62, 45, 0, 5, 9, 0, 0, 0, 906, -1),
            (6, 21, 0, 5, 9, 0, 0, 0, 907, -1),
            (52, 44, 0, priorities[1], 9, 0, 0, 0, -1, -1),
        )
    )
    with opened(tmp_path / "x.abk") as book:
        (entry,) = book.probe(tabiya.books.parse_line("Nf3 Nf6 c4"))
        assert (entry.priority, entry.games) == (7, 18)
    for name, priority in zip(("a.abk", "b.abk"), priorities, strict=True):
        (tmp_path / name).write_bytes(packed((12, 28, 0, priority, 1, 1, 0, 0, -1, -1)))
    merge_books([tmp_path / "a.abk", tmp_path / "b.abk"], tmp_path / "c.abk")
    with opened(tmp_path / "c.abk") as book:
        assert [entry.priority for entry in book.probe(Position())] == [7]


TRANSPOSING = {
    "": ["Nf3", "c4"],
    "Nf3": ["Nf6"],
    "c4": ["Nf6"],
    "Nf3 Nf6": ["c4"],
    "c4 Nf6": ["Nf3"],
    "Nf3 Nf6 c4": ["e6", "g6"],
    "Nf3 Nf6 c4 e6": ["Nc3"],
}
"""Two lines reach the same position: nine different moves, and twelve in the lines of the tree."""


@pytest.mark.parametrize(("most", "moves", "lost"), [(12, 12, 0), (11, 9, 1)])
def test_lines_that_meet_count_as_many_times_as_they_are(tmp_path: Path, most: int, moves: int, lost: int) -> None:
    """All lines are written if there is room for all; else what they share is written behind one of them."""
    with AbkWriter(tmp_path / "x.abk", ABK, max_moves=most) as writer:
        for line, sans in TRANSPOSING.items():
            place = tabiya.books.parse_line(line)
            writer.add(place, [Entry(move=place.parse_san(san), weight=1, games=1) for san in sans])
    assert getattr(writer.losses.get("transpositions"), "count", 0) == lost
    with opened(tmp_path / "x.abk") as book:
        assert len(book.tree.moves) == moves == writer.moves
        shared = tabiya.books.parse_line("c4 Nf6 Nf3")
        assert {shared.san(entry.move): entry.games for entry in book.probe(shared)} == dict.fromkeys(
            ("e6", "g6"), 1 if lost else 2
        )


@pytest.mark.parametrize(
    ("importances", "weights"),
    [
        ((0, 0, 0), {"e4": 8000, "d4": 2000}),
        ((1, 0, 0), {"e4": 8000, "d4": 2000}),
        ((0, 1, 0), {"e4": 2500, "d4": 7500}),
        ((1, 1, 0), {"e4": 5250, "d4": 4750}),
        ((0, 0, 1), {"e4": 5000, "d4": 5000}),
        ((3, 1, 0), {"e4": 6625, "d4": 3375}),
    ],
)
def test_weights_follow_the_importances(
    tmp_path: Path, importances: tuple[int, int, int], weights: dict[str, int]
) -> None:
    header = Header(
        priority_importance=importances[0], games_importance=importances[1], score_importance=importances[2]
    )
    e4, d4 = (12, 28, 0, 8, 10, 5, 5, 0, -1, 901), (11, 27, 0, 2, 30, 15, 15, 0, -1, -1)
    (tmp_path / "x.abk").write_bytes(packed(e4, d4, header=header))
    with opened(tmp_path / "x.abk") as book:
        assert {Position().san(entry.move): entry.weight for entry in book.probe(Position())} == weights


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), size=st.integers(1, 40))
def test_random_books_are_read_back(tmp_path_factory: pytest.TempPathFactory, seed: int, size: int) -> None:
    lines = random_lines(seed, size)
    path = write_lines(tmp_path_factory.mktemp("book") / "x.abk", lines)
    assert list(check_book(path)) == []
    with opened(path) as book:
        assert len(book) == len(lines)
        for position, entries in lines.items():
            found = {entry.move: entry for entry in book.probe(position)}
            assert {move: entry.priority for move, entry in found.items()} == {
                entry.move: entry.priority for entry in entries
            }


def numbers(entry: Entry) -> tuple[int | None, ...]:
    return entry.games, entry.wins, entry.draws, entry.losses, entry.priority


def tree_lines(seed: int, size: int) -> Lines:
    """A book in which every position is reached by one line only, so that its numbers come back exactly."""
    lines = random_lines(seed, size)
    seen: dict[int, int] = {}
    for position, entries in lines.items():
        for entry in entries:
            key = position.play(entry.move).key
            seen[key] = seen.get(key, 0) + 1
    return {} if any(count > 1 for count in seen.values()) else lines


@settings(max_examples=20)
@given(seed=st.integers(0, 10**6), size=st.integers(1, 25))
def test_numbers_come_back(tmp_path_factory: pytest.TempPathFactory, seed: int, size: int) -> None:
    lines = tree_lines(seed, size)
    if not lines:
        return
    path = write_lines(tmp_path_factory.mktemp("book") / "x.abk", lines)
    with opened(path) as book:
        for position, entries in lines.items():
            assert {entry.move: numbers(entry) for entry in book.probe(position)} == {
                entry.move: numbers(entry) for entry in entries
            }


def test_a_book_too_large_for_all_lines_is_unfolded_once(tmp_path: Path) -> None:
    lines = random_lines(3, 60)
    with AbkWriter(tmp_path / "x.abk", ABK, max_moves=150) as writer:
        for position, entries in lines.items():
            writer.add(position, entries)
    assert {loss.what for loss in writer.losses} <= {"transpositions", "learning"}
    with opened(tmp_path / "x.abk") as book:
        assert len(book.tree.moves) == sum(map(len, lines.values()))
        assert len(book) == len(lines)


def test_positions_that_no_line_reaches_are_lost(tmp_path: Path) -> None:
    far = tabiya.books.parse_line("e4 e5 Nf3")
    with create_book(tmp_path / "x.abk") as writer:
        writer.add(Position(), [Entry(move=Position().parse_san("d4"), weight=1)])
        writer.add(far, [Entry(move=far.parse_san("Nc6"), weight=1)])
    assert {loss.what: loss.count for loss in writer.losses} == {"positions": 1}
    assert (writer.positions, writer.moves) == (1, 1), "what was lost was not written"


def test_repetition_ends_a_line(tmp_path: Path) -> None:
    with create_book(tmp_path / "x.abk") as writer:
        position = Position()
        for san in ["Nf3", "Nf6", "Ng1", "Ng8"]:
            writer.add(position, [Entry(move=position.parse_san(san), weight=1)])
            position = position.play(san)
    with opened(tmp_path / "x.abk") as book:
        assert len(book.tree.moves) == 4


def test_books_merge_line_by_line(tmp_path: Path) -> None:
    (tmp_path / "a.abk").write_bytes(packed(move("e4", 901, 902), (52, 36, 0, 5, 6, 1, 1, 0, -1, -1), move("d4")))
    (tmp_path / "b.abk").write_bytes(packed((12, 28, 0, 9, 1, 1, 0, 0, 901, -1), (50, 34, 0, 5, 1, 1, 0, 0, -1, -1)))
    report = merge_books([tmp_path / "a.abk", tmp_path / "b.abk"], tmp_path / "c.abk")
    assert (report.positions, report.moves) == (2, 4)
    with opened(tmp_path / "c.abk") as book:
        found = {Position().san(entry.move): numbers(entry) for entry in book.probe(Position())}
        assert found == {"e4": (11, 5, 3, 3, 9), "d4": (10, 4, 3, 3, 5)}
        after = Position().play("e4")
        assert {after.san(entry.move) for entry in book.probe(after)} == {"e5", "c5"}
    assert list(check_book(tmp_path / "c.abk")) == []


def test_numbers_that_do_not_fit_are_named(tmp_path: Path) -> None:
    most = 0xFFFFFFFF
    many = packed((12, 28, 0, 5, most, most - 1, 1, 0, -1, 901), move("d4"))
    for name in ("a.abk", "b.abk"):
        (tmp_path / name).write_bytes(many)
    sources = [tmp_path / "a.abk", tmp_path / "b.abk"]
    with pytest.raises(LossError, match="with more games than 32 bits can hold"):
        merge_books(sources, tmp_path / "c.abk", strict=True)
    assert not (tmp_path / "c.abk").exists()
    report = merge_books(sources, tmp_path / "c.abk")
    assert [(loss.what, loss.count) for loss in report.losses] == [("numbers", 1)]
    with opened(tmp_path / "c.abk") as book:
        found = {Position().san(entry.move): numbers(entry)[:3:2] for entry in book.probe(Position())}
        assert found == {"e4": (most, 0), "d4": (20, 6)}
    token = Position().parse_san("e4")
    for entry in (
        Entry(move=token, weight=1, games=most + 1),
        Entry(move=token, weight=1, games=1, wins=0, draws=0, losses=most + 1),
    ):
        with create_book(tmp_path / "d.abk", overwrite=True) as writer:
            writer.add(Position(), [entry])
        assert [(loss.what, loss.count) for loss in writer.losses] == [("numbers", 1)]


@given(seed=st.integers(0, 10**6), count=st.integers(0, 60))
def test_the_layout_against_a_slow_one(seed: int, count: int) -> None:
    """Depth-first by hand, on trees of any shape."""
    rng = Random(seed)
    parents = np.array([rng.randrange(-1, place) if place else -1 for place in range(count)], np.int32)
    records = np.zeros(count, RECORD)
    records["games"] = np.arange(count)
    expected: list[tuple[int, int, int]] = []

    def visit(children: list[int]) -> None:
        for number, child in enumerate(children):
            mine = len(expected)
            expected.append((child, -1, -1))
            replies = [place for place in range(count) if parents[place] == child]
            visit(replies)
            following = FIRST_RECORD + len(expected) if number + 1 < len(children) else -1
            expected[mine] = (child, FIRST_RECORD + mine + 1 if replies else -1, following)

    visit([place for place in range(count) if parents[place] == -1])
    laid = lay_out(parents, records)
    assert list(zip(laid["games"].tolist(), laid["reply"].tolist(), laid["next"].tolist(), strict=True)) == expected
    plies = plies_of(parents).tolist()
    assert all(plies[place] == (plies[parent] + 1 if parent >= 0 else 0) for place, parent in enumerate(parents))
