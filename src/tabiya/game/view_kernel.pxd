from tabiya.game.batch_view cimport View

cdef class BatchView:
    cdef View view
    cdef list owners  # keeps the memory alive that ``view`` points to
    cdef int check_names(self, int index, Py_ssize_t count) except -1
    cdef int take_lists(self, Py_ssize_t records, dict columns) except -1
