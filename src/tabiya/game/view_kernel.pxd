from libc.stdint cimport int32_t

from tabiya.game.batch_view cimport View

# --- for other kernels ---

cdef class BatchView:
    cdef View view
    cdef list owners  # keeps the memory alive that ``view`` points to

# --- private to this kernel ---

cdef const void* memory_of(object column, Py_ssize_t size, Py_ssize_t count) except? NULL
cdef const int32_t* ends_of(object column, Py_ssize_t count, Py_ssize_t members) except NULL
cdef int check_names(const int32_t* names, Py_ssize_t records, Py_ssize_t count) except -1
cdef unsigned char* put_pointer(unsigned char* place, const void* pointer) noexcept
