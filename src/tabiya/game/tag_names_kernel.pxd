from libc.stdint cimport int8_t, uint8_t
from libc.string cimport memcmp

from tabiya.chess.letters cimport CASE_BIT

# The names of tags with their own columns, and their lookup.
# The order of these is the order of ``TAGS`` in fields.py. The first seven are the Seven Tag Roster.
cdef enum:
    TAG_OTHER = 0
    TAG_EVENT = 1
    TAG_SITE = 2
    TAG_DATE = 3
    TAG_ROUND = 4
    TAG_WHITE = 5
    TAG_BLACK = 6
    TAG_RESULT = 7
    TAG_WHITE_ELO = 8
    TAG_BLACK_ELO = 9
    TAG_ECO = 10
    TAG_ANNOTATOR = 11
    TAG_VARIANT = 12
    TAG_SETUP = 13
    TAG_FEN = 14
    TAG_COUNT = 15

cdef enum:
    TAG_SIZE = 16      # more than the longest name has letters
    NO_COLUMN = -1

ctypedef struct TagNames:
    char text[15][16]
    uint8_t length[15]
    int8_t column[15]     # index of the tag's column in the header of a record; the first of several
    int8_t name[15]       # index among the columns of names
    uint8_t of_name[7]    # the tag of each column of names
    uint8_t first[512]    # by length and first letter, see ``tag_of_name``: the first tag with both …
    uint8_t next[15]      # … and the tag after each other

cdef TagNames TAG_NAMES


cdef inline bint same_letters(const uint8_t* text, const char* name, Py_ssize_t length) noexcept nogil:
    """Whether two names are equal except for case."""
    cdef Py_ssize_t index
    for index in range(length):
        if (text[index] ^ name[index]) & ~CASE_BIT:
            return False
    return True


cdef inline int tag_of_name(const uint8_t* name, Py_ssize_t length) noexcept nogil:
    """The tag with columns that has this name, regardless of case, or TAG_OTHER."""
    cdef int tag
    if length == 0 or length >= TAG_SIZE:
        return TAG_OTHER
    tag = TAG_NAMES.first[32 * length + (name[0] & 31)]
    while tag != TAG_OTHER and not same_letters(name, TAG_NAMES.text[tag], length):
        tag = TAG_NAMES.next[tag]
    return tag


cdef inline int exact_tag(const uint8_t* name, Py_ssize_t length) noexcept nogil:
    """The tag with columns of exactly this name, or TAG_OTHER."""
    cdef int tag = tag_of_name(name, length)
    return tag if tag != TAG_OTHER and memcmp(name, TAG_NAMES.text[tag], length) == 0 else TAG_OTHER


cdef inline const uint8_t* letters_of_tag(int tag) noexcept nogil:
    return <const uint8_t*> TAG_NAMES.text[tag]
