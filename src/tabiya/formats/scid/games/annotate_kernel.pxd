from tabiya.formats.scid.games.writing cimport Writer

cdef int write_opening(Writer* writer) noexcept nogil
cdef int write_annotations(Writer* writer, int move, int side) noexcept nogil
