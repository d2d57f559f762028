"""A plain coder of ``.cbg`` blobs, written from the description of the format alone: slow, recursive, easy to follow.

It shares only the tables of permutations with the library, and knows the rules of chess from python-chess.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import chess

from tabiya.formats.cbh.bodies.move_tables import DECODE, inverse

SIMPLE = {1, 3, 5, 7}
SWAPPED = {3, 7}
REVERSE = {2, 6, 11}
PRE = {0, 1, 2, 3}
CHESS960 = {10, 11}

KING = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
KNIGHT = [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)]
STRAIGHT = [(0, k) for k in range(1, 8)] + [(k, 0) for k in range(1, 8)]
DIAGONAL = [(k, k) for k in range(1, 8)] + [(k, -k) for k in range(1, 8)]
FIRST_NUMBER = {
    (chess.QUEEN, 0): 11,
    (chess.QUEEN, 1): 143,
    (chess.QUEEN, 2): 171,
    (chess.ROOK, 0): 39,
    (chess.ROOK, 1): 53,
    (chess.ROOK, 2): 199,
    (chess.BISHOP, 0): 67,
    (chess.BISHOP, 1): 81,
    (chess.BISHOP, 2): 213,
    (chess.KNIGHT, 0): 95,
    (chess.KNIGHT, 1): 103,
    (chess.KNIGHT, 2): 227,
    (chess.KING, 0): 1,
}
STEPS = {
    chess.QUEEN: STRAIGHT + DIAGONAL,
    chess.ROOK: STRAIGHT,
    chess.BISHOP: DIAGONAL,
    chess.KNIGHT: KNIGHT,
    chess.KING: KING,
}
TWO_BYTES, PADDING, PUSH, POP = 235, 236, 254, 255
STORED_PROMOTION = {None: 0, chess.QUEEN: 0, chess.ROOK: 1, chess.BISHOP: 2, chess.KNIGHT: 3}
STORED_PIECE = {chess.KING: 1, chess.QUEEN: 2, chess.KNIGHT: 3, chess.BISHOP: 4, chess.ROOK: 5, chess.PAWN: 6}


@dataclass
class Branch:
    """A move and what may follow it, the main continuation first. The root has no move."""

    move: chess.Move | None = None
    children: list[Branch] = field(default_factory=list)


def stored(square: int) -> int:
    return chess.square_file(square) * 8 + chess.square_rank(square)


def stream_order(root: Branch) -> Iterator[Branch]:
    for child in root.children:
        yield child
        yield from stream_order(child)


def tape_of(root: Branch, board: chess.Board) -> tuple[list[int], dict[int, int]]:
    """The tape below a root, and by ``id`` of a branch the number of its move on the tape."""
    tape: list[int] = []
    numbers: dict[int, int] = {}

    def token(move: chess.Move, position: chess.Board) -> int:
        target = move.to_square
        if not position.chess960 and position.is_castling(move):
            target = chess.square(7 if target > move.from_square else 0, chess.square_rank(target))
        return move.from_square | target << 6 | (move.promotion - 1 if move.promotion else 0) << 12

    def put(branch: Branch, position: chess.Board) -> None:
        assert branch.move is not None
        numbers[id(branch)] = len(numbers)
        tape.append(token(branch.move, position))

    def line(first: Branch, position: chess.Board, alternatives: list[Branch]) -> None:
        put(first, position)
        for other in alternatives:
            tape.append(0x8000)
            line(other, position.copy(stack=False), [])
            tape.append(0x8001)
        assert first.move is not None
        position.push(first.move)
        if first.children:
            line(first.children[0], position, first.children[1:])

    if root.children:
        line(root.children[0], board.copy(stack=False), root.children[1:])
    return tape, numbers


class Pieces:
    """The numbers of the pieces: at most three of a type, eight pawns."""

    def __init__(self, board: chess.Board, *, reverse: bool) -> None:
        self.slots: dict[tuple[bool, int], list[int | None]] = {
            (color, kind): [] for color in chess.COLORS for kind in chess.PIECE_TYPES
        }
        for index in reversed(range(64)) if reverse else range(64):
            square = chess.square(index // 8, index % 8)
            piece = board.piece_at(square)
            if piece is not None:
                self._add(piece.color, piece.piece_type, square)

    def copy(self) -> Pieces:
        new = object.__new__(Pieces)
        new.slots = {key: list(squares) for key, squares in self.slots.items()}
        return new

    def _add(self, color: bool, kind: int, square: int) -> None:
        squares = self.slots[color, kind]
        if len(squares) < {chess.PAWN: 8, chess.KING: 1}.get(kind, 3):
            squares.append(square)

    def _remove(self, color: bool, kind: int, square: int) -> None:
        squares = self.slots[color, kind]
        if square in squares:
            place = squares.index(square)
            if kind == chess.PAWN:
                squares[place] = None
            else:
                del squares[place]

    def number(self, color: bool, kind: int, square: int) -> int | None:
        squares = self.slots[color, kind]
        return squares.index(square) if square in squares else None

    def follow(self, board: chess.Board, move: chess.Move) -> None:
        """Call it before the move is played."""
        if not move:
            return
        us = board.turn
        if board.is_castling(move):
            rank = chess.square_rank(move.from_square)
            short = board.is_kingside_castling(move)
            rook = move.to_square if board.chess960 else chess.square(7 if short else 0, rank)
            rooks = self.slots[us, chess.ROOK]
            place = rooks.index(rook) if rook in rooks else None
            self.slots[us, chess.KING][0] = chess.square(6 if short else 2, rank)
            if place is not None:
                rooks[place] = chess.square(5 if short else 3, rank)
            return
        kind = board.piece_type_at(move.from_square)
        assert kind is not None
        if board.is_en_passant(move):
            self._remove(not us, chess.PAWN, move.to_square + (-8 if us else 8))
        elif (captured := board.piece_type_at(move.to_square)) is not None:
            self._remove(not us, captured, move.to_square)
        squares = self.slots[us, kind]
        if move.promotion:
            self._remove(us, chess.PAWN, move.from_square)
            self._add(us, move.promotion, move.to_square)
        elif move.from_square in squares:
            squares[squares.index(move.from_square)] = move.to_square


def one_byte(pieces: Pieces, board: chess.Board, move: chess.Move) -> int | None:
    """The number of a move of the compact coder, None if it needs two bytes."""
    if not move:
        return 0
    if board.is_castling(move):
        return None if board.chess960 else 9 if board.is_kingside_castling(move) else 10
    kind = board.piece_type_at(move.from_square)
    assert kind is not None
    number = pieces.number(board.turn, kind, move.from_square)
    if number is None or move.promotion:
        return None
    files = chess.square_file(move.to_square) - chess.square_file(move.from_square)
    ranks = chess.square_rank(move.to_square) - chess.square_rank(move.from_square)
    if kind == chess.PAWN:
        forward = 1 if board.turn else -1
        steps = [(0, 1), (0, 2), (1, 1), (-1, 1)]
        return 111 + 4 * number + steps.index((files * forward, ranks * forward))
    if kind in (chess.KING, chess.KNIGHT):
        return FIRST_NUMBER[kind, number] + STEPS[kind].index((files, ranks))
    wrapped = [(f % 8, r % 8) for f, r in STEPS[kind]]
    return FIRST_NUMBER[kind, number] + wrapped.index((files % 8, ranks % 8))


def word(board: chess.Board, move: chess.Move, *, swapped: bool = False) -> int:
    """A move of two bytes."""
    source, target = stored(move.from_square), stored(move.to_square)
    if move and board.is_castling(move):
        goal = chess.square(6 if board.is_kingside_castling(move) else 2, chess.square_rank(move.from_square))
        target = stored(goal)
        if board.chess960:
            source = target
    if swapped:
        source, target = target, source
    return source | target << 6 | STORED_PROMOTION[move.promotion] << 12


class Hider:
    """The table of a mode, and the count of moves that shifts it."""

    def __init__(self, mode: int) -> None:
        self.mode = mode
        self.table = inverse(DECODE[mode])
        self.moves = 0
        self.out = bytearray()

    def put(self, value: int) -> None:
        if self.mode in PRE:
            self.out.append(self.table[value] + self.moves & 255)
        else:
            self.out.append(self.table[value + self.moves & 255])


def encode_moves(root: Branch, board: chess.Board, mode: int) -> bytes:
    hider = Hider(mode)
    if mode in SIMPLE:
        _encode_simple(root, board, hider)
    else:
        _encode_compact(root, board, Pieces(board, reverse=mode in REVERSE), hider)
    return bytes(hider.out)


def _encode_compact(node: Branch, board: chess.Board, pieces: Pieces, hider: Hider) -> None:
    for child in node.children:
        assert child.move is not None
        if child is not node.children[-1]:
            hider.put(PUSH)
        number = one_byte(pieces, board, child.move)
        if number is not None:
            hider.put(number)
        else:
            value = word(board, child.move)
            for part in (TWO_BYTES, value >> 8, value & 255):
                hider.put(part)
        after, numbered = board.copy(stack=False), pieces.copy()
        numbered.follow(board, child.move)
        after.push(child.move)
        hider.moves += 1
        _encode_compact(child, after, numbered, hider)
    if not node.children:
        hider.put(POP)


def _encode_simple(node: Branch, board: chess.Board, hider: Hider) -> None:
    for child in node.children:
        assert child.move is not None
        value = word(board, child.move, swapped=hider.mode in SWAPPED)
        value |= 0x8000 if child is not node.children[-1] else 0
        value |= 0x4000 if not child.children else 0
        hider.put(value >> 8)
        hider.put(value & 255)
        hider.moves += 1
        after = board.copy(stack=False)
        after.push(child.move)
        _encode_simple(child, after, hider)


def encode_setup(board: chess.Board) -> bytes:
    rights = sum(
        bit
        for bit, has in (
            (1, board.has_queenside_castling_rights(chess.WHITE)),
            (2, board.has_kingside_castling_rights(chess.WHITE)),
            (4, board.has_queenside_castling_rights(chess.BLACK)),
            (8, board.has_kingside_castling_rights(chess.BLACK)),
        )
        if has
    )
    ep = 0 if board.ep_square is None else chess.square_file(board.ep_square) + 1
    bits = ""
    for index in range(64):
        piece = board.piece_at(chess.square(index // 8, index % 8))
        bits += "0" if piece is None else f"1{0 if piece.color else 1}{STORED_PIECE[piece.piece_type]:03b}"
    pieces = int(bits.ljust(192, "0"), 2).to_bytes(24, "big")
    return bytes([1, ep | (0 if board.turn else 16), rights, board.fullmove_number]) + pieces


def encode_homes(board: chess.Board, number: int) -> bytes:
    """Kings and rooks of Chess960; the board must have all its castling rights."""
    squares = [board.king(color) for color in (chess.WHITE, chess.BLACK)]
    for color, rank in ((chess.WHITE, chess.BB_RANK_1), (chess.BLACK, chess.BB_RANK_8)):
        rooks = list(chess.scan_forward(board.castling_rights & rank))
        squares += [rooks[-1], rooks[0]]
        assert board.color_at(rooks[0]) == color
    return bytes(stored(square) for square in squares if square is not None) + number.to_bytes(2, "big")


def encode_blob(root: Branch, board: chess.Board, mode: int, *, setup: bool, number: int = 0) -> bytes:
    """A whole blob. Chess960 always has its start position."""
    body = encode_setup(board) if setup or mode in CHESS960 else b""
    if mode in CHESS960:
        body += encode_homes(board, number)
    size = 4 + len(body)
    body += encode_moves(root, board, mode)
    size = 4 + len(body)
    return bytes([mode | (64 if setup or mode in CHESS960 else 0)]) + size.to_bytes(3, "big") + body


def encode_annotations(game: int, found: list[tuple[int, int, bytes]]) -> bytes:
    """A ``.cba`` blob from positions, kinds and payloads."""
    body = b"".join(
        (position & 0xFFFFFF).to_bytes(3, "big") + bytes([kind]) + (6 + len(payload)).to_bytes(2, "big") + payload
        for position, kind, payload in found
    )
    return (
        game.to_bytes(3, "big")
        + b"\x01\x00\x0e\x0e"
        + (len(found) + 1).to_bytes(3, "big")
        + (14 + len(body)).to_bytes(4, "big")
        + body
    )


# --- the way back ----------------------------------------------------------------------------------------------------


def decode_setup(data: bytes, *, chess960: bool) -> chess.Board:
    board = chess.Board(None, chess960=chess960)
    bits = "".join(f"{byte:08b}" for byte in data[4:28])
    place = 0
    for index in range(64):
        if bits[place] == "0":
            place += 1
            continue
        kind = {number: kind for kind, number in STORED_PIECE.items()}[int(bits[place + 2 : place + 5], 2)]
        board.set_piece_at(chess.square(index // 8, index % 8), chess.Piece(kind, bits[place + 1] == "0"))
        place += 5
    board.turn = not data[1] & 16
    if file := data[1] & 15:
        board.ep_square = chess.square(file - 1, 5 if board.turn else 2)
    homes = [chess.H1, chess.A1, chess.H8, chess.A8]
    if chess960:
        homes = [chess.square(number // 8, number % 8) for number in data[30:34]]
    bits_of_rights = (2, 1, 8, 4)
    board.castling_rights = sum(
        chess.BB_SQUARES[home] for home, bit in zip(homes, bits_of_rights, strict=True) if data[2] & bit
    )
    board.fullmove_number = data[3] or 1
    return board


def decode_blob(blob: bytes) -> tuple[chess.Board, Branch]:
    """The start position and the moves of a blob in a compact mode, which must be sound; padding is passed over."""
    mode = blob[0] & 63
    assert mode not in SIMPLE
    assert int.from_bytes(blob[1:4], "big") == len(blob)
    chess960 = mode in CHESS960
    place = 4
    board = chess.Board(chess960=chess960)
    if blob[0] & 64:
        board = decode_setup(blob[4:], chess960=chess960)
        place += 36 if chess960 else 28
    table = DECODE[mode]
    root = Branch()
    here, position, pieces = root, board.copy(stack=False), Pieces(board, reverse=mode in REVERSE)
    kept: list[tuple[Branch, chess.Board, Pieces]] = []
    moves = 0

    def value() -> int:
        nonlocal place
        byte = blob[place]
        place += 1
        return table[byte - moves & 255] if mode in PRE else table[byte] - moves & 255

    while True:
        number = value()
        if number == PUSH:
            kept.append((here, position.copy(stack=False), pieces.copy()))
            continue
        if number == POP:
            if not kept:
                assert place == len(blob)
                return board, root
            here, position, pieces = kept.pop()
            continue
        if number == PADDING:
            continue
        pair = value() << 8 | value() if number == TWO_BYTES else None
        moves += 1
        (move,) = [
            move
            for move in [*position.legal_moves, chess.Move.null()]
            if (word(position, move) if pair is not None else one_byte(pieces, position, move))
            == (pair if pair is not None else number)
        ]
        pieces.follow(position, move)
        position.push(move)
        here.children.append(Branch(move))
        here = here.children[-1]
