"""Reading through the common face: lookup, both colours and mirrors, weights, file names, damage to the directory."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from random import Random

import chess
import pytest

from tabiya.books.convert import convert_book
from tabiya.books.ctg import CTG
from tabiya.books.ctg.book import CtgBook, nag_for_white
from tabiya.books.ctg.bulk_writing import write_book
from tabiya.books.ctg.files import BookFiles
from tabiya.books.ctg.position import signature_of
from tabiya.books.ctg.record import PositionRecord, columns_of_records
from tabiya.books.entry import Entry, Recommendation
from tabiya.books.merging import MergedBook
from tabiya.books.open_and_create import create_book, open_book, repair_book
from tabiya.chess import Move, Position
from tabiya.errors import CorruptError, FormatError, TabiyaError, UsageError
from tabiya.formats.losses import LossReport
from tests.books.ctg.corpus import random_book

DATA = Path(__file__).parents[2] / "data" / "ctg" / "small.ctg"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A copy of the small book, to be damaged."""
    for suffix in (".ctg", ".ctb", ".cto"):
        shutil.copy(DATA.with_suffix(suffix), tmp_path)
    return tmp_path / DATA.name


def entries_of(book: CtgBook, position: Position) -> dict[str, tuple[object, ...]]:
    return {
        position.san(entry.move): (entry.games, entry.wins, entry.draws, entry.losses, entry.nag)
        for entry in book.probe(position)
    }


def test_the_small_book_of_the_repository() -> None:
    with open_book(DATA) as book:
        assert isinstance(book, CtgBook)
        position = Position()
        assert entries_of(book, position) == {"e4": (3, 2, 0, 1, 1), "d4": (1, 0, 1, 0, None)}
        first, second = book.probe(position)
        assert (first.recommendation, first.comment) == (Recommendation.MAIN, 14)
        assert first.rating == 2600
        assert first.performance == pytest.approx(2500 + 120.4, abs=0.1)
        assert second.weight == 0, "beside a main move"
        assert book.header.games == 4
        assert len(list(book.positions())) == len(book) == 9
    assert list(CTG.check(DATA)) == []


@pytest.mark.parametrize("suffix", [".ctg", ".ctb", ".cto"])
def test_any_of_the_files_may_be_named(suffix: str) -> None:
    with open_book(DATA.with_suffix(suffix)) as book:
        assert Position() in book
        assert [place.suffix for place in book.files] == [".ctg", ".ctb", ".cto"]


def test_capitals(path: Path) -> None:
    path.rename(path.with_suffix(".CTG"))
    path.with_suffix(".ctb").rename(path.with_name("SMALL.CTB"))
    with open_book(path.with_suffix(".CTG")) as book:
        assert isinstance(book, CtgBook)
        assert [place.name for place in book.files] == ["small.CTG", "SMALL.CTB", "small.cto"]
        assert book.problems == ()


def test_pages_are_needed(path: Path) -> None:
    path.unlink()
    with pytest.raises(FormatError, match="missing"):
        open_book(path.with_suffix(".ctb"))


def test_colours_and_mirrors(tmp_path: Path) -> None:
    """One record serves four boards; moves and their results are turned for each."""
    board = chess.Board("8/4k3/8/1p6/8/2P5/1K6/8 w - - 0 1")
    position = Position.from_fen(board.fen())
    move = position.parse_san("c4")
    records = [
        PositionRecord.of(position, {move: 1}, games=5),
        PositionRecord.of(position.play(move), games=5, losses=4),
    ]
    write_book(tmp_path / "book.ctg", [columns_of_records(records)])
    flipped = board.transform(chess.flip_horizontal)
    sans = {}
    with open_book(tmp_path / "book.ctg") as book:
        assert len(book) == 2
        for each in (board, flipped, board.mirror(), flipped.mirror()):
            (entry,) = book.probe(each)
            assert (entry.games, entry.wins, entry.nag) == (5, 4, 1)
            sans[each.fen()] = Position.from_fen(each.fen()).san(entry.move)
    assert list(sans.values()) == ["c4", "f4", "c5", "f5"]


@pytest.mark.parametrize("pseudo", [False, True])
def test_en_passant_that_a_pin_forbids(pseudo: bool, tmp_path: Path) -> None:
    """Programs disagree about it; both kinds of books are read."""
    position = Position.from_fen("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1")
    record = replace(
        PositionRecord.of(position, {Move.of(36, 44): 0}, games=1), signature=signature_of(position, pseudo=pseudo)
    )
    write_book(tmp_path / "book.ctg", [columns_of_records([record])])
    with open_book(tmp_path / "book.ctg") as book:
        assert [str(entry.move) for entry in book.probe(position)] == ["e5e6"]


