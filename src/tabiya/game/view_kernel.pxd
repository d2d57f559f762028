from tabiya.game.batch_view cimport View

cdef class BatchView:
    cdef View view
    cdef list owners  # keep the memory alive that ``view`` points to
