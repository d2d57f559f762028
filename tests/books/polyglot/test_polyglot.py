"""Polyglot books: bytes, samples, python-chess as the oracle, damage, merging."""

from __future__ import annotations

import struct
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import chess
import chess.polyglot
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.books import Entry, check_book, create_book, merge_books, repair_book, walk_book
from tabiya.books.polyglot import POLYGLOT
from tabiya.books.polyglot.book import PolyglotBook
from tabiya.books.polyglot.merge import _BLOCK_RECORDS, combine
from tabiya.books.polyglot.records import RECORD, decode_move, encode_move, header_text
from tabiya.books.polyglot.search_kernel import find, lower_bound, scan
from tabiya.books.polyglot.writer import fit_weights
from tabiya.chess import Move, Position
from tabiya.errors import CorruptError, TabiyaError, UsageError
from tests.books.books_corpus import random_lines, write_lines

Samples = Callable[[str], Path]

PUBLISHED_KEYS = [
    ("", 0x463B96181691FC9C),
    ("e4", 0x823C9B50FD114196),
    ("e4 d5", 0x0756B94461C50FB0),
    ("e4 d5 e5", 0x662FAFB965DB29D4),
    ("e4 d5 e5 f5", 0x22A48B5A8E47FF78),
    ("e4 d5 e5 f5 Ke2", 0x652A607CA3F242C1),
    ("e4 d5 e5 f5 Ke2 Kf7", 0x00FDD303C946BDD9),
    ("a4 b5 h4 b4 c4", 0x3C8123EA7B067637),
    ("a4 b5 h4 b4 c4 bxc3 Ra3", 0x5C3F9B829B279560),
]
LASKER_TRAP = ["d4", "d5", "c4", "e5", "dxe5", "d4", "e3", "Bb4+", "Bd2", "dxe3", "Bxb4", "exf2+", "Ke2", "fxg1=N+"]
HEADER_TEXT = "@PG@\n1.0\n2\n1\nnormal\nA book of the tests."


def header_records(text: str) -> bytes:
    """Null-key records that hold a text, zeros behind it."""
    data = text.encode() + b"\0"
    data += bytes(-len(data) % 8)
    return b"".join(bytes(8) + data[begin : begin + 8] for begin in range(0, len(data), 8))


def record(key: int, move: str, weight: int = 1, learning: int = 0) -> bytes:
    return struct.pack(">QHHI", key, encode_move(Move.of(*squares(move))), weight, learning)


def squares(move: str) -> tuple[int, int]:
    return chess.parse_square(move[:2]), chess.parse_square(move[2:4])


def opened(path: Path) -> PolyglotBook:
    book = tabiya.open_book(path, format="polyglot")
    assert isinstance(book, PolyglotBook)
    return book


@pytest.mark.parametrize(("line", "key"), PUBLISHED_KEYS)
def test_published_keys_find_their_records(tmp_path: Path, line: str, key: int) -> None:
    position = tabiya.books.parse_line(line)
    assert position.key == key
    move = position.legal_moves()[0]
    path = tmp_path / "one.bin"
    path.write_bytes(struct.pack(">QHHI", key, encode_move(move), 7, 9))
    with opened(path) as book:
        assert book.probe(position) == (Entry(move=move, weight=7, learning=9),)


@pytest.mark.parametrize(
    ("bits", "move"),
    [
        (0x031C, "e2e4"),
        (0x0107, "e1h1"),
        (0x0F3F, "e8h8"),
        (0x4000 | 0x0DBD, "g7f8q"),
        (0x1000 | 0x01C0 | 0x0C00, "h7a1n"),
    ],
)
def test_moves_as_bits(bits: int, move: str) -> None:
    decoded = decode_move(bits)
    assert str(decoded) == move
    assert decoded is not None
    assert encode_move(decoded) == bits


