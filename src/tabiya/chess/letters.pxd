# Names of the characters that kernels compare and write, and the character classes that several formats distinguish.
# Letters and digits need no name: ``ord("M")`` in a kernel and ``c'M'`` in a .pxd file are compile-time constants.

from libc.stdint cimport uint8_t

cdef enum:
    TAB = 0x09
    NEWLINE = 0x0A
    CARRIAGE_RETURN = 0x0D
    SPACE = 0x20              # all below are control characters
    EXCLAMATION = 0x21        # !
    QUOTE = 0x22              # "
    HASH = 0x23               # #
    DOLLAR = 0x24             # $
    PERCENT = 0x25            # %
    OPEN_PAREN = 0x28         # (
    CLOSE_PAREN = 0x29        # )
    STAR = 0x2A               # *
    PLUS = 0x2B               # +
    COMMA = 0x2C              # ,
    MINUS = 0x2D              # -
    DOT = 0x2E                # .
    SLASH = 0x2F              # /
    COLON = 0x3A              # :
    SEMICOLON = 0x3B          # ;
    EQUALS = 0x3D             # =
    QUESTION = 0x3F           # ?
    OPEN_BRACKET = 0x5B       # [
    BACKSLASH = 0x5C          # \
    CLOSE_BRACKET = 0x5D      # ]
    UNDERSCORE = 0x5F         # _
    OPEN_BRACE = 0x7B         # {
    BAR = 0x7C                # |
    CLOSE_BRACE = 0x7D        # }
    DELETE = 0x7F

    CASE_BIT = 0x20           # set in lower-case letters, clear in upper-case letters


cdef inline bint is_newline(int letter) noexcept nogil:
    return letter == c'\n' or letter == c'\r'


cdef inline bint is_blank(int letter) noexcept nogil:
    """A blank within a line."""
    return letter == c' ' or letter == c'\t' or letter == c'\v' or letter == c'\f'


cdef inline bint is_digit(int letter) noexcept nogil:
    return c'0' <= letter <= c'9'


cdef inline bint is_upper(int letter) noexcept nogil:
    return c'A' <= letter <= c'Z'


cdef inline bint is_lower(int letter) noexcept nogil:
    return c'a' <= letter <= c'z'


cdef inline bint is_file(int letter) noexcept nogil:
    """The first character of a square's name."""
    return c'a' <= letter <= c'h'


cdef inline bint is_rank(int letter) noexcept nogil:
    """The second character of a square's name."""
    return c'1' <= letter <= c'8'


cdef inline int skip_breaks(const uint8_t* text, Py_ssize_t end, Py_ssize_t* place) noexcept nogil:
    """Skip blanks and line breaks; return the number of line breaks (CR LF is one), where 2 means two or more."""
    cdef Py_ssize_t at = place[0]
    cdef int breaks = 0
    while at < end and (is_newline(text[at]) or is_blank(text[at])):
        if is_newline(text[at]):
            breaks += breaks < 2
            if text[at] == c'\r' and at + 1 < end and text[at + 1] == c'\n':
                at += 1
        at += 1
    place[0] = at
    return breaks


cdef inline int format_number(unsigned int value, unsigned char* out) noexcept nogil:
    """Write a number of at most ten digits; return the number of digits."""
    cdef unsigned char digits[10]
    cdef int count = 0, index
    while count == 0 or value:
        digits[count] = c'0' + value % 10
        value //= 10
        count += 1
    for index in range(count):
        out[index] = digits[count - 1 - index]
    return count
