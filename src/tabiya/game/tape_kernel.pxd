from libc.stdint cimport int32_t, uint16_t, uint64_t

from tabiya.chess.board cimport Board, Undo

cdef enum:
    VARIATION_BEGIN = 0x8000
    VARIATION_END = 0x8001

cdef enum:
    MOST_NESTED = 200000  # variations inside each other; each open one costs some 400 bytes, so hostile depth must end

# One open variation: the line that waits outside it, and how to take back the line's last move.
ctypedef struct Frame:
    Board board
    Undo undo
    bint has_move

ctypedef struct Frames:
    Frame* items
    Py_ssize_t count
    Py_ssize_t capacity

cdef bint push_frame(Frames* frames, const Frame* frame) noexcept nogil
cdef Py_ssize_t replay_tape(const uint16_t* tape, Py_ssize_t length, Frame* line, Frames* outside, bint checked,
                            uint64_t* keys) noexcept nogil
