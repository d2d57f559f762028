from tabiya.game.columns_kernel cimport BatchBuilder

# --- private to this kernel ---

cdef class NameStore(BatchBuilder):
    pass
