from tabiya.formats.scid.games.writing cimport Writer

cdef int write_record(Writer* writer, Py_ssize_t record) noexcept nogil
cdef int set_up(Writer* writer, Py_ssize_t record) noexcept nogil
cdef int write_tape(Writer* writer) noexcept nogil
cdef int write_move(Writer* writer) noexcept nogil
cdef void write_code(Writer* writer, int piece, int number, int source, int target, int promotion) noexcept nogil
cdef int step_code(const int* steps, int step) noexcept nogil
