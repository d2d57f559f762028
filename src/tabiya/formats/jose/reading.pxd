# The state of the reader of jose's game texts, shared by its parts.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t

from tabiya.chess.board cimport Board, Undo
from tabiya.formats.jose.moves_kernel cimport Dialect
from tabiya.formats.jose.pieces cimport PieceUndo, Pieces
from tabiya.game.columns cimport Columns
from tabiya.game.growing cimport Bytes

# Codes of problems; the sentences stand in ``problems.py``. The first ones are shared with PGN.
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
    PROBLEM_BEHIND_END = 157
    PROBLEM_TEXT_MISSING = 158
    PROBLEM_TEXTS_LEFT = 159
    PROBLEM_START = 160
    PROBLEM_TOO_DEEP = 161
    PROBLEM_HALF_LETTER = 162
    PROBLEM_CUT_OFF = 163

cdef enum:
    NOTHING = -1

# What a note is made from.
cdef enum:
    NOTE_TEXT = 0
    NOTE_NAGS = 1
    NOTE_ERROR = 2

# Flags of a record for the caller.
cdef enum:
    FLAG_COMMANDS = 1   # a text holds ``[%`` and was left as it is
    FLAG_DAMAGED = 2    # the stored bytes went to the extras, because the game does not say all that they do

# An annotation that has been read; in the end they are sorted and written to the columns.
ctypedef struct Note:
    int32_t move
    uint8_t side
    uint8_t form            # NOTE_…
    uint8_t reason          # of errors
    bint of_black           # of texts: Black made the move before
    Py_ssize_t begin        # of texts: where they stand; of NAGs: their place in ``nags``
    Py_ssize_t length
    Py_ssize_t next         # the next older one of those that wait for a move, or for the end of the line

# A line of play: the game's main line or an open variation.
ctypedef struct Line:
    Board board
    Undo undo
    Pieces pieces
    PieceUndo piece_undo
    int last                # number of the line's last move on the tape, NOTHING before the first
    bint after_variation    # a variation has closed since the last move: comments belong before the next one
    Py_ssize_t pending      # newest of the notes that wait for the next move
    Py_ssize_t errors       # newest of the errors that stand late if no move follows
    Py_ssize_t tape_mark    # where its tokens begin
    Py_ssize_t opened       # offset of its beginning

ctypedef struct Reader:
    const Dialect* dialect
    bint inline_texts
    const uint8_t* codes
    Py_ssize_t end
    Py_ssize_t place
    const uint8_t* texts    # where texts are taken from; with ``inline_texts`` the codes themselves
    Py_ssize_t texts_end
    Py_ssize_t text_place
    const uint8_t* start
    Py_ssize_t start_length
    bint has_start
    Columns* columns
    Board standard
    Pieces standard_pieces
    Line line
    Bytes outside           # Line, the open lines around ``line``
    Bytes notes             # Note
    Bytes nags              # uint16
    Bytes order             # int32, room for sorting
    Bytes plain             # what a comment says apart from its commands
    bint nags_open          # the last token was a NAG
    int moves               # on the tape
    int result
    bint ended              # the result has been read
    int variant
    bint damaged
    bint exposed            # noted once per record
    bint badly_encoded      # the same
    uint8_t flags
