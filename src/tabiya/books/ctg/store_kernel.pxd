from libc.stdint cimport int64_t, uint64_t, uint8_t

from tabiya.books.ctg.pages cimport Store
from tabiya.chess.board cimport Board

cdef class Pages:
    cdef Store store
    cdef object file
    cdef object error             # why a page could not be read
    cdef Py_ssize_t loaded        # pages in memory
    cdef Py_ssize_t active        # calls in progress, which use them
    cdef const uint8_t[::1] bitmap
    cdef const uint8_t[::1] slots
    cdef const uint64_t[::1] index

    cdef const uint8_t* load(self, int64_t number) noexcept
    cdef void free_pages(self) noexcept
    cdef void begin(self) noexcept
    cdef int end(self) except -1

cdef const uint8_t* reached_by(const Store* store, const Board* board, int move) noexcept nogil
