"""The rules of chess: replay of tapes, and legal moves. The peer is python-chess, in the same run."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from random import Random

import chess
import chess.polyglot
import numpy as np
from measure import SAMPLES, Figure, rate_of

from tabiya.chess import Position
from tabiya.game.tape_kernel import replay

PEER = f"python-chess {chess.__version__}"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
REPEATED = 30
PEER_GAMES = 40
POSITIONS = 2000


def sample_games() -> list[list[str]]:
    """The moves of real games without comments and variations; none if the sample is missing."""
    path = SAMPLES / "pgn" / "twic-small.pgn"
    if not path.exists():
        return []
    text = re.sub(r"^\[.*$", "", path.read_text("latin-1"), flags=re.MULTILINE)
    games = re.split(r"\s(?:1-0|0-1|1/2-1/2|\*)\s", text)
    return [moves for game in games if (moves := re.sub(r"\d+\.", " ", game).split())]


def random_games(count: int) -> list[list[str]]:
    games = []
    for seed in range(count):
        rng, position = Random(seed), Position()
        moves: list[str] = []
        while len(moves) < 80 and position.legal_moves():
            moves.append(position.san(rng.choice(position.legal_moves())))
            position = position.play(moves[-1])
        games.append(moves)
    return games


@cache
def tapes() -> list[list[int]]:
    """The games as tapes, made once."""
    made = []
    for game in sample_games() or random_games(1600):
        position, tape = Position(), []
        for text in game:
            move = position.parse_san(text)
            position = position.play(move)
            tape.append(int(move))
        made.append(tape)
    return made


def source() -> str:
    kind = "real" if (SAMPLES / "pgn" / "twic-small.pgn").exists() else "random"
    return f"{len(tapes()):,} {kind} games"


def replaying(*, checked: bool) -> Callable[[], int]:
    """Replays all tapes, many times over, in one call."""
    games = tapes() * REPEATED
    moves = np.array([token for tape in games for token in tape], np.uint16)
    offsets = np.cumsum([0, *map(len, games)], dtype=np.int32)
    starts = np.zeros(len(games) + 1, np.int32)
    variants = np.zeros(len(games), np.uint8)
    failures = np.zeros(len(games), np.int32)
    keys = np.zeros(len(moves), np.uint64)

    def work() -> int:
        replay(moves, offsets, np.empty(0, np.uint8), starts, variants, failures, keys, checked)
        return len(moves)

    work()
    if (failures != -1).any():
        raise SystemExit("a tape of the benchmark is not sound")
    return work


@cache
def peer_games() -> list[list[chess.Move]]:
    games = []
    for tape in tapes()[:PEER_GAMES]:
        board, moves = chess.Board(), []
        for token in tape:
            promotion = (token >> 12) + 1 if token >> 12 else None
            board.push(board.find_move(token & 63, token >> 6 & 63, promotion))
            moves.append(board.peek())
        games.append(moves)
    return games


def peer_replay() -> int:
    count = 0
    for moves in peer_games():
        board = chess.Board()
        for move in moves:
            board.push(move)
            chess.polyglot.zobrist_hash(board)
        count += len(moves)
    return count


def peer_checked_replay() -> int:
    count = 0
    for moves in peer_games():
        board = chess.Board()
        for move in moves:
            board.is_legal(move)
            board.push(move)
            chess.polyglot.zobrist_hash(board)
        count += len(moves)
    return count


def replay_to_keys() -> Figure:
    ours, peers = rate_of(replaying(checked=False)), rate_of(peer_replay)
    return Figure(f"replay of tapes to keys, {source()}", "positions", ours, PEER, peers, "60 M/s")


def checked_replay() -> Figure:
    ours, peers = rate_of(replaying(checked=True)), rate_of(peer_checked_replay)
    return Figure(f"replay with every move checked, {source()}", "positions", ours, PEER, peers)


def sampled_positions() -> list[Position]:
    found = []
    for tape in tapes():
        position = Position()
        for token in tape:
            position = position.play(token)
            found.append(position)
    return Random(1).sample(found, POSITIONS)


def legal_moves() -> Figure:
    positions = sampled_positions()
    boards = [chess.Board(position.fen()) for position in positions]
    ours = rate_of(lambda: sum(len(position.legal_moves()) for position in positions))
    peers = rate_of(lambda: sum(len(list(board.legal_moves)) for board in boards))
    return Figure(f"legal moves as Python lists, {POSITIONS:,} positions", "moves", ours, PEER, peers, "50 x")


def peer_perft(board: chess.Board, depth: int) -> int:
    if depth == 1:
        return board.legal_moves.count()
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += peer_perft(board, depth - 1)
        board.pop()
    return leaves


def perft() -> Figure:
    ours = rate_of(lambda: Position().perft(4) + Position.from_fen(KIWIPETE).perft(4))
    peers = rate_of(lambda: peer_perft(chess.Board(), 3) + peer_perft(chess.Board(KIWIPETE), 3))
    return Figure("perft 4 (peer: 3), start and Kiwipete", "leaves", ours, PEER, peers, "50 x")


BENCHMARKS = {
    "replay": replay_to_keys,
    "checked-replay": checked_replay,
    "legal-moves": legal_moves,
    "perft": perft,
}