@pytest.mark.parametrize(("nag", "turned"), [(13, 13), (14, 15), (15, 14), (18, 19), (20, 21), (21, 20), (22, 22)])
def test_signs_of_positions_change_sides(tmp_path: Path, nag: int, turned: int) -> None:
    """Stored is what the side to move sees, as if it were White; 20 and 21 (crushing) are the last that change."""
    assert nag_for_white(nag, black_to_move=True) == turned
    assert nag_for_white(nag, black_to_move=False) == nag
    after = Position().play("e4")
    with create_book(tmp_path / "book.ctg") as writer:
        for position, san in ((Position(), "e4"), (after, "e5")):
            writer.add(position, [Entry(move=position.parse_san(san), weight=1, games=1, comment=nag)])
    with CtgBook(tmp_path / "book.ctg", CTG) as book:
        black, white = book.record(after), book.record(after.play("e5"))
        assert black is not None
        assert white is not None
        assert (black.nag, white.nag) == (turned, nag)
        assert [entry.comment for place in (Position(), after) for entry in book.probe(place)] == [nag, nag]


def test_games_without_a_result_count_half_a_point(tmp_path: Path) -> None:
    """In the score of a position, which is points times ten: worked out alike for one record and for columns."""
    record = PositionRecord.of(Position(), games=10, wins=3, draws=2, losses=1)
    assert PositionRecord.decode(record.encode()).score == 10 * 3 + 5 * 2 + 5 * 4
    write_book(tmp_path / "book.ctg", [columns_of_records([record])])
    with CtgBook(tmp_path / "book.ctg", CTG) as book:
        found = book.record(Position())
    assert found is not None
    assert found.score == 60
    more = PositionRecord.of(Position(), games=1, wins=1, draws=0, losses=1)
    assert PositionRecord.decode(more.encode()).score == 10, "more results than games: none of them without a result"


@pytest.mark.parametrize("score", [0, 1, 4711])
def test_a_score_that_is_known_stays(tmp_path: Path, score: int) -> None:
    """It is worked out only where it is missing; 0 is a score."""
    record = PositionRecord.of(Position(), games=10, wins=3, draws=2, losses=1, score=score)
    assert PositionRecord.decode(record.encode()).score == score
    write_book(tmp_path / "book.ctg", [columns_of_records([record])])
    with CtgBook(tmp_path / "book.ctg", CTG) as book:
        found = book.record(Position())
    assert found == record


def test_weights(tmp_path: Path) -> None:
    """Red and doubtful moves are never played; green ones alone where there are any; else half points count.

    Of 9 games each, one was lost and two were drawn; e4 won none, the second move one, the third two. The others have
    no result and count as drawn: 2 + 6, 2 + 2 + 5, 4 + 2 + 4.
    """
    start = Position()

    def probe(marks: dict[str, tuple[int, int]]) -> dict[str, int]:
        moves = {start.parse_san(san): nag for san, (nag, _) in marks.items()}
        children = [
            PositionRecord.of(start.play(san), games=9, wins=1, draws=2, losses=number, recommendation=mark)
            for number, (san, (_, mark)) in enumerate(marks.items())
        ]
        records = [PositionRecord.of(start, moves, games=9), *children]
        write_book(tmp_path / "book.ctg", [columns_of_records(records)], overwrite=True)
        with open_book(tmp_path / "book.ctg") as book:
            return {start.san(entry.move): entry.weight for entry in book.probe(start)}

    assert probe({"e4": (0, 0), "d4": (1, 0), "c4": (6, 0), "f4": (0, 0x40)}) == {"e4": 8, "d4": 9, "c4": 0, "f4": 0}
    assert probe({"e4": (0, 0), "d4": (0, 0x80), "c4": (0, 0xA0)}) == {"e4": 0, "d4": 9, "c4": 10}
    assert probe({"e4": (0, 0), "d4": (5, 0x80)}) == {"e4": 8, "d4": 9}, "a green move with !? is not shown green"
    assert probe({"e4": (4, 0x80)}) == {"e4": 0}


