from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from tabiya.chess.board cimport Board

cdef enum:
    RECORD_BYTES = 28
    FIRST_RECORD = 900
    MOST_PLIES = 1024

# What is wrong with a record; the sentences stand in ``book.py``.
cdef enum:
    OUTSIDE = 1
    REVISITED = 2
    ILLEGAL = 3
    TOO_DEEP = 4
    DELETED = 5
    CODES = 6

# One open line: the position before its next move, the record of that move, and the record that points to it.
ctypedef struct Level:
    Board board
    int32_t record
    int32_t origin
    int32_t parent

ctypedef struct Tree:
    const uint8_t* data
    Py_ssize_t records
    uint64_t* keys
    int32_t* places
    int32_t* parents
    uint16_t* moves
    Py_ssize_t count
    int32_t* faults
    int64_t* counts        # by code
    Py_ssize_t fault_count
    Py_ssize_t fault_room

cdef int32_t int32_at(const uint8_t* data) noexcept nogil
cdef int move_at(const Board* board, const uint8_t* record) noexcept nogil
cdef void note(Tree* tree, int code, int32_t record, int32_t origin) noexcept nogil
cdef void walk_levels(Tree* tree, Level* levels, uint8_t* visited) noexcept nogil
