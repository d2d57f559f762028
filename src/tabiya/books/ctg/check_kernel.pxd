from libc.stdint cimport int64_t

from tabiya.books.ctg.frame_kernel cimport Frame
from tabiya.books.ctg.pages cimport Page, Record, Store
from tabiya.chess.board cimport Board

# What may be wrong; the sentences stand in ``check.py``. Codes of pages and of signatures come first.
cdef enum:
    FOUND_PAGE = 0            # plus a code of pages.pxd
    FOUND_SIGNATURE = 10      # plus a code of frame_kernel.pxd
    FOUND_MISPLACED = 20
    FOUND_TWICE = 21
    FOUND_CODE = 22           # a byte that means no move
    FOUND_PIECE = 23          # a move of a piece that is not there
    FOUND_ILLEGAL = 24
    FOUND_REPEATED = 25       # a move stands there twice
    FOUND_CHILD = 26          # the position after the move is not in the book
    FOUND_RESULTS = 27        # more results than games
    MAX_FOUND = 512

ctypedef struct Finding:
    int code
    int offset                # within the page
    int detail                # a code of a move

ctypedef struct Findings:
    Finding items[MAX_FOUND]
    int count

cdef void note(Findings* findings, int code, int offset, int detail) noexcept nogil
cdef bint is_twice(const Page* page, const Record* record) noexcept nogil
cdef bint has_child(const Store* store, const Board* board, int move) noexcept nogil
cdef int move_problem(const Store* store, const Frame* frame, const Board* board, int code) noexcept nogil
cdef void check_moves(const Store* store, const Record* record, const Frame* frame, const Board* board, int offset,
                      Findings* findings) noexcept nogil
cdef void check_record(const Store* store, int64_t number, const Page* page, const Record* record, bint placed,
                       Findings* findings) noexcept nogil
