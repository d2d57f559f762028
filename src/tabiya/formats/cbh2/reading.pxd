# The state of reading the records of ``.2cbg`` and ``.2cba``.

from libc.stdint cimport int32_t, int64_t, uint8_t

from tabiya.chess.board cimport Board
from tabiya.chessbase.bodies cimport Piece
from tabiya.chessbase.text_kernel cimport TextPage
from tabiya.game.columns cimport Columns, Header
from tabiya.game.growing cimport Bytes

# Problem codes; the sentences are in ``messages.py``.
cdef enum:
    PROBLEM_NO_MOVES = 210
    PROBLEM_CUT = 211
    PROBLEM_FRAME = 212
    PROBLEM_CHECKSUM = 213
    PROBLEM_TAG = 214
    PROBLEM_START = 215
    PROBLEM_MOVE = 216
    PROBLEM_OPEN_END = 217
    PROBLEM_RIGHTS = 218
    PROBLEM_NESTING = 219
    PROBLEM_NO_ANNOTATIONS = 220
    PROBLEM_ANNOTATIONS = 221
    PROBLEM_KIND = 222
    PROBLEM_POSITION = 223
    PROBLEM_LOST_POSITION = 224

# Results of reading moves, in addition to problem codes.
cdef enum:
    MOVES_OK = 0
    MOVES_AGAIN = 1  # with more castling rights
    NOT_A_MOVE = -1

# Its content, once the frame around it has been read.
ctypedef struct Frame:
    const uint8_t* content
    int64_t length
    int64_t offset       # of the content in the file
    int tag              # the two bytes before the content, as a big-endian number
    int problem          # of the frame itself, 0 for none

# A position with a later alternative to the move that was played from it.
ctypedef struct Branch:
    Board board
    int32_t move

# The moves of one game in stored order: whole lines first, then alternatives to their moves.
ctypedef struct Moves:
    const uint8_t* data
    Py_ssize_t size
    Py_ssize_t place     # offset of the next word; after a failure, of the faulty one
    bint chess960
    bint has_setup
    int number           # of the Chess960 start position, -1 for none
    int granted          # castling rights that were added to the start position
    Board usual
    Board start
    Board board
    int32_t count        # of moves
    int32_t pending      # the move that the next one is an alternative to, -1 for none
    int32_t first_branch  # the first move with a later alternative, -1 for none
    int32_t main_last    # number on the tape of the last move of the main line, -1 for none
    bint branched        # there are alternatives, so ``siblings`` and ``ends`` are in use
    bint odd             # writing these moves again would give other words
    bint open_end        # the last line was not closed
    bint broken          # the moves end before an invalid word; what follows is unknown
    bint no_memory
    Bytes tokens         # uint16
    Bytes siblings       # int32, by move: the next alternative to it, -1 for none
    Bytes ends           # uint8, by move: whether its line ends after it
    Bytes branches       # Branch
    Bytes numbers        # int32, by move: its number on the tape
    Bytes waiting        # for ``put_variations``

# The annotations of one game.
ctypedef struct Annotations:
    TextPage page
    const uint8_t* quoted  # the bytes of quoted moves by number
    const uint8_t* data
    Py_ssize_t size
    Py_ssize_t place
    bint exact           # the columns contain every byte
    bint no_memory
    int64_t strays       # annotations of moves that do not exist
    Py_ssize_t stop      # where reading had to stop, -1 if it reached the end
    int unknown          # the unknown type that it stopped at, -1 for none
    Bytes scratch
    Bytes room           # for sorting

ctypedef struct Reader:
    Piece cbg
    Piece cba
    Columns* columns
    Header header        # data of the current record that its body determines
    Moves moves
    Annotations annotations
