# The fields of a game's entry, and their rules: shared by reader and writer.

from libc.stdint cimport uint8_t
from libc.string cimport memcmp, strlen

from tabiya.game.spelling cimport POINT_RESULTS, RESULTS, result_text
from tabiya.game.tag_names_kernel cimport TAG_ANNOTATOR, TAG_ECO, TAG_ROUND, exact_tag

cdef enum:
    FULL_HEADER = 23         # the shortest header of an entry: no position, empty strings, no tags
    FIXED_HEADER = 19        # the part before position and strings
    BARE_HEADER = 5          # the header of a headerless entry
    MOST_PLIES = 16383
    LONGEST_ENTRY = 65534
    LONGEST_STRING = 255
    MOST_TAGS = 255
    PACKED_BYTES = 24        # of a start position

cdef enum:
    FLAG_TAGS = 1
    FLAG_POSITION = 2

ctypedef struct Text:
    const uint8_t* data
    Py_ssize_t length

ctypedef struct Eco:
    int letter
    int number


cdef inline bint same_text(Text text, const char* other) noexcept nogil:
    return text.length == <Py_ssize_t> strlen(other) and memcmp(text.data, other, text.length) == 0


cdef inline int tag_of(Text name) noexcept nogil:
    """Return the tag with columns that has exactly this name."""
    return exact_tag(name.data, name.length)


# --- rounds ----------------------------------------------------------------------------------------------------------

cdef inline int round_number(Text text) noexcept nogil:
    """Return the number that a round begins with: 1 for "1" and "1.7"; 0 if there is none, or if it does not fit."""
    cdef Py_ssize_t place = 0
    cdef int number = 0
    while place < text.length and c'0' <= text.data[place] <= c'9':
        number = 10 * number + text.data[place] - c'0'
        if number > 65535:
            return 0
        place += 1
    return number


cdef inline bint is_plain_round(Text text) noexcept nogil:
    """Return whether the number reproduces a round: digits only, no leading zero, at most 65535."""
    cdef Py_ssize_t place
    if text.length == 0 or text.length > 5 or text.data[0] == c'0':
        return False
    for place in range(text.length):
        if not c'0' <= text.data[place] <= c'9':
            return False
    return round_number(text) != 0


cdef inline int reference_round(Text text) noexcept nogil:
    """Return the number that the reference program writes for a round: every letter is a digit ("1.7" is 87)."""
    cdef unsigned int number = 0
    cdef Py_ssize_t place
    for place in range(text.length):
        number = 10 * number + text.data[place] - c'0'
    return number & 0xFFFF


# --- ECO codes -------------------------------------------------------------------------------------------------------

cdef inline Eco eco_of(Text text) noexcept nogil:
    """Return the code that a text begins with; 0, 0 if it does not begin with one."""
    cdef Eco eco
    eco.letter = eco.number = 0
    if (text.length >= 3 and c'A' <= text.data[0] <= c'E' and c'0' <= text.data[1] <= c'9'
            and c'0' <= text.data[2] <= c'9'):
        eco.letter = text.data[0]
        eco.number = 10 * (text.data[1] - c'0') + text.data[2] - c'0'
    return eco


cdef inline bint is_eco(Eco eco) noexcept nogil:
    return c'A' <= eco.letter <= c'E' and eco.number <= 99


cdef inline bint is_exact(int tag, Text text) noexcept nogil:
    """Return whether the field of a name reproduces the exact text; the annotator has none."""
    if tag == TAG_ROUND:
        return is_plain_round(text)
    if tag == TAG_ECO:
        return text.length == 3 and eco_of(text).letter != 0
    return tag != TAG_ANNOTATOR and text.length > 0


# --- results ---------------------------------------------------------------------------------------------------------

cdef inline int spelled_result(Text text) noexcept nogil:
    """Return the result that an entry cannot store and a text spells, 0 if it spells none."""
    cdef int result
    for result in range(POINT_RESULTS, RESULTS):
        if same_text(text, result_text(result)):
            return result
    return 0


# --- numbers ---------------------------------------------------------------------------------------------------------

cdef inline int big16(const uint8_t* data) noexcept nogil:
    return data[0] << 8 | data[1]
