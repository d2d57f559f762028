# The state of the reader of game data, shared by its parts.

from libc.stdint cimport int32_t, uint8_t, uint16_t

from tabiya.formats.scid.games.pieces cimport Pieces
from tabiya.game.annotations.read_comments_kernel cimport CommentReader
from tabiya.game.columns cimport Columns, Header
from tabiya.game.growing cimport Bytes
from tabiya.game.sink cimport Sink

# Problem codes; the sentences are in ``messages.py``.
cdef enum:
    PROBLEM_TAGS = 300
    PROBLEM_START = 301
    PROBLEM_NO_PIECE = 302
    PROBLEM_ILLEGAL = 303
    PROBLEM_EARLY_VARIATION = 304
    PROBLEM_EARLY_CLOSE = 305
    PROBLEM_OPEN_VARIATION = 306
    PROBLEM_TOO_DEEP = 307
    PROBLEM_NO_END = 308
    PROBLEM_TEXT_MISSING = 309
    PROBLEM_UNUSED_TEXTS = 310
    PROBLEM_EMPTY_VARIATION = 311

# Remaining work for Python, per record.
cdef enum:
    FLAG_DAMAGED = 2    # the stored bytes were kept
    FLAG_COLUMN_TAGS = 4  # tags that have columns are among the others

# Index values of a record that become tags; ``index_tags`` in ``header_columns.py`` has the same order.
cdef enum:
    INDEX_WHITE_TYPE = 0    # kinds of ratings and the ratings
    INDEX_WHITE = 1
    INDEX_BLACK_TYPE = 2
    INDEX_BLACK = 3
    INDEX_EVENT_DATE = 4
    INDEX_DATE = 5
    INDEX_COUNT = 6

# State of a line of play in addition to its board, kept by the sink.
ctypedef struct PieceLine:
    Pieces pieces
    uint8_t taken           # data for undoing the last move in the lists
    Py_ssize_t opened       # where the variation begins

ctypedef struct Reader:
    const uint8_t* data
    Py_ssize_t end
    Py_ssize_t place
    Py_ssize_t text_place   # where the next comment begins; NOTHING before the first
    Py_ssize_t start        # offset of the start position
    Py_ssize_t start_length
    const int32_t* index    # INDEX_COUNT numbers; NULL without an index
    bint has_start
    bint headers_only
    bint damaged
    const uint16_t* code_page  # characters of 0x80 … 0xFF, for texts that are not UTF-8
    Columns* columns
    Sink sink
    PieceLine line
    Pieces standard_pieces
    CommentReader comments
    Bytes comment           # as UTF-8
    Header header
    uint8_t flags
