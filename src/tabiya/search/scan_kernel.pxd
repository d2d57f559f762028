from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from tabiya.chess.board cimport Board
from tabiya.game.walk cimport Walk
from tabiya.search.instructions cimport Instruction, Line

# --- private to this kernel ---

# What must still be there for a game to meet the condition later: pawns that have not moved, and so many men.
ctypedef struct Needs:
    uint64_t home[2]
    uint64_t forces             # four numbers

# What must be so here for anything to hold that has not held before: asked at every move, before the program is run.
ctypedef struct Gate:
    uint64_t squares            # with their men on all of them
    uint64_t targets            # of the move
    uint64_t surplus            # four numbers: at most so many more than are needed
    uint8_t men[64]             # piece codes, by square

ctypedef struct Scan:
    const Instruction* program
    const int32_t* begins       # of the blocks of the program; the last one is the condition itself
    int blocks
    Needs needs
    Gate gate
    uint64_t forces[16]         # by piece code: what is gone with a man
    bint everything             # go on after the first match

# A line, and how it was before its last move, if a variation replaces that one.
ctypedef struct Branch:
    Line now
    Line before

# The buffers of many games.
ctypedef struct Games:
    const uint16_t* moves
    int64_t tokens
    const int64_t* offsets
    const uint8_t* starts
    int64_t start_size
    const int64_t* start_offsets   # NULL if all games begin as usual
    const uint8_t* variants
    const uint8_t* results
    const uint8_t* wanted
    bint variations
    Board usual

# What was found in a game.
ctypedef struct Found:
    int32_t first               # plies, -1 if there is no match
    int32_t last
    int32_t count
    int32_t place               # the number on the tape of the move before the first match, -1 for the start

cdef bint run_block(const Scan* scan, const Line* line, int block, int move) noexcept nogil
cdef bint matches(const Scan* scan, Line* line, int move) noexcept nogil
cdef bint is_idle(const Scan* scan, const Line* line) noexcept nogil
cdef bint is_hopeless(const Scan* scan, const Board* board) noexcept nogil
cdef bint take(const Scan* scan, Line* line, int move, Found* found) noexcept nogil
cdef void scan_main_line(const Scan* scan, Line* line, const uint16_t* tape, Py_ssize_t length,
                         Found* found) noexcept nogil
cdef bint scan_all_lines(const Scan* scan, Branch* branch, const uint16_t* tape, Py_ssize_t length, Walk* walk,
                         Found* found) noexcept nogil
cdef bint set_up(Line* line, const Games* games, int64_t fen, Py_ssize_t length, bint chess960) noexcept nogil
cdef bint is_sound(const Instruction* program, Py_ssize_t count, const int32_t* begins, Py_ssize_t blocks) noexcept nogil
cdef bint scan_record(const Scan* scan, const Games* games, Py_ssize_t record, Branch* branch, Walk* walk,
                      Found* found) noexcept nogil
cdef void take_needs(Scan* scan, const uint64_t* needs) noexcept nogil
