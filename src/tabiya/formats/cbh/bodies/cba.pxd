# The state of reading and writing the annotations of one game, shared by the kernels of ``.cba`` blobs.

from libc.stdint cimport int64_t

from tabiya.chessbase.text_kernel cimport TextPage
from tabiya.game.growing cimport Bytes

cdef enum:
    ANNOTATIONS_HEAD = 14
    ANNOTATION_HEAD = 6
    MOST_PAYLOAD = 65529  # with its head it has a length of 16 bits

ctypedef struct Annotations:
    TextPage page
    Bytes found             # a text read back, for the writer
    Bytes order_scratch     # buffer for sorting
    Bytes scratch
    bint no_memory
    bint exact              # writing these annotations again gives the same blob
    int64_t strays          # annotations of moves that do not exist
    Py_ssize_t stop         # where reading had to stop, -1 if the whole blob is valid