def test_choose_and_transpositions(tmp_path: Path) -> None:
    start = Position()
    lines = [["d4", "d5", "c4"], ["c4", "d5"]]
    records: dict[bytes, tuple[Position, dict[Move, int]]] = {}
    for line in lines:
        position = start
        for san in line:
            move = position.parse_san(san)
            earlier = records.get(signature_of(position))
            kept = dict(earlier[1]) if earlier else {}
            records[signature_of(position)] = (position, kept | {move: 0})
            position = position.play(move)
            records.setdefault(signature_of(position), (position, {}))
    write_book(
        tmp_path / "book.ctg",
        [columns_of_records(PositionRecord.of(place, moves, games=2, losses=2) for place, moves in records.values())],
    )
    with open_book(tmp_path / "book.ctg") as book:
        after = start.play("c4").play("d5")
        assert book.probe(after) == ()
        assert after in book
        (entry,) = book.probe(after, transpositions=True)
        assert (after.san(entry.move), entry.transposition, entry.weight, entry.wins) == ("d4", True, 0, 2)
        chosen = [book.choose(start, Random(seed)) for seed in range(20)]
        assert {str(each.move) for each in chosen if each} == {"d2d4", "c2c4"}
        assert book.choose(after) is None
        assert start.play("a3") not in book


def test_moves_without_their_position(tmp_path: Path) -> None:
    start = Position()
    write_book(
        tmp_path / "book.ctg", [columns_of_records([PositionRecord.of(start, {start.parse_san("e4"): 3}, games=1)])]
    )
    with open_book(tmp_path / "book.ctg") as book:
        (entry,) = book.probe(start)
        assert (entry.weight, entry.games, entry.wins, entry.nag, entry.recommendation) == (1, None, None, 3, None)


def test_by_index_as_by_directory(tmp_path: Path) -> None:
    path = tmp_path / "book.ctg"
    write_book(path, [columns_of_records(random_book(5, 80, 20).values())])
    with open_book(path) as book:
        expected = {position: book.probe(position) for position in book.positions()}
    assert len(expected) > 500
    path.with_suffix(".cto").unlink()
    with open_book(path) as book:
        assert isinstance(book, CtgBook)
        assert not book.has_directory
        assert {position: book.probe(position) for position in book.positions()} == expected
        assert "8/8/8/4k3/8/5K2/8/8 w - -" not in book


@pytest.mark.parametrize("suffix", [".ctb", ".cto"])
@pytest.mark.parametrize("data", [b"", b"\0", b"\0\x0c\0\x02" + bytes(30)])
def test_damaged_directory_is_not_used(path: Path, suffix: str, data: bytes) -> None:
    path.with_suffix(suffix).write_bytes(data)
    with open_book(path) as book:
        assert isinstance(book, CtgBook)
        assert "index of all pages" in book.problems[0]
        assert book.probe(Position())


def test_directory_that_points_outside(path: Path) -> None:
    slots = path.with_suffix(".cto")
    slots.write_bytes(slots.read_bytes()[:16] + (7777).to_bytes(4) * 3)
    with open_book(path) as book:
        assert book.probe(Position()) == ()
    assert {"slots", "placement"} <= {problem.what for problem in CTG.check(path)}


@pytest.mark.parametrize("data", [b"", b"\0 \x10\0\0\x01", bytes(4096), b"PK" + bytes(5000)])
def test_what_is_no_book(data: bytes, path: Path) -> None:
    path.write_bytes(data)
    with pytest.raises(FormatError):
        open_book(path)


def test_a_header_alone_is_an_empty_book(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:4096])
    with open_book(path) as book:
        assert len(book) == 0
        assert book.probe(Position()) == ()


def test_closed_books(path: Path) -> None:
    book = open_book(path)
    assert isinstance(book, CtgBook)
    columns = book.columns(pages=1)
    next(columns)
    book.close()
    book.close()
    for ask in (lambda: book.probe(Position()), lambda: len(book), lambda: next(columns), lambda: Position() in book):
        with pytest.raises(UsageError, match="closed"):
            ask()


def test_record_of_a_position(path: Path) -> None:
    with open_book(path) as book:
        assert isinstance(book, CtgBook)
        record = book.record(Position().play("e4"))
        assert record is not None
        assert record.position.fen().startswith("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w")
        assert PositionRecord.decode(record.encode()) == record
        assert book.record(Position().play("h4")) is None


@pytest.mark.parametrize("data", [b"", b"\0", b"\x05\0\0\0\0", b"\x02\0\x02" + bytes(33)])
def test_bytes_that_are_no_record(data: bytes) -> None:
    with pytest.raises(CorruptError):
        PositionRecord.decode(data)


