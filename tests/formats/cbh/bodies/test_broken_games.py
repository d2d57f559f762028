"""Damaged moves: the game ends before the first code that makes no sense, as in ChessBase, and its bytes are kept."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from pathlib import Path

import chess
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tabiya
from tabiya.formats import Verification, convert
from tabiya.formats.cbh.bodies.columns import write_bodies
from tabiya.formats.cbh.bodies.move_tables import DECODE, inverse
from tabiya.game import Game, GameBatch
from tabiya.game.annotations.text import encode_text
from tabiya.game.record import RecordKind
from tests.formats.cbh.bodies.test_bodies_damage import check, extras, problems
from tests.formats.cbh.bodies.test_cbg_random import C5, D4, E4, E5, MODES, POP, PUSH, game_of, hide
from tests.formats.cbh.plain_coder import SIMPLE, Branch, encode_annotations, encode_setup, stream_order, tape_of
from tests.formats.cbh.stored import batch_of, blob

Samples = Callable[[str], Path]

NO_KNIGHT = (227, True)
"""A move of a third knight, which nobody has at the start."""
BROKEN = hide([PUSH, E4, PUSH, E5, POP, C5, NO_KNIGHT, POP, D4, POP])
"""1.e4 e5 (1...c5 and then nonsense), and an alternative 1.d4 that nobody gets to."""
E4_E5, E4_E5_C5 = "e4 e5", "e4 e5 ( c5 )"


def words(game: Game) -> str:
    moves = {0x8000: "(", 0x8001: ")"}
    board = chess.Board()
    names = {board.parse_san(san).uci(): san for san in ("e4", "d4")} | {"e7e5": "e5", "c7c5": "c5"}
    return " ".join(
        moves.get(token) or names[chess.Move(token & 63, token >> 6 & 63).uci()]
        for token in GameBatch.from_games([game]).record_batch["moves"][0].as_py()
    )


@pytest.mark.parametrize(
    ("values", "expected", "place"),
    [
        ([NO_KNIGHT, POP], "", 0),
        ([PUSH, NO_KNIGHT, POP], "", 1),
        ([E4, E5, E4, POP], E4_E5, 2),
        ([E4, E5, (235, True)], E4_E5, 2),
        ([E4, PUSH, E5, NO_KNIGHT, POP, C5, POP], E4_E5, 3),
        ([E4, PUSH, E5, POP, NO_KNIGHT, POP], E4_E5, 4),
        ([PUSH, E4, PUSH, E5, POP, C5, NO_KNIGHT, POP, D4, POP], E4_E5_C5, 6),
        ([PUSH, E4, PUSH, E5, POP, C5, POP, D4, NO_KNIGHT], "e4 ( d4 ) e5 ( c5 )", 8),
    ],
    ids=["first", "kept first", "illegal", "cut", "main line", "first of a line", "variation", "last variation"],
)
def test_the_moves_before_the_damage_are_the_game(values: list[tuple[int, bool]], expected: str, place: int) -> None:
    data = hide(values)
    bodies = blob(data)
    [game] = batch_of(bodies).games()
    assert game.kind is RecordKind.GAME
    assert words(game) == expected
    moves = sum(token not in "()" for token in expected.split())
    assert problems(bodies) == [(104, 26 + 4 + place, f"move {moves + 1}")]
    assert extras(bodies) == {"cbh.blob": data}
    assert bytes(write_bodies(batch_of(bodies)).moves) == data
    check(bodies)


@settings(max_examples=60)
@given(seed=st.integers(0, 1 << 32), mode=st.sampled_from(MODES), where=st.floats(0, 1))
def test_any_place_in_any_mode(seed: int, mode: int, where: float) -> None:
    """The moves are the first ones of the stream, as many as the problem says, and it says where the damage is."""
    board, root, sound = game_of(seed, mode)
    first = len(sound) - len(encode_only_moves(sound, mode))
    place = first + int(where * (len(sound) - first - 1))
    place -= (place - first) % (2 if mode in SIMPLE else 1)
    data = bytearray(sound)
    data[place] ^= 0x55
    found = problems(blob(bytes(data)))
    assume([(code, offset) for code, offset, _ in found] == [(104, 26 + place)])
    count = int(found[0][2].removeprefix("move ")) - 1
    known = {id(node) for node in list(stream_order(root))[:count]}
    bodies = blob(bytes(data))
    assert bodies.moves[0].as_py() == tape_of(pruned(root, known), board)[0]
    assert bytes(write_bodies(batch_of(bodies)).moves) == data
    check(bodies)


def encode_only_moves(data: bytes, mode: int) -> bytes:
    return data[4 + (28 if data[0] & 64 else 0) + (8 if data[0] & 64 and mode >= 10 else 0) :]


def pruned(root: Branch, known: set[int]) -> Branch:
    return Branch(root.move, [pruned(child, known) for child in root.children if id(child) in known])


def test_rights_that_only_a_failed_reading_needed_are_not_granted() -> None:
    """A second reading with other numbers of pieces must leave nothing of itself behind."""
    table = inverse(DECODE[0])
    board = chess.Board("r3k3/8/8/8/8/8/8/4K2R w - - 0 1")
    body = bytes(table[value] + moves & 255 for moves, value in enumerate([9, 227]))  # O-O, then nonsense
    data = bytes([64, 0, 0, 32 + len(body)]) + encode_setup(board) + body
    bodies = blob(data)
    assert bodies.start[0].as_py() == "r3k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert [code for code, _, _ in problems(bodies)] == [104, 107]
    assert bodies.moves[0].as_py() == [chess.E1 | chess.H1 << 6]
    check(bodies)


# Annotations.

ON_MOVES = [(0, 3, b"\1"), (2, 2, b"\0\0c5"), (3, 2, b"\0\0lost"), (4, 0x82, b"\0\0lost too")]


def test_annotations_of_moves_that_exist() -> None:
    comments = encode_annotations(1, [(-1, 2, b"\0\0all"), *ON_MOVES])
    bodies = blob(BROKEN, comments)
    found = [(each["move"], each["data"]) for each in bodies.annotations[0].as_py()]
    assert found == [(-1, b"all"), (0, b"\1"), (2, b"c5")]
    assert [(code, text) for code, _, text in problems(bodies)] == [(104, "move 4"), (114, "annotations: 2")]
    assert extras(bodies) == {"cbh.blob": BROKEN, "cbh.annotations": comments}
    written = write_bodies(batch_of(bodies))
    assert (bytes(written.moves), bytes(written.annotations)) == (BROKEN, comments)
    check(bodies)


# Bases.


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A ChessBase base of a sound and a damaged game."""
    tags = [f'[Cbh{name} "base64:{base64.b64encode(data).decode()}"]' for name, data in STORED.items()]
    sound = '[Event "sound"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n'
    damaged = "\n".join(['[Event "damaged"]\n[Result "1-0"]', *tags, "\n1. e4 $1 e5 (1... c5 { c5 }) 1-0\n"])
    (tmp_path / "x.pgn").write_text(sound + damaged)
    assert not convert(tmp_path / "x.pgn", tmp_path / "x.cbh").losses
    return tmp_path / "x.cbh"


