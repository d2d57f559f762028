"""Games of Chess960: the scan of a database, the index of a library and python-chess against each other."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

import tabiya
from tabiya import Position
from tabiya.formats.library import indexing
from tabiya.game import Game, GameBatch
from tabiya.positions.chess960 import chess960_key
from tabiya.positions.index import IndexBuilder
from tabiya.search import ExactPosition, Matches, explore, search

INNER = "1rk1r2r/pppppppp/8/8/8/8/PPPPPPPP/1RK1R2R w {} - 0 1"
"""Two rooks on the king side: which of them may castle is not in Polyglot's key."""
SHREDDER = "bnrkqrnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKQRNB w FCfc - 0 1"


def chess960_game(number: int, *, seed: int, plies: int = 12, variant: bool = True) -> chess.pgn.Game:
    """A random game from a start position of Chess960, with a variation."""
    choose = random.Random(seed)
    game = chess.pgn.Game()
    board = chess.Board.from_chess960_pos(number)
    game.setup(board)
    if not variant:
        del game.headers["Variant"]
        game.headers["FEN"] = board.fen(shredder=True)
    node: Any = game
    for ply in range(plies):
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        castling = [move for move in moves if board.is_castling(move)]
        move = choose.choice(castling or moves[:6])
        other = choose.choice(moves)
        if ply and other != move:
            node.add_variation(other)
        node = node.add_main_variation(move)
        board.push(move)
    game.headers["Result"] = choose.choice(["1-0", "0-1", "1/2-1/2"])
    return game


def games() -> list[chess.pgn.Game]:
    found = [chess960_game(number, seed=seed) for number in (518, 100, 959) for seed in range(4)]
    found += [chess960_game(518, seed=7), chess960_game(100, seed=1, variant=False)]
    usual = chess.pgn.read_game(io.StringIO("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 1-0"))
    assert usual is not None
    return [usual, *found]


