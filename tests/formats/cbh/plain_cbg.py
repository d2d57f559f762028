"""The moves of ChessBase's blobs for the plain decoder: modes 0 and 10, on a board that knows nothing of legality.

Written from the description of the format; it shares no code with tabiya.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

# The tables that turn bytes of a blob back into opcodes.
DECODE_0 = bytes.fromhex(
    "a29543f5c13d4a6c5383cc7cffae68add1928b8d35815e74268eabcafd9af3a0a515fcb11eed30ea22eba7cd4e6f2e243294418c6e588250bb028ad8fa60de52"
    "ba46ac299dd7df08210166a3f11927b591d5420eb44cd9185fbc25a69604566aaa331c2b73f0dda437d3c510bf5a2334755bb855d26b093a5712b37748859b0f"
    "9ec7c8a17f7ac0bd316df63ec31171ce7ddaa85490971f444016c9e32ccb84ec9f3f5ce6760b3c20b73600dce7f94ff7af0607e01a0aa94b0cd66387891d131b"
    "e4700547677b2feee2e8980defcfc4f4fbb0179964f2d42a034d78c6fe65868879453be5498f2db9be629314e9d0389cb2c2595db67251f8287e6139e1db6980"
)
DECODE_10 = bytes.fromhex(
    "385064cc9f566f734d4166a2c6b99647eecfb16d484f442015be82093499eb1a337cab59002224b0b4fa85dd57f3d9d28a8d70b56e43a70b2708eab3941c631b"
    "2bc50cd43f37e8dea623ef06fd3ec14032df2dc8d00ff1e27a95ec3cca4911e025d830fe2ebadcaa534cd15e678b0d9ea9bf057835c4b6a44bd60452a8762cbd"
    "ae39b2e30381179a3d68c06592c9f77716fff5e11e36bb868ef99dd56bf474802f7b149729e54a02935ccba15879f85f26288f7ea5edd389c7889b548760daf0"
    "453ac2849021f6f25a2a55186101fbe68c6a12b862839810715be4addb420acd46d77207ce19b73b319c51c369a391e90e1ffc756c1d7de7af5da0bc137fac4e"
)
USUAL_BACK_RANK = "RNBQKBNR"
PIECES = "?KQNBRP"
KING = (1, 9, 8, 7, -1, -9, -8, -7)
KNIGHT = ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1))


@dataclass
class Board:
    squares: dict[int, tuple[int, str]]
    slots: dict[tuple[int, str], list[int | None]]
    turn: int

    def copy(self) -> Board:
        return Board(dict(self.squares), {piece: list(slots) for piece, slots in self.slots.items()}, self.turn)

    @classmethod
    def of(cls, squares: dict[int, tuple[int, str]], turn: int) -> Board:
        slots: dict[tuple[int, str], list[int | None]] = {}
        for colour in (0, 1):
            for piece in "KQRBNP":
                slots[colour, piece] = []
        for square in range(64):
            if square in squares:
                colour, piece = squares[square]
                if len(slots[colour, piece]) < (8 if piece == "P" else 3):
                    slots[colour, piece].append(square)
        return cls(squares, slots, turn)

    def take(self, square: int) -> None:
        colour, piece = self.squares.pop(square)
        slots = self.slots[colour, piece]
        if square in slots:
            if piece == "P":
                slots[slots.index(square)] = None  # numbers of pawns never change
            else:
                slots.remove(square)

    def put(self, square: int, colour: int, piece: str) -> None:
        self.squares[square] = (colour, piece)
        slots = self.slots[colour, piece]
        if len(slots) < 3:
            slots.append(square)

    def slide(self, source: int, target: int) -> None:
        if source == target:
            return
        colour, piece = self.squares.pop(source)
        self.squares[target] = (colour, piece)
        slots = self.slots[colour, piece]
        if source in slots:
            slots[slots.index(source)] = target

    def move(self, source: int, target: int, promotion: str = "Q") -> None:
        colour, piece = self.squares[source]
        assert colour == self.turn
        if target in self.squares:
            self.take(target)
        elif piece == "P" and source // 8 != target // 8:
            self.take(target // 8 * 8 + source % 8)
        if piece == "P" and target % 8 in (0, 7):
            self.take(source)
            self.put(target, colour, promotion)
        else:
            self.slide(source, target)
        self.turn = 1 - self.turn


def usual_board() -> Board:
    squares: dict[int, tuple[int, str]] = {}
    for file, piece in enumerate(USUAL_BACK_RANK):
        squares |= {file * 8: (0, piece), file * 8 + 7: (1, piece), file * 8 + 1: (0, "P"), file * 8 + 6: (1, "P")}
    return Board.of(squares, 0)


def set_up(data: bytes) -> Board:
    assert data[0] == 1
    bits = "".join(f"{byte:08b}" for byte in data[4:28])
    squares: dict[int, tuple[int, str]] = {}
    at = 0
    for square in range(64):
        if bits[at] == "1":
            squares[square] = (int(bits[at + 1]), PIECES[int(bits[at + 2 : at + 5], 2)])
            at += 5
        else:
            at += 1
    assert "1" not in bits[at:]
    return Board.of(squares, data[1] >> 4 & 1)


def decode_moves(blob: bytes) -> tuple[list[tuple[int, int, int]] | None, int, bool]:
    """All moves in the order of the stream, how many are the main line, and whether Black begins."""
    mode = blob[0] & 0x3F
    if mode not in (0, 10):
        return None, 0, False
    at = 4
    board = usual_board()
    rooks: bytes = b""
    if blob[0] & 0x40:
        board = set_up(blob[4:32])
        at = 32
        if mode == 10:
            rooks, at = blob[32:38], 40
    black_starts = board.turn == 1
    moves: list[tuple[int, int, int]] = []
    stack: list[Board] = []
    main: int | None = None

    def opcode() -> int:
        nonlocal at
        byte = blob[at]
        at += 1
        n = len(moves)
        return DECODE_0[(byte - n) & 255] if mode == 0 else (DECODE_10[byte] - n) & 255

    while True:
        code = opcode()
        if code == 254:
            stack.append(board.copy())
        elif code == 255:
            main = len(moves) if main is None else main
            if not stack:
                break
            board = stack.pop()
        elif code != 236:
            moves.append(_play(board, code, opcode, rooks))
    assert at == len(blob)
    return moves, main, black_starts


def _play(board: Board, code: int, opcode: Any, rooks: bytes) -> tuple[int, int, int]:
    side = board.turn
    if code == 0:
        board.turn = 1 - side
        return 0, 0, 0
    if code in (9, 10):
        king, rook = (32 + 7 * side, (56 if code == 9 else 0) + 7 * side)
        return _castle(board, king, rook, short=code == 9)
    if code == 235:
        word = opcode() << 8 | opcode()
        source, target, promotion = word & 63, word >> 6 & 63, word >> 12 & 3
        if source == target:
            assert rooks
            short = target // 8 == 6
            return _castle(board, board.slots[side, "K"][0] or 0, rooks[2 + 2 * side + (not short)], short=short)
        board.move(source, target, "QRBN"[promotion])
        return source, target, promotion
    source, target = _target(board, code)
    board.move(source, target)
    return source, target, 0


def _castle(board: Board, king: int, rook: int, *, short: bool) -> tuple[int, int, int]:
    side = board.turn
    home = 7 * side
    pieces = [(square, board.squares.pop(square)) for square in (king, rook)]
    for (square, (colour, piece)), file in zip(pieces, (6, 5) if short else (2, 3), strict=True):
        board.squares[file * 8 + home] = (colour, piece)
        slots = board.slots[colour, piece]
        if square in slots:
            slots[slots.index(square)] = file * 8 + home
    board.turn = 1 - side
    return king, rook, 0


def _target(board: Board, code: int) -> tuple[int, int]:
    side = board.turn
    if code <= 8:
        source = board.slots[side, "K"][0]
        assert source is not None
        return source, source + KING[code - 1]
    for begin, piece, slot, count in (
        *((11, "Q", 0, 28), (39, "R", 0, 14), (53, "R", 1, 14), (67, "B", 0, 14), (81, "B", 1, 14)),
        *((95, "N", 0, 8), (103, "N", 1, 8), (111, "P", 0, 32), (143, "Q", 1, 28), (171, "Q", 2, 28)),
        *((199, "R", 2, 14), (213, "B", 2, 14), (227, "N", 2, 8)),
    ):
        if begin <= code < begin + count:
            step = code - begin
            number = step // 4 if piece == "P" else slot
            source = board.slots[side, piece][number]
            assert source is not None
            return source, _destination(piece, source, step, side)
    raise AssertionError(f"opcode {code} means nothing")


def _destination(piece: str, source: int, step: int, side: int) -> int:
    file, rank = divmod(source, 8)
    if piece == "P":
        forward = -1 if side else 1
        return source + (1, 2, 9, -7)[step % 4] * forward
    if piece == "N":
        return (file + KNIGHT[step][0]) * 8 + rank + KNIGHT[step][1]
    if piece == "B":
        step += 14
    direction, k = divmod(step, 7)
    k += 1
    over = ((0, k), (k, 0), (k, k), (k, -k))[direction]
    return (file + over[0]) % 8 * 8 + (rank + over[1]) % 8