@pytest.mark.parametrize("bits", [0, 0x0FFF, 0x5000 | 0x031C, 0x7FFF, 0x8000 | 0x031C])
def test_bits_that_are_no_move(bits: int) -> None:
    assert decode_move(bits) is None


@given(st.integers(0, 0xFFFF))
def test_every_move_goes_both_ways(bits: int) -> None:
    move = decode_move(bits)
    assert move is None or encode_move(move) == bits


@pytest.mark.parametrize("spelling", ["e1h1", "e1g1"])
def test_castling_in_both_spellings(tmp_path: Path, spelling: str) -> None:
    position = Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    (tmp_path / "x.bin").write_bytes(record(position.key, spelling))
    with opened(tmp_path / "x.bin") as book:
        (entry,) = book.probe(position)
    assert position.san(entry.move) == "O-O"


def test_castling_needs_the_right(tmp_path: Path) -> None:
    position = Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1")
    rook = Position.from_fen("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1")
    (tmp_path / "x.bin").write_bytes(b"".join(sorted([record(position.key, "e1g1"), record(rook.key, "e1c1")])))
    with opened(tmp_path / "x.bin") as book:
        assert book.probe(position) == ()
        assert [rook.san(entry.move) for entry in book.probe(rook)] == ["Rc1"]


def test_both_spellings_of_one_move_are_one_entry(tmp_path: Path) -> None:
    position = Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    (tmp_path / "x.bin").write_bytes(record(position.key, "e1g1", 2, 7) + record(position.key, "e1h1", 3))
    with opened(tmp_path / "x.bin") as book:
        assert [(entry.weight, entry.learning) for entry in book.probe(position)] == [(5, 7)]


def test_illegal_moves_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(record(Position().key, "e2e5") + record(Position().key, "e2e4"))
    with opened(tmp_path / "x.bin") as book:
        assert [str(entry.move) for entry in book.probe(Position())] == ["e2e4"]
    assert [problem.what for problem in check_book(tmp_path / "x.bin")] == ["illegal"]


@pytest.mark.parametrize(
    ("name", "records", "positions"),
    [
        ("gm2001-bin/gm2001.bin", 30416, 23813),
        ("perfect2021-abk-bin-bkt/Perfect2021.bin", 5387, 4065),
        ("lasker-trap-bin/lasker-trap.bin", 7, 7),
    ],
)
def test_samples_are_read_as_python_chess_reads_them(samples: Samples, name: str, records: int, positions: int) -> None:
    path = samples(f"ctg/{name}")
    assert list(check_book(path)) == []
    with opened(path) as book, chess.polyglot.open_reader(path) as oracle:
        assert (book.records, len(book)) == (records, positions)
        assert book.header == b""
        # python-chess takes its time: of the largest book every fourth position.
        for position, entries in islice(walk_book(book), 0, None, 4 if records > 10_000 else 1):
            board = chess.Board(position.fen())
            theirs = [(entry.raw_move, entry.weight, entry.learn) for entry in oracle.find_all(board, minimum_weight=0)]
            ours = [(encode_move(entry.move), entry.weight, entry.learning) for entry in entries]
            assert sorted(ours) == sorted(theirs)


