from libc.stdint cimport uint8_t, uint16_t

from tabiya.game.growing cimport Bytes

# --- for other kernels ---

# How the texts of a base are stored; see ``TextEncoding``.
ctypedef struct TextPage:
    const uint16_t* letters  # of the bytes 0x80 to 0xFF in texts that are not UTF-8
    const uint8_t* bytes     # of the characters up to U+FFFF in such texts, 0 for none
    bint utf8                # texts are written as UTF-8

# What a stored text turned out to be.
cdef enum:
    TEXT_NO_MEMORY = -1
    TEXT_EXACT = 0    # written again, it gives the same bytes
    TEXT_OTHERWISE = 1

cdef int decode_text(const TextPage* page, const uint8_t* data, Py_ssize_t length, Bytes* out,
                     Bytes* scratch) noexcept nogil
cdef bint encode_text(const TextPage* page, const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil

# --- private to this kernel ---

cdef bint put_page(const TextPage* page, const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil
cdef bint put_shown(const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil
cdef bint put_hidden(const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil
cdef bint put_mixed(const TextPage* page, const uint8_t* data, Py_ssize_t length, Bytes* out) noexcept nogil
cdef bint is_mixed(const uint8_t* data, Py_ssize_t length) noexcept nogil
cdef bint has_signs(const uint8_t* text, Py_ssize_t length) noexcept nogil
cdef int sign_of(const uint8_t* data, Py_ssize_t length, Py_ssize_t place) noexcept nogil
cdef int sequence_at(const uint8_t* data, Py_ssize_t left) noexcept nogil
cdef bint is_word(int letter) noexcept nogil
cdef int page_byte(const TextPage* page, int character) noexcept nogil
cdef int encode_page(const TextPage* page, const uint8_t* text, Py_ssize_t length, Bytes* out) noexcept nogil
cdef bint reads_as(const TextPage* page, const uint8_t* data, Py_ssize_t size, const uint8_t* text,
                   Py_ssize_t length) noexcept nogil
cdef void put_character(Bytes* out, int character) noexcept nogil
cdef int character_at(const uint8_t* text, int count) noexcept nogil
