# The state of the PGN reader, shared by its parts.

from libc.stdint cimport int64_t, uint8_t, uint16_t

from tabiya.game.annotations.read_comments_kernel cimport CommentReader
from tabiya.game.columns cimport Columns, Header
from tabiya.game.growing cimport Bytes
from tabiya.game.sink cimport Sink

# Problem codes; the sentences are in ``messages.py``.
cdef enum:
    PROBLEM_ENCODING = 1
    PROBLEM_TAG = 2
    PROBLEM_TAG_NAME = 3
    PROBLEM_TAIL = 3  # plus how the chunk ends: 4 too long, 5 damaged
    PROBLEM_MOVE_UNREADABLE = 10
    PROBLEM_MOVE_ILLEGAL = 11
    PROBLEM_MOVE_AMBIGUOUS = 12
    PROBLEM_VARIATION_EARLY = 13
    PROBLEM_VARIATION_EMPTY = 14
    PROBLEM_VARIATION_OPEN = 15
    PROBLEM_VARIATION_CLOSED = 16
    PROBLEM_COMMENT_OPEN = 17
    PROBLEM_RESULT_MISSING = 18
    PROBLEM_RESULT_DIFFERS = 19
    PROBLEM_TOKEN = 20
    PROBLEM_GLUED = 24
    PROBLEM_FEN = 30
    PROBLEM_VARIANT = 31

cdef enum:
    MOST_DETOURS = 8  # nesting of variations that are read out of place

cdef enum:
    VARIANT_STANDARD = 0
    VARIANT_CHESS960 = 1
    VARIANT_UNKNOWN = 2

cdef enum:
    RESULT_UNKNOWN = 0
    RESULT_WHITE = 1
    RESULT_BLACK = 2
    RESULT_DRAW = 3

# The relation of a line of play to the text: kept by the sink for each open line.
ctypedef struct TextLine:
    Py_ssize_t opened            # place of the "("
    Py_ssize_t resume            # where to continue once the line has closed, NOTHING for directly after it
    Py_ssize_t early             # oldest of the variations that fit only after the last move, waiting for the next one
    Py_ssize_t latest            # newest of them
    Py_ssize_t due               # the same, once that move has been read
    Py_ssize_t inline_end        # while such a variation is read as the line's own continuation: its ")"
    Py_ssize_t inline_resume

# A variation that is an alternative to the move after it.
ctypedef struct Detour:
    Py_ssize_t opened            # place of its "("
    Py_ssize_t closed            # place of its ")"
    Py_ssize_t next

# Data of the record being read, apart from its lists.
ctypedef struct Record:
    bint opaque
    bint begun                   # movetext has begun
    bint has_tags
    bint has_escapes
    bint encoding_known          # of ChessBase's texts in this record
    int exact_blanks             # 0 not yet known, 1 blanks around a comment have no meaning, 2 all but one are content
    unsigned int seen            # set of tags with columns, by their numbers in ``tag_names_kernel``
    unsigned int listed          # those of them that are in the list of other tags, too
    int variant
    int result                   # from the movetext
    int result_tag
    Header header
    Py_ssize_t text_begin        # where the movetext begins
    Py_ssize_t value_begin[15]   # where the values of tags with columns begin in the text, as written
    Py_ssize_t value_end[15]

ctypedef struct Reader:
    const uint8_t* text
    Py_ssize_t end
    Py_ssize_t place
    int tail                     # how the text ends, see ``read_games``
    int64_t base                 # offset of ``text`` in the file
    Columns* columns
    const uint16_t* code_page    # characters of 0x80 … 0xFF
    bint always_code_page        # else only for texts that are not UTF-8
    const uint8_t* results       # spellings of results, see ``look_up``
    Py_ssize_t results_length
    const uint8_t* variants
    Py_ssize_t variants_length
    const uint8_t* signs         # signs and their NAGs; 0 for words without meaning
    Py_ssize_t signs_length
    const uint8_t* letters       # names of K Q R B N P in another language, 4 bytes each, padded with 0; or NULL
    Sink sink
    TextLine line
    Bytes detours                # Detour, of this record
    int detour_depth
    Bytes ends                   # int64: where each finished record ends in ``text``
    Bytes scratch                # a tag's value without its escapes
    Bytes converted              # a tag or a comment as UTF-8
    CommentReader comments
    Record record
