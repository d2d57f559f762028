"""Annotations from bytes, by the published layouts: every type with its value, its place, and what is kept of it."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

import tabiya
from tabiya.chess import Square
from tabiya.game import Game
from tabiya.game.annotations import (
    Arrow,
    Arrows,
    BlackClock,
    ColoredSquare,
    CriticalPosition,
    Evaluation,
    EvaluationProfile,
    Medals,
    PawnStructure,
    Period,
    PiecePath,
    ProfileEntry,
    Quotation,
    Solution,
    Squares,
    Symbols,
    TextAfter,
    TextBefore,
    TimeControl,
    TimeSpent,
    Training,
    TrainingText,
    Value,
    VariationColor,
    Video,
    VideoStreamTime,
    WebLink,
    WhiteClock,
    typed,
)
from tests.formats.cbh2.by_hand import Handmade, notes
from tests.formats.cbh2.spelling import spell
from tests.formats.cbh2.test_moves import codes, own_extras
from tests.formats.cbh2.test_words import VECTORS

MOVES = spell("moves Pe2e4 later pe7e5 Ng1f3 end Pd2d4 pd7d5 end")
"""1. e4 (1. d4 d5) 1... e5 2. Nf3: on the tape e4 0, d4 1, d5 2, e5 3, Nf3 4."""


def read(content: bytes, folder: Path, moves: bytes = MOVES) -> Game:
    base = Handmade()
    base.add(moves, content)
    with tabiya.open(base.write(folder / "games")) as database:
        return database[0]


def only(game: Game) -> tuple[int, object]:
    """The move and the value of the only annotation."""
    (found,) = [
        (number, annotation)
        for number, node in enumerate([game.root, *game.walk()], -1)
        for annotation in node.annotations
    ]
    return found[0], typed(found[1])


KINDS: list[tuple[str, Value]] = [
    ("0200 0000 0000 05000000 48656c6c6f", TextAfter("Hello", lang=42)),
    ("0200 0000 0100 03000000 c39c21", TextAfter("Ü!", lang=53)),
    ("0200 0000 0100 02000000 dc21", TextAfter("Ü!", lang=53)),
    ("8200 0000 0700 01000000 58", TextBefore("X")),
    ("0300 01 12 8e", Symbols(1, 18, 142)),
    ("0300 00 12 00", Symbols(0, 18, 0)),
    (
        "0400 04000000 0201 0440",
        Squares((ColoredSquare(2, Square.parse("a1")), ColoredSquare(4, Square.parse("h8")))),
    ),
    ("0500 03000000 030d1d", Arrows((Arrow(3, Square.parse("b5"), Square.parse("d5")),))),
    ("0700 00 05 02 01", TimeSpent(1, 2, 5, 0)),
    ("1400 03", PawnStructure(3)),
    ("1500 02000000 03 1d", PiecePath(Square.parse("d5"), 3)),
    ("1600 10270000", WhiteClock(10000)),
    ("1700 01000000", BlackClock(1)),
    ("1800 02", CriticalPosition(2)),
    ("1c00 01 01000000 75 02000000 6869", WebLink("u", "hi")),
    ("2000 0100 0100 02000000 6869", Video(53, "hi")),
    ("2100 9cff 0000 1400", Evaluation(-100, 0, 20)),
    ("2200 40020000", Medals(0x240)),
    ("2300 ff 80 40 02", VariationColor(2, 0x40, 0x80, 0xFF)),
    (
        "2400 01" + "905f0100 b80b0000 2800 01" + 2 * "00000000 00000000 e803 03" + "00000000",
        TimeControl((Period(90000, 3000, 40, 1), Period(0, 0, 1000, 3), Period(0, 0, 1000, 3))),
    ),
    ("2500 39300000", VideoStreamTime(12345)),
    (
        "2600 01 0e000000 0300 1100 01 00 f0ff 14 00 0000 00 ff",
        EvaluationProfile((ProfileEntry(0, 1, 17), ProfileEntry(0, 20, -16), ProfileEntry(255, 0, 0))),
    ),
    (
        "0900 0101 01 000000 3c000000 0500 0100 0000 02000000 513f 0000 0000 0000 01 0c 1c 00 05 0000",
        Training(
            60,
            5,
            (TrainingText(0, "Q?"),),
            ((), (), ()),
            (Solution(Square.parse("b5"), Square.parse("d5"), 0, 5, ()),),
        ),
    ),
]
NAMES = [f"{row[0][:4]} {number}" for number, row in enumerate(KINDS)]


@pytest.mark.parametrize(("data", "value"), KINDS, ids=NAMES)
def test_every_kind(data: str, value: Value, tmp_path: Path) -> None:
    game = read(notes((3, [data])), tmp_path)
    assert only(game) == (3, value)
    assert codes(game) == []
    uncertain = isinstance(value, Video)
    assert own_extras(game) == ({"2cbh.annotations": notes((3, [data]))} if uncertain else {})


@pytest.mark.parametrize("vector", VECTORS["annotations"], ids=lambda vector: vector["value"][:20])
def test_published_annotations_are_read_whole(vector: dict[str, str], tmp_path: Path) -> None:
    game = read(notes((0, [vector["bytes"]])), tmp_path)
    assert only(game)[0] == 0
    assert (codes(game), own_extras(game)) == ([], {})


def test_languages(tmp_path: Path) -> None:
    numbers = {0: 42, 1: 53, 2: 49, 3: 43, 4: 70, 5: 103, 6: 117, 7: 0, 12: 116, 18: 55}
    data = [f"0200 0000 {number:02x}00 01000000 58" for number in numbers]
    game = read(notes((0, data)), tmp_path)
    (node,) = [node for node in game.walk() if node.annotations]
    assert [annotation.lang for annotation in node.annotations] == list(numbers.values())
    assert own_extras(game) == {}
    odd = read(notes((0, ["0200 0000 0800 01000000 58"])), tmp_path)
    assert only(odd) == (0, TextAfter("X"))
    assert list(own_extras(odd)) == ["2cbh.annotations"]


def test_positions_count_in_the_order_of_the_tape(tmp_path: Path) -> None:
    blocks = [(position, [f"1400 {position + 2:02x}"]) for position in range(-1, 5)]
    game = read(notes(*blocks), tmp_path)
    found = [[typed(each) for each in node.annotations] for node in (game.root, *game.walk())]
    assert found == [[PawnStructure(number)] for number in range(1, 7)]
    assert [node.san for node in game.walk()] == ["e4", "d4", "d5", "e5", "Nf3"]


def test_the_published_example_of_positions(tmp_path: Path) -> None:
    (vector,) = (each for each in VECTORS["streams"] if "annotation_positions" in each)
    wanted = vector["annotation_positions"].split()
    shape = "e4 c5 later Nf3 d6 later d4 end Nc6 Bb5 end c6 later d4 end Nf6 e5 end"
    names = {
        "e4": "Pe2e4",
        "c5": "pc7c5",
        "Nf3": "Ng1f3",
        "d6": "pd7d6",
        "d4": "Pd2d4",
        "Nc6": "nb8c6",
        "Bb5": "Bf1b5",
        "c6": "pc7c6",
        "Nf6": "ng8f6",
        "e5": "Pe4e5",
    }
    moves = spell("moves " + " ".join(names.get(word, word) for word in shape.split()))
    blocks = [(int(number), [f"1400 {int(number):02x}"]) for number in wanted[1::2]]
    game = read(notes(*blocks), tmp_path, moves)
    order = {typed(node.annotations[0]).number: node.san for node in game.walk()}  # type: ignore[union-attr]
    assert order == {int(number): name for name, number in zip(wanted[::2], wanted[1::2], strict=True)}


UNKNOWN = [
    ("a type that is not known", [(0, ["1400 01", "1a00 0102030405"]), (1, ["1400 02"])], [222], 1),
    ("a type that classic bases do not have", [(0, ["2700 0100", "1400 01"])], [], 1),
    ("four bytes without a meaning", [(0, ["0800 06000000", "1400 01"])], [], 1),
    ("a position after the end", [(9, ["1400 01"])], [223], 1),
    ("positions in another order", [(3, ["1400 01"]), (0, ["1400 02"])], [], 2),
    ("a long link", [(0, ["1c00 01 00010000" + 256 * "61" + "00000000", "1400 01"])], [], 1),
    (
        "a choice of texts",
        [(0, ["0900 0101 02 000000 00000000 0000" + 4 * "0000" + "01 05" + 2 * "0000", "1400 01"])],
        [],
        1,
    ),
    ("a text that ends early", [(0, ["1400 01", "0200 0000 0000 ffff0000 58"])], [221], 1),
]


@pytest.mark.parametrize(("blocks", "problems", "count"), [row[1:] for row in UNKNOWN], ids=[row[0] for row in UNKNOWN])
def test_what_is_not_understood_is_kept(
    blocks: list[tuple[int, list[str]]], problems: list[int], count: int, tmp_path: Path
) -> None:
    content = notes(*blocks)
    game = read(content, tmp_path)
    assert codes(game) == problems
    assert sum(len(node.annotations) for node in (game.root, *game.walk())) == count
    assert own_extras(game) == {"2cbh.annotations": content}


def test_every_truncation_is_a_problem_and_nothing_is_lost(tmp_path: Path) -> None:
    whole = notes(*((number % 4, [data]) for number, (data, _) in enumerate(KINDS)))
    base = Handmade()
    for size in range(len(whole)):
        base.add(MOVES, whole[:size])
    with tabiya.open(base.write(tmp_path / "games")) as database:
        for size, game in enumerate(database):
            assert codes(game) in ([221], [222])
            assert own_extras(game) == {"2cbh.annotations": whole[:size]}


def test_annotations_of_moves_that_could_not_be_read(tmp_path: Path) -> None:
    broken = spell("moves Pe2e4 later pe7e5 Ra1a8 end Pd2d4 pd7d5 end")
    content = notes((0, ["1400 01"]), (1, ["1400 02"]), (3, ["1400 03"]))
    game = read(content, tmp_path, broken)
    # Only the first move certainly has its number: the variation behind it was not read.
    assert codes(game) == [216, 224]
    assert only(game) == (0, PawnStructure(1))
    assert own_extras(game)["2cbh.annotations"] == content


def test_annotations_of_an_opaque_game_belong_to_the_record(tmp_path: Path) -> None:
    content = notes((3, ["1400 01"]))
    game = read(content, tmp_path, b"\1\2\3\4")
    assert only(game) == (-1, PawnStructure(1))
    assert own_extras(game)["2cbh.annotations"] == content


def quotation(*, kind: int = 2, normal: bool = True, moves: bytes = b"") -> str:
    names = b"".join(
        bytes([len(each) + 1]) + each.encode() + b"\0" for each in ("Tal", "M", "Botvinnik", "", "Moscow", "WCh")
    )
    facts = bytearray(35)
    struct.pack_into("<i", facts, 0, 1960 << 9 | 3 << 5 | 15)
    facts[4], facts[6], facts[10], facts[34] = 0x20, 149, 24, 2
    struct.pack_into("<HHH", facts, 28, 2600, 2610, 129 << 7)
    rounds = bytearray(44)
    rounds[8], rounds[9] = 5, 1
    lists = 2 * (b"\1\0\1\0\0" + struct.pack("<i", 4) + b"FIDE")
    start = b"\1" if normal else bytes(1 + 64 + 11)
    head = struct.pack("<HBHHiB", 0x13, 1, kind, 0, 1, 0)
    count = struct.pack("<i", len(moves) // 5)
    return (head + names + facts + rounds + lists + bytes(26) + start + bytes(2) + count + moves + bytes(4)).hex()


def test_quotations(tmp_path: Path) -> None:
    moves = [bytes([_stored(each[:2]), _stored(each[2:]), 0, 0, 0]) for each in ("e2e4", "e7e5", "e1e2")]
    data = quotation(moves=b"".join(moves))
    game = read(notes((0, [data, "1400 01"])), tmp_path)
    node = next(iter(game.walk()))
    quoted = typed(node.annotations[0])
    assert isinstance(quoted, Quotation)
    assert quoted.format() == '"Tal,M" "Botvinnik" "WCh" "Moscow" 1960.03.15 1-0 2600 2610 B28 "1.e4 e5 2.Ke2"'
    assert (quoted.round, quoted.subround, quoted.rounds, quoted.nation, quoted.tournament_type) == (
        5,
        1,
        24,
        149,
        0x20,
    )
    assert typed(node.annotations[1]) == PawnStructure(1)
    assert list(own_extras(game)) == ["2cbh.annotations"]  # much in it is unknown
    other = read(notes((0, [quotation(normal=False, moves=moves[0])])), tmp_path)
    (annotation,) = next(iter(other.walk())).annotations
    assert isinstance(typed(annotation), Quotation)
    assert typed(annotation).moves == ()  # type: ignore[union-attr]


def test_promotions_in_quotations(tmp_path: Path) -> None:
    squares = ["a2a4", "b7b5", "a4b5", "a7a6", "b5a6", "b8c6", "a6a7", "a8b8"]
    played = b"".join(bytes([_stored(each[:2]), _stored(each[2:]), 0, 0, 0]) for each in squares)
    for piece, letter in enumerate("QNBR"):
        last = bytes([_stored("a7") | 64, _stored("a8") | piece << 6, 0, 0, 0])
        game = read(notes((0, [quotation(moves=played + last)])), tmp_path)
        quoted = typed(next(iter(game.walk())).annotations[0])
        assert isinstance(quoted, Quotation)
        assert quoted.format().endswith(f'5.a8={letter}"')


def _stored(square: str) -> int:
    return (ord(square[0]) - 97) * 8 + int(square[1]) - 1
