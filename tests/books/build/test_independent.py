"""Built books against a count that shares no code with them: python-chess reads the games, this page the books."""

from __future__ import annotations

import struct
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import chess.pgn
import chess.polyglot
import pytest

import tabiya
from tabiya.books import BuildOptions, build_book
from tabiya.formats import create
from tabiya.game import RecordFilter
from tests.books.ctg import oracle

Samples = Callable[[str], Path]
Line = tuple[str, ...]

OPTIONS = BuildOptions(max_ply=18, min_games=2, weights="games")
MIN_ELO = 2200
GAMES = 150
ROOK_OF_KING = {"e1g1": "e1h1", "e1c1": "e1a1", "e8g8": "e8h8", "e8c8": "e8a8"}


class Count:
    """The games of a PGN file, counted in the ways of the three formats."""

    def __init__(self, path: Path) -> None:
        self.moves: Counter[tuple[int, str]] = Counter()
        """By Polyglot's key and move; castling is king takes rook."""
        self.lines: dict[Line, Counter[str]] = defaultdict(Counter)
        self.records: dict[bytes, Counter[str]] = defaultdict(Counter)
        """By signature: games, wins, losses, draws, ratings."""
        with path.open(encoding="utf-8") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                elos = [int(game.headers.get(name, "0")) for name in ("WhiteElo", "BlackElo")]
                if min(elos) >= MIN_ELO:
                    self.add(game, elos)

    def add(self, game: chess.pgn.Game, elos: list[int]) -> None:
        result, board = game.headers["Result"], game.board()
        line: Line = ()
        keys, signatures = set(), set()
        for ply, move in enumerate([*game.mainline_moves(), None]):
            if (signature := oracle.pack(board)) not in signatures:
                signatures.add(signature)
                self.count_position(self.records[signature], result, elos, white=board.turn)
            if move is None or ply == OPTIONS.max_ply:
                break
            key = chess.polyglot.zobrist_hash(board)
            if key not in keys:
                keys.add(key)
                self.moves[key, ROOK_OF_KING.get(move.uci(), "") if board.is_castling(move) else move.uci()] += 1
            line = (*line, move.uci())
            self.lines[line].update({"games": 1, "won": result == "1-0", "lost": result == "0-1"})
            board.push(move)

    def count_position(self, sums: Counter[str], result: str, elos: list[int], *, white: bool) -> None:
        own, other = elos if white else elos[::-1]
        won, lost = ("1-0", "0-1") if white else ("0-1", "1-0")
        sums.update({"games": 1, "wins": result == won, "losses": result == lost, "draws": result == "1/2-1/2"})
        sums.update({"rated": own > 0, "rating_sum": own, "opponents_rated": other > 0, "opponents_sum": other})


def check_polyglot(path: Path, count: Count) -> None:
    with chess.polyglot.open_reader(path) as reader:
        found = {(entry.key, raw_uci(entry.raw_move)): entry.weight for entry in reader}
    assert found == {place: games for place, games in count.moves.items() if games >= OPTIONS.min_games}


def raw_uci(bits: int) -> str:
    source, target = chess.square_name(bits >> 6 & 63), chess.square_name(bits & 63)
    return source + target + ("", "n", "b", "r", "q")[bits >> 12]


def check_abk(path: Path, count: Count) -> None:
    expected = {line: sums for line, sums in count.lines.items() if sums["games"] >= OPTIONS.min_games}
    found = dict(abk_lines(path.read_bytes(), 900, ()))
    assert found == {line: (sums["games"], sums["won"], sums["lost"]) for line, sums in expected.items()}


def abk_lines(data: bytes, slot: int, line: Line) -> Iterator[tuple[Line, tuple[int, int, int]]]:
    while slot >= 0 and 28 * slot < len(data):
        source, target, promotion, _, games, won, lost, _, reply, following = struct.unpack_from(
            "<BBbBIIIIii", data, 28 * slot
        )
        move = chess.square_name(source) + chess.square_name(target) + ("", "r", "n", "b", "q")[abs(promotion)]
        yield (*line, move), (games, won, lost)
        yield from abk_lines(data, reply, (*line, move))
        slot = following


def check_ctg(path: Path, count: Count) -> None:
    names = ("games", "wins", "losses", "draws", "score", "rated", "rating_sum", "opponents_rated", "opponents_sum")
    found = {}
    for _, record in oracle.Files.of(path).all_records():
        length = record[0] & 31
        numbers, place = {}, length + record[length]
        for name in names:
            size = 4 if name in ("score", "rating_sum", "opponents_sum") else 3
            numbers[name] = int.from_bytes(record[place : place + size], "big")
            place += size
        undecided = numbers["games"] - numbers["wins"] - numbers["losses"] - numbers["draws"]
        assert numbers.pop("score") == 10 * numbers["wins"] + 5 * numbers["draws"] + 5 * undecided
        found[record[:length]] = numbers
    assert found == {key: dict(sums) for key, sums in count.records.items() if sums["games"] >= OPTIONS.min_games}


CHECKS = {".bin": check_polyglot, ".abk": check_abk, ".ctg": check_ctg}


@pytest.mark.parametrize("sample", ["pgn/twic-small.pgn", "cbh/twic1134/twic1134.cbh"])
def test_books_of_real_games(tmp_path: Path, samples: Samples, sample: str) -> None:
    """Books are built from the sample itself and from a copy as BCGN; python-chess counts the PGN of the same games."""
    with tabiya.open(samples(sample)) as source:
        batch = source.read(0, GAMES)
    for suffix in (".pgn", ".bcgn"):
        with create(tmp_path / f"games{suffix}") as writer:
            writer.write(batch)
    count = Count(tmp_path / "games.pgn")
    assert len(count.records) > 500
    assert max(count.moves.values()) > 5
    where = RecordFilter(min_elo=MIN_ELO)
    for suffix, check in CHECKS.items():
        build_book([batch], tmp_path / f"x{suffix}", options=OPTIONS, where=where)
        check(tmp_path / f"x{suffix}", count)
        with tabiya.open(tmp_path / "games.bcgn") as copy:
            build_book(copy, tmp_path / f"y{suffix}", options=OPTIONS, where=where)
        assert (tmp_path / f"y{suffix}").read_bytes() == (tmp_path / f"x{suffix}").read_bytes()
