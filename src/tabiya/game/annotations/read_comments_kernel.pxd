# One reader of comments for all formats that store comments as texts: PGN, jose, Scid.

from libc.stdint cimport int64_t, uint8_t

from tabiya.game.columns cimport Columns, Interned, Strings
from tabiya.game.growing cimport Bytes
from tabiya.game.sink cimport Sink

# Problems of comments; the sentences are in ``game/problems.py``.
cdef enum:
    PROBLEM_MANY = 21
    PROBLEM_COMMAND = 22
    PROBLEM_EDITED = 23
    PROBLEM_PARTLY = 25
    MOST_PROBLEMS = 1000  # per record that are recorded individually


cdef class Commands:
    """What commands in comments mean: those that kernels read, and the answers of the classes for all others.

    A kernel records each rare command that has no answer yet once, and reads on as if it were text. Then the classes
    convert these commands, and the kernel reads everything again: see ``rare_commands.py``.
    """

    cdef bytes table          # of ``vocabulary.py``
    cdef bytes languages
    cdef bint by_classes      # even common commands are left to the classes, for tests
    cdef Interned requested
    cdef Strings answers      # of the first ones of these


ctypedef struct CommentReader:
    Columns* columns
    Sink* sink
    const uint8_t* table
    Py_ssize_t table_length
    const uint8_t* languages
    Py_ssize_t languages_length
    Interned* requested
    Strings* answers
    bint by_classes
    bint values_of_game     # before the first move, values are about the game
    bint in_place           # errors stay where they are, and late texts before the first move are about the game
    int64_t offset          # of the comment in the file, for problems; -1 if unknown
    const uint8_t* encoding  # name of the encoding of ChessBase's texts in this record; NULL for UTF-8
    Py_ssize_t encoding_length
    Bytes settled           # a comment without line breaks
    Bytes plain             # the text of a comment without its commands
    Bytes argument          # of a command, without escapes or blanks
    Bytes key               # a rare command with what its meaning depends on


cdef void open_reader(CommentReader* reader, Commands commands, Columns* columns, Sink* sink)
cdef void free_reader(CommentReader* reader)
cdef bint read_comment(CommentReader* reader, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void note(CommentReader* reader, int code, const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef void put_settled(Columns* columns, Bytes* out, const uint8_t* text, Py_ssize_t length) noexcept nogil
