# The state of the PGN writer, shared by its parts.

from libc.stdint cimport uint8_t

from tabiya.chess.board cimport Board
from tabiya.formats.pgn.output cimport Output
from tabiya.game.batch_view cimport View
from tabiya.game.growing cimport Bytes
from tabiya.game.walk cimport PlayedLine, Walk

cdef enum:
    OPAQUE = 2       # kind of a record whose moves are unknown
    NO_RECORD = 255  # in place of a kind

ctypedef struct Writer:
    const View* view
    Output out
    bint plain
    bint plies                # whether to write PlyCount
    bint names_sides          # comments after variations are commands that state their side
    bint exact_blanks         # those at the ends of the texts of this record are content
    const uint8_t* languages  # codes by number, four bytes each
    const uint8_t* rare       # the commands that are not built into kernels
    Py_ssize_t rare_length
    Bytes text                # the command of a value of a rarer kind
    bint comment_open         # a comment has been begun and not yet closed
    Board standard
    Walk walk
    PlayedLine line
    bint has_moves
    bint late_after_result  # where late annotations of the whole record go
    bint number_due         # the next move of Black needs its number
    int before              # kind of the record before; only the tags of this record end an opaque one
