cdef enum:
    VARIATION_BEGIN = 0x8000
    VARIATION_END = 0x8001

cdef enum:
    MOST_NESTED = 200000  # nested variations; each open one costs some 400 bytes, so hostile depth must be limited
