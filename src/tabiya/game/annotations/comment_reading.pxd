# The state of readers of comments with commands, see ``read_comments_kernel``.

from libc.stdint cimport uint8_t

from tabiya.game.columns cimport Columns
from tabiya.game.growing cimport Bytes
from tabiya.game.sink cimport Sink

# The outcome for a comment.
cdef enum:
    HAS_NO_COMMAND = 0      # no command with a meaning
    IS_READ = 1
    IS_LEFT = 2             # to be read by Python

ctypedef struct CommentReader:
    Columns* columns
    Sink* sink
    const uint8_t* commands    # tables of ``vocabulary.py``
    Py_ssize_t commands_length
    const uint8_t* languages
    Py_ssize_t languages_length
    bint values_of_game     # before the first move, values and late texts are about the game
    bint told               # kernels have read data that must not be mixed with what Python reads
    Bytes plain             # the text of a comment without its commands
    Bytes argument          # of a command, unescaped
    Bytes unknown           # unknown commands, each followed by a zero
