from libc.stdint cimport int32_t, uint8_t, uint16_t

from tabiya.game.columns cimport Columns
from tabiya.game.growing cimport Bytes

# Failures of ``put_variations``.
cdef enum:
    LINES_NESTED = -1  # variations are nested too deeply
    LINES_NO_MEMORY = -2

cdef int32_t put_variations(Columns* columns, const uint16_t* tokens, const int32_t* siblings, const uint8_t* ends,
                            int32_t* numbers, Bytes* waiting) noexcept nogil
