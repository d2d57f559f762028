"""The writer of the tests produces the bytes that ChessBase wrote, as far as they were published.

The values are those of the facts page; ``origin`` in its list says which of them ChessBase itself wrote.
"""

from __future__ import annotations

import struct

import pytest

from tabiya.chess import Position, Square
from tabiya.game import Game
from tests.formats.cbh2.writing import container, derived, entities, headers, notes, words
from tests.formats.cbh2.writing.base import Base
from tests.formats.cbh2.writing.container import BodyFile, checksum
from tests.formats.cbh2.writing.entities import Entity, EntityFile, Player, Source, Tag, Tournament
from tests.formats.cbh2.writing.games import rating_type
from tests.formats.cbh2.writing.stream import begin, chessbase_square, game_words, pgn_order, to_bytes
from tests.formats.cbh2.writing.words import MOVE_WORDS, MoveWord, castling_word, piece_word, word_of


def square(name: str) -> int:
    return chessbase_square(Square.parse(name))


# Words.

MOVES = """0001 K a1a2|0007 K a1b1|09d9 Q a1b2|55f9 k a1a2|abf1 P a2a4|ae8d p a2a1=Q|ace1 P d2d4|ad3f P e2e4
ad40 P e2e3|afcf p d7d5|b02d p e7e5|b02e p e7e6|325f N g1f3|836b n b8c6|835f n b8d7|3c61 B f1c4|93eb b f8c5
93df b f8e7|ac83 P c2c4|af72 p c7c6|8e6f b c8f5|2ca1 N b1c3|0409 K d3e4|b03b p f2f1=B|ae38 P g7g8=R|9259 b f1c4
5329 R g8g7|b016 p e4f3 ep|b05d p f3f2"""
CASTLING = {0xB129: (False, False), 0xB12A: (False, True), 0xB12B: (True, False), 0xB12C: (True, True)}
PIECES = """c02d K a1|c16d k a1|c2ad P a2|c2dd p a2|c30c p h7|c183 k c7|c047 K d3|c2fb p f2|c2d0 P f7|c301 p g2
c2d6 P g7|c12d R a1|c2e2 p a7|c274 r a8"""


@pytest.mark.parametrize("line", MOVES.replace("\n", "|").split("|"))
def test_move_words(line: str) -> None:
    word, piece, text, *rest = line.split()
    plain, _, promotion = text.partition("=")
    move = MoveWord(piece, square(plain[:2]), square(plain[2:]), rest[0] if rest else "-", promotion)
    assert word_of(move) == int(word, 16)
    assert MOVE_WORDS[int(word, 16) - 1] == move


def test_table() -> None:
    assert words.FIRST_MOVE + len(MOVE_WORDS) == words.FIRST_CASTLING
    firsts = {piece: next(n for n, each in enumerate(MOVE_WORDS, 1) if each.piece == piece) for piece in "KQNBRkqnbrPp"}
    assert [f"{first:04x}" for first in firsts.values()] == (
        ["0001", "09d9", "2bf9", "33d9", "40f9", "55f9", "5fd1", "81f1", "89d1", "96f1", "abf1", "ae8d"]
    )
    assert len(set(MOVE_WORDS)) == len(MOVE_WORDS)
    placed = [
        *(piece_word(piece, place) for piece in "KQNBRkqnbr" for place in range(64)),
        *(piece_word(piece, file * 8 + rank) for piece in "Pp" for file in range(8) for rank in range(1, 7)),
    ]
    assert placed == [*range(0xC02D, 0xC30D)]
    assert castling_word(black=True, short=True, number=959) == words.FIRST_PIECE - 1


def test_castling_words() -> None:
    for word, (black, short) in CASTLING.items():
        assert castling_word(black=black, short=short) == word
    assert castling_word(black=False, short=False, number=566) == 0xBA05
    assert castling_word(black=True, short=True, number=566) == 0xBA08


