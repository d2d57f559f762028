"""Game data of Scid read a second time, slowly and with python-chess: what the kernels are measured by."""

from __future__ import annotations

import chess

COMMON = (
    *("WhiteCountry", "BlackCountry", "Annotator", "PlyCount", "EventDate", "Opening", "Variation", "Setup"),
    *("Source", "SetUp"),
)
KING = (0, -9, -8, -7, -1, 1, 7, 8, 9)
KNIGHT = (0, -17, -15, -10, -6, 6, 10, 15, 17)
START = [4, 0, 1, 2, 3, 5, 6, 7]
Lists = tuple[list[int], list[int]]


def tags_of(blob: bytes) -> tuple[list[tuple[str, str]], int]:
    """The tags, and where the start begins."""
    tags, at = [], 0
    while blob[at]:
        code = blob[at]
        at += 1
        if code <= 240:
            name = blob[at : at + code].decode()
            at += code
        else:
            name = COMMON[code - 241]
        tags.append((name, blob[at + 1 : at + 1 + blob[at]].decode()))
        at += 1 + blob[at]
    return tags, at + 1


def tokens_of(blob: bytes) -> list[str]:
    """Moves in SAN, ``$1``, ``(``, ``)`` and ``{text}`` in their order."""
    _, at = tags_of(blob)
    flags, at = blob[at], at + 1
    fen = None
    if flags & 1:
        end = blob.index(0, at)
        fen, at = blob[at:end].decode(), end + 1
    board = chess.Board(fen or chess.STARTING_FEN, chess960=True)
    lists = _listed(board) if fen else _usual()
    tokens: list[str] = []
    outside: list[tuple[chess.Board, Lists, chess.Board, Lists]] = []
    before, lists_before = board.copy(), _copy(lists)
    while blob[at] != 15:
        code, at = blob[at], at + 1
        if code == 11:
            tokens.append(f"${blob[at]}")
            at += 1
        elif code == 12:
            tokens.append("{")
        elif code == 13:
            tokens.append("(")
            outside.append((board, lists, before, lists_before))
            board, lists = before.copy(), _copy(lists_before)
        elif code == 14:
            tokens.append(")")
            board, lists, before, lists_before = outside.pop()
        else:
            before, lists_before = board.copy(), _copy(lists)
            move, more = _move(board, lists[board.turn], code, blob[at])
            at += more
            tokens.append(board.san(move) if move else "--")
            _follow(board, lists, move)
            board.push(move)
    texts = blob[at + 1 :].split(b"\0")
    assert texts.pop() == b""
    found = iter(texts)
    arguments = ["{" + next(found).decode() + "}" if token == "{" else token for token in tokens]
    assert next(found, None) is None
    return arguments


def _usual() -> Lists:
    white = [*START, *range(8, 16)]
    return [square ^ 56 for square in white], white


def _listed(board: chess.Board) -> Lists:
    lists: Lists = ([], [])
    for square in (row * 8 + file for row in range(7, -1, -1) for file in range(8)):
        piece = board.piece_at(square)
        if piece:
            own = lists[piece.color]
            own.append(square)
            if piece.piece_type == chess.KING:
                own[0], own[-1] = own[-1], own[0]
    return lists


def _copy(lists: Lists) -> Lists:
    return lists[0].copy(), lists[1].copy()


def _move(board: chess.Board, own: list[int], code: int, second: int) -> tuple[chess.Move, int]:
    value, source = code & 15, own[code >> 4]
    piece = board.piece_type_at(source)
    if code == 0:
        return chess.Move.null(), 0
    if code in (9, 10):
        castling = [move for move in board.generate_castling_moves() if (move.to_square > source) == (code == 10)]
        return castling[0], 0
    more, promotion = 0, None
    file, rank = chess.square_file(source), chess.square_rank(source)
    if piece == chess.KING:
        target = source + KING[value]
    elif piece == chess.KNIGHT:
        target = source + KNIGHT[value]
    elif piece == chess.PAWN:
        step = 16 if value == 15 else 7 + value % 3
        promotion = None if value in (0, 1, 2, 15) else (5, 4, 3, 2)[value // 3 - 1]
        target = source + (step if board.turn else -step)
    elif piece == chess.BISHOP:
        step = (value & 7) - file
        target = chess.square(value & 7, rank + (step if value < 8 else -step))
    elif piece == chess.QUEEN and value == file:
        target, more = second - 64, 1
    else:
        target = chess.square(value, rank) if value < 8 else chess.square(file, value - 8)
    move = chess.Move(source, target, promotion)
    assert move in board.legal_moves
    return move, more


def _follow(board: chess.Board, lists: Lists, move: chess.Move) -> None:
    if not move:
        return
    own, other = lists[board.turn], lists[not board.turn]
    if board.is_castling(move):
        rank, short = move.from_square & 56, board.is_kingside_castling(move)
        rook = own.index(move.to_square)
        own[0], own[rook] = rank + (6 if short else 2), rank + (5 if short else 3)
        return
    taken = move.from_square & 56 | move.to_square & 7 if board.is_en_passant(move) else move.to_square
    if taken in other:
        last = other.pop()
        if last != taken:
            other[other.index(taken)] = last
    own[own.index(move.from_square)] = move.to_square
