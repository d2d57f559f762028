"""Lines of EPD and what they mean; python-chess reads the same positions and operations."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.errors import CorruptError, UsageError
from tabiya.game import Game, RecordKind
from tabiya.game.record import Variant

SUITE = Path(__file__).parents[2] / "data" / "epd" / "suite.epd"
USUAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
KINGS = "4k3/8/8/8/8/8/8/4K3"


def read(text: str | bytes, **options: Any) -> list[Game]:
    data = text.encode() if isinstance(text, str) else text
    with tabiya.open(io.BytesIO(data), format="epd", **options) as database:
        return list(database)


def extras(game: Game) -> list[tuple[str, str]]:
    return [(extra.key, extra.value.decode()) for extra in game.extras]


def codes(game: Game) -> list[int]:
    return [problem.code for problem in game.problems]


def evaluation(game: Game) -> tuple[int, int, int]:
    found = game.root.eval
    assert found is not None
    return found.value, found.type, found.depth


def test_a_suite() -> None:
    first, second, third, fourth, fifth, sixth = read(SUITE.read_bytes())
    assert first.tags["Event"] == "back rank"
    assert first.tags["FEN"] == "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
    assert extras(first) == [("epd.bm", "Rd8#")]
    assert evaluation(first) == (1, 1, 0)
    assert evaluation(second) == (0, 0, 0)
    assert second.root.text == "stalemate"
    assert evaluation(third) == (950, 0, 18)
    assert [node.san for node in third.mainline()] == ["a8=Q+", "Kf7", "Qd5+"]
    assert (fourth.tags["ECO"], "FEN" in fourth.tags) == ("C60", False)
    assert [node.san for node in fourth.mainline()] == ["e4", "e5", "Nf3", "Nc6", "Bb5"]
    assert fifth.tags["FEN"].endswith("KQkq c6 0 2")
    assert extras(fifth) == [("epd.am", "a4 h4"), ("epd.draw_offer", "")]
    assert (sixth.variant, [node.san for node in sixth.mainline()]) == (Variant.CHESS960, ["O-O-O"])


def test_python_chess_reads_the_same() -> None:
    chess = pytest.importorskip("chess")
    lines = SUITE.read_text().splitlines()
    for line, game in zip(lines[:5], read(SUITE.read_bytes())[:5], strict=True):  # it forgets Chess960 in operations
        board = chess.Board()
        operations = board.set_epd(line)
        assert game.start_position.fen().split()[0] == board.board_fen()
        assert [node.uci for node in game.mainline()] == [board.uci(move) for move in operations.get("pv", ())]
        assert game.tags.get("Event") == operations.get("id")
        texts = [note.data.decode() for node in game.walk() for note in node.annotations if note.kind in {0x02, 0x82}]
        texts += [note.data.decode() for note in game.root.annotations if note.kind in {0x02, 0x82}]
        assert texts == [operations[name] for name in ("c0", "c1") if name in operations]


@pytest.mark.parametrize(
    ("fields", "fen"),
    [
        (f"{KINGS} w - -", f"{KINGS} w - - 0 1"),
        (f"{KINGS} w - -;", f"{KINGS} w - - 0 1"),
        (f"{KINGS} b - - hmvc 7; fmvn 31", f"{KINGS} b - - 7 31"),
        (f"{KINGS}\tb  - - fmvn 31 ;", f"{KINGS} b - - 0 31"),
        (f"{KINGS} w - - 7 31 bm Kd1;", f"{KINGS} w - - 7 31"),
        (f"{KINGS} w - - 7 31", f"{KINGS} w - - 7 31"),
        (f"{KINGS} w - - 7", f"{KINGS} w - - 7 1"),
    ],
)
def test_counters(fields: str, fen: str) -> None:
    (game,) = read(fields)
    assert game.tags["FEN"] == fen
    assert not game.problems


def test_the_usual_start_has_no_tag() -> None:
    (game,) = read(USUAL)
    assert game.tags.items() == []


@pytest.mark.parametrize(
    ("side", "operations", "value", "kind", "depth"),
    [
        ("w", "ce 30", 30, 0, 0),
        ("b", "ce 30;", -30, 0, 0),
        ("b", "ce -30; acd 12;", 30, 0, 12),
        ("b", "acd 12; dm 3;", -3, 1, 12),
        ("w", "ce 32767;", 32767, 0, 0),
    ],
)
def test_evaluations_are_those_of_white(side: str, operations: str, value: int, kind: int, depth: int) -> None:
    (game,) = read(f"{KINGS} {side} - - {operations}")
    assert evaluation(game) == (value, kind, depth)
    assert not game.extras


@pytest.mark.parametrize(
    ("operation", "extra"),
    [
        ("ce +30;", ("epd.ce", "+30")),
        ("ce 40000;", ("epd.ce", "40000")),
        ("ce 007;", ("epd.ce", "007")),
        ("acd 12;", ("epd.acd", "12")),
        ("hmvc x;", ("epd.hmvc", "x")),
        ("fmvn 0;", ("epd.fmvn", "0")),
        ('id "?";', ("epd.id", '"?"')),
        ('c1 "late";', ("epd.c1", '"late"')),
        ("noop;", ("epd.noop", "")),
        ('v0 "a;b" "c";', ("epd.v0", '"a;b" "c"')),
        ("Bm Kd1;", ("epd.operation", "Bm Kd1")),
        ('"a; b" c;', ("epd.operation", '"a; b" c')),
        ("line 3;", ("epd.operation", "line 3")),
        ("a__b 3;", ("epd.operation", "a__b 3")),
    ],
)
def test_what_has_no_meaning_here_is_kept(operation: str, extra: tuple[str, str]) -> None:
    (game,) = read(f"{KINGS} w - - {operation}")
    assert extras(game) == [extra]
    assert not game.problems


def test_the_second_of_one_operation_is_kept() -> None:
    (game,) = read(f'{KINGS} w - - id "a"; id "b"; ce 1; ce 2; pv Kd1; pv Kf1; hmvc 3; hmvc 4;')
    assert extras(game) == [("epd.id", '"b"'), ("epd.ce", "2"), ("epd.pv", "Kf1"), ("epd.hmvc", "4")]
    assert (game.tags["Event"], evaluation(game)) == ("a", (1, 0, 0))
    assert game.tags["FEN"].endswith(" 3 1")


@pytest.mark.parametrize(
    ("operand", "text"),
    [
        ('"plain"', "plain"),
        ("plain words", "plain words"),
        (r'"a \"b\" \\ c"', r'a "b" \ c'),
        (r'"a\nb\tc\rd"', "a\nb\tc\rd"),
        ('"Ä"', "Ä"),
    ],
)
def test_texts(operand: str, text: str) -> None:
    (game,) = read(f"{KINGS} w - - c0 {operand};")
    assert game.root.text == text


def test_texts_precede_the_first_move() -> None:
    (game,) = read(f'{KINGS} w - - c0 "one"; c1 "two"; pv Kd1;')
    with tabiya.open(
        io.BytesIO(b'[FEN "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]\n\n{one} {two} 1. Kd1 *\n'), format="pgn"
    ) as pgn:
        assert [note.data for note in game.root.children[0].annotations] == [
            note.data for note in pgn[0].root.children[0].annotations
        ]


@pytest.mark.parametrize("moves", ["Kd1 Kd7 Kd2", "1. Kd1 Kd7 2.Kd2", "1.Kd1 1...Kd7 2. Kd2", "e1d1 e8d7 d1d2"])
def test_moves_in_all_spellings(moves: str) -> None:
    (game,) = read(f"{KINGS} w - - pv {moves};")
    assert [node.san for node in game.mainline()] == ["Kd1", "Kd7", "Kd2"]


@pytest.mark.parametrize("moves", ["Kd1 Kd1", "Kd1 nonsense", 'Kd1 "x;y"', "1.", f"Kd1 {'x' * 100}"])
def test_moves_that_cannot_be_played_are_text(moves: str) -> None:
    (game,) = read(f'{KINGS} w - - c0 "text"; pv {moves}; bm Kd1;')
    assert (codes(game), not list(game.mainline())) == ([182], True)
    assert sorted(extras(game)) == [("epd.bm", "Kd1"), ("epd.pv", moves)]
    assert game.root.text == "text"


@pytest.mark.parametrize("line", ["nonsense", "4k3/8 w - -", f"{KINGS} w -", f"{KINGS} x - -", "8/8/8/8/8/8/8/8 w - -"])
def test_a_line_that_is_no_position_costs_itself_only(line: str) -> None:
    before, bad, after = read(f"{KINGS} w - -\n{line}\n\n{KINGS} b - -\n")
    assert (bad.kind, codes(bad), extras(bad)) == (RecordKind.OPAQUE, [180], [("epd.line", line)])
    assert bad.problems[0].offset == len(KINGS) + 7
    assert (before.number, after.number, after.tags["FEN"]) == (1, 3, f"{KINGS} b - - 0 1")


def test_an_open_quotation() -> None:
    (game,) = read(f'{KINGS} w - - v1 "a; bm Kd1;')
    assert (codes(game), extras(game)) == ([181], [("epd.v1", '"a; bm Kd1;"')])


def test_castling_that_only_chess960_has() -> None:
    usual, spelled = read("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -\nr3k2r/8/8/8/8/8/8/R3K2R w HAha -\n")
    assert (usual.variant, spelled.variant) == (Variant.STANDARD, Variant.CHESS960)


def test_line_ends_and_marks() -> None:
    first, second = read(b"\xef\xbb\xbf" + f"\r\n  {KINGS} w - -  \r\n\r\n{KINGS} b - -".encode())
    assert (first.tags["FEN"], second.tags["FEN"]) == (f"{KINGS} w - - 0 1", f"{KINGS} b - - 0 1")


def test_encodings() -> None:
    line = f'{KINGS} w - - c0 "ж"; id "я";'
    (utf8,) = read(line)
    (other,) = read(line.encode("cp1251"), encoding="cp1251")
    assert utf8.root.text == other.root.text == "ж"
    (guessed,) = read(f'{KINGS} w - - id "Ä";'.encode("cp1252"))
    assert (guessed.tags["Event"], codes(guessed)) == ("Ä", [1])
    with pytest.raises(UsageError, match="EPD"):
        read(line, encoding="utf-16")


def test_recognized_by_content(tmp_path: Path) -> None:
    for name in ("a.txt", "a.fen", "b"):
        path = tmp_path / name
        path.write_text(f"\n{KINGS} w - - 0 1\n")
        with tabiya.open(path) as database:
            assert (database.format.name, len(database)) == ("epd", 1)


def test_single_records_and_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabiya.formats.epd.chunks._CHUNK_BYTES", 100)
    text = "".join(f'{KINGS} w - - fmvn {number}; c0 "{"x" * (number % 150)}";\n' for number in range(1, 200))
    with tabiya.open(io.BytesIO(text.encode()), format="epd") as database:
        assert len(database) == 199
        assert [database[index].tags["FEN"] for index in (0, 57, 198)] == [
            f"{KINGS} w - - 0 {index + 1}" for index in (0, 57, 198)
        ]
        assert [game.number for game in database[100:140]] == [*range(101, 141)]
        one, many = ([*map(list, database.batches(threads=threads))] for threads in (1, 3))
        assert one == many


def test_a_line_without_end() -> None:
    with pytest.raises(CorruptError, match="16 MB"):
        read(b"x" * (1 << 25))
