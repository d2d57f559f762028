"""A slow second opinion on BCGN: the move codes by their definitions, on top of python-chess; entries made by hand."""

from __future__ import annotations

import struct
from itertools import chain

import chess

BLOCK_SIZES = {chess.PAWN: 12, chess.KNIGHT: 8, chess.BISHOP: 13, chess.ROOK: 14, chess.QUEEN: 27}
PROMOTIONS = [chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN]


def on_empty_board(kind: chess.PieceType, square: chess.Square) -> list[chess.Square]:
    board = chess.Board(None)
    board.set_piece_at(square, chess.Piece(kind, chess.WHITE))
    return sorted(board.attacks(square))


def castling_rook(board: chess.Board, move: chess.Move) -> chess.Square:
    return chess.square(7 if board.is_kingside_castling(move) else 0, chess.square_rank(move.from_square))


def level0(board: chess.Board, move: chess.Move) -> bytes:
    kind, target = 0, move.to_square
    if board.is_castling(move):
        kind, target = 2, castling_rook(board, move)
    elif move.promotion:
        kind = 1
    elif board.is_en_passant(move):
        kind = 3
    promotion = PROMOTIONS.index(move.promotion) if move.promotion else 0
    return struct.pack(">H", kind << 14 | move.from_square << 8 | target << 2 | promotion)


def move_index(board: chess.Board, move: chess.Move) -> int:
    if board.is_castling(move):
        return 0 if board.is_kingside_castling(move) else 1
    source, target = move.from_square, move.to_square
    kind = board.piece_type_at(source)
    assert kind is not None
    if kind == chess.KING:
        return 2 + on_empty_board(kind, source).index(target)
    base = 10
    for each, size in BLOCK_SIZES.items():
        men = sorted(board.pieces(each, board.turn))
        if each == kind:
            base += size * men.index(source)
            break
        base += size * len(men)
    if kind != chess.PAWN:
        return base + on_empty_board(kind, source).index(target)
    step = (target - source if board.turn else source - target) - 7
    return base + 4 * step + PROMOTIONS.index(move.promotion) if move.promotion else base + step


def level1(board: chess.Board, move: chess.Move) -> bytes:
    wide = len(board.pieces(chess.QUEEN, board.turn)) > 2
    return move_index(board, move).to_bytes(2 if wide else 1)


def level2(board: chess.Board, move: chess.Move) -> str:
    """The bits of a move."""
    men = sorted(chess.SquareSet(board.occupied_co[board.turn]))
    return number(men.index(move.from_square), len(men)) + number(*destination(board, move))


def number(value: int, count: int) -> str:
    width = (count - 1).bit_length()
    return f"{value:0{width}b}" if width else ""


def destination(board: chess.Board, move: chess.Move) -> tuple[int, int]:
    """The number of a move among all that its man could do, and how many these are."""
    source = move.from_square
    kind = board.piece_type_at(source)
    if kind == chess.KING:
        squares = sorted(board.attacks(source) - chess.SquareSet(board.occupied_co[board.turn]))
        long, short = board.has_queenside_castling_rights(board.turn), board.has_kingside_castling_rights(board.turn)
        if board.is_castling(move):
            place = len(squares) + (1 if board.is_kingside_castling(move) and long else 0)
        else:
            place = squares.index(move.to_square)
        return place, len(squares) + long + short
    if kind != chess.PAWN:
        squares = sorted(board.attacks(source) - chess.SquareSet(board.occupied_co[board.turn]))
        return squares.index(move.to_square), len(squares)
    squares = sorted(pawn_squares(board, source))
    place = squares.index(move.to_square)
    if move.promotion:
        return 4 * place + PROMOTIONS.index(move.promotion), 4 * len(squares)
    return place, len(squares)


def pawn_squares(board: chess.Board, source: chess.Square) -> set[chess.Square]:
    forward = 8 if board.turn else -8
    found = set(board.attacks(source) & chess.SquareSet(board.occupied_co[not board.turn]))
    square = board.ep_square if board.has_legal_en_passant() else None
    if square is not None and square in board.attacks(source):
        found.add(square)
    if not board.piece_at(source + forward):
        found.add(source + forward)
        home = chess.square_rank(source) == (1 if board.turn else 6)
        if home and not board.piece_at(source + 2 * forward):
            found.add(source + 2 * forward)
    return found


def movetext(board: chess.Board, moves: list[chess.Move], level: int) -> bytes:
    """The movetext of a line, which is played on the board."""
    parts: list[bytes] = []
    bits: list[str] = []
    for move in moves:
        if level == 2:
            bits.append(level2(board, move))
        else:
            parts.append((level0, level1)[level](board, move))
        board.push(move)
    text = "".join(bits)
    text += "0" * (-len(text) % 8)
    return b"".join(chain(parts, (bytes([int(text[i : i + 8], 2)]) for i in range(0, len(text), 8))))


# Entries by hand.


def file_header(level: int = 1, *, headerless: bool = False) -> bytes:
    return b"BCGN" + bytes([0, level, 0, 0x80 if headerless else 0]) + bytes(24)


def string(text: str | bytes) -> bytes:
    data = text.encode() if isinstance(text, str) else text
    return bytes([len(data)]) + data


def entry(
    moves: bytes = b"",
    plies: int | None = None,
    *,
    result: int = 0,
    date: tuple[int, int, int] = (0, 0, 0),
    elos: tuple[int, int] = (0, 0),
    round_number: int = 0,
    eco: bytes = b"\0\0",
    flags: int | None = None,
    position: bytes = b"",
    names: tuple[str | bytes, ...] = ("", "", "", ""),
    tags: list[tuple[str, str]] | None = None,
    rest: bytes = b"",
) -> bytes:
    """An entry with a full header."""
    strings = b"".join(map(string, names))
    if tags is not None:
        strings += bytes([len(tags)]) + b"".join(string(name) + string(value) for name, value in tags)
    given = (2 if position else 0) | (1 if tags is not None else 0) if flags is None else flags
    count = len(moves) if plies is None else plies
    fixed = struct.pack(">HHBBHHH", count << 2 | result, *date, *elos, round_number) + eco + bytes([given])
    header = fixed + position + strings + rest
    return struct.pack(">HH", 4 + len(header) + len(moves), 4 + len(header)) + header + moves


def bare_entry(moves: bytes = b"", plies: int | None = None, *, result: int = 0, position: bytes = b"") -> bytes:
    """An entry of a headerless file."""
    count = len(moves) if plies is None else plies
    body = struct.pack(">HB", count << 2 | result, 2 if position else 0) + position + moves
    return struct.pack(">H", 2 + len(body)) + body
