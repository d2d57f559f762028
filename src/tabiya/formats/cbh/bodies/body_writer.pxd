# The state of writing bodies, shared by the kernels of ``.cbg`` and ``.cba`` blobs.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t

from tabiya.chess.board cimport Board
from tabiya.formats.cbh.bodies.cba cimport Annotations
from tabiya.formats.cbh.bodies.cbg cimport Moves
from tabiya.formats.cbh.bodies.cbg_slots cimport Slots
from tabiya.game.annotation_order cimport AnnotationOrder
from tabiya.game.batch_view cimport View
from tabiya.game.columns cimport Columns
from tabiya.game.growing cimport Bytes
from tabiya.game.walk cimport Walk

cdef enum:
    MOST_BLOB = 0xFFFFFF      # bytes: sizes have 24 bits
    MOST_POSITION = 0x7FFFFF  # of an annotation

# Reasons why a record cannot be written; the sentences are in ``messages.py``.
cdef enum:
    WRITTEN = 0
    BAD_START = 1       # the start position is invalid
    TOO_MANY_PIECES = 2
    BAD_MOVES = 3       # they are not legal, or the tape is invalid
    BAD_ANNOTATION = 4  # it belongs to a move that does not exist
    TOO_LARGE = 5
    NO_BODY = 6         # an opaque record of another format

# Possible losses; the sentences are in ``messages.py``.
cdef enum:
    LOSS_CLOCK = 0       # half moves since the last capture or pawn move
    LOSS_NUMBER = 1      # number of the first move
    LOSS_START = 2       # the start position is read back in another spelling
    LOSS_VARIANT = 3     # chess from a position of Chess960 is read back as Chess960
    LOSS_LENGTH = 4      # an annotation is too long
    LOSS_LANGUAGE = 5    # a language on a kind that has none
    LOSS_BYTES = 6       # the original bytes or spelling of an annotation
    LOSS_COUNT = 7

# State of the original bytes of an annotation.
cdef enum:
    RAW_NONE = 0
    RAW_GIVEN = 1
    RAW_UNFIT = 2  # present, but they do not match the annotation

# Statistics of a body for headers. ``STATISTICS`` in ``messages.py`` is the same layout.
ctypedef struct Statistics:
    uint32_t plies            # of the main line
    uint32_t variation_plies
    uint32_t flags
    uint32_t medals
    uint32_t text_bytes
    uint32_t symbols
    uint32_t squares
    uint32_t arrows
    uint32_t times
    uint32_t trainings
    uint16_t white_material   # at the end of the main line
    uint16_t black_material
    uint8_t black_starts
    uint8_t failure
    uint16_t unused

# A move of the tape, with links to the others.
ctypedef struct Link:
    int32_t next              # the next move of the same line, -1 for none
    int32_t sibling           # the next alternative to this move
    int32_t group             # the first of all alternatives, and its latest
    int32_t tail
    uint16_t token

# A position whose alternatives remain to be written.
ctypedef struct Return:
    Board board
    Slots slots
    int32_t move

ctypedef struct BodyWriter:
    const View* view
    Py_ssize_t record
    Columns* scratch          # buffer to read kept bodies into, for comparison
    Moves kept
    Annotations annotations
    Bytes cbg
    Bytes cba
    bint no_memory
    Statistics* statistics    # of the record
    int64_t losses[7]
    Py_ssize_t first_loss[7]
    # Tables.
    const uint8_t* spelled    # by kind: whether ``raw`` is a spelling of PGN and not a payload
    const uint32_t* flags     # by kind: the flags that its presence sets
    const uint8_t* raw_present  # by annotation: RAW_…
    const int32_t* raw_ends
    const uint8_t* raw_data
    # Moves.
    int mode
    Board usual
    Slots usual_slots
    Board start
    Board board
    Slots slots
    uint8_t shift             # number of moves written, which obfuscates their bytes
    int32_t count
    Bytes links               # Link, by number on the tape
    Walk walk                 # along the tape, to link its moves
    Bytes returns             # Return
    Bytes positions           # int32, by number on the tape: number in the order of the stream
    AnnotationOrder order


cdef inline void lose(BodyWriter* writer, int kind) noexcept nogil:
    if writer.losses[kind] == 0:
        writer.first_loss[kind] = writer.record
    writer.losses[kind] += 1