STORED = {"Blob": BROKEN, "Annotations": encode_annotations(2, ON_MOVES)}


def bodies_of(path: Path) -> tuple[bytes, bytes]:
    return path.with_suffix(".cbg").read_bytes()[26:], path.with_suffix(".cba").read_bytes()[26:]


def test_a_damaged_game_goes_anywhere_and_comes_back(base: Path, tmp_path: Path) -> None:
    assert bodies_of(base) == (hide([E4, E5, POP]) + BROKEN, STORED["Annotations"])
    convert(base, tmp_path / "copy.cbh")
    assert bodies_of(tmp_path / "copy.cbh") == bodies_of(base)
    assert not convert(base, tmp_path / "there.pgn").losses
    convert(tmp_path / "there.pgn", tmp_path / "back.cbh")
    assert bodies_of(tmp_path / "back.cbh") == bodies_of(base)
    with tabiya.open(base) as first, tabiya.open(tmp_path / "there.pgn") as second:
        assert list(first) == list(second)
        assert [words(game) for game in first] == [E4_E5, E4_E5_C5]
        found = list(Verification(first))
    assert [(each.game, each.problem.code) for each in found] == [(2, 104), (2, 114)]
    assert found[0].problem.offset == 26 + 7 + 4 + 6
    assert "the moves stop there" in found[0].problem.sentence


def test_changed_moves_win_over_damaged_bytes(base: Path, tmp_path: Path) -> None:
    with tabiya.open(base) as database:
        game = database[1]
    [move] = [node for node in game.mainline() if node.san == "e5"]
    move.add("Nf3")
    with tabiya.create(tmp_path / "new.cbh") as writer:
        writer.write(game)
    assert [loss.what for loss in writer.losses] == ["cbh-details"]
    with tabiya.open(tmp_path / "new.cbh") as database:
        again = database[0]
        assert [node.san for node in again.mainline()] == ["e4", "e5", "Nf3"]
        assert not again.problems
        assert not [extra for extra in again.extras if extra.key in ("cbh.blob", "cbh.annotations")]


def test_changed_annotations_leave_damaged_moves_alone(base: Path, tmp_path: Path) -> None:
    with tabiya.open(base) as database:
        game = database[1]
    next(iter(game.mainline())).annotations.append(encode_text("new"))
    with tabiya.create(tmp_path / "new.cbh") as writer:
        writer.write(game)
    moves, annotations = bodies_of(tmp_path / "new.cbh")
    assert moves == BROKEN
    assert b"new" in annotations
    assert b"lost" not in annotations
    assert [loss.what for loss in writer.losses] == ["cbh-details"]


# What ChessBase does.


@pytest.mark.parametrize(
    ("base", "export", "damaged"),
    [
        ("NormalNoPop/StandardMissingPop.cbh", "NormalNoPop/StandardNoPop.pgn", [1]),
        ("Chess960Corrupt/Corrupt.cbh", "Chess960Corrupt/Corrupt960.pgn", [1, 2, 3, 4]),
    ],
)
def test_exports_of_chessbase(samples: Samples, tmp_path: Path, base: str, export: str, damaged: list[int]) -> None:
    path, text = samples(f"cbh/libcbh/{base}"), samples(f"cbh/libcbh/{export}").read_text("cp1252")
    theirs = _lines(text)
    with tabiya.open(path) as database:
        games = list(database)
    assert [[node.san for node in game.mainline()] for game in games] == theirs
    assert [len(line) for line in theirs] == [int(count) for count in re.findall(r'\[PlyCount "(\d+)"\]', text)]
    assert [game.number for game in games if 104 in {problem.code for problem in game.problems}] == damaged
    convert(path, tmp_path / "x.pgn")
    for source in (path, tmp_path / "x.pgn"):
        assert not convert(source, tmp_path / "x.cbh", overwrite=True).losses
        assert (tmp_path / "x.cbg").read_bytes() == path.with_suffix(".cbg").read_bytes()


def _lines(text: str) -> list[list[str]]:
    """The moves of each game of a PGN without comments and variations."""
    bodies = re.split(r"(?:^\[.*\]\r?\n)+", text, flags=re.MULTILINE)[1:]
    return [re.sub(r"\d+\.+", " ", body).split()[:-1] for body in bodies]
