"""A real book of ChessBase's, 104,224 positions: everything in it is read, explained and written again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import numpy as np
import pytest

from tabiya.books.ctg import CTG
from tabiya.books.ctg.book import CtgBook
from tabiya.books.ctg.bulk_writing import commit_book, write_book
from tabiya.books.ctg.columns import RAW_CODE, PositionColumns
from tabiya.books.ctg.files import PAGE_SIZE
from tabiya.books.ctg.position import signature_of
from tabiya.books.ctg.record import PositionRecord
from tabiya.books.ctg.sorting import RecordSorter
from tabiya.books.entry import Recommendation
from tabiya.books.open_and_create import open_book
from tabiya.chess import Position
from tests.books.ctg.oracle import Files, pack
from tests.systems import needs_links

BOOK = "ctg/perfect2021/Perfect2021.ctg"
POSITIONS, MOVES, PAGES = 104_224, 112_290, 2061


@pytest.fixture(scope="module")
def path(samples: Callable[[str], Path]) -> Path:
    return samples(BOOK)


@pytest.fixture(scope="module")
def files(path: Path) -> Files:
    return Files.of(path)


@pytest.fixture(scope="module")
def book(path: Path) -> Iterator[CtgBook]:
    with CtgBook(path, CTG) as book:
        yield book


@pytest.fixture(scope="module")
def columns(book: CtgBook) -> PositionColumns:
    (columns,) = book.columns(pages=PAGES)
    return columns


def test_counts(book: CtgBook, columns: PositionColumns) -> None:
    assert len(book) == len(columns) == POSITIONS
    assert len(columns.moves) == MOVES
    assert book.page_count == book.header.pages == PAGES
    assert book.header.games == 72_827
    assert book.problems == ()


def test_start_position(book: CtgBook) -> None:
    position = Position()
    entries = {position.san(entry.move): entry for entry in book.probe(position)}
    assert len(entries) == 17
    results = {san: (entries[san].wins, entries[san].draws, entries[san].losses) for san in ("e4", "d4", "c4", "Nf3")}
    assert results == {
        "e4": (5679, 24152, 2207),
        "d4": (3518, 16833, 1393),
        "c4": (1444, 6332, 678),
        "Nf3": (1225, 5888, 568),
    }
    assert [entries[san].nag for san in ("e4", "d4", "c4", "Nf3", "g3")] == [3, 1, None, None, 6]
    assert all(entries[san].recommendation == Recommendation.MAIN for san in ("e4", "d4", "c4", "Nf3", "Na3"))
    assert entries["d4"].opponents is not None
    assert entries["d4"].opponents.total == 73_571_491
    assert entries["g3"].weight == entries["Na3"].weight == 0
    assert entries["c4"].games == 1444 + 6332 + 678 + 520
    assert entries["c4"].weight == 2 * 1444 + 6332 + 520, "games without a result count as drawn"


@pytest.mark.parametrize(
    ("fen", "node", "page", "found"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", 3030, 876, True),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3", 3474, 1811, True),
        ("rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6", 3156, 1681, False),
        ("rnbqk2r/pppp1ppp/8/8/3Pp3/8/PPP2PPP/RNBQ1KNR b k d3", 3505, 975, False),
        ("8/8/8/4k3/8/2K5/8/8 w - -", 3054, 909, False),
        ("rnbq1rk1/1p2ppbp/p2p1np1/8/3NP3/2N3P1/PPP2PBP/R1BQ1RK1 w - -", None, 0, True),
    ],
)
def test_nodes_and_pages(book: CtgBook, fen: str, node: int | None, page: int, found: bool) -> None:
    position = Position.from_fen(fen)
    place = book.lookup.node(signature_of(position))
    assert place[1] == page
    assert node is None or place[0] == node
    assert (position in book) is found


def test_every_record_is_on_its_page_by_both_lookups(files: Files, book: CtgBook) -> None:
    """The oracle's tree and loop are slow: they see some of the records, the kernel sees them all."""
    for number, (page, record) in enumerate(files.all_records()):
        signature = record[: record[0] & 31]
        assert book.lookup.node(signature)[1] == page
        assert book.lookup.find(signature) == record
        if number % 1000 == 0:
            assert files.exact_page(signature) == page
            assert files.page_of_2007(signature) == page


