# What the readers of formats with comments read the commands in these with, see ``read_comments_kernel``.

from libc.stdint cimport uint8_t

from tabiya.game.columns cimport Columns
from tabiya.game.growing cimport Bytes
from tabiya.game.sink cimport Sink

# What became of a comment.
cdef enum:
    HAS_NO_COMMAND = 0      # that means anything
    IS_READ = 1
    IS_LEFT = 2             # to Python

ctypedef struct CommentReader:
    Columns* columns
    Sink* sink
    const uint8_t* commands    # tables of ``vocabulary.py``
    Py_ssize_t commands_length
    const uint8_t* languages
    Py_ssize_t languages_length
    bint values_of_game     # before the first move, values and late texts are about the game
    bint told               # kernels have read what must not be mixed with what Python reads
    Bytes plain             # what a comment says apart from its commands
    Bytes argument          # of a command, without escapes
    Bytes unknown           # commands that nobody knows, with a zero behind each
