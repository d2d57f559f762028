from libc.stdint cimport uint16_t, uint8_t

from tabiya.game.growing cimport Bytes

# The encoding of the texts of a base; see ``TextEncoding``.
ctypedef struct TextPage:
    const uint16_t* letters  # of the bytes 0x80 to 0xFF in texts that are not UTF-8
    const uint8_t* bytes     # of the characters up to U+FFFF in such texts, 0 for none
    bint utf8                # texts are written as UTF-8

# Result of reading a stored text.
cdef enum:
    TEXT_NO_MEMORY = -1
    TEXT_EXACT = 0    # writing it again gives the same bytes
    TEXT_OTHERWISE = 1

cdef int decode_text(const TextPage* page, const uint8_t* data, Py_ssize_t length, Bytes* out,
                     Bytes* scratch) noexcept nogil
cdef bint encode_text(const TextPage* page, const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil
cdef bint is_mixed(const uint8_t* data, Py_ssize_t length) noexcept nogil
