from libc.stdint cimport int64_t, uint8_t, uint64_t

from tabiya.books.ctg.pages cimport Record, Store
from tabiya.chess.board cimport Board

# --- for other kernels ---

cdef class Pages:
    cdef Store store
    cdef object file
    cdef object error             # why a page could not be read
    cdef Py_ssize_t loaded        # pages in memory
    cdef Py_ssize_t active        # calls under way, which look into them
    cdef const uint8_t[::1] bitmap
    cdef const uint8_t[::1] slots
    cdef const uint64_t[::1] index

    cdef const uint8_t* load(self, int64_t number) noexcept
    cdef void free_pages(self) noexcept
    cdef void begin(self) noexcept
    cdef int end(self) except -1

cdef const uint8_t* reached_by(const Store* store, const Board* board, int move) noexcept nogil

# --- private to this kernel ---

cdef enum:
    MAX_MOVES = 127      # the length of the list has one byte

# A move of a book on the real board.
ctypedef struct Found:
    int move
    uint8_t nag
    const uint8_t* statistics   # of the position reached; NULL if the book does not have it

cdef const uint8_t* load_page(void* owner, int64_t number) noexcept nogil
cdef bint find_board(const Store* store, const Board* board, int* mask, Record* record) noexcept nogil
cdef int find_moves(const Store* store, const Board* board, Found* found) noexcept nogil
cdef bint is_listed(const Found* found, int count, int move) noexcept nogil
cdef void choose_promotion(const Store* store, const Board* board, int count, Found* found) noexcept nogil
cdef tuple numbers_of(const uint8_t* statistics)
