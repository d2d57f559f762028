from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t

from tabiya.chess.board cimport Board

# --- private to this kernel ---

cdef enum:
    MOST_PLY = 32767      # as far as the index of a library goes
    NO_MOVE = -1
    NOT_A_MOVE = 0x8000
    MOST_KEYS = 256

# What to do with a record; the same numbers as in ``parts.py``.
cdef enum:
    LEAVE_OUT = 0
    USUAL_CHESS = 1
    CHESS960 = 2

# Main lines one behind the other, with their start positions.
ctypedef struct Lines:
    const uint16_t* moves
    const int64_t* ends
    const int32_t* start_ends
    const uint8_t* starts
    const uint8_t* wanted
    Py_ssize_t records

# A position that is looked for, and what has to be there still so that it can come.
ctypedef struct Goal:
    uint64_t keys[MOST_KEYS]
    int key_count
    uint64_t home[2]      # pawns of both sides that stand where they began
    int men[2]
    int pawns[2]
    int rights

cdef extern from *:
    """
    #if defined(_MSC_VER)
      #include <intrin.h>
      #define tabiya_explorer_count(bits) ((int)__popcnt64(bits))
    #else
      #define tabiya_explorer_count(bits) __builtin_popcountll(bits)
    #endif
    #define TABIYA_SECOND_RANK ((uint64_t)0x000000000000FF00ULL)
    #define TABIYA_SEVENTH_RANK ((uint64_t)0x00FF000000000000ULL)
    #define TABIYA_LINE_MIXER ((uint64_t)0x9E3779B97F4A7C15ULL)
    """
    int count_of "tabiya_explorer_count"(uint64_t bits) noexcept nogil
    const uint64_t SECOND_RANK "TABIYA_SECOND_RANK"
    const uint64_t SEVENTH_RANK "TABIYA_SEVENTH_RANK"
    const uint64_t MIXER "TABIYA_LINE_MIXER"  # the golden ratio as an odd number of 64 bits

cdef Py_ssize_t check_lines(
    Lines* lines, const uint16_t[::1] moves, const int64_t[::1] ends, const int32_t[::1] start_ends,
    const uint8_t[::1] starts, const uint8_t[::1] wanted) except -1
cdef bint begin_line(const Lines* lines, Py_ssize_t record, const Board* usual, Board* board) noexcept nogil
cdef int token_at(const Lines* lines, Py_ssize_t record, Py_ssize_t ply, const Board* board) noexcept nogil
cdef bint is_goal(const Goal* goal, uint64_t key) noexcept nogil
cdef bint out_of_reach(const Goal* goal, const Board* board) noexcept nogil
cdef int find_in_line(const Lines* lines, Py_ssize_t record, Board* board, const Goal* goal, int* move) noexcept nogil
