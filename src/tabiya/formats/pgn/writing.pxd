# The state of the PGN writer, shared by its parts.

from libc.stdint cimport uint8_t

from tabiya.chess.board cimport Board
from tabiya.formats.pgn.output cimport Output
from tabiya.game.batch_view cimport View
from tabiya.game.growing cimport Bytes
from tabiya.game.walk cimport PlayedLine, Walk

cdef enum:
    OPAQUE = 2       # kind of a record whose moves are not known
    NO_RECORD = 255  # in the place of a kind

ctypedef struct Writer:
    const View* view
    Output out
    bint plain
    bint plies                # whether to write how many there are
    bint names_sides          # comments behind variations are commands that name their side
    bint exact_blanks         # those at the ends of the texts of this record are content
    const uint8_t* languages  # codes by number, four bytes each
    const uint8_t* rare       # the commands that kernels do not know by heart
    Py_ssize_t rare_length
    Bytes text                # the command of a value that does not stand on every move
    bint comment_open         # a comment has been begun and not yet closed
    Board standard
    Walk walk
    PlayedLine line
    bint has_moves
    bint late_behind_result  # where late annotations of the whole record stand
    bint number_due         # the next move of Black needs its number
    int before              # kind of the record before; an opaque one has no end but the tags of this one