@pytest.mark.parametrize("line", PIECES.replace("\n", "|").split("|"))
def test_piece_words(line: str) -> None:
    word, piece, place = line.split()
    assert piece_word(piece, square(place)) == int(word, 16)


# Streams.


def stream(pgn: str, fen: str | None = None, *, chess960: bool = False) -> str:
    game = Game.from_pgn(pgn)
    assert not game.problems
    tag, found = game_words(game.root, fen, chess960=chess960)
    assert tag == (b"\2\0" if chess960 else b"\1\0")
    return " ".join(f"{word:04x}" for word in found)


def with_fen(fen: str, moves: str, *, variant: str = "Standard") -> str:
    return f'[Variant "{variant}"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n{moves} *\n'


def test_streams() -> None:
    assert stream("*") == "fffc ffff"
    assert stream("1. d4 *") == "fffc ace1 ffff"
    assert stream("1. d4 -- 2. -- *") == "fffc ace1 fffa fffa ffff"


def test_chess960_streams() -> None:
    fen = Position.chess960_start(123).fen()
    pgn = with_fen(fen, "1. e3 d5", variant="Chess960")
    assert stream(pgn, fen, chess960=True) == "fffb 007b fffc ad40 afcf ffff"
    for number in range(960):
        tag, start, _ = begin(Position.chess960_start(number).fen(), chess960=True)
        assert (tag, start) == ((b"\1\0", []) if number == 518 else (b"\2\0", [words.START_SECTION, number]))
    tag, start, _ = begin("4k3/8/8/8/8/8/8/2R1K3 w - - 0 37", chess960=True)
    assert tag == b"\2\0"
    assert start[:6] == [0xFFFB, 0x03E8, 0x0025, 0, 0, 0xC13D]


def test_setups() -> None:
    fen = "8/2k2PP1/8/8/8/3K4/p4pp1/8 w - - 0 1"
    moves = "1. Ke4 f1=B 2. g8=R Bc4 3. Rg7"
    assert stream(with_fen(fen, moves), fen) == (
        "fffb 0001 0000 0000 c2dd c183 c047 c2fb c2d0 c301 c2d6 fffc 0409 b03b ae38 9259 5329 ffff"
    )
    fen = "r3k3/p7/8/8/4pP2/8/8/R3K2R b Kq f3 0 263"
    found = stream(with_fen(fen, "263... exf3 264. O-O f2+"), fen)
    assert found.startswith("fffb 0107 0601 0006 c12d c2e2 c274")
    assert found.endswith("fffc b016 b12a b05d ffff")
    fen = "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 20"
    # Made by a reader's test, in another order than that of ChessBase: by squares.
    given = "fffb 0014 0200 0004 c04d c165 c2c8 c194 c2f2 fffc ffff"
    assert sorted(stream(with_fen(fen, ""), fen).split()) == sorted(given.split())


def test_variations() -> None:
    game = Game.from_pgn("1. e4 c5 (1... c6 2. d4) (1... Nf6 2. e5) 2. Nf3 d6 (2... Nc6 3. Bb5) 3. d4 *")
    _, found = game_words(game.root, None)
    markers = {0xFFFC: "", 0xFFFD: "fffd", 0xFFFF: "ffff"}
    shape = [markers.get(word) or "move" for word in found[1:]]
    expected = [
        "e4",
        "c5",
        "fffd",
        "Nf3",
        "d6",
        "fffd",
        "d4",
        "ffff",
        "Nc6",
        "Bb5",
        "ffff",
        "c6",
        "fffd",
        "d4",
        "ffff",
        "Nf6",
        "e5",
        "ffff",
    ]
    assert shape == [each if each in ("fffd", "ffff") else "move" for each in expected]
    moves = [word for word in found[1:] if word < words.NULL_MOVE]
    assert [MOVE_WORDS[word - 1].target for word in moves] == [
        square(each[-2:]) for each in expected if each not in ("fffd", "ffff")
    ]
    assert [node.san for node in pgn_order(game.root)] == (
        ["e4", "c5", "c6", "d4", "Nf6", "e5", "Nf3", "d6", "Nc6", "Bb5", "d4"]
    )
    assert found.count(words.SIBLING) == found.count(words.END_OF_LINE) - 1


