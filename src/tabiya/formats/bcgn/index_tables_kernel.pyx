"""Fills the tables of the move index, once on import, from the attack tables of :mod:`tabiya.chess.tables_kernel`."""

from tabiya.chess.tables_kernel cimport TABLES

# Pawn, knight, bishop, rook, queen, king: the maximum number of destinations on an empty board. A pawn has three, with
# up to four promotion pieces on each; its double step is number 9.
SIZES = (0, 12, 8, 13, 14, 27, 8, 0)
cdef int KNIGHT = 2
cdef int KING = 6


cdef void fill_tables():
    cdef int count
    for piece_type in range(8):
        INDEX_TABLES.size[piece_type] = SIZES[piece_type]
        INDEX_TABLES.reciprocal[piece_type] = 65536 // SIZES[piece_type] + 1 if SIZES[piece_type] else 0
    for piece_type in range(KNIGHT, KING + 1):
        for square in range(64):
            count = 0
            for target in range(64):
                if TABLES.lines[piece_type][square] >> target & 1:
                    INDEX_TABLES.target[piece_type][square][count] = target
                    INDEX_TABLES.number[piece_type][square][target] = count
                    count += 1
            INDEX_TABLES.targets[piece_type][square] = count
    INDEX_TABLES.width[0] = 0
    for number in range(1, 256):
        INDEX_TABLES.width[number] = INDEX_TABLES.width[number >> 1] + 1


fill_tables()