def test_the_lasker_trap_is_found_where_it_is_laid(samples: Samples) -> None:
    """The start position is not in this book; the trap is after 1.d4 d5 2.c4 e5 3.dxe5 d4 4.e3 Bb4+ 5.Bd2 dxe3."""
    with opened(samples("ctg/lasker-trap-bin/lasker-trap.bin")) as book:
        assert book.probe(Position()) == ()
        assert list(book.positions()) == []
        found = []
        position = Position()
        for move in [
            "d4",
            "d5",
            "c4",
            "e5",
            "dxe5",
            "d4",
            "e3",
            "Bb4+",
            "Bd2",
            "dxe3",
            "Bxb4",
            "exf2+",
            "Ke2",
            "fxg1=N+",
        ]:
            found += [position.san(entry.move) == move for entry in book.probe(position)]
            position = position.play(move)
        assert found
        assert all(found)


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6), size=st.integers(1, 60))
def test_what_we_write_is_read_back_and_read_by_python_chess(
    tmp_path_factory: pytest.TempPathFactory, seed: int, size: int
) -> None:
    lines = random_lines(seed, size)
    path = write_lines(tmp_path_factory.mktemp("book") / "x.bin", lines)
    assert list(check_book(path)) == []
    with opened(path) as book, chess.polyglot.open_reader(path) as oracle:
        assert len(book) == len(lines)
        for position, entries in lines.items():
            expected = {(entry.move, entry.weight, entry.learning) for entry in entries}
            assert {(entry.move, entry.weight, entry.learning) for entry in book.probe(position)} == expected
            board = chess.Board(position.fen())
            theirs = {(entry.raw_move, entry.weight, entry.learn) for entry in oracle.find_all(board, minimum_weight=0)}
            assert theirs == {(encode_move(move), weight, learning) for move, weight, learning in expected}


def test_equal_books_have_equal_bytes(tmp_path: Path) -> None:
    lines = random_lines(5, 50)
    backwards = {position: tuple(reversed(lines[position])) for position in reversed(lines)}
    first, second = (write_lines(tmp_path / f"{n}.bin", book) for n, book in enumerate((lines, backwards)))
    assert first.read_bytes() == second.read_bytes()


def test_weights_shrink_together(tmp_path: Path) -> None:
    e4, d4, a3 = (Position().parse_san(move) for move in ("e4", "d4", "a3"))
    with create_book(tmp_path / "x.bin") as writer:
        writer.add(Position(), [Entry(move=e4, weight=655350), Entry(move=d4, weight=65535), Entry(move=a3, weight=1)])
        writer.add(Position().play("e4"), [Entry(move=Position().play("e4").parse_san("e5"), weight=65535)])
    assert [loss.what for loss in writer.losses] == ["weights"]
    with opened(tmp_path / "x.bin") as book:
        assert [entry.weight for entry in book.probe(Position())] == [65535, 6553, 1]
        assert [entry.weight for entry in book.probe(Position().play("e4"))] == [65535]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 1 << 40)), max_size=30))
def test_fitted_weights_keep_their_order(rows: list[tuple[int, int]]) -> None:
    rows.sort(key=lambda row: row[0])
    keys = np.array([key for key, _ in rows], np.uint64)
    weights = np.array([weight for _, weight in rows], np.int64)
    fitted = fit_weights(keys, weights)
    assert ((fitted > 0) == (weights > 0)).all()
    for i in range(len(rows)):
        for j in range(len(rows)):
            if keys[i] == keys[j] and weights[i] <= weights[j]:
                assert fitted[i] <= fitted[j]


def test_a_header_is_kept_and_skipped(tmp_path: Path) -> None:
    header = header_records(HEADER_TEXT)
    path = tmp_path / "headed.bin"
    path.write_bytes(header + record(Position().key, "e2e4", 3))
    with opened(path) as book:
        assert book.comment == HEADER_TEXT
        assert [(loss.what, loss.count) for loss in book.besides()] == [("header", 1)]
        assert len(book) == 1
        assert [entry.weight for entry in book.probe(Position())] == [3]
    assert list(check_book(path)) == []
    tabiya.books.convert_book(path, tmp_path / "copy.bin")
    assert (tmp_path / "copy.bin").read_bytes() == path.read_bytes()
    assert header_text(header_records("something else")) is None


