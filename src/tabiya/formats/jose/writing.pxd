# The state of the writer of jose's game texts, shared by its parts.

from libc.stdint cimport uint8_t

from tabiya.chess.board cimport Board
from tabiya.formats.jose.moves_kernel cimport Dialect
from tabiya.game.batch_view cimport View
from tabiya.game.growing cimport Bytes, grow
from tabiya.game.walk cimport PlayedLine, Walk

# What became of a record.
cdef enum:
    WRITTEN = 0
    IS_RICH = 1          # kernels cannot write an annotation so that it is read back as it is
    IS_SURPLUS = 2       # a piece moves that jose has no code for
    IS_IMPOSSIBLE = 3    # a token is no possible move, or variations do not fit
    IS_BAD_START = 4
    IS_TOO_DEEP = 5
    IS_BAD_NOTE = 6      # an annotation refers to a move, or a side of a move, that does not exist

cdef enum:
    ATTRIBUTE_VARIATIONS = 1
    ATTRIBUTE_COMMENTS = 2
    ATTRIBUTE_ERRORS = 4
    ATTRIBUTE_NOT_CLASSIC = 8

cdef enum:
    PROMOTED = 0x40      # flag of a slot: it is that of the pawn that the piece was

# What ``rich.py`` has put into words is an annotation of this kind; it never leaves the room of jose. Its ``lang`` is
# one of these, or one more than the ``Place`` that it has in a comment.
cdef enum:
    KIND_WORDS = 0xFFFF
    WORDS_OF_NAGS = 0    # about the NAGs before the comment, and written only if they are
    WORDS_OF_TEXT = 5    # a text: what to write where it ends the comment, a zero, what to write elsewhere
    WHOLE_COMMENT = 6    # a comment of its own, behind all else

# Where a command stands in a comment, as ``value.py`` has it.
cdef enum:
    PLACE_NAGS = -1
    PLACE_OTHER = 3
    PLACE_TEXT = 4
    PLACES = 5

# Annotations that stand at one place.
ctypedef struct Group:
    int side
    bint symbols            # NAGs have a place here
    bint goes_on            # an error may stand here, because a move follows, or the end
    bint about_game         # in the comment before the first move that is about the game
    bint black              # at a move of Black

# A line of play that is being written.
ctypedef struct WrittenLine:
    PlayedLine played
    uint8_t slots[64]       # by square: the slot of the piece that stands there
    uint8_t slots_before[64]  # the same before the last move, if a variation follows it

# The words of annotation texts, see ``vocabulary.py``.
ctypedef struct Vocabulary:
    const uint8_t* commands
    Py_ssize_t commands_length
    const uint8_t* places      # by kind
    const uint8_t* languages   # by number, four letters each

ctypedef struct Writer:
    const View* view
    const Dialect* dialect
    Vocabulary vocabulary
    bint inline_texts
    bint loose              # ``rich.py`` has put into words what kernels cannot write; all else is to be written anyhow
    Board standard
    uint8_t standard_slots[64]
    Walk walk
    WrittenLine line
    Bytes codes
    Bytes texts
    Bytes group             # int32, the annotations that stand at one place
    Bytes comment           # made of them, as UTF-8
    Bytes room              # for a value and its text
    int plies               # of the main line
    int attributes
    bint composed           # a comment has been made of annotations
    bint changed            # an annotation will not be read back as it is
    bint failed             # no memory


cdef inline void put_code(Writer* writer, int code) noexcept nogil:
    if not grow(&writer.codes, 1):
        writer.failed = True
        return
    writer.codes.data[writer.codes.size] = code
    writer.codes.size += 1
