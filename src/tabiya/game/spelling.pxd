# Spellings of numbers, results and the words of tables in the files of several formats. Results are those of
# ``tabiya.game.Result``.

from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from tabiya.chess.letters cimport format_number

cdef enum:
    POINT_RESULTS = 4   # the first results contain only the points; all others also the reason
    RESULTS = 9


cdef inline int format_digits(uint8_t* out, unsigned int number) noexcept nogil:
    """Write a number of at most ten digits; return the number of digits."""
    return format_number(number, out)


cdef inline int look_up(const uint8_t* table, Py_ssize_t table_length, const uint8_t* text,
                        Py_ssize_t length) noexcept nogil:
    """The value of a spelling in a table of (length, value, letters), or -1."""
    cdef Py_ssize_t place = 0
    while place + 2 <= table_length:
        if table[place] == length and memcmp(table + place + 2, text, length) == 0:
            return table[place + 1]
        place += 2 + table[place]
    return -1


cdef inline int plain_result(int result) noexcept nogil:
    """The points of a result, which all formats support, or 0 for unknown."""
    if result < POINT_RESULTS:
        return result
    return result - POINT_RESULTS if POINT_RESULTS < result < 2 * POINT_RESULTS else 0


cdef inline const char* result_text(int result) noexcept nogil:
    if result == 1:
        return b"1-0"
    if result == 2:
        return b"0-1"
    if result == 3:
        return b"1/2-1/2"
    if result == 4:
        return b"line"
    if result == 5:
        return b"+:-"
    if result == 6:
        return b"-:+"
    if result == 7:
        return b"=:="
    if result == 8:
        return b"0-0"
    return b"*"