def test_every_record_comes_back_byte_for_byte(files: Files, columns: PositionColumns) -> None:
    assert not (columns.moves >= RAW_CODE).any()
    for (_, record), row in zip(files.all_records(), range(len(columns)), strict=True):
        if row % 50 == 0:
            decoded = PositionRecord.decode(record)
            assert decoded.encode() == record
            first, last = columns.move_ends[row : row + 2]
            assert [move.token for move in decoded.moves] == columns.moves[first:last].tolist()
            assert decoded.games == columns.statistic("games")[row]
            assert decoded.nag == columns.mark("nag")[row]


def test_every_move_is_legal_and_leads_into_the_book(files: Files, book: CtgBook) -> None:
    """By python-chess, for every hundredth position; the check looks at them all."""
    for number, (_, record) in enumerate(files.all_records()):
        if number % 100:
            continue
        decoded = PositionRecord.decode(record)
        board = chess.Board(decoded.position.fen())
        for token, _ in decoded.moves:
            move = board.parse_uci(decoded.position.uci(token))
            board.push(move)
            assert book.lookup.find(pack(board)) is not None
            board.pop()


def test_check_finds_only_the_wrong_count(path: Path) -> None:
    assert [(problem.what, problem.offset) for problem in CTG.check(path)] == [("count", 24)]


def test_rewriting_makes_the_same_book(files: Files, book: CtgBook, columns: PositionColumns, tmp_path: Path) -> None:
    target = tmp_path / "again.ctg"
    assert not write_book(target, [columns.part(50_000, POSITIONS), columns.part(0, 50_000)])
    again = Files.of(target)
    assert sorted(record for _, record in again.all_records()) == sorted(record for _, record in files.all_records())
    differing = int.from_bytes(again.ctb) ^ int.from_bytes(files.ctb)
    assert len(again.ctb) == len(files.ctb)
    assert differing.bit_count() == 1, "an extra split that deleted records have left"
    sorter = RecordSorter(tmp_path, memory=1 << 20)
    sorter.add(columns)
    assert not commit_book(sorter, tmp_path / "spilled.ctg")
    sorter.close()
    assert Files.of(tmp_path / "spilled.ctg") == again, "memory makes no difference"
    assert again.page_count == PAGES - 1
    assert list(CTG.check(target)) == []
    header = again.ctg[: PAGE_SIZE // 2]
    counts = (PAGES - 1).to_bytes(4), b"\xff" * 4, POSITIONS.to_bytes(4), (72_827).to_bytes(4)
    assert header == files.ctg[:16] + b"".join(counts) + files.ctg[32 : PAGE_SIZE // 2]
    with open_book(target) as other:
        for position in (Position(), Position().play("e4"), Position().play("e4").play("c5")):
            assert other.probe(position, transpositions=True) == book.probe(position, transpositions=True)


def test_older_programs_read_the_rewritten_book(columns: PositionColumns, tmp_path: Path) -> None:
    write_book(tmp_path / "small.ctg", [columns.part(0, 20)])
    files = Files.of(tmp_path / "small.ctg")
    assert files.page_count == 2
    for page, record in files.all_records():
        signature = record[: record[0] & 31]
        assert files.page_of_2007(signature, first_mask=1) == page


@needs_links
def test_without_directory(path: Path, book: CtgBook, tmp_path: Path) -> None:
    target = tmp_path / "alone.ctg"
    target.symlink_to(path)
    with open_book(target) as alone:
        assert isinstance(alone, CtgBook)
        assert "missing" in alone.problems[0]
        position = Position()
        for _ in range(12):
            entries = alone.probe(position)
            assert entries == book.probe(position)
            position = position.play(entries[0].move)


def test_simple(samples: Callable[[str], Path]) -> None:
    """A book of one page, with marks of unknown meaning and games without result."""
    with CtgBook(samples("ctg/simple/simple.ctg"), CTG) as book:
        assert len(book) == 4
        position = Position()
        entries = book.probe(position)
        assert {position.san(entry.move) for entry in entries} == {"e4", "d4"}
        assert [(entry.games, entry.wins, entry.nag, entry.score) for entry in entries] == [(1, 0, 0xE0, None)] * 2
        assert [problem.what for problem in CTG.check(book.path)] == ["games"]
        (columns,) = book.columns(pages=PAGES)
        assert np.array_equal(columns.statistic("score"), 5 * columns.statistic("games"))