# Containers.


@pytest.mark.parametrize(
    ("content", "stored"),
    [
        ("fffc ad3f b02d 325f 836b ffff", "32 5f b0 2d ad 3f ff fc"),
        ("fffc ad3f b02d 325f 836b 3c61 93eb ffff", "fe 7e 9d ee 91 dd ec fb"),
        ("fffc ad3f b02d 325f 836b 3c61 93df ffff", "fe 72"),
    ],
)
def test_checksums(content: str, stored: str) -> None:
    found = checksum(to_bytes([int(word, 16) for word in content.split()]))
    assert found[: len(bytes.fromhex(stored))] == bytes.fromhex(stored)


def test_short_checksum() -> None:
    assert checksum(notes.END) == bytes.fromhex("00 00 00 00 7f ff ff ff")


def test_first_game_of_wch2() -> None:
    """The head of a record: 1.d4 d5 2.c4 c6 3.e3 Bf5 4.Nc3, which has an alternative, e6 5.Nf3 Nd7."""
    game = Game.from_pgn("1. d4 d5 2. c4 c6 3. e3 Bf5 4. Nc3 (4. Nf3) 4... e6 5. Nf3 Nd7 *")
    _, found = game_words(game.root, None)
    content = to_bytes(found[:12])
    assert content.hex(" ") == "fc ff e1 ac cf af 83 ac 72 af 40 ad 6f 8e a1 2c fd ff 2e b0 5f 32 5f 83"
    body = container.Body(b"\1\0", bytes(704), 98).encode()
    assert body[:16].hex(" ") == "88 77 66 55 44 33 22 11 c0 02 00 00 62 00 00 00"
    assert body[24:26].hex(" ") == "01 00"
    assert body[-8:].hex(" ") == "44 03 00 00 00 00 00 00"
    assert len(body) == 836


def places(file: BodyFile) -> list[list[int]]:
    return [
        [offset, len(body.content), body.spare, body.size]
        for offset, body in zip(file.offsets(), file.bodies, strict=True)
    ]


def test_spare_bytes() -> None:
    """Three rounds of edits in ChessBase, with the places of all records after each of them."""
    file = BodyFile(".2cbg")
    for _ in range(5):
        file.add(b"\1\0", bytes(4))
    first = [[12, 4, 102, 140], *([152 + 136 * number, 4, 98, 136] for number in range(4))]
    assert places(file) == first
    file.replace(0, bytes(22))
    file.replace(1, bytes(182))
    assert places(file) == [[12, 22, 84, 140], [152, 182, 0, 216], [368, 4, 18, 56], *first[3:]]
    file.replace(0, bytes(12))
    file.replace(1, bytes(190))
    assert places(file) == [[12, 12, 94, 140], [152, 190, 0, 224], [376, 4, 10, 48], *first[3:]]
    file.replace(1, bytes(210))
    assert places(file) == [
        *([12, 12, 94, 140], [152, 210, 0, 244], [396, 4, 0, 38], [434, 4, 88, 126]),
        first[4],
    ]
    with pytest.raises(ValueError, match="unknown"):
        file.replace(3, bytes(400))


# Headers and file sizes.


def test_header_of_version_3() -> None:
    head = headers.file_header(110_120, 3)
    assert head[:19].hex(" ") == "00 00 00 00 00 00 00 00 22 00 c0 00 00 03 00 00 29 ae 01"
    assert len(head) * 110_121 + 192 == 21_143_424  # one more than the real file: its next id is its size / 192
    assert headers.file_header(0, 5)[8:16].hex(" ") == "26 00 c0 00 00 05 00 00"


