from tabiya.chess.board cimport Board

cdef class PositionCore:
    cdef Board board
