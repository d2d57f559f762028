from libc.stdint cimport int32_t

from tabiya.formats.cbh.bodies.body_writer cimport BodyWriter

# --- for other kernels ---

cdef int write_moves(BodyWriter* writer) noexcept nogil
cdef void init_writer(BodyWriter* writer) noexcept nogil

# --- private to this kernel ---

cdef int prepare_start(BodyWriter* writer) noexcept nogil
cdef void note_start_losses(BodyWriter* writer, const unsigned char* text, Py_ssize_t length) noexcept nogil
cdef bint write_head(BodyWriter* writer, bint has_start) noexcept nogil
cdef int write_line(BodyWriter* writer, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef Py_ssize_t write_plain(BodyWriter* writer, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef int write_tree(BodyWriter* writer) noexcept nogil
cdef int link_moves(BodyWriter* writer, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef bint has_variations(BodyWriter* writer, Py_ssize_t begin, Py_ssize_t end) noexcept nogil
cdef bint put_move(BodyWriter* writer, int move) noexcept nogil
cdef void put_value(BodyWriter* writer, int value) noexcept nogil
cdef void put_word(BodyWriter* writer, int source, int target, int promotion) noexcept nogil
cdef void note_main_line(BodyWriter* writer) noexcept nogil
cdef int material(BodyWriter* writer, int color) noexcept nogil
cdef int clamped(BodyWriter* writer, int color, int piece_type, int most) noexcept nogil
cdef bint keep_return(BodyWriter* writer, int32_t move) noexcept nogil
