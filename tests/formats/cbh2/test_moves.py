"""Games from streams of words: the published ones, trees, start positions, and damage."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

import tabiya
from tabiya.chess.chess960 import start_fen
from tabiya.game import Game, RecordKind
from tests.formats.cbh2.by_hand import CHESS, CHESS960, Handmade, changed, stream
from tests.formats.cbh2.spelling import spell
from tests.formats.cbh2.test_words import VECTORS

STREAMS: list[dict[str, Any]] = VECTORS["streams"]


def read(content: bytes, folder: Path, tag: bytes = CHESS) -> Game:
    """The game of a stream."""
    base = Handmade()
    base.add(content, tag=tag)
    with tabiya.open(base.write(folder / "games")) as database:
        return database[0]


def codes(game: Game) -> list[int]:
    return [problem.code for problem in game.problems]


def own_extras(game: Game) -> dict[str, bytes]:
    return {extra.key: extra.value for extra in game.extras if extra.key.startswith("2cbh.")}


def movetext(game: Game) -> str:
    """The moves without the result."""
    return " ".join(game.to_pgn().split("\n\n", 1)[1].split()[:-1])


PUBLISHED = [
    ("fffc ffff", "", ""),
    ("fffc ace1 ffff", "1. d4", ""),
    ("fffb 007b fffc ad40 afcf ffff", "1. e3 d5", start_fen(123)),
    (
        "fffb 0001 0000 0000 c2dd c183 c047 c2fb c2d0 c301 c2d6 fffc 0409 b03b ae38 9259 5329 ffff",
        "1. Ke4 f1=B 2. g8=R Bc4 3. Rg7",
        "8/2k2PP1/8/8/8/3K4/p4pp1/8 w - - 0 1",
    ),
    ("fffb 0014 0200 0004 c04d c165 c2c8 c194 c2f2 fffc ffff", "", "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 20"),
]


@pytest.mark.parametrize(("code", "moves", "fen"), PUBLISHED, ids=[row[0][:24] for row in PUBLISHED])
def test_published_streams(code: str, moves: str, fen: str, tmp_path: Path) -> None:
    (vector,) = (each for each in STREAMS if each.get("words") == code)
    game = read(stream(code), tmp_path, bytes([vector["tag"], 0]))
    assert (codes(game), movetext(game)) == ([], moves)
    if fen:
        chess960 = vector["tag"] == 2
        assert game.root.position == tabiya.Position.from_fen(fen, chess960=chess960)
    assert own_extras(game) == {}


def test_the_published_game_with_en_passant_and_rights(tmp_path: Path) -> None:
    (vector,) = (each for each in STREAMS if "suffix" in each)
    # Only the first three pieces are published: R a1, p a7, r a8.
    content = stream(vector["prefix"]) + spell("Ke1 ke8 pe4 Pf4 Rh1") + stream(vector["suffix"])
    game = read(content, tmp_path)
    assert codes(game) == []
    assert game.tags["FEN"] == "r3k3/p7/8/8/4pP2/8/8/R3K2R b Kq f3 0 263"
    assert movetext(game) == "263... exf3 264. O-O f2+"


def test_chess960_from_a_set_up_position(tmp_path: Path) -> None:
    (vector,) = (each for each in STREAMS if each.get("prefix", "").startswith("fffb 03e8"))
    game = read(stream(vector["prefix"]) + spell("Kg1 kg8 moves end"), tmp_path, CHESS960)
    assert game.tags["FEN"] == "6k1/8/8/8/8/8/8/2R3K1 w - - 0 37"
    assert game.tags["Variant"] == "Chess960"


def test_the_published_head_of_a_real_record() -> None:
    """The first moves of game 1 of a base that ChessBase wrote, from its magic number on."""
    (vector,) = (each for each in VECTORS["records"] if "bytes" in each and "A" in each)
    head = bytes.fromhex(vector["bytes"])
    size, spare = struct.unpack_from("<ii", head, 8)
    assert (size, spare, size + spare + 34) == (704, 98, int.from_bytes(bytes.fromhex(vector["trailer"]), "little"))
    moves = "moves Pd2d4 pd7d5 Pc2c4 pc7c6 Pe2e3 bc8f5 Nb1c3 later pe7e6 Ng1f3"
    assert head[26:].startswith(spell(moves))


SHAPE = {
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
    "fffd": "later",
    "ffff": "end",
}


def test_the_published_tree(tmp_path: Path) -> None:
    (vector,) = (each for each in STREAMS if "shape" in each)
    content = spell("moves " + " ".join(SHAPE[word] for word in vector["shape"].split()))
    game = read(content, tmp_path)
    assert (codes(game), own_extras(game)) == ([], {})
    wanted = tabiya.Game.from_pgn(f'[White "x"]\n\n{vector["pgn"]} *')
    assert movetext(game) == movetext(wanted)


def test_alternatives_of_an_alternative(tmp_path: Path) -> None:
    code = "moves Pe2e4 later pe7e5 end Pd2d4 later pd7d5 Pc2c4 later end Pg2g3 end Pc2c4 end"
    game = read(spell(code), tmp_path)
    assert codes(game) == []
    assert movetext(game) == "1. e4 (1. d4 d5 2. c4 (2. g3)) (1. c4) 1... e5"


def test_castling_null_moves_promotions_and_captures(tmp_path: Path) -> None:
    setup = "start 7 0x0f00 0 Ra1 Ke1 Rh1 Pa2 Pb7 ra8 ke8 rh8 nc8 pg2 moves"
    game = read(spell(f"{setup} Pb7c8xN=N o-o O-O-O pg2h1xR=Q -- qh1d1xR end"), tmp_path)
    assert (codes(game), own_extras(game)) == ([], {})
    assert movetext(game) == "7. bxc8=N O-O 8. O-O-O gxh1=Q 9. -- Qxd1+"
    assert game.tags["FEN"] == "r1n1k2r/1P6/8/8/8/8/P5p1/R3K2R w KQkq - 0 7"


def test_a_missing_right_is_added(tmp_path: Path) -> None:
    content = spell("start 1 0 0 Ke1 Rh1 ke8 moves O-O end")
    game = read(content, tmp_path)
    assert codes(game) == [218]
    assert own_extras(game) == {"2cbh.moves": CHESS + content}
    assert (movetext(game), game.tags["FEN"]) == ("1. O-O", "4k3/8/8/8/8/8/8/4K2R w K - 0 1")


def test_rights_without_a_rook_are_dropped_and_kept_as_bytes(tmp_path: Path) -> None:
    content = spell("start 1 0x0f00 0 Ke1 Rh1 ke8 moves end")
    game = read(content, tmp_path)
    assert game.tags["FEN"].split()[2] == "K"
    assert own_extras(game) == {"2cbh.moves": CHESS + content}


DAMAGED = [
    ("an impossible move", "moves Pe2e4 Pe4e5 end", [216], "1. e4"),
    ("a piece that is not there", "moves Pe2e4 Ng1f3 end", [216], "1. e4"),
    ("a capture of nothing", "moves Pe2e4 pd7d5 Pe4d5xQ end", [216], "1. e4 d5"),
    ("a leap over pieces", "moves Ra1a4 end", [216], ""),
    ("a word without meaning", "moves Pe2e4 0xfffe end", [216], "1. e4"),
    ("an alternative to nothing", "moves later Pe2e4 end", [216], ""),
    ("two markers", "moves Pe2e4 later later pe7e5 end", [216], "1. e4"),
    ("no end", "moves Pe2e4 pe7e5", [217], "1. e4 e5"),
    ("words after the end", "moves Pe2e4 end Pd2d4", [], "1. e4"),
    ("a line without moves", "moves Pe2e4 later pe7e5 end end", [], "1. e4 e5"),
]


@pytest.mark.parametrize(("code", "problems", "moves"), [row[1:] for row in DAMAGED], ids=[row[0] for row in DAMAGED])
def test_damage_keeps_the_moves_before_it(code: str, problems: list[int], moves: str, tmp_path: Path) -> None:
    game = read(spell(code), tmp_path)
    assert (codes(game), movetext(game)) == (problems, moves)
    assert own_extras(game) == {"2cbh.moves": CHESS + spell(code)}


OPAQUE = [
    ("no section of moves", "Pe2e4 end", [215]),
    ("no king", "start 1 0 0 Ke1 moves end", [215]),
    ("two pieces on a square", "start 1 0 0 Ke1 ke8 Re1 moves end", [215]),
    ("no pieces", "start 1 moves end", [215]),
    ("a side that does not exist", "start 1 2 0 Ke1 ke8 moves end", [215]),
    ("a start that does not end", "start 1 0 0 Ke1 ke8", [215]),
]


@pytest.mark.parametrize(("code", "problems"), [row[1:] for row in OPAQUE], ids=[row[0] for row in OPAQUE])
def test_what_cannot_be_decoded_is_opaque(code: str, problems: list[int], tmp_path: Path) -> None:
    game = read(spell(code), tmp_path)
    assert (game.kind, codes(game)) == (RecordKind.OPAQUE, problems)
    assert own_extras(game) == {"2cbh.moves": CHESS + spell(code)}


def test_an_unknown_tag_is_opaque(tmp_path: Path) -> None:
    game = read(spell("moves Pe2e4 end"), tmp_path, b"\7\0")
    assert (game.kind, codes(game)) == (RecordKind.OPAQUE, [214])


def test_a_chess960_number_that_does_not_exist(tmp_path: Path) -> None:
    assert codes(read(spell("start 960 moves end"), tmp_path, CHESS960)) == [215]


@pytest.mark.parametrize("number", [0, 1, 123, 518, 566, 959])
def test_all_kinds_of_chess960_numbers(number: int, tmp_path: Path) -> None:
    game = read(spell(f"start {number} moves end"), tmp_path, CHESS960)
    wanted = tabiya.Position.from_fen(start_fen(number), chess960=True)
    assert tabiya.Position.from_fen(game.tags["FEN"], chess960=True) == wanted


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    forth = ["Ng1f3 later", "ng8f6 later", "Nf3g1 later", "nf6g8 later"]
    game = read(spell("moves " + " ".join(forth[i % 4] for i in range(200_001)) + " end"), tmp_path)
    assert (game.kind, codes(game)) == (RecordKind.OPAQUE, [219])


FRAMES = [
    ("magic", 0, b"\0", [212], RecordKind.OPAQUE),
    ("size", 8, b"\xff\xff\xff\x7f", [211, 217], RecordKind.GAME),
    ("negative size", 8, b"\xff\xff\xff\xff", [212], RecordKind.GAME),
    ("checksum", 16, b"\x55", [213], RecordKind.GAME),
    ("size at the end", -8, b"\x55", [212], RecordKind.GAME),
]


@pytest.mark.parametrize(
    ("place", "new", "problems", "kind"), [row[1:] for row in FRAMES], ids=[row[0] for row in FRAMES]
)
def test_a_damaged_frame(place: int, new: bytes, problems: list[int], kind: RecordKind, tmp_path: Path) -> None:
    base = Handmade()
    content = spell("moves Pe2e4 pe7e5 Ng1f3 nb8c6 end")
    base.add(content)
    place = place if place >= 0 else len(base.moves) + place
    base.moves[:] = changed(bytes(base.moves), place, new)
    with tabiya.open(base.write(tmp_path / "games")) as database:
        game = database[0]
    assert [code for code in codes(game) if code != 217] == [code for code in problems if code != 217]
    assert game.kind == kind
    if kind is RecordKind.GAME:
        assert movetext(game) == "1. e4 e5 2. Nf3 Nc6"
        assert own_extras(game)["2cbh.moves"].startswith(CHESS + content)
