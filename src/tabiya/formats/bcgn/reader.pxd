# The state of the BCGN reader, shared by its parts.

from libc.stdint cimport int64_t, uint8_t, uint16_t

from tabiya.formats.bcgn.fields cimport Eco, Text
from tabiya.game.columns cimport Columns, Header
from tabiya.game.growing cimport Bytes
from tabiya.game.sink cimport Sink

# Problem codes; the sentences are in ``messages.py`` and ``game/problems.py``.
cdef enum:
    PROBLEM_ENCODING = 1
    PROBLEM_LENGTH = 50
    PROBLEM_BROKEN_OFF = 51
    PROBLEM_HEADER = 52
    PROBLEM_START = 53
    PROBLEM_TEXT = 54
    PROBLEM_MOVE = 55
    PROBLEM_MOVES_END = 56
    PROBLEM_SURPLUS = 57
    PROBLEM_FEN = 58
    PROBLEM_DATE = 59
    PROBLEM_ECO = 60
    PROBLEM_RESERVED = 61

# An additional tag in the file.
ctypedef struct Tag:
    Text name
    Text value
    int field       # the corresponding tag with columns, see game/tag_names_kernel.pxd
    bint taken      # stored in a column and not listed

# Data of the record being read, apart from its lists.
ctypedef struct Record:
    bint opaque
    int plies
    Header header
    int round
    Eco eco
    Text texts[4]
    Py_ssize_t moves            # where the movetext begins in the entry
    const uint8_t* position     # the packed start position, NULL for the standard one
    int tag_count
    int field_count[15]         # number of additional tags for each tag with columns
    int first_tag[15]           # the first of them

ctypedef struct Reader:
    const uint8_t* data
    int64_t base                # offset of ``data`` in the file
    Columns* columns
    const uint16_t* code_page   # characters of 0x80 … 0xFF
    bint always_code_page       # else only for texts that are not UTF-8
    int level
    bint headerless
    bint bare                   # only headers are requested
    Sink sink
    Bytes converted             # a text as UTF-8
    const uint8_t* entry        # the entry being read
    Py_ssize_t length
    Record record
    Tag tags[255]
