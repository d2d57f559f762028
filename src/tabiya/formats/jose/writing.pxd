# The state of the writer of jose's game texts, shared by its parts.

from libc.stdint cimport uint8_t

from tabiya.chess.board cimport Board
from tabiya.formats.jose.moves_kernel cimport Dialect
from tabiya.game.annotations.composing cimport Composer
from tabiya.game.batch_view cimport View
from tabiya.game.growing cimport Bytes, grow
from tabiya.game.walk cimport PlayedLine, Walk

# Results of a record, besides WRITTEN and IS_RICH of ``composing.pxd``.
cdef enum:
    IS_SURPLUS = 2       # a piece moves that jose has no code for
    IS_IMPOSSIBLE = 3    # a token is not a possible move, or variations do not match
    IS_BAD_START = 4
    IS_TOO_DEEP = 5
    IS_BAD_NOTE = 6      # an annotation refers to a move, or a side of a move, that does not exist

cdef enum:
    ATTRIBUTE_VARIATIONS = 1
    ATTRIBUTE_COMMENTS = 2
    ATTRIBUTE_ERRORS = 4
    ATTRIBUTE_NOT_CLASSIC = 8

cdef enum:
    PROMOTED = 0x40      # flag of a slot: it is that of the pawn that was promoted

# A line of play being written.
ctypedef struct WrittenLine:
    PlayedLine played
    uint8_t slots[64]       # by square: the slot of the piece there
    uint8_t slots_before[64]  # the same before the last move, if a variation follows it

ctypedef struct Writer:
    const View* view
    const Dialect* dialect
    bint inline_texts
    Board standard
    uint8_t standard_slots[64]
    Walk walk
    WrittenLine line
    Bytes codes
    Bytes texts
    Composer composer       # builds comments from the annotations at one position
    int plies               # of the main line
    int attributes
    bint failed             # no memory


cdef inline void put_code(Writer* writer, int code) noexcept nogil:
    if not grow(&writer.codes, 1):
        writer.failed = True
        return
    writer.codes.data[writer.codes.size] = code
    writer.codes.size += 1
