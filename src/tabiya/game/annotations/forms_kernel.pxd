from libc.stdint cimport uint8_t

from tabiya.game.annotations.commands cimport Command
from tabiya.game.batch_view cimport View
from tabiya.game.columns cimport Columns
from tabiya.game.growing cimport Bytes

cdef enum:
    LONGEST_VALUE = 32    # letters of a time or an evaluation
    LONGEST_PAYLOAD = 6   # bytes of a time or an evaluation
    LONGEST_MARK = 5      # letters of a coloured square or arrow

cdef bint put_value(Columns* columns, int kind, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef bint can_write(const View* view, Py_ssize_t annotation) noexcept nogil
cdef bint fits_spelling(const View* view, Py_ssize_t annotation) noexcept nogil
cdef int spelling_of(const View* view, Py_ssize_t annotation, bint plain, uint8_t* out) noexcept nogil
cdef int format_mark(int kind, const uint8_t* mark, bint plain, uint8_t* out) noexcept nogil

# The spelling of the arguments of a command; ``vocabulary.py`` assigns them to commands.
cdef enum:
    FORM_BASE64 = 1     # the payload itself
    FORM_BYTE = 2       # a number of one byte
    FORM_LONG = 3       # a number of four bytes
    FORM_WORD = 4       # one of a few words
    FORM_WORDS = 5      # several of them, as bits
    FORM_PROFILE = 6    # first,last,values
    FORM_STRINGS = 7    # "address" "text"
    FORM_ANY_KIND = 8   # 1A base64
    FIRST_SPACED = 7    # from here on blanks are significant

cdef bint put_form(Columns* columns, const Command* command, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef int kind_of_form(const Command* command, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef bint put_command(const View* view, Py_ssize_t annotation, const uint8_t* table, Py_ssize_t table_length,
                      Bytes* out) noexcept nogil
cdef bint is_exact(const View* view, Py_ssize_t annotation, const uint8_t* table, Py_ssize_t table_length,
                   Bytes* scratch) noexcept nogil