def test_records_that_do_not_fit() -> None:
    start = signature_of(Position())
    with pytest.raises(FormatError):
        PositionRecord(signature=start, games=1 << 24).encode()
    with pytest.raises(FormatError):
        PositionRecord.of(Position(), {Move.of(0, 63): 0}).encode()


def test_nags_of_positions_turn_with_the_board() -> None:
    assert [nag_for_white(nag, black_to_move=True) for nag in (0, 11, 14, 15, 18, 19, 36, 146)] == [
        0, 11, 15, 14, 19, 18, 36, 146,
    ]  # fmt: skip
    assert nag_for_white(14, black_to_move=False) == 14


def test_options_are_copied(path: Path, tmp_path: Path) -> None:
    path.with_suffix(".INI").write_bytes(b"[Book]\r\nx=1\r\n")
    target = tmp_path / "copy.ctg"
    assert not CTG.repair(path, target)
    assert target.with_suffix(".ini").read_bytes() == b"[Book]\r\nx=1\r\n"
    with open_book(path) as book:
        assert len(book.files) == 4
    path.with_suffix(".INI").write_bytes(b"other")
    for suffix in (".ctg", ".ctb", ".cto"):
        target.with_suffix(suffix).unlink()
    CTG.repair(path, target)
    assert target.with_suffix(".ini").read_bytes() == b"[Book]\r\nx=1\r\n", "one that is there stays"
    CTG.repair(path, target, overwrite=True)
    assert target.with_suffix(".ini").read_bytes() == b"other"


def test_copies_and_merges(path: Path, tmp_path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[0x803] = 0x0C  # unknown, and kept
    path.write_bytes(data)
    path.with_suffix(".ini").write_bytes(b"options")
    assert CTG.merge is not None
    with open_book(path) as book, open_book(DATA) as other:
        written = CTG.merge([book], tmp_path / "copy.ctg")
        assert (written.positions, written.moves, written.losses) == (9, 8, LossReport())
        assert (tmp_path / "copy.ctg").read_bytes() == data
        assert (tmp_path / "copy.ini").read_bytes() == b"options"
        CTG.merge([book, other], tmp_path / "both.ctg")
        with open_book(tmp_path / "both.ctg") as both:
            for position in book.positions():
                for one, two in zip(book.probe(position), both.probe(position), strict=True):
                    assert (one.move, one.nag, one.recommendation) == (two.move, two.nag, two.recommendation)
                    assert two.games == 2 * (one.games or 0)
    with pytest.raises(UsageError):
        CTG.merge([MergedBook([book])], tmp_path / "wrong.ctg")


def test_names_of_new_books() -> None:
    assert [place.name for place in BookFiles.named(Path("A.CTG")).all()] == ["A.CTG", "A.CTB", "A.CTO", "A.INI"]
    assert [place.name for place in BookFiles.named(Path("a.b.ctg")).all()[:2]] == ["a.b.ctg", "a.b.ctb"]
    assert BookFiles.named(Path("a.CTO")) == BookFiles.named(Path("a.CTG"))
    assert [place.name for place in BookFiles.named(Path("a.book")).all()[:2]] == ["a.book", "a.ctb"]


@pytest.mark.parametrize("name", ["copy.ctb", "copy.cto", "copy", "copy.book"])
def test_a_new_book_is_found_by_the_name_it_was_given(path: Path, tmp_path: Path, name: str) -> None:
    convert_book(path, tmp_path / name, format="ctg")
    with open_book(tmp_path / name) as book, open_book(path) as source:
        assert isinstance(book, CtgBook)
        assert not book.problems
        assert list(book.positions()) == list(source.positions())


def test_no_file_of_the_source_is_replaced(path: Path) -> None:
    before = [place.read_bytes() for place in BookFiles.found(path).all()]
    with pytest.raises(UsageError, match="is also the source"):
        convert_book(path, path.with_suffix(""), format="ctg", overwrite=True)
    with pytest.raises(UsageError, match="is also the source"):
        convert_book(path, path.with_suffix(".cto"), overwrite=True)
    with pytest.raises(UsageError, match="is also the source"):
        repair_book(path, path.with_suffix(".cto"), overwrite=True)
    assert [place.read_bytes() for place in BookFiles.found(path).all()] == before


def test_options_of_a_replaced_book_go_with_it(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.ctg"
    convert_book(path, target)
    target.with_suffix(".ini").write_bytes(b"old")
    path.with_suffix(".ini").write_bytes(b"new")
    convert_book(path, target, overwrite=True)
    assert target.with_suffix(".ini").read_bytes() == b"new"


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(TabiyaError):
        open_book(tmp_path / "no" / "book.ctg")
