# The state of the reader of jose's game texts, shared by its parts.

from libc.stdint cimport uint8_t

from tabiya.formats.jose.moves_kernel cimport Dialect
from tabiya.formats.jose.pieces cimport PieceUndo, Pieces
from tabiya.game.annotations.read_comments_kernel cimport CommentReader
from tabiya.game.columns cimport Columns
from tabiya.game.growing cimport Bytes
from tabiya.game.sink cimport Sink

# Problem codes; the sentences are in ``messages.py``. The first ones are shared with PGN.
cdef enum:
    PROBLEM_ENCODING = 1
    PROBLEM_EMPTY_VARIATION = 14
    PROBLEM_OPEN_VARIATION = 15
    PROBLEM_RESERVED = 150
    PROBLEM_NO_PIECE = 151
    PROBLEM_IMPOSSIBLE = 152
    PROBLEM_EARLY_VARIATION = 153
    PROBLEM_EARLY_CLOSE = 154
    PROBLEM_EXPOSED = 155
    PROBLEM_NO_END = 156
    PROBLEM_AFTER_END = 157
    PROBLEM_TEXT_MISSING = 158
    PROBLEM_UNUSED_TEXTS = 159
    PROBLEM_START = 160
    PROBLEM_TOO_DEEP = 161
    PROBLEM_HALF_LETTER = 162
    PROBLEM_CUT_OFF = 163

# Flags of a record for the caller.
cdef enum:
    FLAG_DAMAGED = 2    # the stored bytes went to the extras, because the game does not contain all their information

# State of a line of play in addition to its board, kept by the sink.
ctypedef struct PieceLine:
    Pieces pieces
    PieceUndo undo
    Py_ssize_t opened       # offset of its beginning

ctypedef struct Reader:
    const Dialect* dialect
    bint inline_texts
    const uint8_t* codes
    Py_ssize_t end
    Py_ssize_t place
    const uint8_t* texts    # source of texts; with ``inline_texts`` the codes themselves
    Py_ssize_t texts_end
    Py_ssize_t text_place
    const uint8_t* start
    Py_ssize_t start_length
    bint has_start
    Columns* columns
    Sink sink
    PieceLine line
    Pieces standard_pieces
    Bytes comment           # as UTF-8
    CommentReader comments
    int result
    int variant
    bint damaged
    bint exposed            # reported once per record
    int encoding_problem    # the first one of the record, 0 for none
    uint8_t flags
