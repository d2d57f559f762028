# The state of reading and writing the annotations of one game, shared by the kernels of ``.cba`` blobs.

from libc.stdint cimport int32_t, int64_t

from tabiya.formats.cbh.bodies.cba_text_kernel cimport TextPage
from tabiya.game.growing cimport Bytes

cdef enum:
    ANNOTATIONS_HEAD = 14
    ANNOTATION_HEAD = 6
    MOST_PAYLOAD = 65529  # with its head it has a length of 16 bits

# One annotation of a blob.
ctypedef struct Stored:
    int32_t move            # number on the tape, -1 for the game as a whole
    int32_t kind
    Py_ssize_t payload      # place in the blob
    Py_ssize_t length

ctypedef struct Annotations:
    TextPage page
    Bytes found             # Stored, in the order of the blob
    Bytes sorted            # Stored, by move
    Bytes counts            # int32, by move
    Bytes scratch
    bint no_memory
    bint exact              # written again, these annotations give the very blob
    int64_t strays          # annotations of moves that are not there
    Py_ssize_t stop         # where reading had to stop, -1 if the whole blob makes sense
