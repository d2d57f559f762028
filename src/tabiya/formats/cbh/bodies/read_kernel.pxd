from libc.stdint cimport int64_t, uint8_t

from tabiya.formats.cbh.bodies.cba cimport Annotations
from tabiya.formats.cbh.bodies.cbg cimport Moves
from tabiya.game.columns cimport Columns, Header

# A blob, or what the file has of it.
ctypedef struct Blob:
    const uint8_t* data
    int64_t size
    int64_t offset  # in the file, for problems

ctypedef struct BodyReader:
    Blob cbg
    Blob cba
    Columns* columns
    Header header   # of the record being read: what its body tells
    Moves moves
    Annotations annotations

cdef bint are_pieces(const int64_t[:, ::1] pieces, Py_ssize_t count, Py_ssize_t size) noexcept
cdef void take_piece(Blob* blob, const uint8_t* data, const int64_t* piece) noexcept nogil
cdef void read_record(BodyReader* reader, int64_t game, bint is_game) noexcept nogil
cdef bint read_game(BodyReader* reader) noexcept nogil
cdef bint decode_game(BodyReader* reader, int64_t size, bint cut) noexcept nogil
cdef void note_failure(BodyReader* reader, int code, int64_t offset) noexcept nogil
cdef void put_start(BodyReader* reader, bint known) noexcept nogil
cdef void read_comments(BodyReader* reader, int64_t game, bint known) noexcept nogil
cdef void keep(BodyReader* reader, const char* key, const uint8_t* data, int64_t size) noexcept nogil
cdef void note(BodyReader* reader, int code, int64_t offset) noexcept nogil
cdef void note_number(BodyReader* reader, int code, int64_t offset, const char* word, int64_t number) noexcept nogil
cdef int64_t moves_size(const Blob* blob) noexcept nogil
cdef int64_t annotations_size(const Blob* blob) noexcept nogil