def test_sizes() -> None:
    empty = Base().files()
    assert {suffix: len(data) for suffix, data in empty.items() if suffix not in (".2lid", ".ini")} == {
        ".2cbh": 192,
        ".2cbg": 12,
        ".2cba": 12,
        ".2lgd": 12,
        ".2lcd": 40_960,
    }
    assert empty[".2cbg"].hex() == "0c00000000000000" + "0c00" + "0100"
    base = Base()
    references: dict[str, Entity | None] = {
        "white": Player("A"),
        "black": Player("B"),
        "annotator": Player(),
        "tournament": Tournament(),
    }
    base.add_game({**references, "source": Source(), "tag": Tag()}, {}, b"\1\0", [0xFFFC, 0xFFFF])
    assert len(base.files()[".2cba"]) == 248
    assert base.files()[".2cbg"][8:12].hex() == "0c000005"
    base.add_game({**references, "source": Source(), "tag": Tag()}, {}, b"\1\0", [0xFFFC, 0xFFFF])
    files = base.files()
    assert {suffix: len(files[suffix]) for suffix in (".2cbh", ".2cba", ".2lid", ".2lgd", ".2lcd")} == {
        ".2cbh": 576,
        ".2cba": 480,
        ".2lid": 8688,
        ".2lgd": 1548,
        ".2lcd": 40_960,
    }
    assert len(files[".2cbg"]) % 8 == 0


# Entities.


def test_player() -> None:
    found = entities.string("")[4:] + struct.pack("<i", 45) + Player("Mårdell", "Jimmy").encode()
    assert found.hex(" ") == (
        "2d 00 00 00 08 00 00 00 4d c3 a5 72 64 65 6c 6c 05 00 00 00 4a 69 6d 6d 79 00 00 00 00 00 00 00 00 "
        "ff ff ff ff 08 00 00 00 ff ff ff ff ff ff ff ff"
    )
    assert len(Player().encode()) + 4 == 36


def test_source() -> None:
    day = 1999 << 9 | 7 << 5 | 1
    data = Source("MainBase", "ChessBase", day, day, 2, 1).encode()
    assert (struct.pack("<i", len(data)) + data).hex(" ") == (
        "25 00 00 00 08 00 00 00 4d 61 69 6e 42 61 73 65 09 00 00 00 43 68 65 73 73 42 61 73 65 "
        "e1 9e 0f 00 e1 9e 0f 00 02 00 01 00"
    )


def test_tag() -> None:
    data = Tag(((53, "Turnierbericht"), (42, "Tournament Report"))).encode()
    whole = struct.pack("<i", len(data)) + data
    assert len(whole) == 55
    assert whole[:16].hex(" ") == "33 00 00 00 02 00 00 00 2a 00 00 00 11 00 00 00"
    assert whole[33:41].hex(" ") == "35 00 00 00 0e 00 00 00"
    assert Tag().encode() == bytes(4)


def test_tournament() -> None:
    title = "World-ch02 Steinitz-Chigorin +10-6=1"
    (latitude, longitude) = struct.unpack("<ff", bytes.fromhex("8e29b941c3dba4c2"))
    havana = Tournament(
        title,
        "Havana",
        1889 << 9 | 1 << 5 | 20,
        2,
        0,
        34,
        0,
        3,
        17,
        latitude,
        longitude,
        end_date=1889 << 9 | 2 << 5 | 24,
    )
    data = havana.encode()
    sevens = bytearray(40)
    sevens[14], sevens[25], sevens[36] = 7, 7, 7
    assert len(data) == 158
    assert data == b"".join(
        [
            *(bytes.fromhex("06000000"), b"Havana", bytes.fromhex("24000000"), title.encode()),
            bytes.fromhex("34c20e00 02 002200 00031100 8e29b941c3dba4c2"),
            *(bytes(sevens[:38]), b"\0\0", bytes.fromhex("58c20e00"), bytes(44)),
        ]
    )


