# Classes of letters that several formats tell apart.

cdef inline bint is_newline(int letter) noexcept nogil:
    return letter == c'\n' or letter == c'\r'


cdef inline bint is_blank(int letter) noexcept nogil:
    """A blank within a line."""
    return letter == c' ' or letter == c'\t' or letter == c'\v' or letter == c'\f'


cdef inline bint is_digit(int letter) noexcept nogil:
    return c'0' <= letter <= c'9'
