"""Writing: random books come back equal, in valid trees, whatever their order, size and memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabiya.books.ctg import CTG
from tabiya.books.ctg.book import CtgBook
from tabiya.books.ctg.bulk_writing import commit_book, write_book
from tabiya.books.ctg.columns import RAW_CODE, PositionColumns
from tabiya.books.ctg.position import signature_of
from tabiya.books.ctg.record import BookMove, PositionRecord, columns_of_records
from tabiya.books.ctg.sorting import RecordSorter
from tabiya.books.ctg.tree import Tree
from tabiya.books.entry import Entry, Ratings, Recommendation
from tabiya.books.open_and_create import create_book, open_book
from tabiya.chess import Move, PieceType, Position
from tabiya.errors import LossError, UsageError
from tests.books.ctg.corpus import random_book
from tests.books.ctg.oracle import Files, hash_of

START = signature_of(Position())


def records_in(path: Path) -> dict[bytes, PositionRecord]:
    with CtgBook(path, CTG) as book:
        found = [PositionRecord.decode(record) for _, record in Files.of(path).all_records()]
        assert len(found) == len(book)
    return {record.signature: record for record in found}


def check_tree(files: Files) -> None:
    """Every leaf has its own page with its own records; of every split the 0-branch has the lower page."""
    slots, leaves = files.slots, list(files.leaves())
    assert sorted(slots[bits + mask] for mask, bits in leaves) == list(range(files.page_count))
    assert len(slots) == max(bits + mask for mask, bits in leaves) + 1
    assert sum(page != -1 for page in slots) == len(leaves)
    for mask, bits in leaves:
        for record in files.records(slots[bits + mask]):
            assert hash_of(record[: record[0] & 31]) & mask == bits

    def first_page(mask: int, bits: int) -> int:
        """The page that a node had before it was split: it stays with the 0-branch."""
        while files.is_split(bits + mask):
            mask = 2 * mask + 1
        return slots[bits + mask]

    for mask, bits in leaves:
        while mask:
            mask >>= 1
            bits &= mask
            below = 2 * mask + 1
            assert first_page(mask, bits) == first_page(below, bits) < first_page(below, bits | mask + 1)
    assert not files.ctb.endswith(b"\0")
    for number in range(files.page_count):
        page = files.page(number)
        assert not any(page[int.from_bytes(page[2:4]) :]), "no old bytes behind the records"


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), games=st.integers(0, 60), plies=st.integers(0, 25))
def test_random_books_come_back(seed: int, games: int, plies: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("books") / "book.ctg"
    records = random_book(seed, games, plies)
    shuffled = list(records.values())
    Random(seed).shuffle(shuffled)
    cut = len(shuffled) // 3
    losses = write_book(path, [columns_of_records(shuffled[:cut]), columns_of_records(shuffled[cut:])])
    assert not losses
    assert records_in(path) == records
    files = Files.of(path)
    check_tree(files)
    for page, record in files.all_records():
        signature = record[: record[0] & 31]
        assert files.exact_page(signature) == page
        assert files.page_of_2007(signature) == page
        assert files.page_of_2007(signature, first_mask=1) == page
    assert list(CTG.check(path)) == []


def test_order_and_batches_do_not_matter(tmp_path: Path) -> None:
    records = list(random_book(7, 150, 30).values())
    write_book(tmp_path / "one.ctg", [columns_of_records(records)])
    expected = Files.of(tmp_path / "one.ctg")
    assert expected.page_count > 30
    Random(1).shuffle(records)
    batches = [columns_of_records(records[start : start + 700]) for start in range(0, len(records), 700)]
    write_book(tmp_path / "many.ctg", batches)
    assert Files.of(tmp_path / "many.ctg") == expected


@pytest.mark.parametrize("memory", [1000, 50_000])
def test_what_does_not_fit_memory_is_merged_from_disk(memory: int, tmp_path: Path) -> None:
    """So small a book gets more pages than it needs: its tree is always split eight times then."""
    records = list(random_book(7, 150, 30).values())
    twice = records + [replace(record, moves=()) for record in records[:500]]
    Random(memory).shuffle(twice)
    sorter = RecordSorter(tmp_path, memory=memory)
    for start in range(0, len(twice), 700):
        sorter.add(columns_of_records(twice[start : start + 700]))
    assert not commit_book(sorter, tmp_path / "book.ctg")
    sorter.close()
    check_tree(Files.of(tmp_path / "book.ctg"))
    found = records_in(tmp_path / "book.ctg")
    assert found.keys() == {record.signature for record in records}
    for record in records[:500]:
        assert found[record.signature].games == 2 * record.games
        assert found[record.signature].moves == record.moves
    assert all(found[record.signature] == record for record in records[500:])
    assert list(CTG.check(tmp_path / "book.ctg")) == []
    assert len(list(tmp_path.iterdir())) == 3


def test_small_books_have_two_pages(tmp_path: Path) -> None:
    write_book(tmp_path / "empty.ctg", [])
    files = Files.of(tmp_path / "empty.ctg")
    assert files.ctb.hex() == "000c0001000000000000000801"
    assert files.cto.hex() == "00100001000000030000000000000000ffffffff0000000000000001"
    assert files.page(0) == files.page(1) == bytes.fromhex("00000004") + bytes(4092)
    with open_book(tmp_path / "empty.ctg") as book:
        assert len(book) == 0
        assert book.probe(Position()) == ()


def test_pages_are_numbered_as_splits_happen() -> None:
    # Root, then its two children: 3 and 4 are the leaves below 1, 5 and 6 (bits 0b01 and 0b11 lie below 2).
    tree = Tree.of(np.array([3, 4, 5, 6], np.int64))
    assert tree.bitmap == b"\x07"
    slots = np.frombuffer(tree.slots, ">i4").tolist()
    assert slots == [-1, -1, -1, 0, 1, 2, 3]
    # Node 4 has the low bits 01: it lies below 2, so it keeps page 1, and 5 is the 1-branch of 1.
    uneven = Tree.of(np.array([1, 4, 6], np.int64))
    assert uneven.bitmap == b"\x05"
    assert np.frombuffer(uneven.slots, ">i4").tolist() == [-1, 0, -1, -1, 1, -1, 2]


def test_merging_adds_up(tmp_path: Path) -> None:
    one = PositionRecord(
        signature=START, moves=(BookMove(1804, 0), BookMove(1739, 1)), games=3, wins=1, losses=1, draws=1, rated=2,
        rating_sum=4000, recommendation=0x80, nag=0,
    )  # fmt: skip
    other = PositionRecord(
        signature=START, moves=(BookMove(1804, 3), BookMove(1350, 0)), games=2, wins=2, opponents_rated=1,
        opponents_sum=2500, recommendation=0x04, recommendation_2=9, nag=14,
    )  # fmt: skip
    write_book(tmp_path / "sum.ctg", [columns_of_records([one]), columns_of_records([other])])
    (found,) = records_in(tmp_path / "sum.ctg").values()
    assert found == PositionRecord(
        signature=START, moves=(BookMove(1804, 3), BookMove(1739, 1), BookMove(1350, 0)), games=5, wins=3, losses=1,
        draws=1, score=15 + 20, rated=2, rating_sum=4000, opponents_rated=1, opponents_sum=2500, recommendation=0x84,
        recommendation_2=9, nag=14,
    )  # fmt: skip
    with CtgBook(tmp_path / "sum.ctg", CTG) as book:
        assert book.header.games == 5


def test_numbers_are_clamped_and_counted(tmp_path: Path) -> None:
    big = PositionRecord(signature=START, games=1 << 24, wins=1 << 24, rated=5, rating_sum=1 << 33, losses=-3)
    losses = write_book(tmp_path / "big.ctg", [columns_of_records([big])])
    assert [(loss.what, loss.count) for loss in losses] == [("numbers", 1)]
    (found,) = records_in(tmp_path / "big.ctg").values()
    assert (found.games, found.wins, found.losses, found.rating_sum) == (0xFFFFFF, 0xFFFFFF, 0, 0xFFFFFFFF)
    halves = [PositionRecord(signature=START, games=0x900000)] * 2
    losses = write_book(tmp_path / "big.ctg", [columns_of_records(halves)], overwrite=True)
    assert [(loss.what, loss.count) for loss in losses] == [("numbers", 1)]
    (found,) = records_in(tmp_path / "big.ctg").values()
    assert found.games == 0xFFFFFF


KNIGHTS = Position.from_fen("7k/8/8/8/N1N5/8/N5N1/6K1 w - -")


def test_moves_that_cannot_be_stored_are_named(tmp_path: Path) -> None:
    fourth, illegal = KNIGHTS.parse_san("Nge3"), Move.of(0, 63)
    first = KNIGHTS.parse_san("N2c3")
    promoting = Position.from_fen("7k/4P3/8/8/8/8/8/6K1 w - -")
    queen, knight = (Move.of(52, 60, piece) for piece in (PieceType.QUEEN, PieceType.KNIGHT))
    records = [
        PositionRecord.of(KNIGHTS, {first: 0, fourth: 0, illegal: 0}),
        PositionRecord.of(promoting, {queen: 0, knight: 0}),
        PositionRecord(signature=b"\x03\0\0"),
    ]
    losses = write_book(tmp_path / "book.ctg", [columns_of_records(records)])
    assert {loss.what: loss.count for loss in losses} == {
        "codeless_moves": 1,
        "illegal_moves": 1,
        "underpromotions": 1,
        "positions": 1,
    }
    assert "g2e3" in str(losses.get("codeless_moves"))
    assert "030000" in str(losses.get("positions"))
    with pytest.raises(LossError):
        write_book(tmp_path / "strict.ctg", [columns_of_records(records)], strict=True)
    assert not (tmp_path / "strict.ctg").exists()
    assert not list(tmp_path.glob(".tabiya*"))


def test_underpromotion_is_read_by_the_position_it_leads_to(tmp_path: Path) -> None:
    for fen in ("7k/4P3/8/8/8/8/8/6K1 w - -", "6k1/8/8/8/8/8/4p3/7K b - -", "k7/3P4/8/8/8/8/8/1K6 w - -"):
        position = Position.from_fen(fen)
        promotions = [move for move in position.legal_moves() if move.promotion == PieceType.KNIGHT]
        assert promotions
        after = position.play(promotions[0])
        records = [
            PositionRecord.of(position, {promotions[0]: 1}, games=4),
            PositionRecord.of(after, games=4, losses=3),
        ]
        assert not write_book(tmp_path / "book.ctg", [columns_of_records(records)], overwrite=True)
        with open_book(tmp_path / "book.ctg") as book:
            (entry,) = book.probe(position)
        assert (entry.move, entry.games, entry.wins, entry.nag) == (promotions[0], 4, 3, 1)
        assert list(CTG.check(tmp_path / "book.ctg")) == []


def test_a_code_that_stands_twice_means_two_promotions(tmp_path: Path) -> None:
    position = Position.from_fen("7k/4P3/8/8/8/8/8/6K1 w - -")
    queen, rook = (Move.of(52, 60, piece) for piece in (PieceType.QUEEN, PieceType.ROOK))
    once = PositionRecord.of(position, {queen: 1}, games=9)
    code = once.encode()[len(once.signature) + 1]
    records = [
        replace(once, moves=(*once.moves, BookMove(RAW_CODE | code, 6))),
        PositionRecord.of(position.play(queen), games=5),
        PositionRecord.of(position.play(rook), games=4),
    ]
    assert not write_book(tmp_path / "book.ctg", [columns_of_records(records)])
    assert records_in(tmp_path / "book.ctg")[once.signature].moves == records[0].moves
    with open_book(tmp_path / "book.ctg") as book:
        found = {entry.move: (entry.games, entry.nag) for entry in book.probe(position)}
    assert found == {queen: (5, 1), rook: (4, 6)}


def test_raw_codes_are_kept(tmp_path: Path) -> None:
    odd = PositionRecord(signature=START, moves=(BookMove(RAW_CODE | 0x1F, 7), BookMove(1804, 0), BookMove(0, 0)))
    assert not write_book(tmp_path / "odd.ctg", [columns_of_records([odd])])
    assert records_in(tmp_path / "odd.ctg")[START].moves == odd.moves
    with open_book(tmp_path / "odd.ctg") as book:
        assert [str(entry.move) for entry in book.probe(Position())] == ["e2e4"]


def test_hashes_that_agree_too_often(tmp_path: Path) -> None:
    """Leaves stop to grow at some depth: what then does not fit is named, and the files stay small."""
    records = list(random_book(3, 40, 20).values())
    sorter = RecordSorter(tmp_path)
    sorter.add(columns_of_records(records))
    (part,) = sorter.parts()
    part.records.keys[:] = 0  # as if all had the same hash
    losses = commit_book(sorter, tmp_path / "book.ctg")
    sorter.close()
    files = Files.of(tmp_path / "book.ctg")
    kept = sum(1 for _ in files.all_records())
    assert [(loss.what, loss.count) for loss in losses] == [("crowded", len(records) - kept)]
    assert kept > 10
    assert len(files.cto) < 1 << 23


def test_existing_books_are_protected(tmp_path: Path) -> None:
    path = tmp_path / "BOOK.CTG"
    write_book(path, [])
    assert sorted(place.name for place in tmp_path.iterdir()) == ["BOOK.CTB", "BOOK.CTG", "BOOK.CTO"]
    with pytest.raises(UsageError):
        write_book(path, [])
    (tmp_path / "other.ctb").write_bytes(b"mine")
    with pytest.raises(UsageError):
        write_book(tmp_path / "other.ctg", [])
    assert (tmp_path / "other.ctb").read_bytes() == b"mine"


def test_wrong_columns_are_refused(tmp_path: Path) -> None:
    columns = columns_of_records([PositionRecord(signature=START)])
    wrong = PositionColumns(
        columns.signatures, columns.statistics, columns.marks, np.array([0, 5]), columns.moves, columns.move_nags
    )
    with pytest.raises(ValueError, match="reach beyond"):
        write_book(tmp_path / "book.ctg", [wrong])
    assert list(tmp_path.iterdir()) == []


# --- Arrow -----------------------------------------------------------------------------------------------------------


def test_arrow_there_and_back() -> None:
    columns = columns_of_records(random_book(1, 20, 12).values())
    table = columns.to_arrow()
    table.validate(full=True)
    for source in (table, pa.Table.from_batches([table.slice(0, 7), table.slice(7)])):
        again = PositionColumns.from_arrow(source)
        for name in ("signatures", "statistics", "marks", "move_ends", "moves", "move_nags"):
            assert np.array_equal(getattr(again, name), getattr(columns, name)), name
    part = PositionColumns.from_arrow(table.slice(3, 5))
    assert np.array_equal(part.signatures, columns.signatures[3:8])
    assert np.array_equal(part.moves, columns.moves[columns.move_ends[3] : columns.move_ends[8]])


def test_arrow_with_few_columns(tmp_path: Path) -> None:
    table = pa.record_batch({"signature": [START], "moves": [[1804]], "games": pa.array([9], pa.int32()), "wins": [9]})
    assert not write_book(tmp_path / "book.ctg", [table])
    (found,) = records_in(tmp_path / "book.ctg").values()
    assert found == PositionRecord(signature=START, moves=(BookMove(1804),), games=9, wins=9, score=90)


@pytest.mark.parametrize(
    "table",
    [
        {"games": [1]},
        {"signature": [None]},
        {"signature": [b""]},
        {"signature": [b"\x05\0"]},
        {"signature": [bytes(33)]},
        {"signature": [START], "moves": [[1, None]]},
        {"signature": [START], "moves": [[70000]]},
        {"signature": [START], "moves": [[1]], "move_nags": [[]]},
        {"signature": [START], "games": ["many"]},
    ],
)
def test_arrow_that_makes_no_sense(table: dict[str, list[object]]) -> None:
    with pytest.raises(UsageError):
        PositionColumns.from_arrow(pa.table(table))


# --- the common face -------------------------------------------------------------------------------------------------


def test_face_of_the_writer(tmp_path: Path) -> None:
    start = Position()
    e4 = Entry(
        move=start.parse_san("e4"), weight=0, games=10, wins=5, draws=3, losses=1, nag=1, comment=14,
        ratings=Ratings(8, 16000), opponents=Ratings(7, 15400), recommendation=Recommendation.MAIN,
    )  # fmt: skip
    d4 = Entry(move=start.parse_san("d4"), weight=0, games=4, wins=1, draws=1, losses=1)
    c5 = Entry(move=start.play("e4").parse_san("c5"), weight=0, games=6, wins=2, draws=1, losses=3, comment=15)
    with create_book(tmp_path / "face.ctg") as writer:
        writer.add(start, [e4, d4])
        writer.add(start.play("e4"), [c5])
    assert not writer.losses
    with open_book(tmp_path / "face.ctg") as book:
        assert isinstance(book, CtgBook)
        assert len(book) == 4
        first, second = book.probe(start)
        assert first == replace(e4, weight=14), "5 wins, 3 draws, 1 game without result"
        assert (second.wins, second.draws, second.losses, second.weight) == (1, 1, 1, 0)
        (reply,) = book.probe(start.play("e4"))
        assert (reply.wins, reply.losses, reply.comment) == (2, 3, 15)
        record = book.record(start)
        assert record is not None
        assert (record.games, record.wins, record.draws, record.losses) == (14, 6, 4, 2)
        assert book.header.games == 14
    assert list(CTG.check(tmp_path / "face.ctg")) == []


def test_face_refuses_and_discards(tmp_path: Path) -> None:
    path = tmp_path / "face.ctg"
    writer = create_book(path)
    writer.add(Position(), [])
    writer.close()
    with pytest.raises(UsageError):
        writer.add(Position(), [])
    assert not list(tmp_path.iterdir())
    move = KNIGHTS.parse_san("Nge3")
    with pytest.raises(LossError), create_book(path, strict=True) as writer:
        writer.add(KNIGHTS, [Entry(move=move, weight=1)])
    assert not list(tmp_path.iterdir())
    with create_book(path) as writer:
        writer.add(KNIGHTS, [Entry(move=move, weight=1, nag=300)])
    assert sorted(loss.what for loss in writer.losses) == ["codeless_moves", "symbols"]


# --- killed in the middle --------------------------------------------------------------------------------------------

KILLED = textwrap.dedent("""
    import os, signal, sys
    from pathlib import Path
    import tabiya.books.ctg.bulk_writing as write
    from tabiya.books.ctg.record import columns_of_records
    from tests.books.ctg.corpus import random_book

    left = int(sys.argv[2])

    def dying(function):
        def step(*args, **options):
            global left
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left -= 1
            return function(*args, **options)
        return step

    for name in ("unlink", "rename", "replace", "hardlink_to"):
        setattr(Path, name, dying(getattr(Path, name)))
    write.write_book(sys.argv[1], [columns_of_records(random_book(2, 60, 20).values())], overwrite=True)
""")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 4, 5, 6, 7, 8, 99])  # each step of the commit, and not at all
def test_a_kill_leaves_the_old_book_or_the_new_one(steps: int, tmp_path: Path) -> None:
    old, new = random_book(1, 60, 20), random_book(2, 60, 20)
    path = tmp_path / "book.ctg"
    write_book(path, [columns_of_records(old.values())])
    root = Path(__file__).parents[3]
    paths = os.pathsep.join([str(root / "src"), str(root)])
    answer = subprocess.run(
        [sys.executable, "-c", KILLED, str(path), str(steps)],
        check=False,
        cwd=root,
        env={**os.environ, "PYTHONPATH": paths},
    )
    assert answer.returncode == (-signal.SIGKILL if steps < 99 else 0)
    with CtgBook(path, CTG) as book:
        found = {row.tobytes()[: row[0] & 31] for columns in book.columns() for row in columns.signatures}
        assert found in (set(old), set(new))
        assert all(book.lookup.find(signature) is not None for signature in found)
        assert Position() in book
