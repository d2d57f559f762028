from libc.stdint cimport int64_t, uint8_t

from tabiya.formats.cbh.cba cimport Annotations
from tabiya.formats.cbh.cbg cimport Moves
from tabiya.game.columns cimport Columns

# A file that is mapped or read as a whole.
ctypedef struct File:
    const uint8_t* data
    int64_t size

ctypedef struct BodyReader:
    File cbg
    File cba
    Columns* columns
    Moves moves
    Annotations annotations

cdef void read_record(BodyReader* reader, int64_t game, int64_t moves, int64_t annotations, bint is_game) noexcept nogil
cdef bint read_game(BodyReader* reader, int64_t offset) noexcept nogil
cdef bint decode_game(BodyReader* reader, int64_t offset, int64_t size, bint cut) noexcept nogil
cdef void note_failure(BodyReader* reader, int code, int64_t offset) noexcept nogil
cdef void put_start(BodyReader* reader, bint known) noexcept nogil
cdef void read_comments(BodyReader* reader, int64_t game, int64_t offset, bint known) noexcept nogil
cdef void put_empty_header(Columns* columns) noexcept nogil
cdef void keep(BodyReader* reader, const char* key, const uint8_t* data, int64_t size) noexcept nogil
cdef void note(BodyReader* reader, int code, int64_t offset) noexcept nogil
cdef void note_number(BodyReader* reader, int code, int64_t offset, const char* word, int64_t number) noexcept nogil
cdef int64_t moves_size(const File* file, int64_t offset) noexcept nogil
cdef int64_t annotations_size(const File* file, int64_t offset) noexcept nogil
