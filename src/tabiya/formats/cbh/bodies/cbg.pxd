# The state of reading and writing the moves of one game, shared by the kernels of ``.cbg`` blobs.

from libc.stdint cimport int32_t, uint8_t

from tabiya.chess.board cimport Board
from tabiya.formats.cbh.bodies.cbg_setup_kernel cimport Homes
from tabiya.formats.cbh.bodies.cbg_slots cimport Slots
from tabiya.game.growing cimport Bytes

cdef enum:
    BLOB_HEAD = 4      # flags, and the size in three bytes
    MODE_BITS = 63
    SETUP_BIT = 64
    CHESS = 0          # the mode of ordinary chess
    CHESS960 = 10

# Problem codes; the sentences are in ``messages.py``.
cdef enum:
    PROBLEM_NO_MOVES = 100
    PROBLEM_CUT_MOVES = 101
    PROBLEM_MODE = 102
    PROBLEM_SETUP = 103
    PROBLEM_MOVE = 104
    PROBLEM_OPEN_END = 105
    PROBLEM_SIZE = 106
    PROBLEM_RIGHTS = 107
    PROBLEM_NUMBERING = 108
    PROBLEM_NESTING = 109
    PROBLEM_NO_ANNOTATIONS = 110
    PROBLEM_CUT_ANNOTATIONS = 111
    PROBLEM_ANNOTATIONS = 112
    PROBLEM_POSITION = 113
    PROBLEM_LOST_POSITION = 114

# A position with further alternatives to the move that was played from it.
ctypedef struct Branch:
    Board board
    Slots slots
    int32_t place      # number of the first move after it
    int32_t first      # the latest of its alternatives

# The moves of one game in the order of the stream: whole lines first, then alternatives to their moves.
ctypedef struct Moves:
    const uint8_t* data        # the blob
    Py_ssize_t size
    Py_ssize_t place           # offset of the next byte in the blob; after a failure, of the faulty byte
    int mode
    bint has_setup
    Board start
    Homes homes
    int limit                  # of slots per type of piece, see ``Slots``
    int granted                # castling rights that were added to the start position
    Board board
    Slots slots
    uint8_t before             # what is subtracted from a byte before and after the table lookup
    uint8_t after
    int32_t count              # of moves
    int32_t pending            # the move that the next one is an alternative to, -1 for none
    int32_t group              # where that move's position was pushed
    bint branched              # there are alternatives, so the arrays below are in use
    bint unusual               # ChessBase would write these moves differently
    bint open_end              # the last line was not closed
    bint broken                # the moves end before an invalid code; what follows is unknown
    bint no_memory
    Bytes tokens               # uint16
    Bytes siblings             # int32, by move: the next alternative to it, -1 for none
    Bytes ends                 # uint8, by move: whether its line ends after it
    Bytes branches             # Branch
    Bytes numbers              # int32, by move: its number on the tape
    Bytes open_lines           # of ``lines_kernel``
    int32_t main_last          # number on the tape of the last move of the main line, -1 for none
    Board usual                # the standard start position, with its pieces numbered forwards
    Slots usual_slots
