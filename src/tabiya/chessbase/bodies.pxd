# Bodies of records while they are read: the pieces of their files, and what a reader notes and keeps.

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport strlen

from tabiya.chess.board cimport Board
from tabiya.chess.fen_kernel cimport MAX_FEN, format_fen
from tabiya.chess.letters cimport SPACE, format_number
from tabiya.game.columns cimport Columns, Header, put_extra, put_problem, put_string, put_uint8

# The kinds of records, as in a batch.
cdef enum:
    GAME = 0
    TEXT = 1
    OPAQUE = 2

# The offset of a body that exists and is not read; there already is a problem for it.
cdef enum:
    REFUSED_BODY = -2

# A body as far as its file contains it.
ctypedef struct Piece:
    const uint8_t* data
    int64_t size
    int64_t offset       # in the file, for problems


cdef inline bint are_pieces(const int64_t[:, ::1] pieces, Py_ssize_t count, Py_ssize_t size) noexcept:
    """Return whether there are this many pieces, all of them inside of this many bytes."""
    if pieces.shape[0] != count or pieces.shape[1] != 3:
        return False
    for index in range(count):
        if not (0 <= pieces[index, 0] <= size and 0 <= pieces[index, 1] <= size - pieces[index, 0]):
            return False
    return True


cdef inline void take_piece(Piece* piece, const uint8_t* data, const int64_t* place) noexcept nogil:
    piece.data = data + place[0]
    piece.size = place[1]
    piece.offset = place[2]


cdef inline void keep(Columns* columns, const char* key, const uint8_t* data, int64_t size) noexcept nogil:
    """Keep bytes in an extra."""
    put_extra(columns, <const unsigned char*> key, strlen(key), data, size)


cdef inline void note(Columns* columns, int code, int64_t offset) noexcept nogil:
    put_problem(columns, code, offset, NULL, 0)


cdef inline void note_number(Columns* columns, int code, int64_t offset, const char* word,
                             int64_t number) noexcept nogil:
    """Record a problem with a short word and a number: mode 12, move 80."""
    cdef uint8_t text[32]
    cdef Py_ssize_t length = strlen(word)
    for index in range(length):
        text[index] = word[index]
    text[length] = SPACE
    length += 1
    length += format_number(<unsigned int> number, text + length)
    put_problem(columns, code, offset, text, length)


cdef inline void put_start(Columns* columns, Header* header, const Board* start, bint chess960) noexcept nogil:
    """Append the start position of a record; ``start`` is NULL for the usual one."""
    cdef uint8_t text[MAX_FEN]
    cdef int length = 0
    if start != NULL:
        length = format_fen(start, start.state.ep_given, text)
    header.variant = chess960
    put_uint8(columns, &columns.has_start, length > 0)
    put_string(columns, &columns.start, text, length)
