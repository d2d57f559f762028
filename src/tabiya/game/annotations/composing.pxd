# What the writers of formats with comments compose comments with, see ``compose_kernel``.

from libc.stdint cimport uint8_t

from tabiya.game.batch_view cimport View
from tabiya.game.growing cimport Bytes

# What became of an annotation.
cdef enum:
    WRITTEN = 0
    IS_RICH = 1             # kernels cannot write it so that it is read back as it is

# What Python has put into words is an annotation of this kind, which never leaves the room of its format. Its ``lang``
# is one of these, or one more than the ``Place`` that it has in a comment.
cdef enum:
    KIND_WORDS = 0xFFFF
    WORDS_OF_NAGS = 0       # about the NAGs before the comment, and written only if they are
    WORDS_OF_TEXT = 5       # a text: what to write where it ends the comment, a zero, what to write elsewhere
    WHOLE_COMMENT = 6       # a comment of its own, behind all else

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

# The words of annotation texts, see ``vocabulary.py``.
ctypedef struct Vocabulary:
    const uint8_t* commands
    Py_ssize_t commands_length
    const uint8_t* places      # by kind
    const uint8_t* languages   # by number, four letters each

ctypedef struct Composer:
    const View* view
    Vocabulary vocabulary
    bint loose              # Python has put into words what kernels cannot write; all else is to be written anyhow
    bint values_of_game     # a value before the first move is read as one about the game
    Bytes comment           # made of annotations, as UTF-8
    Bytes room              # for a value and its text
    bint changed            # an annotation will not be read back as it is
    bint failed             # no memory