@given(st.lists(st.integers(0, (1 << 64) - 1), max_size=60), st.integers(0, (1 << 64) - 1))
def test_searching_is_exact(keys: list[int], wanted: int) -> None:
    keys.sort()
    data = b"".join(struct.pack(">QHHI", key, place, 0, 0) for place, key in enumerate(keys))
    for key in (*keys, wanted):
        assert lower_bound(data, key) == sum(other < key for other in keys)
        places = [place for _, place, _, _ in struct.iter_unpack(">QHHI", find(data, key))]
        assert places == [place for place, other in enumerate(keys) if other == key]
    assert scan(data) == (len(set(keys)), 0, -1)


@pytest.mark.parametrize("blocks", [_BLOCK_RECORDS, 3, 1])
def test_merging_adds_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blocks: int) -> None:
    monkeypatch.setattr("tabiya.books.polyglot.merge._BLOCK_RECORDS", blocks)
    books = [random_lines(seed, 30, weights=20_000) for seed in (1, 2, 3)]
    paths = [write_lines(tmp_path / f"{number}.bin", book) for number, book in enumerate(books)]
    report = merge_books(paths, tmp_path / "all.bin")
    expected: dict[Position, dict[Move, int]] = {}
    for book in books:
        for position, entries in book.items():
            moves = expected.setdefault(position, {})
            for entry in entries:
                moves[entry.move] = moves.get(entry.move, 0) + entry.weight
    assert (report.positions, report.moves) == (len(expected), sum(map(len, expected.values())))
    assert not report.losses
    with opened(tmp_path / "all.bin") as merged:
        assert len(merged) == len(expected)
        for position, moves in expected.items():
            assert {entry.move: entry.weight for entry in merged.probe(position)} == moves
    assert list(check_book(tmp_path / "all.bin")) == []


@pytest.mark.parametrize("blocks", [_BLOCK_RECORDS, 3, 1])
def test_books_that_are_not_sorted_merge_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blocks: int
) -> None:
    monkeypatch.setattr("tabiya.books.polyglot.merge._BLOCK_RECORDS", blocks)
    sound, other = (write_lines(tmp_path / f"{seed}.bin", random_lines(seed, 9)) for seed in (1, 2))
    records = sound.read_bytes()
    turned = b"".join(records[begin : begin + 16] for begin in range(len(records) - 16, -1, -16))
    (tmp_path / "turned.bin").write_bytes(header_records(HEADER_TEXT) + turned + bytes(16))
    merge_books([sound, other], tmp_path / "wanted.bin")
    merge_books([tmp_path / "turned.bin", other], tmp_path / "all.bin")
    assert (tmp_path / "all.bin").read_bytes() == header_records(HEADER_TEXT) + (tmp_path / "wanted.bin").read_bytes()


def test_merging_keeps_what_only_keys_tell(tmp_path: Path, samples: Samples) -> None:
    trap, other = samples("ctg/lasker-trap-bin/lasker-trap.bin"), samples("ctg/perfect2021-abk-bin-bkt/Perfect2021.bin")
    merge_books([trap, other], tmp_path / "x.bin")
    merged = (tmp_path / "x.bin").read_bytes()

    def moves(data: bytes) -> set[bytes]:
        """Keys with their moves: weights of a move that both have add up."""
        return {data[begin : begin + 10] for begin in range(0, len(data), 16)}

    assert moves(merged) == moves(trap.read_bytes()) | moves(other.read_bytes())


def test_learning_data_survives_merging() -> None:
    rows = [(1, 5, 1, 0), (1, 5, 2, 77), (1, 6, 1, 0), (2, 5, 1, 3)]
    merged = combine([np.array(rows, RECORD)])
    assert merged.tolist() == [(1, 5, 3, 77), (1, 6, 1, 0), (2, 5, 1, 3)]
    assert combine([]).tolist() == []


def test_a_source_is_no_target(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "x.bin", random_lines(1, 5))
    with pytest.raises(UsageError, match="is also the source"):
        merge_books([path], path, overwrite=True)
    with pytest.raises(UsageError, match="is also the source"):
        repair_book(path, path, overwrite=True)
    with pytest.raises(UsageError, match=r"ending with \.bin"):
        repair_book(path, tmp_path / "x.abk")


