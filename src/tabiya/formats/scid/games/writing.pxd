# The state of the writer of game data, shared by its parts.

from libc.stdint cimport int32_t, uint8_t

from tabiya.chess.board cimport Board
from tabiya.formats.scid.games.pieces cimport Pieces
from tabiya.game.annotations.composing cimport Composer
from tabiya.game.batch_view cimport View
from tabiya.game.growing cimport Bytes, grow
from tabiya.game.walk cimport PlayedLine, Walk

# Results of a record, besides WRITTEN and IS_RICH of ``composing.pxd``.
cdef enum:
    IS_IMPOSSIBLE = 2    # a token is not a legal move, or variations do not match
    IS_BAD_START = 3
    IS_TOO_DEEP = 4
    IS_BAD_NOTE = 5      # an annotation refers to a move, or a side of a move, that does not exist
    IS_TOO_LONG = 6

# Index values of a game, as columns of ``derived``; followed by the entries of home pawns, lost NAGs and tags.
cdef enum:
    DERIVED_PLIES = 0
    DERIVED_COMMENTS = 1
    DERIVED_VARIATIONS = 2
    DERIVED_NAGS = 3
    DERIVED_FLAGS = 4
    DERIVED_MATERIAL = 5
    DERIVED_LINE = 6
    DERIVED_CHESS960 = 7
    DERIVED_PAWN_COUNT = 8
    LOST_NAGS = 9
    LOST_TAGS = 10
    IS_CHANGED = 11      # an annotation will not be read back unchanged
    IS_REFUSED = 12      # Scid does not read a game from this start position
    DERIVED_COUNT = 13

# A stored line of the opening, as a tree: indexes of the first move that may follow and of the next alternative.
cdef enum:
    LINE_TOKEN = 0
    LINE_FIRST = 1
    LINE_NEXT = 2
    LINE_NUMBER = 3

# A line of play being written.
ctypedef struct WrittenLine:
    PlayedLine played
    Pieces pieces
    uint8_t taken           # data for undoing the last move in the lists

ctypedef struct Writer:
    const View* view
    Composer composer
    const int32_t* lines    # the stored lines, four numbers each; 0 is the start
    int lines_place         # how far the game has followed them; -1 once it has left them
    Board standard
    Pieces standard_pieces
    Walk walk
    WrittenLine line
    Bytes out
    Bytes texts             # of the comments of this record
    int32_t* derived        # of this record
    uint8_t* pawns          # its entries of home pawns
    bint has_start
    bint failed             # no memory


cdef inline void put_code(Writer* writer, int code) noexcept nogil:
    if not grow(&writer.out, 1):
        writer.failed = True
        return
    writer.out.data[writer.out.size] = code
    writer.out.size += 1
