# The state of the BCGN writer, shared by its parts.

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcpy

from tabiya.chess.board cimport Board
from tabiya.formats.bcgn.fields cimport Text
from tabiya.game.batch_view cimport Texts, View
from tabiya.game.growing cimport Bytes, grow

# Possible losses of a record; the sentences are in ``messages.py``.
cdef enum:
    LOSS_TEXT = 0      # a text was cut after 255 bytes
    LOSS_TAGS = 1      # a tag beyond the 255th
    LOSS_DATE = 2      # a part of a date that is out of range
    LOSS_START = 3     # counters or spelling of a start position, if there is no tag to keep them
    LOSS_RESULT = 4    # the absence of a result, if there is no tag to state it
    LOSS_CHANGED = 5   # a round, ECO code or empty name, if there is no tag to keep it
    LOSS_COUNT = 6

# Reasons why a record cannot be written at all.
cdef enum:
    FITS = 0
    REFUSED_RULES = 1     # castling as in Chess960
    REFUSED_PIECES = 2
    REFUSED_START = 3
    REFUSED_MOVE = 4
    REFUSED_INDEX = 5
    REFUSED_PLIES = 6
    REFUSED_LENGTH = 7

ctypedef struct Writer:
    const View* view
    int level
    bint headerless
    bint reference        # write what the reference program writes
    Bytes out
    bint failed           # no memory
    Py_ssize_t record
    Py_ssize_t entry      # where the entry begins in ``out``
    Py_ssize_t tags       # position of the number of additional tags in ``out``, 0 if there are none yet
    Board standard
    uint8_t standard_packed[24]
    Board board           # the start position of the record, then each of its positions
    uint8_t packed[24]
    bint custom           # whether it differs from the standard position
    bint unusual_start    # whether the FEN contains more than the packed position, so that a tag must keep it
    Text names[7]         # of the record, in the order of its columns
    unsigned int given    # set of those that are not missing, as fields
    unsigned int listed   # set of fields in the list of tags
    int64_t losses[6]
    Py_ssize_t first_loss[6]


cdef inline void lose(Writer* writer, int kind) noexcept nogil:
    if writer.losses[kind] == 0:
        writer.first_loss[kind] = writer.record
    writer.losses[kind] += 1


cdef inline Text text_at(const Texts* texts, Py_ssize_t index) noexcept nogil:
    cdef Text text
    text.data = texts.data + texts.ends[index]
    text.length = texts.ends[index + 1] - texts.ends[index]
    return text


cdef inline void put(Writer* writer, const uint8_t* data, Py_ssize_t length) noexcept nogil:
    if not grow(&writer.out, length + 1):
        writer.failed = True
        return
    if length:
        memcpy(writer.out.data + writer.out.size, data, length)
        writer.out.size += length


cdef inline void put_byte(Writer* writer, int value) noexcept nogil:
    if not grow(&writer.out, 1):
        writer.failed = True
        return
    writer.out.data[writer.out.size] = value & 255
    writer.out.size += 1


cdef inline uint8_t* reserve(Writer* writer, Py_ssize_t length) noexcept nogil:
    """Reserve this many bytes, which count as written; return NULL if there is no memory."""
    if not grow(&writer.out, length):
        writer.failed = True
        return NULL
    writer.out.size += length
    return writer.out.data + writer.out.size - length
