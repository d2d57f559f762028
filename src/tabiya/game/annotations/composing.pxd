# The state of writers that compose comments, see ``compose_kernel``.

from libc.stdint cimport int32_t, uint8_t

from tabiya.game.annotation_order cimport AnnotationOrder
from tabiya.game.batch_view cimport View
from tabiya.game.columns cimport SIDE_LATE
from tabiya.game.growing cimport Bytes, grow

# Instead of a side: both sides that are not late.
cdef enum:
    NOT_LATE = -1

# The outcome for an annotation.
cdef enum:
    WRITTEN = 0
    IS_RICH = 1             # kernels cannot write it so that it is read back unchanged

# Texts composed by Python are annotations of this kind, which is internal to its format. Their ``lang`` is one of
# these, or one more than their ``Place`` in a comment.
cdef enum:
    KIND_WORDS = 0xFFFF
    WORDS_OF_NAGS = 0       # about the NAGs before the comment, and written only with them
    WORDS_OF_TEXT = 5       # a text: the form at the end of a comment, a zero, the form elsewhere
    WHOLE_COMMENT = 6       # a separate comment, after everything else

# The place of a command in a comment, as in ``value.py``.
cdef enum:
    PLACE_NAGS = -1
    PLACE_OTHER = 3
    PLACE_TEXT = 4
    PLACES = 5

# Annotations at one place.
ctypedef struct Group:
    int side
    bint symbols            # NAGs are written here
    bint goes_on            # an error can be written here, because a move or the end follows
    bint about_game         # in the comment on the whole game before the first move
    bint black              # at a move of Black

# The words of annotation texts, see ``vocabulary.py``.
ctypedef struct Vocabulary:
    const uint8_t* commands
    Py_ssize_t commands_length
    const uint8_t* places      # by kind
    const uint8_t* languages   # by number, four letters each

ctypedef struct Composer:
    const View* view
    Vocabulary vocabulary
    bint loose              # Python has composed what kernels cannot write; the rest is to be written in any case
    bint values_of_game     # a value before the first move is read as one of the game
    Bytes notes             # int32, the annotations at one place
    Bytes comment           # composed from annotations, as UTF-8
    Bytes scratch           # buffer for a value and its text
    bint composed           # this record has a comment that is not an unchanged text
    bint changed            # an annotation will not be read back unchanged
    bint failed             # out of memory


cdef inline Py_ssize_t note_count(const Composer* composer) noexcept nogil:
    return composer.notes.size // sizeof(int32_t)


cdef inline int32_t* note_list(Composer* composer) noexcept nogil:
    return <int32_t*> composer.notes.data


cdef inline void gather(Composer* composer, const AnnotationOrder* order, int move, int side) noexcept nogil:
    """Add the annotations on one side of a move, or all that are NOT_LATE, to those at this place."""
    cdef Py_ssize_t index, count = note_count(composer)
    cdef int here
    if not grow(&composer.notes, sizeof(int32_t) * (order.firsts[move + 1] - order.firsts[move])):
        composer.failed = True
        return
    for index in range(order.firsts[move], order.firsts[move + 1]):
        here = composer.view.annotation_side[order.places[index]]
        if here == side or (side == NOT_LATE and here != SIDE_LATE):
            note_list(composer)[count] = order.places[index]
            count += 1
    composer.notes.size = sizeof(int32_t) * count
