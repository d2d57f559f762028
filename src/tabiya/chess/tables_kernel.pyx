"""Fills the attack tables and the Polyglot keys that ``tables_kernel.pxd`` shares with all kernels.

Reads nothing but :mod:`tabiya.chess.polyglot_random`; runs once, on import, in well under a millisecond.
"""

from tabiya.chess.bits cimport bit, lowest

from tabiya.chess.basics import PieceType
from tabiya.chess.polyglot_random import RANDOM64

KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
KING_STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
WHITE_PAWN_STEPS = ((-1, 1), (1, 1))
BLACK_PAWN_STEPS = ((-1, -1), (1, -1))


cdef int KNIGHT = PieceType.KNIGHT
cdef int BISHOP = PieceType.BISHOP
cdef int ROOK = PieceType.ROOK
cdef int QUEEN = PieceType.QUEEN
cdef int KING = PieceType.KING


cdef unsigned long long reached(int square, tuple steps, int longest):
    """Return the squares reached from ``square`` on an empty board by up to ``longest`` equal steps."""
    cdef unsigned long long squares = 0
    for file_step, rank_step in steps:
        for distance in range(1, longest + 1):
            file = square % 8 + distance * file_step
            rank = square // 8 + distance * rank_step
            if 0 <= file < 8 and 0 <= rank < 8:
                squares |= bit(rank * 8 + file)
    return squares


cdef int rank_attacks(int file, int inner):
    """Squares of one rank that a rook on ``file`` attacks if the six inner squares are occupied as in ``inner``."""
    cdef int attacked = 0
    for step in (-1, 1):
        target = file + step
        while 0 <= target < 8:
            attacked |= 1 << target
            if 1 <= target <= 6 and inner >> (target - 1) & 1:
                break
            target += step
    return attacked


cdef void fill_between(int square, tuple step):
    cdef unsigned long long passed
    cdef unsigned long long beyond
    for distance in range(1, 8):
        passed = reached(square, (step,), distance - 1)
        beyond = reached(square, (step,), distance) & ~passed
        if beyond == 0:
            break
        TABLES.between[square][lowest(beyond)] = passed


cdef void fill_attacks():
    for square in range(64):
        TABLES.knight[square] = reached(square, KNIGHT_STEPS, 1)
        TABLES.king[square] = reached(square, KING_STEPS, 1)
        TABLES.pawn[0][square] = reached(square, WHITE_PAWN_STEPS, 1)
        TABLES.pawn[1][square] = reached(square, BLACK_PAWN_STEPS, 1)
        TABLES.file[square] = reached(square, ((0, 1), (0, -1)), 7)
        TABLES.diagonal[square] = reached(square, ((1, 1), (-1, -1)), 7)
        TABLES.antidiagonal[square] = reached(square, ((1, -1), (-1, 1)), 7)
        TABLES.bishop_lines[square] = TABLES.diagonal[square] | TABLES.antidiagonal[square]
        TABLES.rook_lines[square] = TABLES.file[square] | reached(square, ((1, 0), (-1, 0)), 7)
        TABLES.lines[KNIGHT][square] = TABLES.knight[square]
        TABLES.lines[BISHOP][square] = TABLES.bishop_lines[square]
        TABLES.lines[ROOK][square] = TABLES.rook_lines[square]
        TABLES.lines[QUEEN][square] = TABLES.bishop_lines[square] | TABLES.rook_lines[square]
        TABLES.lines[KING][square] = TABLES.king[square]
        for step in KING_STEPS:
            fill_between(square, step)
    for file in range(8):
        for inner in range(64):
            TABLES.rank[file][inner] = rank_attacks(file, inner)


cdef void fill_keys():
    for code in range(16):
        for square in range(64):
            TABLES.piece_key[code][square] = 0
    for color in range(2):
        for piece_type in range(1, 7):
            kind = 2 * (piece_type - 1) + (1 - color)
            for square in range(64):
                TABLES.piece_key[color * 8 + piece_type][square] = RANDOM64[64 * kind + square]
    for rights in range(16):
        TABLES.castling_key[rights] = 0
        for right in range(4):
            if rights >> right & 1:
                TABLES.castling_key[rights] ^= RANDOM64[768 + right]
    for file in range(8):
        TABLES.ep_key[file] = RANDOM64[772 + file]
    TABLES.ep_key[8] = 0
    TABLES.turn_key = RANDOM64[780]


fill_attacks()
fill_keys()