@pytest.mark.parametrize(
    ("rules", "stored"),
    [((17, 5, 1), "03 00 11 00 05 00 01 00"), ((21, 11, 14, 13), "04 00 15 00 0b 00 0e 00 0d 00")],
)
def test_tie_breaks(rules: tuple[int, ...], stored: str) -> None:
    data = Tournament(tie_breaks=rules).encode()
    assert bytes.fromhex(stored) in data
    assert len(data) == 8 + 108 + 2 * len(rules)


def test_deleted_entities() -> None:
    file = EntityFile()
    for name in "ABCDE":
        file.id_of(Player(name))
    file.delete(entities.PLAYER, 2)
    file.delete(entities.PLAYER, 4)
    data = file.encode()
    begin = 184 + 4 * sum(entities.CONTAINERS)
    assert data[begin : begin + 20].hex(" ") == ("10 00 00 00 22 33 44 55 66 77 88 99 02 00 00 00 00 00 00 00")
    count, first = struct.unpack(">qq", data[12:28])
    assert (count, first) == (5, 4)


def test_header_of_entities() -> None:
    data = EntityFile().encode()
    assert data[:28].hex(" ") == ("00 00 00 b8 00 00 00 06 00 00 04 00 00 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff")
    assert sum(entities.CONTAINERS) == 4234
    for size in (184, 216, 228, 236):
        assert len(EntityFile(size).encode()) == size


RATINGS = {
    "0001000100464944450000": "0100010000004649444500000000",
    "0001000200464944450000": "1100020000004649444500000000",
    "0001000400494343460000": "2100040000004943434600000000",
}


@pytest.mark.parametrize(("older", "stored"), RATINGS.items())
def test_rating_types(older: str, stored: str) -> None:
    assert rating_type(bytes.fromhex(older)).hex() == stored


def test_sort_keys() -> None:
    keys = {"Caruana": "63617275616e6100", "Northolt-Long": "6e6f7274686f6c74"}
    for name, key in keys.items():
        assert f"{derived.sort_key(Player(name)):016x}" == key
    for name in ("Vachier-Lagrave", "O'Brien", "Grünfeld"):
        assert derived.sort_key(Player(name)) == 0
    assert derived.sort_key(Player()) == 1


# Annotations.


def payload(kind: int, data: str) -> str:
    stored = notes.annotation(kind, notes.convert(kind, bytes.fromhex(data)))
    assert stored[1] == 0
    return stored[:1].hex() + (" " + stored[2:].hex(" "))


def test_annotations() -> None:
    assert payload(0x26, "0003 00 01 0011  00 14 fff0  ff 00 0000") == (
        "26 01 0e 00 00 00 03 00 11 00 01 00 f0 ff 14 00 00 00 00 ff"
    )
    assert payload(0x03, "01 12 8e") == "03 01 12 8e"
    assert payload(0x03, "01") == "03 01 00 00"
    assert payload(0x04, "02 01 04 40") == "04 04 00 00 00 02 01 04 40"
    assert payload(0x05, "03 0d 1d") == "05 03 00 00 00 03 0d 1d"
    assert payload(0x07, "01 02 05 00") == "07 00 05 02 01"
    assert len(notes.convert(0x24, bytes(33))) == 38


def test_guiding_text() -> None:
    content = notes.guiding_text({42: bytes(116), 53: bytes(82)})
    assert content[:18].hex(" ") == "05 00 02 01 00 00 07 00 00 00 2a 00 00 00 74 00 00 00"
    assert len(content) == 6 + 258


def test_castling_is_the_king_taking_its_rook() -> None:
    _, found = game_words(Game.from_pgn("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *").root, None)
    assert found[-3:] == [0xB12A, 0xB12C, 0xFFFF]
