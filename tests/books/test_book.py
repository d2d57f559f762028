"""The face that all books share."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import chess
import chess.polyglot
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tabiya
from tabiya.books import Entry, Ratings, Recommendation, create_book, parse_line
from tabiya.books.book import as_position
from tabiya.books.open_and_create import BOOK_FORMATS
from tabiya.chess import Move, Position
from tabiya.errors import CorruptError, FormatError, TabiyaError, UnsupportedError, UsageError
from tests.books.books_corpus import GAMES, random_lines, write_lines

SUFFIXES = [format.suffixes[0] for format in BOOK_FORMATS]
E4, D4, A3 = Move.of(12, 28), Move.of(11, 27), Move.of(8, 16)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.bin"
    with create_book(path) as writer:
        writer.add(Position(), [Entry(move=E4, weight=3), Entry(move=D4, weight=1), Entry(move=A3, weight=0)])
        writer.add(Position().play("d4"), [Entry(move=Position().play("d4").parse_san("d5"), weight=1)])
        writer.add(Position().play("Nf3"), [Entry(move=Position().play("Nf3").parse_san("d5"), weight=1)])
    return path


def test_positions_are_given_in_any_way(small: Path) -> None:
    fen = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1"
    board = chess.Board()
    board.push_san("d4")
    with tabiya.open_book(small) as book:
        answers = [book.probe(place) for place in (Position().play("d4"), fen, board)]
        assert len(answers[0]) == 1
        assert answers[0] == answers[1] == answers[2]
        assert Position() in book
        assert chess.Board("8/8/8/4k3/8/2K5/8/8 w - - 0 1") not in book


def test_an_en_passant_square_of_python_chess_counts_though_the_capture_is_illegal() -> None:
    # Polyglot looks only at the pawn beside; python-chess leaves such squares out of its FEN unless asked.
    pinned = chess.Board("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1")
    assert as_position(pinned).key == Position.from_fen(pinned.fen(en_passant="fen")).key
    assert as_position(pinned).key != Position.from_fen(pinned.fen()).key


@given(seed=st.integers(0, 10**6), plies=st.integers(0, 80))
def test_boards_of_python_chess_are_the_positions_of_their_fens(seed: int, plies: int) -> None:
    rng, board = Random(seed), chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        # Pawns first: they make en passant squares and promotions.
        pawns = [move for move in moves if board.piece_type_at(move.from_square) == chess.PAWN]
        board.push(rng.choice(pawns if pawns and rng.random() < 0.5 else moves))
    expected = Position.from_fen(board.fen(en_passant="fen"))
    found = as_position(board)
    assert found.key == expected.key
    assert found.fen().split()[:4] == expected.fen().split()[:4]
    assert found.legal_moves() == expected.legal_moves()


@pytest.mark.parametrize(
    "fen",
    [
        "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b - - 0 1",
        "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
        "4k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    ],
)
def test_odd_rights_and_squares_of_boards(fen: str) -> None:
    board = chess.Board(fen)
    assert as_position(board).key == chess.polyglot.zobrist_hash(board)


def test_boards_that_are_no_position() -> None:
    for board in (
        chess.Board(None),
        chess.Board("8/8/8/8/8/8/8/K7 w - - 0 1"),
        chess.Board("P3k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ):
        with pytest.raises(FormatError):
            as_position(board)
    assert as_position(chess.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1", chess960=True)).key


@pytest.mark.parametrize("wrong", ["", "what", "8/8/8/8/8/8/8/8 w - - 0 1"])
def test_what_is_no_position(small: Path, wrong: str) -> None:
    with tabiya.open_book(small) as book, pytest.raises(FormatError):
        book.probe(wrong)


def test_what_is_not_even_a_text(small: Path) -> None:
    with tabiya.open_book(small) as book:
        with pytest.raises(UsageError, match="expected a position or a FEN"):
            book.probe(7)  # type: ignore[arg-type]
        with pytest.raises(UnsupportedError, match="Chess960"):
            book.probe(Position.chess960_start(0))


def test_the_most_likely_moves_come_first(small: Path) -> None:
    with tabiya.open_book(small) as book:
        assert [(entry.move, entry.weight) for entry in book.probe(Position())] == [(E4, 3), (D4, 1), (A3, 0)]


def test_transpositions_lead_to_known_positions(small: Path) -> None:
    with tabiya.open_book(small) as book:
        found = {Position().san(entry.move): entry for entry in book.probe(Position(), transpositions=True)}
    assert list(found) == ["e4", "d4", "a3", "Nf3"]
    assert found["Nf3"].transposition
    assert found["Nf3"].weight == 0
    assert not found["d4"].transposition


def test_moves_are_chosen_by_weight(small: Path) -> None:
    with tabiya.open_book(small) as book:
        rng = Random(1)
        counts = Counter(entry.move for _ in range(4000) if (entry := book.choose(Position(), rng)))
        assert counts.keys() == {E4, D4}
        assert 2.5 < counts[E4] / counts[D4] < 3.5
        assert [book.choose(Position(), Random(5)) for _ in range(3)] == [book.choose(Position(), Random(5))] * 3
        assert book.choose(Position().play("a3")) is None


def test_nothing_is_chosen_where_all_weights_are_zero(tmp_path: Path) -> None:
    with create_book(tmp_path / "never.bin") as writer:
        writer.add(Position(), [Entry(move=E4, weight=0)])
    with tabiya.open_book(tmp_path / "never.bin") as book:
        assert book.probe(Position())
        assert book.choose(Position()) is None


def test_a_closed_book_says_so(small: Path) -> None:
    book = tabiya.open_book(small)
    book.close()
    book.close()
    for ask in (lambda: book.probe(Position()), lambda: len(book), lambda: list(book.positions())):
        with pytest.raises(UsageError, match="closed"):
            ask()


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_book_that_is_closed_underway_says_so(tmp_path: Path, suffix: str) -> None:
    book = tabiya.open_book(write_lines(tmp_path / f"x{suffix}", random_lines(1, 9)))
    positions = book.positions()
    next(positions)
    book.close()
    with pytest.raises(UsageError, match="closed"):
        next(positions)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_every_book_tells(tmp_path: Path, suffix: str) -> None:
    lines = random_lines(1, 40)
    path = write_lines(tmp_path / f"book{suffix}", lines)
    with tabiya.open_book(path) as book:
        assert book.path == path
        assert path in book.files
        assert book.format.fits(path)
        assert len(book) >= len(lines)
        assert bool(book)
        assert suffix[1:] in repr(book)
        known = {book.identity(position) for position in book.positions()}
        assert known >= {book.identity(position) for position in lines}
        assert [position.fen() for position in book.positions()] == [position.fen() for position in book.positions()]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_books_are_recognised_by_content_and_name(tmp_path: Path, suffix: str) -> None:
    path = write_lines(tmp_path / f"book{suffix}", random_lines(2, 40))
    assert tabiya.open_book(path).format.name == tabiya.open_book(str(path)).format.name
    upper = tmp_path / f"UPPER{suffix.upper()}"
    upper.write_bytes(path.read_bytes())
    for other in path.parent.glob("book.ct[bo]"):
        (tmp_path / f"UPPER{other.suffix.upper()}").write_bytes(other.read_bytes())
    with tabiya.open_book(upper) as book:
        assert book.probe(Position())


def test_a_book_of_no_known_kind(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("this is no book, whatever it says", "utf-8")
    with pytest.raises(FormatError, match="is not an opening book in a known format; known formats: ctg"):
        tabiya.open_book(tmp_path / "x.txt")
    with pytest.raises(FormatError, match="folder"):
        tabiya.open_book(tmp_path)
    with pytest.raises(TabiyaError, match="no such file"):
        tabiya.open_book(tmp_path / "missing.bin")
    with pytest.raises(FormatError, match="no known book format"):
        create_book(tmp_path / "x.txt")
    with pytest.raises(UsageError, match="no book format is called 'arena'"):
        tabiya.open_book(tmp_path / "x.txt", format="arena")


def test_databases_and_books_are_told_apart(tmp_path: Path) -> None:
    for suffix in SUFFIXES:
        path = write_lines(tmp_path / f"book{suffix}", random_lines(2, 40))
        with pytest.raises(FormatError, match=r"opening book by its name.*use tabiya\.open_book"):
            tabiya.open(path)
        with pytest.raises(FormatError, match=r"use tabiya\.build_book"):
            tabiya.create(tmp_path / f"new{suffix}")
    for suffix in {suffix for format in BOOK_FORMATS for suffix in format.suffixes}:
        with pytest.raises(FormatError, match="is the name of an opening book"):
            tabiya.create(tmp_path / f"other{suffix}")
    for name in ("games.pgn", "games.bin", "games.abk", "games.ctg"):
        (tmp_path / name).write_text(GAMES * 3, "utf-8")
        with pytest.raises(FormatError, match=r"is a database \(pgn\), not an opening book: use tabiya\.open"):
            tabiya.open_book(tmp_path / name)
        assert tabiya.books.transfer_book(tmp_path / name, tmp_path / f"{name}.abk").positions > 0
    (tmp_path / "empty.pgn").write_bytes(b"")
    with pytest.raises(FormatError, match=r"is a database \(pgn\)"):
        tabiya.open_book(tmp_path / "empty.pgn")


def test_files_with_the_name_of_a_polyglot_book(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    for data in (b"A text without any tags, but some length. " * 20, Random(1).randbytes(4000), b"\xff" * 64):
        path.write_bytes(data)
        with pytest.raises(FormatError, match="has the name of a Polyglot book, but its content is something else"):
            tabiya.open_book(path)
        with pytest.raises(FormatError, match="has the name of a Polyglot book"):
            list(tabiya.books.check_book(path))
        with pytest.raises(FormatError, match="has the name of a Polyglot book"):
            tabiya.books.transfer_book(path, tmp_path / "x.ctg")
        with tabiya.open_book(path, format="polyglot") as book:  # who insists may look
            assert book.probe(Position()) == ()
    sound = write_lines(tmp_path / "sound.bin", random_lines(2, 40)).read_bytes()
    records = [sound[begin : begin + 16] for begin in range(0, len(sound), 16)]
    for data in (b"", sound, b"".join(reversed(records)), sound + b"tail", bytes(8) + b"@PG@\n1.0" + sound):
        path.write_bytes(data)
        with tabiya.open_book(path) as book:  # empty, sound, unsorted, with a tail, with a header: can be repaired
            assert len(book) >= 0


def test_the_format_can_be_named(small: Path, tmp_path: Path) -> None:
    odd = tmp_path / "odd.dat"
    odd.write_bytes(small.read_bytes())
    with tabiya.open_book(odd, format="Polyglot") as book:
        assert book.probe(Position())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_existing_books_are_not_replaced_unasked(tmp_path: Path, suffix: str) -> None:
    path = write_lines(tmp_path / f"book{suffix}", random_lines(3, 10))
    before = path.read_bytes()
    with pytest.raises(UsageError, match="already exists"), create_book(path) as writer:
        writer.add(Position(), [Entry(move=E4, weight=1)])
    assert path.read_bytes() == before
    with create_book(path, overwrite=True) as writer:
        writer.add(Position(), [Entry(move=E4, weight=1)])
    assert path.read_bytes() != before


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_error_leaves_nothing(tmp_path: Path, suffix: str) -> None:
    def fail() -> None:
        with create_book(tmp_path / f"book{suffix}") as writer:
            writer.add(Position(), [Entry(move=E4, weight=1)])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_moves_must_be_legal_and_different(tmp_path: Path, suffix: str) -> None:
    with create_book(tmp_path / f"book{suffix}") as writer:
        for moves in ([Move.of(12, 36)], [E4, E4], [Move.NULL]):
            with pytest.raises(FormatError, match="not a legal move, or given twice"):
                writer.add(Position(), [Entry(move=move, weight=1) for move in moves])
        writer.add(Position(), [Entry(move=E4, weight=1)])
        with pytest.raises(UsageError, match="already been added"):
            writer.add(Position(), [Entry(move=D4, weight=1)])
    with pytest.raises(UsageError, match="already been written"):
        writer.add(Position(), [])


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("weight", -1),
        ("weight", 1 << 70),
        ("weight", 1.5),
        ("games", -3),
        ("losses", 1 << 63),
        ("nag", -1),
        ("priority", 256),
        ("learning", 1 << 32),
        ("ratings", Ratings(1, -2400)),
    ],
)
def test_numbers_must_be_numbers(tmp_path: Path, suffix: str, field: str, value: Any) -> None:
    with create_book(tmp_path / f"book{suffix}") as writer:
        with pytest.raises(UsageError, match=f"{field} of e2e4 must be a whole number"):
            writer.add(Position(), [Entry(**{"move": E4, "weight": 1, field: value})])
        writer.add(Position(), [Entry(move=E4, weight=(1 << 47) - 1, games=(1 << 47) - 1), Entry(move=D4, weight=1)])
    with tabiya.open_book(writer.path) as book:
        assert [entry.move for entry in book.probe(Position())] == [E4, D4]
    assert suffix == ".bin" or "numbers" in {loss.what for loss in writer.losses}


def test_scores_and_performance() -> None:
    entry = Entry(move=E4, weight=1, games=4, wins=2, draws=1, losses=1, opponents=Ratings(2, 4800))
    assert entry.score == 0.625
    assert entry.performance == pytest.approx(2400 + 88.74, abs=0.01)
    assert entry.rating is None
    assert Entry(move=E4, weight=1, games=3, wins=0, draws=0, losses=0).score is None
    assert Entry(move=E4, weight=1).performance is None
    allwins = Entry(move=E4, weight=1, games=1, wins=1, draws=0, losses=0, opponents=Ratings(1, 2400))
    assert allwins.performance == pytest.approx(3200)
    assert Ratings(0, 0).average is None


def test_unknown_bits_of_a_recommendation_stay() -> None:
    mark = Recommendation(0x94)
    assert mark & Recommendation.MAIN
    assert int(mark) == 0x94


def test_lines_as_people_type_them() -> None:
    assert parse_line("") == Position()
    assert parse_line("1.e4 c5 2. Nf3") == Position().play("e4").play("c5").play("Nf3")
    assert parse_line("e2e4 c7c5") == Position().play("e4").play("c5")
    assert parse_line("8/8/8/4k3/8/2K5/8/8 w - - 0 1").fen() == "8/8/8/4k3/8/2K5/8/8 w - - 0 1"
    with pytest.raises(FormatError, match="neither a FEN nor a line of moves: Nf6"):
        parse_line("e4 Nf6 Nf6")


@given(data=st.binary(max_size=300), suffix=st.sampled_from(SUFFIXES))
def test_bytes_that_are_no_book_give_clear_errors(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, suffix: str
) -> None:
    path = tmp_path_factory.mktemp("hostile") / f"x{suffix}"
    path.write_bytes(data)
    try:
        with tabiya.open_book(path) as book:
            book.probe(Position())
            len(book)
            list(book.positions())
        list(tabiya.books.check_book(path))
    except (FormatError, CorruptError) as error:
        assert str(path.parent) in str(error)