def test_damage_is_named_and_repaired(tmp_path: Path) -> None:
    lines = random_lines(9, 40)
    sound = write_lines(tmp_path / "sound.bin", lines).read_bytes()
    records = [sound[begin : begin + 16] for begin in range(0, len(sound), 16)]
    damaged = tmp_path / "damaged.bin"
    nonsense = struct.pack(">QHHI", 5, 0, 1, 0)
    damaged.write_bytes(b"".join([*reversed(records), nonsense, records[0]]) + b"tail")
    found = {problem.what for problem in check_book(damaged)}
    assert found >= {"tail", "order", "move", "twice"}
    offsets = [problem.offset for problem in check_book(damaged) if problem.what == "move"]
    assert offsets == [16 * len(records)]
    losses = repair_book(damaged, tmp_path / "repaired.bin")
    assert {loss.what: loss.count for loss in losses} == {"moves": 1, "tail": 4}
    assert list(check_book(tmp_path / "repaired.bin")) == []
    with opened(tmp_path / "repaired.bin") as book:
        assert len(book) == len(lines)
        for position, entries in lines.items():
            assert {entry.move for entry in book.probe(position)} == {entry.move for entry in entries}


def test_problems_say_where(tmp_path: Path) -> None:
    path = tmp_path / "x.bin"
    start = Position().key
    lines = [record(0, "d2d4"), record(start, "e2e4"), record(start, "e2e5"), record(start, "e2e4"), record(1, "a1a1")]
    path.write_bytes(b"".join(lines) + b"tail")
    assert [(problem.what, problem.text, problem.offset) for problem in check_book(path)] == [
        ("tail", "4 bytes follow the last whole record", 80),
        ("header", "records with key 0 that are not a header", 0),
        ("order", "1 records are not sorted by key, so positions cannot be found", 64),
        ("move", "not a move: 0x0000", 64),
        ("twice", "1 moves occur twice in the same position", None),
        ("illegal", f"a move that is not legal in {Position().fen()}: 0x0324", 16),
    ]


def test_key_zero_in_the_wrong_place_is_no_header(tmp_path: Path) -> None:
    """Sorting would move it to the front, where it would look like one."""
    path = tmp_path / "x.bin"
    path.write_bytes(record(Position().key, "e2e4") + record(0, "d2d4"))
    assert {problem.what for problem in check_book(path)} == {"order"}
    assert {loss.what: loss.count for loss in repair_book(path, tmp_path / "y.bin")} == {"header": 1}
    assert (tmp_path / "y.bin").read_bytes() == record(Position().key, "e2e4")
    path.write_bytes(record(0, "d2d4") + record(Position().key, "e2e4"))
    assert {problem.what for problem in check_book(path)} == {"header"}
    assert {loss.what: loss.count for loss in repair_book(path, tmp_path / "y.bin", overwrite=True)} == {"header": 1}


def test_an_empty_book(tmp_path: Path) -> None:
    path = tmp_path / "empty.bin"
    path.write_bytes(b"")
    with opened(path) as book:
        assert len(book) == 0
        assert book.probe(Position()) == ()
        assert list(book.positions()) == []
    assert [problem.what for problem in check_book(path)] == ["empty"]
    with pytest.raises(CorruptError, match="no records"):
        repair_book(path, tmp_path / "x.bin")


@given(st.binary(max_size=200))
def test_any_bytes_are_a_book(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("any")
    path = folder / "x.bin"
    path.write_bytes(data)
    with opened(path) as book:
        book.probe(Position())
        assert len(book) <= len(data) // 16
    list(POLYGLOT.check(path))
    try:
        POLYGLOT.repair(path, folder / "y.bin")
    except TabiyaError:
        return
    assert {problem.what for problem in POLYGLOT.check(folder / "y.bin")} <= {"empty", "illegal"}