def inner_games() -> str:
    return "\n\n".join(
        f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{INNER.format(rights)}"]\n[Result "*"]\n\n1. a3 a6 2. a4 *'
        for rights in ("HBhb", "EBeb", "HBeb", "-")
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same games as PGN, as a library, and as a library with positions of variations."""
    folder = tmp_path_factory.mktemp("chess960")
    text = "\n\n".join([*map(str, games()), inner_games()]) + "\n"
    (folder / "games.pgn").write_text(text, "utf-8")
    tabiya.convert(folder / "games.pgn", folder / "games.tabiya")
    tabiya.convert(folder / "games.pgn", folder / "more.tabiya", variations=True)
    return folder


def numbers_of(found: Matches) -> list[int]:
    return [match.number for match in found]


def positions() -> list[Position]:
    """Positions of the games, as a front end sends them: FENs that are read by the rules of Chess960."""
    fens: dict[str, None] = {}
    for game in games():
        board = game.board()
        for move in game.mainline_moves():
            fens[board.shredder_fen()] = None
            board.push(move)
    inner = [INNER.format(rights) for rights in ("HBhb", "EBeb", "KQkq", "-")]
    return [Position.from_fen(fen, chess960=True) for fen in [*fens, *inner]]


def all_games(path: Path) -> list[chess.pgn.Game]:
    text = io.StringIO(path.read_text("utf-8"))
    found = []
    while (game := chess.pgn.read_game(text)) is not None:
        found.append(game)
    return found


def reached(game: chess.pgn.Game, position: Position) -> bool:
    """Whether a game comes to a position: pieces, side to move, and rights with their rooks."""
    goal = chess.Board(position.fen(), chess960=True)
    board = chess.Board(game.board().fen(shredder=True), chess960=True)
    for move in [*game.mainline_moves(), None]:
        same = board.board_fen() == goal.board_fen() and board.turn == goal.turn
        if same and board.clean_castling_rights() == goal.clean_castling_rights():
            return True
        if move is not None:
            board.push(board.parse_uci(move.uci()))
    return False


def test_scan_and_index_find_what_python_chess_finds(folder: Path) -> None:
    with (
        tabiya.open(folder / "games.pgn") as database,
        tabiya.open(folder / "games.tabiya") as library,
        tabiya.open(folder / "more.tabiya") as more,
    ):
        records = all_games(folder / "games.pgn")
        chosen = random.Random(3).sample(positions(), 60) + positions()[-4:]
        for position in chosen:
            scanned = explore(database, fen=position, chess960=True, top_games=50, move_orders=3)
            numbers = {game.number for game in scanned.top_games}
            assert numbers == {number for number, game in enumerate(records, 1) if reached(game, position)}
            assert explore(library, fen=position, chess960=True, top_games=50, move_orders=3) == scanned
            loose = explore(database, fen=position, chess960=True, any_castling=True)
            assert explore(library, fen=position, chess960=True, any_castling=True) == loose
            assert loose.games >= scanned.games
            usual = explore(database, fen=Position.from_fen(position.fen()))
            assert explore(library, fen=Position.from_fen(position.fen())) == usual
            for castling in (True, False):
                for variations in (False, True):
                    condition = ExactPosition(position.fen(), chess960=True, castling=castling)
                    expected = numbers_of(search(database, condition, variations=variations))
                    for each in (library, more):
                        assert numbers_of(search(each, condition, variations=variations)) == expected
                    if castling and not variations:
                        assert {*expected} == numbers


def test_castling_rights_belong_to_rooks(folder: Path) -> None:
    for name in ("games.pgn", "games.tabiya"):
        counts = {}
        for rights in ("HBhb", "EBeb", "HBeb", "KQkq", "-", "HBh"):
            fen = INNER.format(rights)
            counts[rights] = explore(folder / name, fen=fen, chess960=True).games
            with tabiya.open(folder / name) as database:
                assert len(numbers_of(search(database, ExactPosition(fen, chess960=True)))) == counts[rights]
        assert counts == {"HBhb": 1, "EBeb": 1, "HBeb": 1, "KQkq": 1, "-": 1, "HBh": 0}  # KQkq: the outermost rooks
        assert explore(folder / name, fen=INNER.format("KQkq"), chess960=True, any_castling=True).games == 4


def test_usual_games_are_found_alone_unless_asked_for(folder: Path) -> None:
    for name in ("games.pgn", "games.tabiya"):
        assert explore(folder / name).games == 1
        assert explore(folder / name, chess960=True).games == 6
        with tabiya.open(folder / name) as database:
            assert len(numbers_of(search(database, ExactPosition(Position().fen())))) == 1
            assert len(numbers_of(search(database, ExactPosition(Position().fen(), chess960=True)))) == 6


def test_a_start_position_that_only_its_fen_shows(folder: Path) -> None:
    """Without the tag Variant, the rights of a FEN show Chess960."""
    start = chess.Board.from_chess960_pos(100).shredder_fen()
    for name in ("games.pgn", "games.tabiya"):
        assert explore(folder / name, fen=start, chess960=True).games == 5


def as_before(path: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library as an earlier version of tabiya made it."""
    with monkeypatch.context() as patch:
        builder: Callable[..., Any] = indexing.BuiltIndex
        patch.setattr(
            "tabiya.formats.library.writer.BuiltIndex", lambda *args, **more: builder(*args, **more, chess960=False)
        )
        tabiya.convert(path, target)


def test_an_index_without_games_of_chess960(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, source = tmp_path / "old.tabiya", folder / "games.pgn"
    as_before(source, old, monkeypatch)
    manifest = json.loads((old / "manifest.json").read_text())
    assert "chess960" not in manifest["segments"][0]

    def same() -> None:
        with tabiya.open(source) as database, tabiya.open(old) as library:
            for position in [*positions()[:20], *positions()[-4:]]:
                assert explore(library, fen=position, chess960=True) == explore(database, fen=position, chess960=True)
                condition = ExactPosition(position.fen(), chess960=True)
                assert numbers_of(search(library, condition)) == numbers_of(search(database, condition))

    with tabiya.open(old) as library:
        details = library.details()
        assert details["games of Chess960 without an index"] == "17 (tabiya library rebuild adds them)"
        assert [*tabiya.check(old)] == []
    same()
    tabiya.rebuild(old)
    with tabiya.open(old) as library:
        assert "games of Chess960 without an index" not in library.details()
    manifest = json.loads((old / "manifest.json").read_text())
    assert manifest["segments"][0]["chess960"] == 18
    assert [*tabiya.check(old)] == []
    same()


def test_old_and_new_segments_together(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, source = tmp_path / "old.tabiya", folder / "games.pgn"
    as_before(source, old, monkeypatch)
    tabiya.convert(source, old, append=True)
    position = positions()[5]
    assert explore(old, fen=position, chess960=True).games == 2 * explore(source, fen=position, chess960=True).games
    assert [*tabiya.check(old)] == []


def test_indexes_of_usual_games_are_as_before(tmp_path: Path) -> None:
    batch = GameBatch.from_games(
        [Game.from_pgn(text) for text in ("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *", "1. d4 d5 2. c4 *", "*")]
    )
    built = []
    for chess960 in (True, False):
        folder = tmp_path / str(chess960)
        folder.mkdir()
        files = [folder / name for name in ("positions.parquet", "fences.arrow", "variations.parquet")]
        with IndexBuilder(variations=True, chess960=chess960) as builder:
            builder.add(batch)
            assert builder.finish(*files).chess960 == 0
        built.append([path.read_bytes() for path in files])
    assert built[0] == built[1]


def test_keys_differ_by_rooks_and_from_those_of_usual_games() -> None:
    fens = [INNER.format(rights) for rights in ("HBhb", "EBeb", "HBeb", "EBhb", "-")]
    found = [Position.from_fen(fen, chess960=True) for fen in [*fens, SHREDDER]]
    keys = {chess960_key(position) for position in found} | {position.key for position in found}
    assert len({position.key for position in found}) == 3
    assert len(keys) == 6 + 3
